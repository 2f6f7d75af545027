"""Prices: buy what is cheap, and sell what is expensive. The rest is the plan of step 2."""

from typing import Any

from step1 import listed
from step2 import RESERVE, Plan, apart, count, mine

from mcmulti.bots.types import McMultiView, Offer

FAIR = {"rig": 7, "station": 45, "refinery": 80, "well": 55}
"""The value of an asset in any economy, in millions: about the mean of what the bank pays for it."""
MOST = {"rig": 3, "station": 6, "refinery": 4}
"""How many are worth having, if they are cheap."""


class Prices(Plan):
    """Plays the economy: buys assets in bad times, sells them in good ones, and keeps three rigs to strike oil with."""

    def wanted(self, view: McMultiView, offer: Offer) -> dict[str, Any] | None:
        price = offer.get("price") or 0
        if offer["command"] == "SellAsset" and view["phase"] == "assets":
            return {} if price > 1.25 * FAIR[listed(offer)["kind"][0]] else None
        if offer["command"] == "StrikeOil":
            return {} if price < FAIR["well"] / 2 and price + RESERVE <= mine(view)["cash"] else None
        return super().wanted(view, offer)

    def asset(self, view: McMultiView, offer: Offer) -> dict[str, Any] | None:
        [kind] = listed(offer)["kind"]
        enough = count(view, kind) >= MOST[kind]
        if enough or (offer.get("price") or 0) > 1.1 * FAIR[kind] or view["declared_by"] is not None:
            return None
        return {"site": apart(view, kind, listed(offer)["site"])}
