"""Tables of what training observes and does."""

from mcmulti.domain.rulesets import CURRENT
from mcmulti.training.encoders.subjects import actions_of, layout_of, subject_named
from mcmulti.training.layout import SeatLayout


def of(ruleset: str) -> str:
    """A rule set's actions, its approximations, and what a seat observes with the default number of players."""
    seats = CURRENT[ruleset].setup().seats  # type: ignore[attr-defined]
    actions = actions_of(ruleset)
    layout = layout_of(ruleset, seats)
    return "\n".join(
        (
            f"{actions.size:,} actions:",
            "",
            "| from | number | command | actions |",
            "|---|---|---|---|",
            *(
                f"| {offset} | {family.size} | `{family.command.__name__}` | {family.description()} |"
                for family, offset in zip(actions.families, actions.offsets, strict=False)
            ),
            "",
            f"What no action comes to: {subject_named(ruleset).lost}",
            "",
            f"{layout.size:,} numbers, with {seats} seats:",
            "",
            "| from | number | part | at most | what |",
            "|---|---|---|---|---|",
            *_parts(layout),
        )
    )


def _parts(layout: SeatLayout) -> list[str]:
    return [f"| {offset} | {part.size} | `{part.name}` | {part.most:g} | {part.says} |" for offset, part in layout]
