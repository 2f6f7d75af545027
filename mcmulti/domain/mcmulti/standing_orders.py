"""What a seat wants done when it is asked as a neighbor, or while it is away, and what switches that off."""

from typing import Annotated, Literal, cast

from msgspec import Meta, Struct

from mcmulti.domain.mcmulti.components import Kind
from mcmulti.domain.mcmulti.news.track import next_sale
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.oil.names import BarrelCount, Millions
from mcmulti.domain.oil.state import Oilfield

Guard = Literal["cash_below", "price_below", "price_above", "after_turn"]


class OperatingOrders(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """What a seat wants operated when it is asked as a neighbor; nothing by default.

    `sell_from`: sell gasoline as long as a barrel brings at least this much, in millions of dollars; null: sell none.
    `keep_gasoline`: barrels of it to keep. `refine`: whether to refine what can be; `keep_crude`: barrels of crude to
    keep then. `pump`: whether to pump what can be.

    The fields `away_...` apply in the seat's own turn and for news, when its time is up. `away_operates`: its own
    assets operate as a neighbor's do. `away_cleans_up`: pay for each clean-up that the cash covers. `away_sells`: the
    kind of asset to sell first for a tax that the cash does not cover.

    When the seat is asked, the instruction switches off if its cash is below `cash_below`, if the next barrel of
    gasoline brings less than `price_below` or more than `price_above`, or if the current turn is after number
    `after_turn`.
    """

    sell_from: Annotated[int, Meta(ge=1, le=1000)] | None = None
    keep_gasoline: BarrelCount = 0
    refine: bool = False
    keep_crude: BarrelCount = 0
    pump: bool = False
    away_operates: bool = False
    away_cleans_up: bool = False
    away_sells: Kind | None = None
    cash_below: Millions | None = None
    price_below: Millions | None = None
    price_above: Millions | None = None
    after_turn: Annotated[int, Meta(ge=1, le=10_000)] | None = None

    def guard(self, state: Oilfield, seat: int) -> Guard | None:
        """The guard that holds, by the name of its field."""
        price = next_sale(cast(Setup, state.setup).consumer_track, state.consumer_price) or 0
        if self.after_turn is not None and state.now.number > self.after_turn:
            return "after_turn"
        if self.cash_below is not None and state.players[seat].cash < self.cash_below:
            return "cash_below"
        if self.price_below is not None and price < self.price_below:
            return "price_below"
        return "price_above" if self.price_above is not None and price > self.price_above else None
