"""Standing instructions: neighbors say in advance what to operate, so that nobody waits for them (`table/instruct`)."""

from collections.abc import Sequence

from mcmulti.domain.core.capabilities import instructions as common
from mcmulti.domain.core.capabilities.instructions import Instructions, asked
from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.offers import Offer, Range
from mcmulti.domain.mcmulti.commands import (
    EndProduction,
    Instruct,
    OperatingOrders,
    PumpCrude,
    RefineCrude,
    SellGasoline,
)
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.oil.rules.production import OperationBegan


class InstructionSet(common.InstructionSent, frozen=True):
    """A seat said what to operate when it is asked as a neighbor. Only that player can read it until the game is over.

    `orders`: what to operate; null removes the instruction. `tenure`: how many players had the seat before. `salt`:
    keeps others from guessing the orders from their digest.
    """

    orders: OperatingOrders | None

    def evolve(self, state: State) -> State:
        """If the seat is already being asked, it is asked again with its orders."""
        sent: State = super().evolve(state)
        return asked(sent, self.seat) if (question(sent) or ())[1:] == (self.seat,) else sent


def question(state: State) -> tuple[int, int] | None:
    """A neighbor that is asked what it operates in another player's turn."""
    if state.phase != "neighbours":
        return None
    seat = state.owners[state.now.operating]
    return None if seat is None or seat == state.now.seat else (state.now.number, seat)


def following(state: State, seat: int, orders: OperatingOrders, offers: Sequence[Offer]) -> Command:
    """Sell, refine, and pump as far as possible, one after the other, then end."""
    player = state.players[seat]
    for offer in offers:
        quantity = offer.fields.get("quantity")
        if not isinstance(quantity, Range):
            continue
        if offer.command == "SellGasoline" and orders.sell_from is not None:
            worth = sum(price >= orders.sell_from for price in quantity.prices)
            barrels = min(worth, player.gasoline - orders.keep_gasoline)
            if barrels > 0:
                return SellGasoline(barrels)
        elif offer.command == "RefineCrude" and orders.refine:
            barrels = min(quantity.max, player.crude - orders.keep_crude)
            if barrels > 0:
                return RefineCrude(barrels)
        elif offer.command == "PumpCrude" and orders.pump:
            return PumpCrude(quantity.max)
    return EndProduction()


def asks(event: object) -> bool:
    """Whether an event asks a neighbor what it operates."""
    return isinstance(event, OperationBegan) and event.neighbour


INSTRUCTIONS: Instructions[State] = Instructions(
    command=Instruct,
    event=InstructionSet,
    orders="OperatingOrders",
    following=following,
    asked=question,
    commands=8,  # sell, refine, pump, end; with two players, in two quadrants
    asks=asks,
)
