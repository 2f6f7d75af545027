"""The table of faults in docs/explanation/reliability.md, as campaigns found it."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from tests.slow.chaos.campaign import Outcome

GUIDE = Path(__file__).parents[3] / "docs" / "explanation" / "reliability.md"


def rows(outcomes: Mapping[str, Outcome]) -> str:
    """A row for each campaign: actions, what clients received, and the result."""
    columns = "fault", "times", "tries", "acknowledged", *_WRONG, "well again after, at most", "slowest answer"
    lines = [columns, ["---"] * len(columns)]
    for name, outcome in outcomes.items():
        found = outcome.verdict._asdict()
        lines.append(
            [
                name,
                f"{sum(outcome.faults.values()):,}",
                f"{outcome.tries:,}",
                f"{outcome.acknowledged:,}",
                *(str(len(found[what])) for what in _WRONG),
                f"{outcome.recovered:.1f} s",
                f"{outcome.slowest:.1f} s",
            ]
        )
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


_WRONG = ("lost", "doubled", "invented", "unsound", "misled", "broken")


def document(outcomes: Mapping[str, Outcome], arguments: str) -> None:
    """Write the table into the guide, with the arguments of the campaigns."""
    said = f'{datetime.now(UTC):%Y-%m-%d}, by `make chaos ARGS="{arguments}"`:'
    text = re.sub(
        r"(<!-- faults: written by make chaos -->\n).*?(<!-- end of faults -->)",
        lambda match: f"{match[1]}\n{said}\n\n{rows(outcomes)}\n\n{match[2]}",
        GUIDE.read_text("utf-8"),
        flags=re.DOTALL,
    )
    GUIDE.write_text(text, "utf-8")
