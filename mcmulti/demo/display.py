"""The game while it is played: a picture that changes on a terminal, a line now and then elsewhere."""

import time
from collections import deque
from types import TracebackType
from typing import Any, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

COLOURS = ("cyan", "yellow", "magenta", "green")
QUADRANTS = ("north-west", "north-east", "south-east", "south-west")
KINDS = ("rig", "well", "station", "refinery")
TOLD = 5
BAR = 9
PLAIN_SECONDS = 2.0
"""Seconds between two lines where there is no terminal."""


class Display:
    """Shows the view of a game, and the last things that were told about it. A context manager."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._told: deque[str] = deque(maxlen=TOLD)
        self._live = Live(console=console, auto_refresh=False, transient=True) if console.is_terminal else None
        self._next_line = 0.0

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def tell(self, sentence: str) -> None:
        """Something happened; it is seen with the next view."""
        self._told.append(sentence)

    def show(self, view: dict[str, Any]) -> None:
        """The game as it is now."""
        if self._live is not None:
            self._live.update(self._picture(view), refresh=True)
        elif view["turn"] and time.monotonic() >= self._next_line:
            self._next_line = time.monotonic() + PLAIN_SECONDS
            self._console.print(_line(view), highlight=False, soft_wrap=True)

    def _picture(self, view: dict[str, Any]) -> RenderableType:
        told = [Text(f"  {sentence}", style="dim", no_wrap=True, overflow="ellipsis") for sentence in self._told]
        blank = [Text() for _ in range(TOLD - len(told))]
        return Group(Text(), _headline(view), _circumstances(view), Text(), self._players(view), Text(), *told, *blank)

    @staticmethod
    def _players(view: dict[str, Any]) -> Table:
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
        table.add_column("", no_wrap=True)
        table.add_column("cash", no_wrap=True)
        for heading in ("crude", "gasoline", "rigs", "wells", "stations", "refineries"):
            table.add_column(heading, justify="right", no_wrap=True)
        for seat in view["seats"]:
            colour = COLOURS[seat["seat"]]
            moving = "▸" if seat["seat"] in view["to_move"] else " "
            name = Text.assemble(f"{moving} ", (seat["name"] or "", f"bold {colour}"))
            table.add_row(
                name,
                _bar(seat["cash"], view["setup"]["target"], colour),
                str(seat["crude"]),
                str(seat["gasoline"]),
                *(str(count) for count in owned(view, seat["seat"])),
            )
        return table


def owned(view: dict[str, Any], seat: int) -> list[int]:
    """How many rigs, wells, stations and refineries a seat has."""
    standing = [
        asset["kind"] for quadrant in view["quadrants"] if quadrant["owner"] == seat for asset in quadrant["assets"]
    ]
    return [standing.count(kind) for kind in KINDS]


def _bar(cash: int, target: int, colour: str) -> Text:
    full = min(BAR, cash * BAR // target)
    return Text.assemble(("━" * full, colour), ("━" * (BAR - full), "bright_black"), f" {cash:>4}")


def _headline(view: dict[str, Any]) -> Text:
    turn = view["turn"]
    if turn is None:
        return Text.assemble(
            ("  Special purchase round" if view["status"] == "running" else "  The table fills", "bold")
        )
    who = "the ghost" if turn["seat"] is None else view["seats"][turn["seat"]]["name"]
    dice = f" · dice {turn['red']} and {turn['black']}" if turn["red"] else ""
    where = f"{who} in the {QUADRANTS[turn['quadrant']]}"
    return Text.assemble((f"  Turn {turn['number']}", "bold"), f" · {where} · {view['phase']}{dice}")


def _circumstances(view: dict[str, Any]) -> Text:
    prices = {(market["market"], market["good"]): market["sell"] or 0 for market in view["markets"]}
    crude = f"{prices['domestic', 'crude']}/{prices['foreign', 'crude']}"
    gasoline = f"{prices['domestic', 'gasoline']}/{prices['foreign', 'gasoline']}"
    return Text.assemble(
        "  ",
        (view["economy"]["card"].replace("_", " "), "bold"),
        (f" · crude {crude} · gasoline {gasoline} · consumers {view['consumer']['price']}", ""),
    )


def _line(view: dict[str, Any]) -> str:
    cash = ", ".join(f"{seat['name']} {seat['cash']}" for seat in view["seats"])
    return f"turn {view['turn']['number']:>3}, {view['economy']['card'].replace('_', ' ')}: {cash}"
