"""Looking ahead: in the asset phase, it evaluates the position after every single move, and makes the best one."""

from collections.abc import Iterator
from typing import Any, cast

from step1 import command, listed
from step2 import apart, count, mine

from mcmulti.bots.strategies.tycoon import tycoon
from mcmulti.bots.types import McMultiCommand, McMultiView, Offer

WORTH = {"rig": 6, "station": 60, "refinery": 100, "well": 55}
"""The value of an asset, in millions, while nobody has declared victory."""
LEFT = {"rig": 2, "station": 18, "refinery": 24, "well": 20}
"""What it brings in the final sale."""
NEEDED = 15
"""Cash for what the next turn may cost, in millions."""


class LookAhead:
    """The house tycoon, except in the asset phase."""

    def __call__(self, view: McMultiView, offers: list[Offer]) -> list[McMultiCommand]:
        if view["phase"] != "assets":
            return cast(list[McMultiCommand], tycoon(cast(dict[str, Any], view), cast(list[dict[str, Any]], offers)))
        made, _ = max(moves(view, offers), key=lambda move: self.value(move[1]))
        return [made]

    def value(self, view: McMultiView) -> float:
        """What a position is worth to you, in millions."""
        seat, declared = mine(view), view["declared_by"]
        others = max(each["cash"] for each in view["seats"] if each["seat"] != seat["seat"])
        if declared == seat["seat"]:
            return 10_000.0 if seat["cash"] > others else -10_000.0
        worth = WORTH if declared is None else LEFT
        assets = sum(each * count(view, kind) for kind, each in worth.items())
        return seat["cash"] + assets - 2 * max(0, NEEDED - seat["cash"])


def moves(view: McMultiView, offers: list[Offer]) -> Iterator[tuple[McMultiCommand, McMultiView]]:
    """Every single move of the asset phase, with the view after it. Ending the turn comes first: it wins ties."""
    for offer in sorted(offers, key=lambda offer: offer["command"] != "EndTurn"):
        values: dict[str, Any] = {}
        if offer["command"] == "BuyAsset":
            values["site"] = apart(view, listed(offer)["kind"][0], listed(offer)["site"])
        made = command(offer, values)
        yield made, after(view, made, offer.get("price") or 0)


def after(view: McMultiView, made: McMultiCommand, price: int) -> McMultiView:
    """The view after a move. A server would also return it for a dry run (`?dry_run=true`)."""
    if made["type"] == "DeclareVictory":
        return {**view, "declared_by": view["you"]}
    if made["type"] not in ("BuyAsset", "SellAsset", "CleanUp"):
        return view
    site = made["site"]
    quadrant = view["quadrants"][site["quadrant"]]
    assets = [asset for asset in quadrant["assets"] if asset["site"] != site]
    if made["type"] == "BuyAsset":
        assets.append({"kind": made["kind"], "site": site, "idle": False})
    if made["type"] == "CleanUp":
        assets.append({"kind": "refinery", "site": site, "idle": False})
    seat = mine(view)
    cash = seat["cash"] + (price if made["type"] == "SellAsset" else -price)
    return {
        **view,
        "seats": [{**each, "cash": cash} if each["seat"] == seat["seat"] else each for each in view["seats"]],
        "quadrants": [{**each, "assets": assets} if each is quadrant else each for each in view["quadrants"]],
    }
