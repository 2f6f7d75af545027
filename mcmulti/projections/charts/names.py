"""The charts of a game, by name, and which of them a rule set has. Unlike drawing, this needs no library."""

from typing import Any, Literal, get_args

from mcmulti.domain.core.ruleset import Ruleset, no_luck, throws_none

ChartName = Literal["cash", "worth", "prices", "dice", "luck"]
CHARTS: tuple[ChartName, ...] = get_args(ChartName)


def charts_of(ruleset: Ruleset[Any]) -> tuple[ChartName, ...]:
    """The charts that are useful in games of a rule set; `worth` would equal `cash` if only money counts."""
    shows: dict[ChartName, bool] = {
        "worth": ruleset.books.valued,
        "prices": ruleset.books.priced,
        "dice": ruleset.dice.thrown is not throws_none,
        "luck": ruleset.dice.luck is not no_luck,
    }
    return tuple(name for name in CHARTS if shows.get(name, True))
