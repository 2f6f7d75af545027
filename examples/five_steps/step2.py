"""A plan: buy crude, refine it, sell gasoline to consumers at stations, declare victory. No asset is ever sold."""

from typing import Any

from step1 import command, listed

from mcmulti.bots.types import McMultiCommand, McMultiView, Offer, SeatView

GOING_ON = ("RollDice", "EndTurn", "EndPurchases", "EndProduction", "EndCleanUp")
BUILT = {"refinery": 2, "station": 4}
"""Assets to build. Consumers pay less for every barrel that they get, so more stations earn little."""
RESERVE = 70
"""Cash to keep when buying assets, in millions: it buys gasoline."""


class Plan:
    """Takes the first offer that its plan can use, and goes on if there is none."""

    def __call__(self, view: McMultiView, offers: list[Offer]) -> list[McMultiCommand]:
        for offer in offers:
            values = self.wanted(view, offer)
            if values is not None:
                return [command(offer, values)]
        return [command(next((each for each in offers if each["command"] in GOING_ON), offers[0]), {})]

    def wanted(self, view: McMultiView, offer: Offer) -> dict[str, Any] | None:
        """The values with which to take an offer. None if the plan cannot use it."""
        me = mine(view)
        if offer["command"] in ("SellGasoline", "RefineCrude", "PumpCrude"):
            return {"quantity": listed(offer)["quantity"][-1]}
        if offer["command"] == "BuyAsset":
            return self.asset(view, offer) if (offer.get("price") or 0) + RESERVE <= me["cash"] else None
        if offer["command"] == "BuyBarrels":
            return self.barrels(view, offer)
        if offer["command"] == "DeclareVictory":
            return {} if me["cash"] == max(seat["cash"] for seat in view["seats"]) else None
        return None

    def asset(self, view: McMultiView, offer: Offer) -> dict[str, Any] | None:
        """What is still to build, on a site with rows and columns of its own if there is one."""
        [kind] = listed(offer)["kind"]
        if count(view, kind) >= BUILT.get(kind, 0):
            return None
        return {"site": apart(view, kind, listed(offer)["site"])}

    def barrels(self, view: McMultiView, offer: Offer) -> dict[str, Any] | None:
        """What the next two rounds need, as long as it costs less than consumers pay."""
        [good] = listed(offer)["good"]
        need = 2 * count(view, "station" if good == "gasoline" else "refinery") - (
            mine(view)["gasoline"] if good == "gasoline" else mine(view)["crude"]
        )
        cheap = [each for each in costs(offer)[: max(0, need)] if each < (view["consumer"]["next_sale"] or 0)]
        return {"quantity": len(cheap)} if cheap else None


def mine(view: McMultiView) -> SeatView:
    """Your own seat. A strategy always has one."""
    assert view["you"] is not None
    return view["seats"][view["you"]]


def count(view: McMultiView, kind: str, seat: SeatView | None = None) -> int:
    """The number of a player's assets of a kind that are not idle: your own by default."""
    quadrants = [view["quadrants"][number] for number in (seat or mine(view))["quadrants"]]
    return sum(asset["kind"] == kind and not asset["idle"] for each in quadrants for asset in each["assets"])


def costs(offer: Offer) -> list[int]:
    """The cost of each barrel of a purchase, in order."""
    quantity = offer.get("fields", {})["quantity"]
    return quantity.get("prices", []) if quantity["type"] == "Range" else []


def apart(view: McMultiView, kind: str, sites: list[Any]) -> Any:
    """The site with the fewest assets of the kind on its lines. Among these, one that leaves whole blocks free."""
    alike = [a["site"] for a in view["quadrants"][sites[0]["quadrant"]]["assets"] if a["kind"] == kind]
    free = {(site["row"], site["column"]) for site in sites}
    reach = 1 if kind == "refinery" else 0  # a refinery covers two rows and two columns

    def crowding(site: Any) -> tuple[int, int]:
        row, column = site["row"], site["column"]
        same = sum((abs(row - a["row"]) <= reach) + (abs(column - a["column"]) <= reach) for a in alike)
        top, left = (row - 1) // 2 * 2 + 1, (column - 1) // 2 * 2 + 1
        if kind == "refinery":
            return same, row - top + column - left
        return same, sum((top + down, left + right) in free for down in (0, 1) for right in (0, 1))

    return min(sites, key=crowding)
