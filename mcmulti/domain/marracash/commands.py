"""Commands that seats send. Offers decide which are legal now."""

from typing import Annotated, ClassVar

from msgspec import Meta

from mcmulti.domain.core.commands import Command, Place
from mcmulti.domain.marracash.components import QueueEnd, ShopName
from mcmulti.domain.marracash.state import Dirham, Fountain


class MoveGroup(Command, frozen=True):
    """Lead all visitors of a fountain along a street to the next (`move/group`)."""

    fountain: Fountain
    to: Fountain


class PutUp(Command, frozen=True):
    """Put a shop up for auction, with a first bid in dirham (`auction/offer`)."""

    shop: ShopName
    bid: Dirham


class Bid(Command, frozen=True):
    """Bid more, in dirham, for the shop that is put up (`auction/bids`)."""

    bid: Dirham


class PassBid(Command, frozen=True):
    """Bid no more for the shop that is put up (`auction/bids`)."""


class BidUpTo(Command, frozen=True):
    """Set a ceiling for this auction, in dirham, replacing an earlier one (`auction/ceiling`).

    `most`: the most to bid. Only the player who sets it can read it until the game is over.
    """

    decides: ClassVar[bool] = False
    place: ClassVar[Place | None] = "ahead"

    most: Dirham


class WithdrawCeiling(Command, frozen=True):
    """Withdraw the ceiling: from now on only bids made by hand count (`auction/ceiling`)."""

    decides: ClassVar[bool] = False
    place: ClassVar[Place | None] = "ahead"


class LetIn(Command, frozen=True):
    """Let visitors in from an end of the queue, to an empty entrance (`entrance/refill`)."""

    entrance: Fountain
    end: QueueEnd
    visitors: Annotated[int, Meta(ge=1, le=4, description="Visitors, in a row.")]
