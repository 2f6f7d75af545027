"""The parts of the screen (the timeline, the board, the holdings, the story so far), and dialogs over them."""

import re
import textwrap
from collections.abc import Iterator
from typing import ClassVar

from rich.cells import cell_len
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import ScrollableContainer, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Click, Key
from textual.message import Message
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input, Label, Static

from mcmulti.cli.replay.story import HoldingRow, StoryLine
from mcmulti.domain.core.shown.picture import Picture
from mcmulti.domain.core.wording.telling import Language
from mcmulti.projections.labels import REPLAY, Labels
from mcmulti.projections.pictures.fit import in_cells
from mcmulti.projections.pictures.seats import seat_mark
from mcmulti.projections.terminal.board import LEAST, fitted

MUTED, FAINT = "$foreground 65%", "$foreground 45%"
NUMBER = 5
"""Columns of a number, and of its change."""
NAME = 12
"""The fewest columns of a name."""


class Chosen(Message):
    """An event was clicked."""

    def __init__(self, seq: int) -> None:
        super().__init__()
        self.seq = seq


class BoardPane(ScrollableContainer, can_focus=False):
    """The latest picture, drawn for the height of the pane: whole if there is room, or else in fewer lines.

    `otherwise` is shown if there is no picture.
    """

    def __init__(self, classes: str | None = None) -> None:
        super().__init__(id="board", classes=classes)
        self._picture: Picture | None = None
        self._otherwise = ""

    def compose(self) -> ComposeResult:
        """The drawing, which scrolls in the pane."""
        yield Static(id="drawn", markup=False)

    def show(self, picture: Picture | None, otherwise: str = "") -> None:
        """Draw this picture."""
        self._picture, self._otherwise = picture, otherwise
        self._draw()

    def on_resize(self) -> None:
        """Use the available space."""
        self._draw()

    def _draw(self) -> None:
        if not self.size.height:
            return  # it is not on the screen
        drawn = self._otherwise if self._picture is None else fitted(self._picture, LEAST, self.size.height)
        self.query_one("#drawn", Static).update(drawn)


class Timeline(Widget):
    """A bar that shows the position in the story. A click chooses a moment."""

    def __init__(self, first: int, last: int) -> None:
        super().__init__(id="timeline")
        self._first, self._last = first, last
        self._seq = first

    def show(self, seq: int) -> None:
        """Move to event `seq`."""
        self._seq = seq
        self.refresh()

    def reach(self, last: int) -> None:
        """Extend the bar to event `last`."""
        self._last = last
        self.refresh()

    def render(self) -> Content:
        """The bar."""
        width = self.size.width
        behind = (self._seq - self._first) * (width - 1) // max(self._last - self._first, 1)
        return Content.assemble(
            ("━" * behind, "$accent"), ("●", "bold $accent"), ("─" * (width - 1 - behind), "$panel")
        )

    def on_click(self, event: Click) -> None:
        """Go to the clicked moment."""
        self.post_message(
            Chosen(self._first + round(event.x * (self._last - self._first) / max(self.size.width - 1, 1)))
        )


class StoryPane(Widget):
    """The last sentences up to the current one, as many as fit. A click chooses one."""

    def __init__(self, first: int) -> None:
        super().__init__(id="story", classes="page")
        self._first = first
        self._lines: tuple[StoryLine, ...] = ()
        self._language: Language = "en"
        self._sought: re.Pattern[str] | None = None

    def show(self, lines: tuple[StoryLine, ...], language: Language, sought: re.Pattern[str] | None) -> None:
        """Show the story up to the last of the lines."""
        self._lines, self._language, self._sought = lines, language, sought
        self.refresh()

    def render(self) -> Content:
        """The rows, with the current sentence at the bottom until the pane is full."""
        return Content("\n").join(content for content, _ in self._rows())

    def on_click(self, event: Click) -> None:
        """Go to the clicked event."""
        place = event.get_content_offset(self)
        rows = self._rows()
        if place is not None and place.y < len(rows):
            self.post_message(Chosen(rows[place.y][1]))

    def _rows(self) -> list[tuple[Content, int]]:
        """The rows that fit, each with its event."""
        rows: list[tuple[Content, int]] = []
        for index in range(len(self._lines) - 1, self._first - 2, -1):
            if len(rows) >= self.size.height:
                break
            line = self._lines[index]
            begins = index < self._first or self._lines[index - 1].turn != line.turn
            current = index == len(self._lines) - 1
            rows = [*(self._heading(line) if begins else ()), *self._rows_of(line, current), *rows]
        return rows[-self.size.height :]

    def _heading(self, line: StoryLine) -> Iterator[tuple[Content, int]]:
        labels = REPLAY[self._language]
        title = f"{labels.turn} {line.turn}" if line.turn else labels.before_turns
        rule = "─" * max(self.size.width - cell_len(title) - 4, 0)
        yield (
            Content.assemble(("── ", FAINT), (title, "bold $text-primary"), (f" {rule}", FAINT)),
            line.seq,
        )

    def _rows_of(self, line: StoryLine, current: bool) -> Iterator[tuple[Content, int]]:
        width = max(self.size.width - 8, 10)
        style = "bold $text" if current else MUTED
        for number, part in enumerate(textwrap.wrap(line.sentence, width, break_on_hyphens=False)):
            margin = f"{'▸' if current else ' '}{line.seq:>5}  " if number == 0 else " " * 8
            sentence = Content.styled(part, style)
            if self._sought is not None:
                sentence = sentence.highlight_regex(self._sought, style="reverse")
            yield Content.assemble((margin, "bold $accent" if current else FAINT), sentence), line.seq


