"""Applications about a game, and the one to step, play, jump, and search in its story, which may be in progress."""

import asyncio
import re
import signal
from collections.abc import Awaitable, Callable
from typing import ClassVar
from uuid import UUID

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.timer import Timer

from mcmulti.cli.replay.live import LiveStory
from mcmulti.cli.replay.panes import Chosen, Help, Prompt
from mcmulti.cli.replay.stage import PAGES, Page, Playback, Scene, Stage
from mcmulti.cli.replay.story import Story
from mcmulti.client.client import Client, HttpProblem, ServerAway
from mcmulti.client.following import Moved, followed
from mcmulti.client.sources import SourceError
from mcmulti.domain.core.wording.telling import LANGUAGES, Language
from mcmulti.projections.labels import REPLAY, Labels
from mcmulti.projections.reports.replay import By

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Steps per second."""
_SIGNALS = (signal.SIGTERM, signal.SIGHUP)
_MOMENT = re.compile(r"([tz]?) *([0-9]{1,9})", re.IGNORECASE)


class GameApp(App[None]):
    """An application about a game. It quits cleanly on signals. `failure`: why it ended, if you did not quit."""

    ENABLE_COMMAND_PALETTE = False
    failure: str | None = None

    def on_mount(self) -> None:
        """Quit on signals. Subclasses have handlers of their own, which are called, too."""
        for number in _SIGNALS:
            asyncio.get_running_loop().add_signal_handler(number, self.exit, None, 128 + number)

    def on_unmount(self) -> None:
        """Restore the signal handlers."""
        for number in _SIGNALS:
            asyncio.get_running_loop().remove_signal_handler(number)

    def follow(self, client: Client, game: UUID, after: int, take: Callable[[Moved], Awaitable[None]]) -> None:
        """From now on, `take` what happens in a game after event `after`. End if that fails."""

        async def following() -> None:
            try:
                async for moved in followed(client, game, after):
                    await take(moved)
            except (HttpProblem, ServerAway, SourceError) as problem:
                self.failure = str(problem)
                self.exit(None, 1)

        self.run_worker(following(), exit_on_error=False)


class ReplayApp(GameApp):
    """The story from event `first` to `last`, starting at event `at`. It plays by events or by turns."""

    CSS_PATH = "application.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (130, "-wide")]  # noqa: RUF012 - no ClassVar in textual either
    VERTICAL_BREAKPOINTS = [(0, "-short"), (34, "-high"), (54, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "step(1)"),
        Binding("left", "step(-1)"),
        Binding("right_square_bracket,shift+right", "turn(1)"),
        Binding("left_square_bracket,shift+left", "turn(-1)"),
        Binding("home,g", "beginning"),
        Binding("end,G", "end"),
        Binding("space", "play"),
        Binding("plus,equals_sign", "speed(1)"),
        Binding("minus", "speed(-1)"),
        Binding("b", "by"),
        Binding("j", "jump"),
        Binding("slash", "search"),
        Binding("n", "find(1)"),
        Binding("N", "find(-1)"),
        Binding("tab", "page", priority=True),
        *(Binding(str(number), f"page({page!r})") for number, page in enumerate(PAGES, start=1)),
        Binding("r", "rule"),
        Binding("up", "scroll(-1)"),
        Binding("down", "scroll(1)"),
        Binding("pageup", "scroll(-10)"),
        Binding("pagedown", "scroll(10)"),
        Binding("l", "language"),
        Binding("question_mark,f1", "help"),
        Binding("q,ctrl+c", "quit"),
    ]

    def __init__(self, story: Story, first: int, last: int, at: int, by: By, language: Language) -> None:
        super().__init__()
        self._story, self._first, self._last = story, first, last
        self._seq, self._by, self._language = at, by, language
        self._speed = SPEEDS.index(2.0)
        self._playing: Timer | None = None
        self._page: Page = PAGES[0]
        self._sought = ""
        self._message = story.doubt or ""
        self._stage = Stage(story, first, last)

    @property
    def seq(self) -> int:
        """The event shown."""
        return self._seq

    @property
    def playing(self) -> bool:
        """Whether it is playing."""
        return self._playing is not None

    @property
    def _labels(self) -> Labels:
        return REPLAY[self._language]

    def compose(self) -> ComposeResult:
        """The parts of the screen."""
        yield self._stage

    def on_mount(self) -> None:
        """Show the first moment."""
        self._show()

    def on_resize(self) -> None:
        """Use the available space."""
        self.call_after_refresh(self._show)

    def on_chosen(self, event: Chosen) -> None:
        """Go to the chosen event."""
        self._go(event.seq)

    def show_story(self, story: Story) -> None:
        """Show this story from now on: the same story continued, or another."""
        self._story, self._last = story, story.last
        self._seq = min(self._seq, self._last)
        self._stage.show_story(story, story.last)
        self._show()

    # Navigation

    def _go(self, seq: int) -> None:
        self._seq = min(max(seq, self._first), self._last)
        if self._seq == self._last:
            self._pause()
        self._message = ""
        self._show()

    def action_step(self, events: int) -> None:
        """Go N events forward or back."""
        self._go(self._seq + events)

    def action_turn(self, direction: int) -> None:
        """Go to the start of the next turn. Backward: to the start of this turn, or from there to that of the previous
        turn.
        """
        story, turn = self._story, self._story.turn(self._seq)
        if direction > 0:
            self._go(story.last_of(turn) + 1)
        else:
            self._go(story.first_of(story.turn(max(self._seq - 1, 1))))

    def action_beginning(self) -> None:
        """Go to the first event."""
        self._go(self._first)

    def action_end(self) -> None:
        """Go to the last event."""
        self._go(self._last)

    def action_jump(self) -> None:
        """Ask for an event or a turn, and go there."""
        self._pause()
        self.push_screen(Prompt(self._labels.jump, self._labels.jump_hint), self._jump)

    def _jump(self, answer: str | None) -> None:
        if answer is None:
            return
        moment = _MOMENT.fullmatch(answer)
        seq = moment and (self._story.first_of(int(moment[2])) if moment[1] else int(moment[2]))
        turns = self._story.turn(self._last)
        if not seq or not moment or not self._first <= seq <= self._last or (moment[1] and int(moment[2]) > turns):
            self._say(self._labels.no_moment.format(first=self._first, last=self._last, turns=turns))
        else:
            self._go(seq)

    # Playback

    def action_play(self) -> None:
        """Play or pause. At the end, play from the beginning."""
        if self._playing is not None:
            self._pause()
        else:
            if self._seq == self._last:
                self._seq = self._first
            self._playing = self.set_interval(1 / SPEEDS[self._speed], self._play_on)
        self._say("")

    def _play_on(self) -> None:
        if self._by == "event":
            self.action_step(1)
        else:
            self.action_turn(1)

    def _pause(self) -> None:
        if self._playing is not None:
            self._playing.stop()
            self._playing = None

    def action_speed(self, direction: int) -> None:
        """Play faster or slower."""
        self._speed = min(max(self._speed + direction, 0), len(SPEEDS) - 1)
        if self._playing is not None:
            self._playing.stop()
            self._playing = self.set_interval(1 / SPEEDS[self._speed], self._play_on)
        self._say("")

    def action_by(self) -> None:
        """Play event by event, or turn by turn."""
        self._by = "turn" if self._by == "event" else "event"
        self._say("")

    # Search

    def action_search(self) -> None:
        """Ask what to search for, and go to the next match."""
        self._pause()
        self.push_screen(Prompt(self._labels.search, self._labels.search_hint, self._sought), self._search)

    def _search(self, answer: str | None) -> None:
        if answer is not None:
            self._sought = answer
            self.action_find(1)

    def action_find(self, direction: int) -> None:
        """Go to the next or previous match, wrapping around at the ends."""
        if not self._sought:
            self._say(self._labels.nothing_sought)
            return
        places = [seq for seq in self._story.found(self._sought, self._language) if self._first <= seq <= self._last]
        if not places:
            self._say(self._labels.not_found.format(text=self._sought))
            return
        if direction > 0:
            seq = next((place for place in places if place > self._seq), places[0])
        else:
            seq = next((place for place in reversed(places) if place < self._seq), places[-1])
        self._go(seq)
        number = places.index(seq) + 1
        self._say(self._labels.found.format(text=self._sought, number=number, all=len(places)))

    # Display

    def action_page(self, page: Page | None = None) -> None:
        """Show the board, the story, or the changes, if they do not fit side by side; by default the next one."""
        self._page = page or PAGES[(PAGES.index(self._page) + 1) % len(PAGES)]
        self._say("")

    def action_scroll(self, lines: int) -> None:
        """Scroll the current page."""
        self._stage.scroll_page(self._page, lines)

    def action_rule(self) -> None:
        """Show the whole text of the rule, or only as much as fits in its place."""
        self._stage.toggle_rule()

    def action_language(self) -> None:
        """Switch to the next language."""
        self._language = LANGUAGES[(LANGUAGES.index(self._language) + 1) % len(LANGUAGES)]
        self._say("")

    def action_help(self) -> None:
        """Show the keys."""
        self._pause()
        self.push_screen(Help(self._labels))

    def _say(self, message: str) -> None:
        self._message = message
        self._show()

    def _show(self) -> None:
        """Draw the moment."""
        sought = re.compile(re.escape(self._sought), re.IGNORECASE) if self._sought else None
        playback = Playback(self.playing, SPEEDS[self._speed], self._by)
        self._stage.show(Scene(self._seq, self._language, self._page, playback, sought, self._message))


class WatchApp(ReplayApp):
    """The replay of a game on a server, which grows with the game, and follows it unless you look back. `live` holds
    what has arrived already.
    """

    def __init__(self, client: Client, game: UUID, live: LiveStory, language: Language) -> None:
        last = live.story.last
        super().__init__(live.story, 1, last, last, "event", language)
        self._client, self._game, self._live = client, game, live

    def on_mount(self) -> None:
        """Follow the game."""
        self._client.patience = float("inf")
        self.follow(self._client, self._game, self._live.story.last, self._take)

    async def _take(self, moved: Moved) -> None:
        before, at_end = self._last, self._seq == self._last
        changed = await self._live.receive(moved)
        if self._live.begun:
            self.show_story(self._live.story)
        if moved.anew or (at_end and self._last > before):
            self._go(self._last)
        if self._live.away:
            self._say(self._labels.away)
        elif moved.anew:
            self._say(self._labels.went_back)
        elif changed == "back":
            self._say(self._labels.back)
        elif self._live.table.get("status") == "finished" and self._last > before:
            self._say(self._labels.over)
        elif not at_end and self._last > before:
            self._say(self._labels.went_on.format(events=self._last - self._seq))
