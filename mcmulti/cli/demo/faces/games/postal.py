"""The face of the game by post."""

from typing import Any

from rich.text import Text

from mcmulti.cli.demo.faces.face import Face, Sight, headline, words
from mcmulti.cli.demo.faces.oil import COUNTED, MONEY, barrel_prices, everybodys_cash, owned, sale_told

TARGET = 1000


def _playing(sight: Sight) -> Text:
    view = sight.view
    sheets = sum(orders["submitted"] for orders in view["orders"])
    order = ", ".join(view["seats"][seat]["name"] for seat in view["order"])
    return Text.assemble(
        (f"  Round {view['round']}", "bold"), f" · {sheets} of {len(view['orders'])} sheets are in · order {order}"
    )


def _circumstances(sight: Sight) -> Text:
    view = sight.view
    climate = view["climate"]
    consumers = f"consumers {climate['consumer_price'] or '-'} · a well {climate['strike_cost']}"
    return Text.assemble("  ", (words(climate["climate"]), "bold"), f" · {barrel_prices(view)} · {consumers}")


def _line(sight: Sight) -> str | None:
    view = sight.view
    if view["status"] == "open":
        return None
    return f"round {view['round']:>3}, {words(view['climate']['climate'])}: {everybodys_cash(view)}"


def _row(sight: Sight, seat: int) -> tuple[str, ...]:
    view = sight.view
    sheet = "sent" if view["orders"] and view["orders"][seat]["submitted"] else ""
    barrels = (view["seats"][seat]["crude"], view["seats"][seat]["gasoline"])
    return sheet, *map(str, barrels), *map(str, owned(view, seat))


def _tells(event: str, data: dict[str, Any]) -> bool:
    match event:
        case "RigConverted" | "ClimateChanged" | "OrderSkipped" | "GameStoodStill" | "GameFinished":
            return True
        case "AssetBought":
            return data["kind"] in ("refinery", "well")
    return sale_told(event, data)


FACE = Face(
    headline=headline(_playing, "round"),
    circumstances=_circumstances,
    line=_line,
    columns=lambda sight: ("sheet", "crude", "gasoline", "rigs", "wells", "pumps", "refineries"),
    row=_row,
    tells=_tells,
    at_move=" ",
    target=lambda view: TARGET,
    in_target=MONEY,
    counted=COUNTED,
    advice=lambda folder: (f"report {folder}   # read it round by round, as the referee writes it",),
)
