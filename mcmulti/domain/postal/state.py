"""The state of a game by post: what the rules need to know, sealed sheets among it."""

from typing import Literal, Self

from msgspec.structs import replace

from mcmulti.domain.core.tuples import put
from mcmulti.domain.oil.quadrant import EMPTY, Quadrant
from mcmulti.domain.oil.state import Oilfield
from mcmulti.domain.postal.setup import PostalSetup
from mcmulti.domain.postal.sheet import OrderSheet

Phase = Literal["seating", "orders", "refereeing", "over"]


class State(Oilfield, frozen=True, kw_only=True):
    """A game at one moment. Seat n owns quadrant n.

    `consumer_price` is what the next sale of a pump brings, 0 if none can be sold (`postal/pump`).
    `order` is that of the round. `sheets` and `holds` are by seat. `hits` are the assets that each seat's own last
    roll hit and that were not sold since, `struck` those of its rigs that both dice hit, both as bits. `conversions`
    counts rigs converted in the game.
    """

    setup: PostalSetup
    phase: Phase = "seating"
    round: int = 0
    order: tuple[int, ...] = ()
    sheets: tuple[OrderSheet | None, ...] = (None, None, None, None)
    holds: tuple[bool, ...] = (False, False, False, False)
    hits: tuple[Quadrant, ...] = (EMPTY, EMPTY, EMPTY, EMPTY)
    struck: tuple[int, ...] = (0, 0, 0, 0)
    conversions: int = 0
    conversions_in_round: int = 0
    climate_changes: int = 0

    @property
    def movers(self) -> tuple[int, ...]:
        """Those whose sheet is missing, then those who hold the round.

        Others may move as well: a sheet can be replaced, and a round held, until the round is refereed.
        """
        return self.missing or tuple(seat for seat, holds in enumerate(self.holds) if holds)

    @property
    def missing(self) -> tuple[int, ...]:
        """The seats whose sheet for this round is not in, and is waited for: those that were left are not."""
        return tuple(seat for seat in self.without_sheet if self.player_ids[seat] is not None)

    @property
    def without_sheet(self) -> tuple[int, ...]:
        """The seats whose sheet for this round is not in."""
        return tuple(seat for seat, sheet in enumerate(self.sheets) if sheet is None)

    def vacated(self, seat: int) -> Self:
        """The state in which nobody sits on this seat any more: it has no sheet, and holds nothing."""
        left = super().vacated(seat)
        return replace(left, sheets=put(self.sheets, seat, None), holds=put(self.holds, seat, False))
