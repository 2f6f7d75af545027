"""What the faces of the oil games have in common."""

from typing import Any

from mcmulti.bots.strategy import View

KINDS = ("rig", "well", "station", "refinery")
MONEY = "million dollars"
COUNTED = "every dollar and barrel"


def owned(view: View, seat: int) -> list[int]:
    """The number of rigs, wells, stations, and refineries of a seat."""
    standing = [
        asset["kind"] for quadrant in view["quadrants"] if quadrant["owner"] == seat for asset in quadrant["assets"]
    ]
    return [standing.count(kind) for kind in KINDS]


def sale_told(event: str, data: dict[str, Any]) -> bool:
    """Whether a sale is worth showing: of an asset that earns, or of gasoline for three prices or more."""
    return (event == "AssetSold" and data["kind"] in ("refinery", "well")) or (
        event == "GasolineSold" and len(data["prices"]) > 2
    )


def barrel_prices(view: View) -> str:
    """The price of a barrel in the domestic and the foreign market."""
    prices = {(market["market"], market["good"]): market["sell"] or 0 for market in view["markets"]}
    crude = f"{prices['domestic', 'crude']}/{prices['foreign', 'crude']}"
    gasoline = f"{prices['domestic', 'gasoline']}/{prices['foreign', 'gasoline']}"
    return f"crude {crude} · gasoline {gasoline}"


def everybodys_cash(view: View) -> str:
    """Names with their cash, separated by commas."""
    return ", ".join(f"{seat['name']} {seat['cash']}" for seat in view["seats"])
