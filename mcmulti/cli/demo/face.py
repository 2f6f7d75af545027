"""What the display and the onlooker have to know of a rule set."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from mcmulti.bots.strategy import View


@dataclass(frozen=True)
class Face:
    """How a game of one rule set is shown while it is played.

    `headline` says where the game stands, `circumstances` what prices and times are like, `line` both and everybody's
    cash in one line of plain text, None before there is anything to say. `columns` are the headings beside name and
    cash, `row` what stands below them for a seat. `tells` is whether an event, with its data, is worth telling.
    `target` is the cash that ends it. `at_move` marks who is to move. `advice`: commands of mcmulti, with comments,
    that look into a kept game's folder as no other rule set needs it.
    """

    headline: Callable[[View], Text]
    circumstances: Callable[[View], Text]
    line: Callable[[View], str | None]
    columns: tuple[str, ...]
    row: Callable[[View, int], tuple[str, ...]]
    tells: Callable[[str, dict[str, Any]], bool]
    target: Callable[[View], int]
    at_move: str
    advice: Callable[[str], tuple[str, ...]] = lambda folder: ()


KINDS = ("rig", "well", "station", "refinery")


def owned(view: View, seat: int) -> list[int]:
    """How many rigs, wells, stations and refineries a seat has."""
    standing = [
        asset["kind"] for quadrant in view["quadrants"] if quadrant["owner"] == seat for asset in quadrant["assets"]
    ]
    return [standing.count(kind) for kind in KINDS]


def barrel_prices(view: View) -> str:
    """What the domestic and the foreign market pay for a barrel."""
    prices = {(market["market"], market["good"]): market["sell"] or 0 for market in view["markets"]}
    crude = f"{prices['domestic', 'crude']}/{prices['foreign', 'crude']}"
    gasoline = f"{prices['domestic', 'gasoline']}/{prices['foreign', 'gasoline']}"
    return f"crude {crude} · gasoline {gasoline}"


def everybodys_cash(view: View) -> str:
    """Names with their cash, separated by commas."""
    return ", ".join(f"{seat['name']} {seat['cash']}" for seat in view["seats"])


def words(name: str) -> str:
    """A name of the rules for people."""
    return name.replace("_", " ")
