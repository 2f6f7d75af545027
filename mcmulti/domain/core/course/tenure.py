"""That a player played a game, and what came of it."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

GameResult = Literal["won", "shared", "lost", "left", "off"]
"""What a game came to for who played it: ``shared`` is won with others, ``off`` is called off."""


class TenureChange(Struct, frozen=True):
    """What events change in who plays a game.

    `against` is who else has played it by then. `began`: which of the events, counted from 0, started the game for the
    player, or brought the player as a `substitute`; None for who played before. `result` is None while the player sits
    at a game that runs. `missed` counts deadlines that were let pass, `resigned` and `vacated` how often the player
    left, at will or for having missed too many.
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
        """What is so when this changes."""
        return replace(
            later,
            began=later.began if self.began is None else self.began,
            substitute=self.substitute or later.substitute,
            missed=self.missed + later.missed,
            resigned=self.resigned + later.resigned,
            vacated=self.vacated + later.vacated,
        )
