"""The face of the game by post."""

from typing import Any

from rich.text import Text

from mcmulti.bots.strategy import View
from mcmulti.cli.demo.face import Face, barrel_prices, everybodys_cash, owned, words

TARGET = 1000


def _headline(view: View) -> Text:
    if view["status"] == "open":
        return Text("  The table fills", "bold")
    if view["status"] == "finished":
        who = " and ".join(view["seats"][seat]["name"] for seat in view["winners"])
        return Text.assemble((f"  Round {view['round']}", "bold"), f" · {who} has won")
    sheets = sum(orders["submitted"] for orders in view["orders"])
    order = ", ".join(view["seats"][seat]["name"] for seat in view["order"])
    return Text.assemble((f"  Round {view['round']}", "bold"), f" · {sheets} of 4 sheets are in · order {order}")


def _circumstances(view: View) -> Text:
    climate = view["climate"]
    consumers = f"consumers {climate['consumer_price'] or '-'} · a well {climate['strike_cost']}"
    return Text.assemble("  ", (words(climate["climate"]), "bold"), f" · {barrel_prices(view)} · {consumers}")


def _line(view: View) -> str | None:
    if view["status"] == "open":
        return None
    return f"round {view['round']:>3}, {words(view['climate']['climate'])}: {everybodys_cash(view)}"


def _row(view: View, seat: int) -> tuple[str, ...]:
    sheet = "sent" if view["orders"] and view["orders"][seat]["submitted"] else ""
    barrels = (view["seats"][seat]["crude"], view["seats"][seat]["gasoline"])
    return sheet, *map(str, barrels), *map(str, owned(view, seat))


def _tells(event: str, data: dict[str, Any]) -> bool:
    match event:
        case "RigConverted" | "ClimateChanged" | "OrderSkipped" | "GameStoodStill" | "GameFinished":
            return True
        case "AssetBought" | "AssetSold":
            return data["kind"] in ("refinery", "well")
        case "GasolineSold":
            return len(data["prices"]) > 2
    return False


POSTAL = Face(
    headline=_headline,
    circumstances=_circumstances,
    line=_line,
    columns=("sheet", "crude", "gasoline", "rigs", "wells", "pumps", "refineries"),
    row=_row,
    tells=_tells,
    target=lambda view: TARGET,
    at_move=" ",
    advice=lambda folder: (f"report {folder}   # read it round by round, as the referee writes it",),
)
