"""What a game is created with."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from mcmulti.domain.oil.figures import Seat

Seats = Annotated[int, Meta(ge=2, le=4)]


class Setup(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """How a game of McMulti is set up.

    `seats`: how many sit at the table (`setup/seats`). `target`: the cash, in millions of dollars, that
    allows a declaration of victory (`setup/target`). `first_seat`: who starts; decided by dice when left
    out (`setup/first-player`). `fewer_seats`: whether the game may start with empty seats (`table/start`).
    """

    seats: Seats = 4
    target: Literal[750, 1000] = 750
    first_seat: Seat | None = None
    fewer_seats: bool = False
