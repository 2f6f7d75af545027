"""The state of a game by post: what the rules need to know, including sealed sheets; and its setup."""

from typing import Annotated, Literal, Self

from msgspec import Meta
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.leaving import IfLeftOption
from mcmulti.domain.core.capabilities.rating import PracticeOption
from mcmulti.domain.core.course.course import Course
from mcmulti.domain.core.table import TableSetup
from mcmulti.domain.core.tuples import put
from mcmulti.domain.oil.rules.quadrant import EMPTY, Quadrant
from mcmulti.domain.oil.state import Oilfield
from mcmulti.domain.postal.sheets.sheet import LaterSheet, OrderSheet


class PostalSetup(TableSetup, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """The setup of a game of McMulti by post.

    `seats`: always four. `round_hours`: how long players have for their order sheets each round, in hours.
    `grace_hours`: how many hours longer the referee waits for late players.
    """

    if_left: IfLeftOption = "substitute"
    practice: PracticeOption = False
    seats: Literal[4] = 4
    round_hours: Annotated[int, Meta(ge=1, le=720)] = 72
    grace_hours: Annotated[int, Meta(ge=0, le=168)] = 0
    third_double: Annotated[
        Literal["again", "stands"],
        Meta(
            description="What happens to a double that would change the climate a third time in a round"
            " (`postal/two-changes`): it is rolled `again`, or it `stands` and changes nothing."
        ),
    ] = "again"


Phase = Literal["seating", "orders", "refereeing", "over"]


class State(Oilfield, frozen=True, kw_only=True):
    """A game at one moment. Seat n owns quadrant n.

    `consumer_price`: what the next sale of a pump brings, 0 if none can be sold (`postal/pump`). `order`: that of the
    round. By seat: `sheets` for this round, `later` ones in the order of their rounds, `standing` for all rounds
    without another, and `holds`. `stirred`: whether anybody sent or released anything in this round. `hits`: the assets
    that each seat's own last roll hit and that were not sold since. `struck`: those of its rigs that both dice hit;
    both as bits. `conversions`: the number of rigs converted in the game.
    """

    setup: PostalSetup
    phase: Phase = "seating"
    round: int = 0
    order: tuple[int, ...] = ()
    sheets: tuple[OrderSheet | None, ...] = (None, None, None, None)
    later: tuple[tuple[LaterSheet, ...], ...] = ((), (), (), ())
    standing: tuple[OrderSheet | None, ...] = (None, None, None, None)
    holds: tuple[bool, ...] = (False, False, False, False)
    stirred: bool = False
    hits: tuple[Quadrant, ...] = (EMPTY, EMPTY, EMPTY, EMPTY)
    struck: tuple[int, ...] = (0, 0, 0, 0)
    conversions: int = 0
    climate_changes: int = 0

    @property
    def movers(self) -> tuple[int, ...]:
        """The seats whose sheet is missing, or else those that hold the round.

        If all sheets came in advance, anybody: the next command lets the round go on. Others may move too: a sheet can
        be replaced, and a round held, until the round is refereed.
        """
        held = self.missing or tuple(seat for seat, holds in enumerate(self.holds) if holds)
        return held if held or self.stirred else self.taken

    @property
    def declared_by(self) -> int | None:
        """The seat that was first to have the target (`postal/target`)."""
        return self.winners[0] if self.decided_by == "target" else None

    @property
    def missing(self) -> tuple[int, ...]:
        """The occupied seats whose sheet for this round is missing."""
        return tuple(seat for seat in self.without_sheet if self.player_ids[seat] is not None)

    @property
    def without_sheet(self) -> tuple[int, ...]:
        """All seats whose sheet for this round is missing."""
        return tuple(seat for seat, sheet in enumerate(self.sheets) if sheet is None)

    def vacated(self, seat: int) -> Self:
        """The state after this seat became vacant: it has no sheet, and holds nothing."""
        left = super().vacated(seat)
        return replace(
            left,
            sheets=put(self.sheets, seat, None),
            later=put(self.later, seat, ()),
            standing=put(self.standing, seat, None),
            holds=put(self.holds, seat, False),
        )

    def due(self, seat: int, number: int) -> LaterSheet | None:
        """The sheet that the seat sent in advance for this round; None if there is none."""
        return next((each for each in self.later[seat] if each.round == number), None)


Play = Course[State]
