"""What is said of time: by seats, and by the server."""

from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.figures import Seat, Seconds


class GrantTime(Command, frozen=True):
    """Grant the seat that is asked as long again as the clock allows for a move (`table/grace`)."""

    seat: Seat


class UseBank(Command, frozen=True):
    """The server says how many seconds longer a seat took than the clock allows (`table/bank`)."""

    seconds: Seconds


class TimeOut(Command, frozen=True):
    """The server says that the time of the seat that is asked is up (`table/clock`)."""
