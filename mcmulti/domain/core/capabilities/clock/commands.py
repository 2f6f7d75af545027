"""Commands about time, sent by seats and by the server."""

from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.figures import Seat, Seconds


class GrantTime(Command, frozen=True):
    """Grant the asked seat the clock's time for a move once more (`table/grace`)."""

    seat: Seat


class UseBank(Command, frozen=True):
    """The server states how many seconds longer a seat took than the clock allows (`table/bank`)."""

    seconds: Seconds


class TimeOut(Command, frozen=True):
    """The server states that the asked seat's time is up (`table/clock`)."""
