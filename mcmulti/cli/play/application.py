"""The application for playing: the board, the events, a menu of moves, and an input line."""

from collections.abc import Callable
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.suggester import Suggester
from textual.widgets import Input, OptionList, RichLog, Static
from textual.widgets.option_list import Option

from mcmulti.cli.play.hand import Hand, Reply
from mcmulti.cli.replay.application import GameApp
from mcmulti.cli.replay.panes import BoardPane
from mcmulti.client.client import ServerAway
from mcmulti.client.following import Moved
from mcmulti.projections.labels import REPLAY
from mcmulti.projections.pictures.fit import plain

MENU = 30
"""The most columns of what you type, before the sentence that explains it."""


class _Next(Suggester):
    """Suggestions for the rest of the line."""

    def __init__(self, hand: Hand) -> None:
        super().__init__(use_cache=False)
        self._hand = hand

    async def get_suggestion(self, value: str) -> str | None:
        """The line with its last word completed, if the completion is unique."""
        return _completed(value, self._hand.next_words(value)) if value else None


class PlayApp(GameApp):
    """A seat in a game. `passed`: it ended because `until` found that another player at the same terminal is next."""

    CSS_PATH = "application.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (130, "-wide")]  # noqa: RUF012 - no ClassVar in textual either
    VERTICAL_BREAKPOINTS = [(0, "-short"), (40, "-high")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "complete", priority=True),
        Binding("ctrl+t", "try", priority=True),
        Binding("ctrl+z", "undo", priority=True),
        Binding("ctrl+o", "board", priority=True),
        Binding("ctrl+n", "read", priority=True),
        Binding("escape", "clear", priority=True),
        Binding("pageup", "scroll(-10)", priority=True),
        Binding("pagedown", "scroll(10)", priority=True),
        Binding("ctrl+q,ctrl+c", "quit", priority=True),
    ]

    def __init__(self, hand: Hand, until: Callable[[], bool] = lambda: False) -> None:
        super().__init__()
        self._hand = hand
        self._until = until
        self.passed = False

    def compose(self) -> ComposeResult:
        """The parts of the screen."""
        yield Static(id="where")
        with Horizontal(id="table"):
            yield BoardPane()
            yield RichLog(id="news", wrap=True, min_width=20, markup=False)
        yield OptionList(id="menu", markup=False)
        yield Input(id="line", suggester=_Next(self._hand), max_length=20_000)
        yield Static(self._hand.labels.keys, id="bar", markup=False)

    def on_mount(self) -> None:
        """Show the latest events, and follow the game."""
        self.query_one("#news").border_title = self._hand.labels.news
        self._news.can_focus = False
        story = self._hand.live.story
        lines = [line for line in story.lines(self._hand.language) if not line.quiet]
        self._say(tuple(f"{line.sentence}  [{line.rule}]" for line in lines[-20:]))
        self._show()
        self._line.focus()
        self.follow(self._hand.client, self._hand.game, story.last, self._take)

    @property
    def _line(self) -> Input:
        return self.query_one("#line", Input)

    @property
    def _menu(self) -> OptionList:
        return self.query_one("#menu", OptionList)

    @property
    def _news(self) -> RichLog:
        return self.query_one("#news", RichLog)

    # Events

    async def _take(self, moved: Moved) -> None:
        news = await self._hand.receive(moved)
        if moved.anew:
            self._news.clear()
        self._say(news)
        if news and self._hand.over:
            self._say((self._hand.labels.over_leave,))
        self._show()
        if self._until():
            self.passed = True
            self.exit()

    # Input

    def on_input_changed(self) -> None:
        """Offer completions."""
        self._list()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Carry out the line."""
        line, event.input.value = event.value.strip(), ""
        if line or self._hand.is_confirming:
            self.run_worker(self._enter(line), group="line", exit_on_error=False)

    async def _enter(self, line: str) -> None:
        self._say((f"> {line}",))
        self._read(False)
        try:
            reply = await self._hand.enter(line)
            if reply.does == "edit":
                with self.suspend():
                    written = self._hand.in_editor()
                reply = written if isinstance(written, Reply) else await self._hand.sheet(written)
        except ServerAway as problem:
            reply = Reply((str(problem),))
        self._say(reply.lines)
        self._read(len(reply.lines) > 1 or reply.does == "board")
        if reply.does == "quit":
            self.exit()
        elif reply.does == "board":
            self.action_board()
        self._show()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Take the chosen text. A move without further choices is made."""
        chosen = event.option.id or ""
        self._line.focus()
        value = _with_word(self._line.value, chosen) if self._line.value else f"{chosen} "
        if self._hand.is_whole(value):
            self._line.value = ""
            self.run_worker(self._enter(value.strip()), group="line", exit_on_error=False)
        else:
            self._line.value = value
            self._line.cursor_position = len(value)

    def action_complete(self) -> None:
        """Complete the last word. Without a completion, switch between the line and the menu."""
        value = self._line.value
        completed = _completed(value, self._hand.next_words(value)) if value else None
        if completed is None:
            self.set_focus(self._line if self._menu.has_focus else self._menu)
        else:
            self._line.value = f"{completed} "
            self._line.cursor_position = len(self._line.value)

    def on_key(self, event: object) -> None:
        """Go from the line into the menu."""
        if getattr(event, "key", "") == "down" and self._line.has_focus and self._menu.option_count:
            self._menu.focus()

    def action_try(self) -> None:
        """Show what the line would do."""
        if self._line.value.strip():
            self.run_worker(self._enter(f":try {self._line.value}"), group="line", exit_on_error=False)

    def action_undo(self) -> None:
        """Take the last move back."""
        self.run_worker(self._enter(":undo"), group="line", exit_on_error=False)

    def action_clear(self) -> None:
        """Clear the line, and show the board."""
        self._read(False)
        self._line.value = ""
        self._line.focus()

    def action_board(self) -> None:
        """Show everybody's holdings."""
        story, language = self._hand.live.story, self._hand.language
        titles = story.headings(story.last, language)
        for row in story.rows(story.last, language):
            figures = ", ".join(f"{title} {number}" for title, number in zip(titles, row.has, strict=True))
            self._say((f"{row.name}: {figures}",))

    def action_read(self) -> None:
        """Show the news instead of the board, if there is no room for both; or the board again."""
        self._read(not self._is_reading)

    def action_scroll(self, lines: int) -> None:
        """Scroll the board, or the news if they are in its place."""
        (self._news if self._is_reading else self.query_one("#board")).scroll_relative(y=lines, animate=False)

    @property
    def _is_reading(self) -> bool:
        return self.query_one("#table").has_class("-reading")

    def _read(self, reads: bool) -> None:
        self.query_one("#table").set_class(reads, "-reading")

    # Output

    def _say(self, lines: tuple[str, ...]) -> None:
        for line in lines:
            self._news.write(line)

    def _show(self) -> None:
        hand, story = self._hand, self._hand.live.story
        self.query_one(BoardPane).show(story.picture(story.last, hand.language))
        self.query_one("#where", Static).update(Content(self._where()))
        asked = hand.labels.yes_or_no if hand.is_confirming else hand.labels.your_move if hand.offers else ""
        self._line.placeholder = " · ".join(filter(None, (asked, hand.labels.small_keys)))
        self._list()

    def _where(self) -> str:
        hand, story, labels = self._hand, self._hand.live.story, self._hand.labels
        around = REPLAY[hand.language]
        names = [name or f"{around.seat} {seat + 1}" for seat, name in enumerate(story.names(story.last))]
        you = labels.looking_on if hand.seat is None else labels.you_are.format(name=names[hand.seat])
        waits = [names[seat] for seat in story.to_move(story.last)]
        if hand.live.away:
            state = labels.no_connection
        elif hand.over:
            state = labels.over
        elif hand.offers:
            state = labels.it_is_your_move
        else:
            state = labels.waiting_for.format(names=", ".join(waits)) if waits else labels.waiting
        return f"{state} · {you} · {around.turn} {story.turn(story.last)} · {story.ruleset.title}"

    def _list(self) -> None:
        """Fill the menu: all offers, or completions of the line."""
        menu, line = self._menu, self._line.value
        if line:
            options = [
                Option(Content(plain(word)), word, disabled=".." in word) for word in self._hand.next_words(line)
            ]
        else:
            offers = dict(reversed(self._hand.menu()))
            width = min(max(map(cell_len, offers), default=0), MENU)
            options = [Option(Content(f"{words:<{width}}   {said}"), words) for words, said in reversed(offers.items())]
        menu.clear_options().add_options(options)
        menu.border_title = self._hand.labels.goes_on if line else self._hand.labels.may


def _with_word(line: str, word: str) -> str:
    """The line with its last, incomplete word replaced by this word, or with the word appended."""
    front = line if line.endswith(" ") else line[: len(line) - len(line.rsplit(" ", maxsplit=1)[-1])]
    return f"{front}{word} "


def _completed(line: str, words: list[str]) -> str | None:
    """The line with its last word completed, if the completion is unique."""
    words = [word for word in words if ".." not in word]
    begun = "" if line.endswith(" ") else line.rsplit(" ", maxsplit=1)[-1]
    if len(words) != 1 or words[0] == begun:
        return None
    return _with_word(line, words[0]).rstrip()
