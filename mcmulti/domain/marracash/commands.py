"""Commands: what a seat may ask for. Which are legal now, the offers say."""

from typing import Annotated

from msgspec import Meta

from mcmulti.domain.core.commands import Command, LeaveSeat, StartGame, TakeSeat
from mcmulti.domain.marracash.names import QueueEnd, ShopName
from mcmulti.domain.marracash.state import Dirham, Fountain

__all__ = ["Bid", "Command", "LeaveSeat", "LetIn", "MoveGroup", "PassBid", "PutUp", "StartGame", "TakeSeat"]


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


class LetIn(Command, frozen=True):
    """Let so many visitors in from an end of the queue, to an entrance that is empty (`entrance/refill`)."""

    entrance: Fountain
    end: QueueEnd
    visitors: Annotated[int, Meta(ge=1, le=4, description="Visitors, in a row.")]
