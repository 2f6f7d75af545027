"""The words of the notation of order sheets, for reading and writing.

If several words mean the same, the first is written.
"""

from typing import Any, TypeVar, cast

from msgspec.structs import asdict

from mcmulti.domain.oil.names import EconomyName, Good, Kind, MarketName
from mcmulti.domain.postal.conditions import conditions as c
from mcmulti.domain.postal.conditions import quantities as q
from mcmulti.domain.postal.names import Plot, Relation

T = TypeVar("T")

ROWS = "ABCDEF"
"""The letters of a quadrant's rows, from the first."""
PLAYERS = "ABCD"
"""The letters of the seats, from the first."""

GOODS: dict[str, Good] = {
    "crude": "crude",
    "oil": "crude",
    "gasoline": "gasoline",
    "gas": "gasoline",
    "petrol": "gasoline",
}
MARKETS: dict[str, MarketName] = {"domestic": "domestic", "foreign": "foreign", "international": "foreign"}
KINDS: dict[str, Kind] = {"rig": "rig", "well": "well", "pump": "station", "station": "station", "refinery": "refinery"}
KINDS_OF: dict[str, Kind | None] = {
    **{f"{word}s": kind for word, kind in KINDS.items() if word != "refinery"},
    "refineries": "refinery",
    "assets": None,
    **KINDS,
    "asset": None,
}
"""One or several, of a kind or of any."""
CLIMATES: dict[str, EconomyName] = {
    "recovery": "recovery",
    "expansion": "expansion",
    "rapid": "rapid_growth",
    "rapid_growth": "rapid_growth",
    "prosperity": "prosperity",
    "downturn": "downturn",
    "recession": "recession",
    "depression": "depression",
}
RELATIONS: dict[Relation, str] = {
    "more": "more than",
    "at_least": "at least",
    "equal": "exactly",
    "at_most": "at most",
    "less": "less than",
}


def asking(quantity: q.Quantity, least: int | None = None, most: int | None = None) -> c.Condition:
    """The condition that a quantity lies between bounds; without them, a condition that asks for the quantity."""
    condition: Any = c.ASKED[type(quantity)](**asdict(quantity), at_least=least, at_most=most)
    return cast(c.Condition, condition)


def written(words: dict[str, T], value: T) -> str:
    """The word for a value."""
    return next(word for word, meant in words.items() if meant == value)


def site(plot: Plot) -> str:
    """A site: the letter of its row and the number of its column."""
    return f"{ROWS[plot.row - 1]}{plot.column}"
