"""The state of a fair, and its setup."""

from typing import Annotated, Literal, Self

from msgspec import Meta, Struct

from mcmulti.domain.core.capabilities.leaving import IfLeftOption
from mcmulti.domain.core.capabilities.leaving.departures import NO_DEPARTURES, Departures
from mcmulti.domain.core.capabilities.rating import PracticeOption
from mcmulti.domain.core.capabilities.votes import NO_PROPOSALS, Proposals
from mcmulti.domain.core.course.course import Course
from mcmulti.domain.core.figures import MOST
from mcmulti.domain.core.table import Table, TableSetup

Florins = Annotated[int, Meta(ge=0, le=MOST, description="Florins.")]
Sacks = Annotated[int, Meta(ge=0, le=MOST, description="Sacks of wool.")]
Day = Annotated[int, Meta(ge=0, le=30, description="A day of the fair, from 1; 0 before the first.")]

PURSE = 20
"""Florins that a trader starts with (`fair/purse`)."""
CART = 5
"""Sacks that a trader can move in one go (`fair/cart`)."""
FIRST_PRICE = 5
LOWEST_PRICE = 2


class Setup(TableSetup, frozen=True, gc=False, forbid_unknown_fields=True):
    """How a fair is set up.

    `seats`: how many traders come (`fair/traders`). `days`: how many it lasts (`fair/days`).
    """

    seats: Annotated[int, Meta(ge=2, le=5)] = 5
    days: Annotated[int, Meta(ge=1, le=30)] = 6
    if_left: IfLeftOption = "substitute"
    practice: PracticeOption = False


class Trader(Struct, frozen=True, gc=False):
    """A trader's property at the fair."""

    florins: Florins
    wool: Sacks


class Fair(Table, frozen=True, kw_only=True):
    """A fair at one moment. `at`: the seat to move, or the number of traders after everybody moved."""

    setup: Setup
    traders: tuple[Trader, ...] = ()
    day: Day = 0
    at: int = 0
    price: Florins = 0
    winners: tuple[int, ...] = ()
    departures: Departures = NO_DEPARTURES
    proposals: Proposals = NO_PROPOSALS

    @property
    def phase(self) -> Literal["seating", "trading", "over"]:
        """Wool is traded from the start to the end."""
        if not self.traders:
            return "seating"
        return "over" if self.winners or self.departures.ended == "called_off" else "trading"

    def called_off(self) -> Self:
        """The fair is over, and nobody won. Its phase shows that."""
        return self

    @property
    def movers(self) -> tuple[int, ...]:
        """The trader to move."""
        return (self.at,)


Play = Course[Fair]
