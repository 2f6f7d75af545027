"""The base of all commands, and the commands of a table before the start, which are the same in every rule set."""

from collections.abc import Sequence
from typing import ClassVar, Literal

from msgspec import Struct

from mcmulti.domain.core.figures import Entropy, PlayerId, Seat
from mcmulti.domain.core.offers import Offer

Place = Literal["answer", "ahead", "aside", "back"]
"""Where players look for a command. `answer`: first, since others wait for it. `ahead`: with what the game asks, since
it is about what another seat is asked now. `aside`: with what is possible at any time, since it is seldom used. `back`:
apart, since it takes something back, which needs no confirmation.
"""


class Command(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag=True):
    """Base of all commands; `type` names the command.

    `secret`: whether the sender is secret. The log then names no actor, and the first event, which is sealed, has the
    `seat`. `decides`: whether it counts for ratings as a decision in the game. `place`: where players look for it, if
    neither with what the game asks nor with what they can do at any time, as the game offers it.
    """

    secret: ClassVar[bool] = False
    decides: ClassVar[bool] = True
    place: ClassVar[Place | None] = None

    @staticmethod
    def form(offer: Offer) -> str | None:
        """Which of the command's sentences describes an offer of it, if there are several; forms are listed like an
        event's.
        """
        return None


class Worded(Command, frozen=True):
    """Base of commands that express a move in words."""

    def move(self, seat: int | None, names: Sequence[str | None]) -> Command:
        """The move, of this seat, if there is one. Raises `UnreadOrders` if the words mean no move.

        `names`: the players' names by seat, None if a seat has none.
        """
        raise NotImplementedError


class TakeSeat(Command, frozen=True):
    """Sit down (`table/join`). `seat` None: the first free seat."""

    player: PlayerId
    seat: Seat | None = None
    entropy: Entropy = ""


class LeaveSeat(Command, frozen=True):
    """Leave the table before the game starts (`table/leave`)."""


class StartGame(Command, frozen=True):
    """Start the game (`table/start`)."""
