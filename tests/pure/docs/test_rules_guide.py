"""The guide to the rules says nothing that the API does not publish."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mcmulti.api.operations.players import in_full
from mcmulti.domain.rulesets import CURRENT

GUIDE = Path(__file__).parents[3] / "docs" / "rules.md"
_HEADS = (
    "rule",
    "text",
    "question",
    "how it is played here",
    "rules",
    "option",
    "field",
    "type",
    "left out",
    "meaning",
)


def _sections() -> dict[str, str]:
    """The text of each part after the introduction, by its heading."""
    _, *parts = re.split(r"^## ", GUIDE.read_text("utf-8"), flags=re.MULTILINE)
    return {part.partition("\n")[0]: part.partition("\n")[2] for part in parts}


def test_every_part_of_the_guide_is_what_a_rule_set_publishes() -> None:
    """Nothing is written by hand between the headings."""
    found = []
    for text in _sections().values():
        block = re.fullmatch(
            r"\n<!-- rules of (\w+): generated -->\n.*<!-- end of rules of (\w+) -->\n+", text, re.DOTALL
        )
        assert block is not None
        assert block[1] == block[2]
        found.append(block[1])
    assert sorted(found) == sorted(CURRENT)


def _texts(value: Any) -> str:
    """All texts of an answer, one a line."""
    if isinstance(value, dict):
        return "\n".join(_texts(each) for each in value.values())
    return "\n".join(map(_texts, value)) if isinstance(value, list) else str(value)


@pytest.mark.parametrize("name", CURRENT)
def test_every_sentence_of_the_guide_is_published(name: str) -> None:
    text = GUIDE.read_text("utf-8")
    _, _, text = text.partition(f"<!-- rules of {name}: generated -->")
    text, _, _ = text.partition(f"<!-- end of rules of {name} -->")
    published = _texts(msgspec.json.decode(in_full(name, CURRENT[name].version, "en")))
    sentences = 0
    for line in text.splitlines():
        for cell in re.split(r"(?<!\\)\|", line) if line.startswith("|") else [re.sub(r"^\*\*`\w+`\.\*\* ", "", line)]:
            for sentence in re.split(r"(?<=[.?!]) (?=[A-Z])", cell.strip()):
                if " " in sentence and sentence.endswith((".", "?", "!")) and not sentence.startswith("One of `"):
                    sentences += 1
                    assert sentence.replace("\\|", "|") in published, sentence
    assert sentences > 150
