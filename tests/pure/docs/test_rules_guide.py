"""The pages of rules only say what the API publishes."""

import re
from typing import Any

import msgspec
import pytest

from mcmulti.api.operations.players import in_full
from mcmulti.domain.rulesets import CURRENT, SHIPPED
from tests.docs import ruleset_pages
from tests.docs.manual import page

PAGES = tuple(f"reference/{part}" for part in ("rules", "table-rules", "commands", "figures"))


def _texts(value: Any) -> str:
    """All texts of a response, one per line."""
    if isinstance(value, dict):
        return "\n".join(_texts(each) for each in value.values())
    return "\n".join(map(_texts, value)) if isinstance(value, list) else str(value)


@pytest.mark.parametrize("name", CURRENT)
def test_every_part_of_a_page_is_written_for_every_game(name: str) -> None:
    """Also for one without figures, readings, or a summary."""
    told = {part: of(name) for part, of in ruleset_pages.PARTS.items()}
    assert all(f"| `{rule}` |" in told["rules"] + told["table rules"] for rule in _own_rules(name))
    assert all(f"**`{kind.__name__}`.**" in told["commands"] for kind in CURRENT[name].commands.moves)


def _own_rules(name: str) -> set[str]:
    """The rules of a game that are not those of all games, or its summary."""
    return CURRENT[name].texts.rules["en"].keys() - ruleset_pages.common().keys() - {*ruleset_pages.AIM}


@pytest.mark.parametrize("name", SHIPPED)
def test_every_sentence_of_the_guide_is_published(name: str) -> None:
    written = page(*(f"{part}-{name}" for part in PAGES), "reference/rules-of-all-games")
    blocks = re.findall(r"<!-- (.+): generated -->\n(.*?)<!-- end of \1 -->", written, re.DOTALL)
    assert {part for part, _ in blocks} >= {f"{part} of {name}" for part in ruleset_pages.PARTS if "types" not in part}
    text = "\n".join(block for _, block in blocks)
    published = _texts(msgspec.json.decode(in_full(name, CURRENT[name].version, "en")))
    sentences = 0
    for line in text.splitlines():
        for cell in re.split(r"(?<!\\)\|", line) if line.startswith("|") else [re.sub(r"^\*\*`\w+`\.\*\* ", "", line)]:
            for sentence in re.split(r"(?<=[.?!]) (?=[A-Z])", cell.strip()):
                if " " in sentence and sentence.endswith((".", "?", "!")) and not sentence.startswith("One of `"):
                    sentences += 1
                    assert sentence.replace("\\|", "|") in published, sentence
    assert sentences > 150
