"""The base of all commands, and those at the table before the start, which are the same in every rule set."""

from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct

from mcmulti.domain.core.figures import Entropy, PlayerId, Seat
from mcmulti.domain.core.offers import Offer


class Command(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag=True):
    """Base of all commands; `type` names the command.

    `secret`: whether nobody is to know who sent one: the log names no actor of it, and the first event, which is
    sealed, has the `seat`. `decides`: whether it decides something in a game that is played, for ratings.
    """

    secret: ClassVar[bool] = False
    decides: ClassVar[bool] = True

    @staticmethod
    def form(offer: Offer) -> str | None:
        """Which of the command's sentences tells an offer of it, where there are several; listed as of an event."""
        return None


class Worded(Command, frozen=True):
    """Base of what stands for a move whose content is written in words."""

    def move(self, seat: int | None, names: Sequence[str | None]) -> Command:
        """The move, of this seat, if it has one. Raises `UnreadOrders` for words that mean none.

        `names`: of the players by seat, None for who has none.
        """
        raise NotImplementedError


class TakeSeat(Command, frozen=True):
    """Sit down (`table/join`). `seat` None: the first that is free."""

    player: PlayerId
    seat: Seat | None = None
    entropy: Entropy = ""


class LeaveSeat(Command, frozen=True):
    """Leave the table before the game starts (`table/leave`)."""


class StartGame(Command, frozen=True):
    """Start the game (`table/start`)."""