class HoldingsPane(Static):
    """Everybody's holdings, and their changes by the current event, if there is room."""

    def __init__(self) -> None:
        super().__init__(id="holdings")
        self._rows: tuple[HoldingRow, ...] = ()
        self._titles: tuple[str, ...] = ()

    def show(self, rows: tuple[HoldingRow, ...], titles: tuple[str, ...]) -> None:
        """Show these rows, with the titles of their columns."""
        self._rows, self._titles = rows, titles
        self.update(self._table())

    def on_resize(self) -> None:
        """Use the available space."""
        self.update(self._table())

    def _table(self) -> Content:
        titles = self._titles
        widths = [max(cell_len(title), NUMBER) + 1 for title in titles]
        room = self.size.width - NAME - sum(widths)
        if changes := room >= NUMBER * len(titles):
            room -= NUMBER * len(titles)
        name = NAME + min(max(room, 0), 24)
        gap = NUMBER if changes else 0
        heads = [f"{title:>{width}}{'':{gap}}" for title, width in zip(titles, widths, strict=True)]
        lines = [Content.assemble(" " * name, ("".join(heads), MUTED))]
        for row in self._rows:
            figures = zip(row.has, row.more, widths, strict=True)
            parts = [
                part
                for figure, change, width in figures
                for part in ((f"{figure:>{width}}", "bold"), _signed(change, gap))
            ]
            lines.append(Content.assemble(_owner_plate(row, name), *parts))
        return Content("\n").join(lines)


def _owner_plate(row: HoldingRow, width: int) -> Content:
    """The owner of a row, with the seat's mark and color from the board."""
    sign, colour = seat_mark(row.seat)
    name = in_cells(row.name, width - 4)
    arrow = ("▸" if row.to_move else " ", "bold")
    plate = Text.assemble(arrow, (sign, colour), " ", (name, f"bold {colour}"))
    plate.pad_right(width - plate.cell_len)
    return Content.from_rich_text(plate)


def _signed(change: int, width: int) -> tuple[str, str]:
    """The change of a number."""
    if not change or not width:
        return " " * width, ""
    return f" {change:+}".ljust(width), "$text-success" if change > 0 else "$text-error"


class Prompt(ModalScreen[str | None]):
    """Asks for a line. Returns None if canceled."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,ctrl+c", "dismiss(None)", priority=True)]

    def __init__(self, question: str, hint: str, answer: str = "") -> None:
        super().__init__()
        self._question, self._hint, self._answer = question, hint, answer

    def compose(self) -> ComposeResult:
        """The question, the line, the hint."""
        with Vertical(id="prompt"):
            yield Label(self._question, markup=False)
            yield Input(self._answer, max_length=100)
            yield Label(self._hint, id="hint", markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Return the line."""
        self.dismiss(event.value.strip() or None)


class Help(ModalScreen[None]):
    """The list of keys. Any key closes it, except those that scroll."""

    def __init__(self, labels: Labels) -> None:
        super().__init__()
        self._labels = labels

    def compose(self) -> ComposeResult:
        """One line per key."""
        listed = [text.split("\t") for text in self._labels.within("keys").values()]
        width = max(cell_len(keys) for keys, _ in listed) + 3
        lines = [
            Content.assemble((f"{keys}{'':{width - cell_len(keys)}}", "bold $accent"), does) for keys, does in listed
        ]
        with VerticalScroll(id="help", can_focus=True) as box:
            box.border_title = self._labels.help
            box.border_subtitle = self._labels.close
            yield Static(Content("\n").join(lines))

    def on_key(self, event: Key) -> None:
        """Close it."""
        if event.key not in ("up", "down", "pageup", "pagedown"):
            event.stop()
            self.dismiss()

    def on_click(self, event: Click) -> None:
        """Close it."""
        self.dismiss()
