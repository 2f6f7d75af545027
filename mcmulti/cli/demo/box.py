"""The face of the box game."""

from typing import Any

from rich.text import Text

from mcmulti.bots.strategy import View
from mcmulti.cli.demo.face import Face, barrel_prices, everybodys_cash, owned, words

QUADRANTS = ("north-west", "north-east", "south-east", "south-west")


def _headline(view: View) -> Text:
    turn = view["turn"]
    if turn is None:
        return Text.assemble(
            ("  Special purchase round" if view["status"] == "running" else "  The table fills", "bold")
        )
    who = "the ghost" if turn["seat"] is None else view["seats"][turn["seat"]]["name"]
    dice = f" · dice {turn['red']} and {turn['black']}" if turn["red"] else ""
    where = f"{who} in the {QUADRANTS[turn['quadrant']]}"
    return Text.assemble((f"  Turn {turn['number']}", "bold"), f" · {where} · {view['phase']}{dice}")


def _circumstances(view: View) -> Text:
    card = words(view["economy"]["card"])
    return Text.assemble("  ", (card, "bold"), f" · {barrel_prices(view)} · consumers {view['consumer']['price']}")


def _line(view: View) -> str | None:
    if not view["turn"]:
        return None
    return f"turn {view['turn']['number']:>3}, {words(view['economy']['card'])}: {everybodys_cash(view)}"


def _tells(event: str, data: dict[str, Any]) -> bool:
    match event:
        case "OilStruck" | "NewsTriggered" | "VictoryDeclared" | "GameStoodStill":
            return True
        case "EconomyChanged":
            return bool(data["before"] != data["after"])
        case "AssetBought":
            return bool(data["kind"] == "refinery")
        case "AssetSold":
            return data["kind"] in ("refinery", "well")
        case "GasolineSold":
            return len(data["prices"]) > 2
    return False


BOX = Face(
    headline=_headline,
    circumstances=_circumstances,
    line=_line,
    columns=("crude", "gasoline", "rigs", "wells", "stations", "refineries"),
    row=lambda view, seat: (
        str(view["seats"][seat]["crude"]),
        str(view["seats"][seat]["gasoline"]),
        *map(str, owned(view, seat)),
    ),
    tells=_tells,
    target=lambda view: int(view["setup"]["target"]),
    at_move="▸",
)
