"""Seats for display: by their players' names, and by signs and colors."""

from functools import partial
from typing import Any

from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.wording.telling import Language, seat_name, word

_COLOURS = ("cyan", "yellow", "green", "magenta", "bright_blue", "bright_red")
_SIGNS = ("●", "■", "▲", "◆", "▼", "★")
_NOBODY = "-"


def seat_colour(seat: int) -> str:
    """The color of a seat on a terminal; from the seventh seat on, colors repeat."""
    return _COLOURS[seat % len(_COLOURS)]


def seat_mark(seat: int | None) -> tuple[str, str]:
    """The sign of a seat, one column wide, and its color; either one identifies a seat."""
    return (_NOBODY, "dim") if seat is None else (_SIGNS[seat % len(_SIGNS)], seat_colour(seat))


def names(ruleset: Ruleset[Any], state: Any, language: Language = "en") -> tuple[str, ...]:
    """The displayed names by seat: the player's name, or the seat if none is known; empty for an empty seat."""
    said = partial(word, ruleset.texts.words, language)
    seated = zip(ruleset.players(state), ruleset.outcome(state).names, strict=True)
    return tuple(
        "" if player is None and name is None else seat_name(said, seat, name)
        for seat, (player, name) in enumerate(seated)
    )


def printable(text: str) -> str:
    """The text without line ends and cursor movements: names in a log from elsewhere can contain anything."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)
