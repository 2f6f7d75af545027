"""Shows the game while it is played: a live picture on a terminal, elsewhere a line now and then."""

import time
from collections import deque
from types import TracebackType
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from mcmulti.cli.demo.faces.face import Face, Sight
from mcmulti.projections.pictures.seats import seat_colour

TOLD = 5
BAR = 9
PLAIN_SECONDS = 2.0
"""Seconds between two lines without a terminal."""


class Display:
    """Shows a game as it is now, and the latest events. A context manager."""

    def __init__(self, console: Console, face: Face) -> None:
        self._console = console
        self._face = face
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

    @property
    def tells(self) -> int:
        """The number of sentences that fit; 0 without a terminal."""
        return TOLD if self._live is not None else 0

    def add_event(self, sentence: str) -> None:
        """Add an event; it appears with the next picture."""
        self._told.append(sentence)

    def show(self, sight: Sight) -> None:
        """Show the game as it is now."""
        if self._live is not None:
            self._live.update(self._picture(sight), refresh=True)
        elif time.monotonic() >= self._next_line and (line := self._face.line(sight)):
            self._next_line = time.monotonic() + PLAIN_SECONDS
            self._console.print(line, highlight=False, soft_wrap=True)

    def _picture(self, sight: Sight) -> RenderableType:
        face = self._face
        told = [Text(f"  {sentence}", style="dim", no_wrap=True, overflow="ellipsis") for sentence in self._told]
        blank = [Text() for _ in range(TOLD - len(told))]
        above = (Text(), face.headline(sight), face.circumstances(sight), Text())
        return Group(*above, self._players(sight), Text(), *told, *blank)

    def _players(self, sight: Sight) -> Table:
        face, view = self._face, sight.view
        target = None if face.target is None else face.target(view)
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
        table.add_column("", no_wrap=True)
        if target is not None:
            table.add_column("cash", no_wrap=True)
        for heading in face.columns(sight):
            table.add_column(heading, justify="right", no_wrap=True)
        for seat in view["seats"]:
            number = seat["seat"]
            colour = seat_colour(number)
            moving = face.at_move if number in view["to_move"] else " "
            name = Text.assemble(f"{moving} ", (seat["name"] or "", f"bold {colour}"))
            bar = () if target is None else (_bar(seat["cash"], target, colour),)
            table.add_row(name, *bar, *face.row(sight, number))
        return table


def _bar(cash: int, target: int, colour: str) -> Text:
    full = min(BAR, cash * BAR // target)
    return Text.assemble(("━" * full, colour), ("━" * (BAR - full), "bright_black"), f" {cash:>4}")
