"""Commands that seats send. Offers decide which are legal now."""

from typing import Annotated, Literal, cast

from msgspec import Meta, Struct

from mcmulti.domain.core.capabilities.instructions import Instructs
from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.offers import Offer
from mcmulti.domain.mcmulti.news.track import next_sale
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.oil.names import BarrelCount, Buyable, Good, Kind, MarketName, Millions, Site
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


Barrels = Annotated[int, Meta(ge=1, le=144, description="Barrels.")]
"""36 wells, all hit twice, could not bring more at once."""


class EndPurchases(Command, frozen=True):
    """End this quadrant's turn in the special purchase round (`purchase/round`)."""


class BuyBarrels(Command, frozen=True):
    """Buy barrels on a market (`market/buy`)."""

    market: MarketName
    good: Good
    quantity: Barrels


class SellBarrels(Command, frozen=True):
    """Sell barrels on a market (`market/sell`)."""

    market: MarketName
    good: Good
    quantity: Barrels


class RollDice(Command, frozen=True):
    """End the market phase and roll the production dice (`dice/production-roll`)."""


class SellGasoline(Command, frozen=True):
    """Sell barrels of gasoline to the consumers through productive stations (`production/station`)."""

    quantity: Barrels


class RefineCrude(Command, frozen=True):
    """Turn barrels of crude into gasoline in productive refineries (`production/refinery`)."""

    quantity: Barrels


class PumpCrude(Command, frozen=True):
    """Pump barrels of crude from productive wells, two or four a well (`production/well`)."""

    quantity: Barrels


class StrikeOil(Command, frozen=True):
    """Turn the doubly productive rig into a well (`production/rig`)."""

    site: Site


class EndProduction(Command, frozen=True):
    """Operate nothing else (`production/order`)."""


class BuyAsset(Command, frozen=True):
    """Buy an asset and place it at once (`purchase/round`, `assets/buy`)."""

    kind: Buyable
    site: Site

    @staticmethod
    def form(offer: Offer) -> Literal["site", "block"]:
        return "block" if offer.fields["kind"].admits("refinery") else "site"


class SellAsset(Command, frozen=True):
    """Sell an asset (`assets/sell`, `forced/sale`, `news/global-warming-threat`)."""

    kind: Kind
    site: Site


class CleanUp(Command, frozen=True):
    """Pay for the clean-up of an idle refinery (`news/global-warming-threat`)."""

    site: Site


class EndCleanUp(Command, frozen=True):
    """Leave the other refineries idle for now, or let them be sold (`news/global-warming-threat`)."""


class EndTurn(Command, frozen=True):
    """End the turn (`turn/phases`)."""


class DeclareVictory(Command, frozen=True):
    """Declare victory and end the turn (`end/declare`)."""


class Instruct(Instructs, frozen=True):
    """Say what to operate when the game asks you as a neighbor (`table/instruct`).

    `orders`: your orders; null removes them.
    """

    orders: OperatingOrders | None = None


WEIGHTS = {"RollDice": 300, "EndTurn": 300, "SellAsset": 20, "EndProduction": 20}
"""Players who sell and stop producing at random end in ruin.

Even so, about one random game in fifty comes to a standstill (`table/standstill`), with all out of cash and assets.
"""
