"""Dialogs over the board: a prompt, and the list of keys."""

from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.events import Click, Key
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static

from mcmulti.projections.labels import Labels


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
