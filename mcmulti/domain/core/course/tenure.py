"""That a player played a game, and the result."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

GameResult = Literal["won", "shared", "lost", "left", "off"]
"""The result of a game for a player: ``shared`` is won with others, ``off`` is called off."""


class TenureChange(Struct, frozen=True):
    """A change in who plays a game.

    `against`: who else has played it by then. `began`: the index of the event, from 0, that started the game for the
    player, or brought the player in as a `substitute`; None for an earlier start. `result`: None while the player sits
    at a running game. `missed`: how many deadlines the player missed. `resigned` and `vacated`: how often the player
    left, by choice or for too many misses.
    """

    player: str
    against: tuple[str, ...] = ()
    began: int | None = None
    substitute: bool = False
    result: GameResult | None = None
    missed: int = 0
    resigned: int = 0
    vacated: int = 0

    def then(self, later: "TenureChange") -> "TenureChange":
        """The combination of this change and a later one."""
        return replace(
            later,
            began=later.began if self.began is None else self.began,
            substitute=self.substitute or later.substitute,
            missed=self.missed + later.missed,
            resigned=self.resigned + later.resigned,
            vacated=self.vacated + later.vacated,
        )
