"""Commands that seats send. Offers decide which are legal now."""

from typing import Annotated, Literal

from msgspec import Meta

from mcmulti.domain.core.capabilities.instructions import Instructs
from mcmulti.domain.core.commands import Command, LeaveSeat, StartGame, TakeSeat
from mcmulti.domain.core.offers import Offer
from mcmulti.domain.mcmulti.standing_orders import OperatingOrders
from mcmulti.domain.oil.names import Buyable, Good, Kind, MarketName, Site

__all__ = [
    "WEIGHTS",
    "Barrels",
    "BuyAsset",
    "BuyBarrels",
    "Buyable",
    "CleanUp",
    "Command",
    "DeclareVictory",
    "EndCleanUp",
    "EndProduction",
    "EndPurchases",
    "EndTurn",
    "Instruct",
    "LeaveSeat",
    "PumpCrude",
    "RefineCrude",
    "RollDice",
    "SellAsset",
    "SellBarrels",
    "SellGasoline",
    "StartGame",
    "StrikeOil",
    "TakeSeat",
]

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
