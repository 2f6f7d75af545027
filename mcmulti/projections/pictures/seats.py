"""Seats as people see them: by the names of those who sit there, and by signs and colours."""

from functools import partial
from typing import Any

from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.wording.telling import Language, seat_name, word

_COLOURS = ("cyan", "yellow", "green", "magenta", "bright_blue", "bright_red")
_SIGNS = ("●", "■", "▲", "◆", "▼", "★")
_NOBODY = "-"


def seat_colour(seat: int) -> str:
    """The colour of a seat on a terminal; from the seventh on they begin again."""
    return _COLOURS[seat % len(_COLOURS)]


def seat_mark(seat: int | None) -> tuple[str, str]:
    """The sign of a seat in one column, and its colour; a seat is told from others by either."""
    return (_NOBODY, "dim") if seat is None else (_SIGNS[seat % len(_SIGNS)], seat_colour(seat))


def names(ruleset: Ruleset[Any], state: Any, language: Language = "en") -> tuple[str, ...]:
    """What people call who sits where: by name, or by the seat where none is known; empty for an empty seat."""
    said = partial(word, ruleset.texts.words, language)
    seated = zip(ruleset.players(state), ruleset.outcome(state).names, strict=True)
    return tuple(
        "" if player is None and name is None else seat_name(said, seat, name)
        for seat, (player, name) in enumerate(seated)
    )


def printable(text: str) -> str:
    """The text without what ends lines or moves cursors: a log from elsewhere may hold any name."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)
