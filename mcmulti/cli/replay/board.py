"""The board on the screen: whole if there is room, or else in fewer lines."""

from textual.app import ComposeResult
from textual.containers import ScrollableContainer
from textual.widgets import Static

from mcmulti.domain.core.shown.picture import Picture
from mcmulti.projections.terminal.board import LEAST, fitted


class BoardPane(ScrollableContainer, can_focus=False):
    """The latest picture, drawn for the height of the pane. `otherwise` is shown if there is none."""

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
