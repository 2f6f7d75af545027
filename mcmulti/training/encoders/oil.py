"""What both oil games share, as numbers: the board, the markets, the property of seats."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mcmulti.domain.oil.names import GOODS, MARKETS
from mcmulti.domain.oil.rules.board import QUADRANTS
from mcmulti.domain.oil.state import Oilfield
from mcmulti.training.layout import Part, Vector, around, by_seat, figure

SITES = 36
"""Sites in a quadrant."""


def home(state: Oilfield, seat: int) -> int:
    """The first quadrant of a seat, from which it counts the others."""
    return state.owners.index(seat)


def quadrants_around(state: Oilfield, seat: int) -> tuple[int, ...]:
    """All quadrants in a seat's order: its own first, then clockwise."""
    return around(home(state, seat), len(QUADRANTS))


def bits(*masks: int) -> Vector:
    """The bits of every mask, for the sites of a quadrant row by row."""
    octets = b"".join([mask.to_bytes(5, "little") for mask in masks])
    unpacked = np.unpackbits(np.frombuffer(octets, np.uint8).reshape(-1, 5), axis=1, bitorder="little")
    return unpacked[:, :SITES].ravel()


def owned(seats: int) -> Sequence[Part]:
    """Cash and barrels of every seat."""

    def what(field: str) -> Callable[[Any], Sequence[float]]:
        return lambda state: [getattr(player, field) for player in state.players]

    return (
        by_seat("cash", seats, "the cash of each seat, in hundreds of millions of dollars", what("cash"), 100, 50.0),
        by_seat("crude", seats, "the barrels of crude of each seat, in tens", what("crude"), 10, 15.0),
        by_seat("gasoline", seats, "the barrels of gasoline of each seat, in tens", what("gasoline"), 10, 15.0),
    )


def still(most: int) -> Part:
    """How near the game is to a standstill, at this many turns."""
    return figure("still", f"turns without a change, in parts of {most}", "still", most)


def markets(fields: int) -> Part:
    """How full the tracks are."""
    return Part(
        "markets",
        len(MARKETS) * len(GOODS),
        f"for each market ({', '.join(MARKETS)}) and good ({', '.join(GOODS)}): barrels there, in parts of {fields}",
        lambda state, seat: [fields - state.market(market).free(good) for market in MARKETS for good in GOODS],
        fields,
    )
