"""The face of MarraCash."""

from typing import Any

from rich.text import Text

from mcmulti.bots.strategy import View
from mcmulti.cli.demo.faces.face import Face, Sight, headline

LARGE = 500
"""Payments by customers are shown from this amount on, in dirham."""


def _playing(sight: Sight) -> Text:
    view = sight.view
    if view["seat"] is None:
        return Text("  The visitors arrive", "bold")
    doing = f"{view['seats'][view['seat']]['name']} {_doing(view)}"
    last = " · the last round" if view["last_turns"] is not None else ""
    return Text.assemble((f"  Round {view['round']}, turn {view['turn']}", "bold"), f" · {doing}{last}")


def _doing(view: View) -> str:
    """What the player to move is doing."""
    auction = view["auction"]
    if auction is not None:
        return f"puts up {auction['shop']}: {view['seats'][auction['bidder']]['name']} bids {auction['bid']}"
    if view["phase"] == "entrances":
        return "lets visitors in"
    return f"has {view['actions']} {'action' if view['actions'] == 1 else 'actions'} left"


def _circumstances(sight: Sight) -> Text:
    view = sight.view
    outside = len(view["queue"])
    about = sum(sum(fountain["visitors"].values()) for fountain in view["fountains"])
    sold = [shop for shop in view["shops"] if shop["owner"] is not None]
    inside = sum(shop["customers"] for shop in sold)
    told = f" · {about} in the streets · {inside} in {len(sold)} {'shop' if len(sold) == 1 else 'shops'}"
    return Text.assemble("  ", (f"{outside} in the queue", "bold"), told)


def _line(sight: Sight) -> str | None:
    view = sight.view
    if not view["turn"]:
        return None
    cash = ", ".join(f"{seat['name']} {seat['cash']}" for seat in view["seats"])
    return f"round {view['round']:>2}, turn {view['turn']:>2}, {len(view['queue'])} in the queue: {cash}"


def _row(sight: Sight, seat: int) -> tuple[str, ...]:
    own = [shop for shop in sight.view["shops"] if shop["owner"] == seat]
    names = " ".join(shop["shop"] for shop in own)
    cash = sight.view["seats"][seat]["cash"]
    return f"{cash:,}", str(sum(shop["customers"] for shop in own)), names


def _tells(event: str, data: dict[str, Any]) -> bool:
    match event:
        case "ShopSold" | "LastRoundStarted" | "BazaarClosed":
            return True
        case "CustomersEntered":
            return bool(data["income"] >= LARGE)
    return False


FACE = Face(
    headline=headline(_playing, "turn"),
    circumstances=_circumstances,
    line=_line,
    columns=lambda sight: ("dirham", "customers", "shops"),
    row=_row,
    tells=_tells,
    counted="every dirham, shop and visitor",
    advice=lambda folder: (f"statistics {folder}   # what each shop cost and brought, and who led whom where",),
)
