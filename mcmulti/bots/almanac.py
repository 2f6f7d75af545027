"""What a tycoon knows by heart: the economy cards, and what an asset is worth to whoever waits for the right one.

Money is in millions of dollars. A round is the time from one's turn to one's next.
"""

from functools import lru_cache
from typing import Literal, NamedTuple

Kind = Literal["rig", "station", "refinery", "well"]

_PATIENCE = 0.93
"""What money in the next round counts for now."""
_CHANGES = 0.85
"""How often the economy changes in a round."""


class Card(NamedTuple):
    """An economy card: what the bank pays, and what follows it, by the green die."""

    sells: dict[Kind, int]
    next: tuple[str, ...]


def _card(rig: int, station: int, refinery: int, well: int, *following: tuple[str, int]) -> Card:
    sells: dict[Kind, int] = {"rig": rig, "station": station, "refinery": refinery, "well": well}
    return Card(sells, tuple(name for name, faces in following for _ in range(faces)))


CARDS = {
    "recovery": _card(3, 24, 30, 30, ("downturn", 1), ("expansion", 4), ("rapid_growth", 1)),
    "expansion": _card(5, 32, 60, 50, ("recovery", 1), ("rapid_growth", 4), ("prosperity", 1)),
    "rapid_growth": _card(9, 50, 90, 65, ("expansion", 1), ("prosperity", 4), ("downturn", 1)),
    "prosperity": _card(12, 60, 120, 75, ("rapid_growth", 1), ("downturn", 4), ("recession", 1)),
    "downturn": _card(8, 45, 80, 60, ("prosperity", 1), ("recession", 4), ("depression", 1)),
    "recession": _card(4, 30, 32, 45, ("depression", 3), ("recovery", 3)),
    "depression": _card(2, 18, 24, 20, ("recovery", 4), ("expansion", 2)),
}

PRODUCTIVE: dict[Kind, float] = {"rig": 11 / 36, "station": 11 / 36, "refinery": 20 / 36, "well": 11 / 36}
"""How likely one's own roll makes an asset productive, so that it may be sold."""
STRIKE = 1 / 36
"""How likely one's own roll strikes oil at a rig."""


@lru_cache(maxsize=8192)
def worth(kind: Kind, card: str, rounds: int, income: int, strike: int = 0) -> float:
    """What holding an asset beyond this turn is worth: what it earns, and what the bank will pay at the best moment.

    `income` is what it earns in each of the `rounds` that are left, `strike` what a rig gains by striking oil.
    At the end everything goes at the prices of the Depression.
    """
    if rounds <= 0:
        return CARDS["depression"].sells[kind]
    stays = _after(kind, card, rounds, income, strike)
    following = CARDS[card].next
    moves = sum(_after(kind, name, rounds, income, strike) for name in following) / len(following)
    return income + STRIKE * strike * (kind == "rig") + (1 - _CHANGES) * stays + _CHANGES * moves


def _after(kind: Kind, card: str, rounds: int, income: int, strike: int) -> float:
    """What it is worth at one's next turn, under the card that is in force then."""
    held = _PATIENCE * worth(kind, card, rounds - 1, income, strike)
    sold = max(held, CARDS[card].sells[kind])
    return PRODUCTIVE[kind] * sold + (1 - PRODUCTIVE[kind]) * held
