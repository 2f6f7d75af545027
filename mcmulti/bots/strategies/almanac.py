"""A tycoon's knowledge: how the economy develops, and what an asset is worth if sold at the right time.

Money is in millions of dollars. A round is the time from one turn of a player to the next.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

Kind = Literal["rig", "station", "refinery", "well"]


class EconomyState(NamedTuple):
    """A state of the economy: the bank's prices, and the next states, by the six faces of a die."""

    sells: dict[Kind, int]
    next: tuple[str, ...]


def economy_state(rig: int, station: int, refinery: int, well: int, *following: tuple[str, int]) -> EconomyState:
    """A state with its prices, and the next states, each with its number of faces."""
    sells: dict[Kind, int] = {"rig": rig, "station": station, "refinery": refinery, "well": well}
    return EconomyState(sells, tuple(name for name, faces in following for _ in range(faces)))


PRODUCTIVE: dict[Kind, float] = {"rig": 11 / 36, "station": 11 / 36, "refinery": 20 / 36, "well": 11 / 36}
"""The probability that your own roll makes an asset productive, so that it can be sold."""
STRIKE = 1 / 36
"""The probability that your own roll strikes oil at a rig."""


@dataclass(frozen=True, eq=False)
class Almanac:
    """The states of the economy by name. `changes`: how often it changes in a round.

    `patience`: the present value of money in the next round.
    """

    cards: dict[str, EconomyState]
    changes: float
    patience: float = 0.93

    @lru_cache(maxsize=8192)  # noqa: B019  # almanacs live as long as the program
    def worth(self, kind: Kind, name: str, rounds: int, income: int, strike: int = 0) -> float:
        """The value of holding an asset beyond this turn: its income, and the bank's price at the best moment.

        `income`: what it earns in each of the remaining `rounds`. `strike`: what a rig gains by striking oil. At the
        end everything is sold at the prices of the Depression.
        """
        if rounds <= 0:
            return self.cards["depression"].sells[kind]
        stays = self._after(kind, name, rounds, income, strike)
        following = self.cards[name].next
        moves = sum(self._after(kind, after, rounds, income, strike) for after in following) / len(following)
        return income + STRIKE * strike * (kind == "rig") + (1 - self.changes) * stays + self.changes * moves

    def _after(self, kind: Kind, name: str, rounds: int, income: int, strike: int) -> float:
        """Its value at the owner's next turn, under the card in force then."""
        held = self.patience * self.worth(kind, name, rounds - 1, income, strike)
        sold = max(held, self.cards[name].sells[kind])
        return PRODUCTIVE[kind] * sold + (1 - PRODUCTIVE[kind]) * held


BOX = Almanac(
    {
        "recovery": economy_state(3, 24, 30, 30, ("downturn", 1), ("expansion", 4), ("rapid_growth", 1)),
        "expansion": economy_state(5, 32, 60, 50, ("recovery", 1), ("rapid_growth", 4), ("prosperity", 1)),
        "rapid_growth": economy_state(9, 50, 90, 65, ("expansion", 1), ("prosperity", 4), ("downturn", 1)),
        "prosperity": economy_state(12, 60, 120, 75, ("rapid_growth", 1), ("downturn", 4), ("recession", 1)),
        "downturn": economy_state(8, 45, 80, 60, ("prosperity", 1), ("recession", 4), ("depression", 1)),
        "recession": economy_state(4, 30, 32, 45, ("depression", 3), ("recovery", 3)),
        "depression": economy_state(2, 18, 24, 20, ("recovery", 4), ("expansion", 2)),
    },
    changes=0.85,
)
"""The economy cards of the box game."""
