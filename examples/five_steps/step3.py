"""Prices: what is cheap is bought, what is dear is sold. The rest is the plan of step 2."""

from typing import Any

from step1 import listed
from step2 import RESERVE, Plan, apart, count, mine

from mcmulti.bots.types import McMultiView, Offer

FAIR = {"rig": 7, "station": 45, "refinery": 80, "well": 55}
"""What an asset is worth whatever the economy is, in millions: about the mean of what the bank pays for it."""
GAIN = 0.8
"""What part of a consumer price a barrel may cost."""


class Prices(Plan):
    """Plays the economy: buys assets in bad times, sells them in good ones, keeps three rigs to strike oil with."""

    def wanted(self, view: McMultiView, offer: Offer) -> dict[str, Any] | None:
        price = offer.get("price") or 0
        if offer["command"] == "SellAsset" and view["phase"] == "assets":
            return {} if price > 1.25 * FAIR[listed(offer)["kind"][0]] else None
        if offer["command"] == "StrikeOil":
            return {} if price < FAIR["well"] / 2 and price + RESERVE <= mine(view)["cash"] else None
        return super().wanted(view, offer)

    def asset(self, view: McMultiView, offer: Offer) -> dict[str, Any] | None:
        [kind] = listed(offer)["kind"]
        enough = count(view, kind) >= {"rig": 10, "station": 6, "refinery": 3}[kind]
        if enough or (offer.get("price") or 0) > 1.25 * FAIR[kind] or view["declared_by"] is not None:
            return None
        return {"site": apart(view, kind, listed(offer)["site"])}

    def barrels(self, view: McMultiView, offer: Offer) -> dict[str, Any] | None:
        """Gasoline for the stations and crude for the refineries, as long as consumers pay more in the end."""
        [good] = listed(offer)["good"]
        seat, pump = mine(view), view["consumer"]["next_sale"] or 0
        need = 2 * count(view, "station") - seat["gasoline"]
        if good == "crude":
            need = min(2 * count(view, "refinery"), need) - seat["crude"]
        field = offer.get("fields", {})["quantity"]
        prices = field.get("prices", []) if field["type"] == "Range" else []
        cheap = sum(price < GAIN * pump for price in prices[: max(0, need)])
        return {"quantity": cheap} if cheap else None
