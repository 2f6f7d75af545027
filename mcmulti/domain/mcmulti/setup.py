"""What a game is created with."""

from typing import Annotated, Literal

from msgspec import Meta

from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.setup import TableSetup
from mcmulti.domain.mcmulti.limits import LIMITS
from mcmulti.domain.oil.figures import Seat

Seats = Annotated[int, Meta(ge=2, le=4)]


class Setup(TableSetup, frozen=True, gc=False, forbid_unknown_fields=True):
    """How a game of McMulti is set up.

    `seats`: how many sit at the table (`setup/seats`). `target`: the cash, in millions of dollars, that
    allows a declaration of victory (`setup/target`). `first_seat`: who starts; decided by dice when left
    out (`setup/first-player`).
    """

    seats: Seats = 4
    target: Literal[750, 1000] = 750
    first_seat: Seat | None = None


def unfit(setup: Setup) -> Rejection | None:
    """Who starts must have one of the seats (`setup/first-player`)."""
    if setup.first_seat is None or setup.first_seat < setup.seats:
        return None
    return LIMITS["first_seat_unknown"].rejection("first_seat", setup.seats - 1)
