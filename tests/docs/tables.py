"""Tables in the guides that follow from the code. Run as ``python -m tests.docs.tables`` to write them."""

import re
from pathlib import Path

from mcmulti.api.problems import CODES
from mcmulti.domain.mcmulti import RULESET

DOCS = Path(__file__).parents[2] / "docs"
FIRST_BOT = Path(__file__).parents[2] / "examples" / "first_bot.py"


def codes() -> str:
    """The codes of the API."""
    rows = [f"| `{code}` | {status} | {title} |" for code, (status, title) in CODES.items()]
    return "\n".join(["| code | status | meaning |", "|---|---|---|", *rows])


def limits() -> str:
    """The codes of the rule set."""
    rows = [
        f"| `{limit.code}` | {f'`{limit.rule}`' if limit.rule else 'that of the offer'} | {limit.sentence} |"
        for limit in RULESET.limits.values()
    ]
    return "\n".join(["| code | rule | meaning |", "|---|---|---|", *rows])


def with_tables(markdown: str) -> str:
    """A guide with its generated tables."""
    for name, table in (("codes", codes()), ("limits", limits())):
        pattern = rf"(<!-- {name}: generated -->\n).*?(<!-- end of {name} -->)"
        markdown = _put(markdown, pattern, f"\n{table}\n\n")
    bot = FIRST_BOT.read_text("utf-8")
    pattern = r"(```python\n# examples/first_bot.py\n).*?(```)"
    return _put(markdown, pattern, bot)


def _put(markdown: str, pattern: str, text: str) -> str:
    return re.sub(pattern, lambda match: f"{match[1]}{text}{match[2]}", markdown, flags=re.DOTALL)


if __name__ == "__main__":
    for guide in DOCS.glob("*.md"):
        guide.write_text(with_tables(guide.read_text("utf-8")), "utf-8")
