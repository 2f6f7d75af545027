"""Seats as people see them: by the names of those who sit there, and by colours."""

from typing import Any

from mcmulti.domain.core.ruleset import Ruleset

COLOURS = ("cyan", "yellow", "green", "magenta")
"""Of each seat, on a terminal."""


def names(ruleset: Ruleset[Any], state: Any) -> tuple[str, ...]:
    """The players' names by seat, empty for an empty seat."""
    return tuple(name or "" for name in ruleset.outcome(state).names)


def printable(text: str) -> str:
    """The text without what ends lines or moves cursors: a log from elsewhere may hold any name."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)
