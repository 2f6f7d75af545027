"""The face of the box game."""

from typing import Any

from rich.text import Text

from mcmulti.cli.demo.faces.face import Face, Sight, words
from mcmulti.cli.demo.faces.oil import COUNTED, MONEY, barrel_prices, everybodys_cash, owned, sale_told

QUADRANTS = ("north-west", "north-east", "south-east", "south-west")


def _headline(sight: Sight) -> Text:
    view = sight.view
    turn = view["turn"]
    if turn is None:
        return Text.assemble(
            ("  Special purchase round" if view["status"] == "running" else "  The table fills", "bold")
        )
    who = "the ghost" if turn["seat"] is None else view["seats"][turn["seat"]]["name"]
    dice = f" · dice {turn['red']} and {turn['black']}" if turn["red"] else ""
    where = f"{who} in the {QUADRANTS[turn['quadrant']]}"
    return Text.assemble((f"  Turn {turn['number']}", "bold"), f" · {where} · {view['phase']}{dice}")


def _circumstances(sight: Sight) -> Text:
    view = sight.view
    card = words(view["economy"]["card"])
    return Text.assemble("  ", (card, "bold"), f" · {barrel_prices(view)} · consumers {view['consumer']['price']}")


def _line(sight: Sight) -> str | None:
    view = sight.view
    if not view["turn"]:
        return None
    return f"turn {view['turn']['number']:>3}, {words(view['economy']['card'])}: {everybodys_cash(view)}"


def _row(sight: Sight, seat: int) -> tuple[str, ...]:
    has = sight.view["seats"][seat]
    return str(has["crude"]), str(has["gasoline"]), *map(str, owned(sight.view, seat))


def _tells(event: str, data: dict[str, Any]) -> bool:
    match event:
        case "OilStruck" | "NewsTriggered" | "VictoryDeclared" | "GameStoodStill":
            return True
        case "EconomyChanged":
            return bool(data["before"] != data["after"])
        case "AssetBought":
            return bool(data["kind"] == "refinery")
    return sale_told(event, data)


FACE = Face(
    headline=_headline,
    circumstances=_circumstances,
    line=_line,
    columns=lambda sight: ("crude", "gasoline", "rigs", "wells", "stations", "refineries"),
    row=_row,
    tells=_tells,
    target=lambda view: int(view["setup"]["target"]),
    in_target=MONEY,
    counted=COUNTED,
)
