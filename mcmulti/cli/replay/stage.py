"""The screen: all parts of a moment. The style sheet lays them out by the available space."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple, get_args

import msgspec
from jsonpatch import apply_patch
from jsonpointer import resolve_pointer
from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from mcmulti.cli.replay.panes import MUTED, BoardPane, HoldingsPane, StoryPane, Timeline
from mcmulti.cli.replay.story import Story
from mcmulti.domain.core.wording.telling import Language
from mcmulti.projections.labels import REPLAY, Labels
from mcmulti.projections.reports.patches import Change
from mcmulti.projections.reports.replay import By, Frame

Page = Literal["board", "story", "changes"]
PAGES: tuple[Page, ...] = get_args(Page)


class Playback(NamedTuple):
    """Whether the story plays by itself, and how fast: `speed` in steps per second."""

    playing: bool
    speed: float
    by: By


class Scene(NamedTuple):
    """What to show: the game after event `seq`, with matches of `sought` marked. `message` is shown once."""

    seq: int
    language: Language
    page: Page
    playback: Playback
    sought: re.Pattern[str] | None
    message: str


class Stage(Vertical):
    """All parts. The style sheet decides which are visible, and where."""

    def __init__(self, story: Story, first: int, last: int) -> None:
        super().__init__()
        self._story = story
        self._where, self._pages, self._bar = Static(id="where"), Static(id="pages"), Static(id="bar")
        self._board, self._content, self._changed = BoardPane("page"), Static(id="told"), Static(id="changed")
        self._timeline, self._holdings, self._lines = Timeline(first, last), HoldingsPane(), StoryPane(first)

    def compose(self) -> ComposeResult:
        """The parts, in the order of the narrow layout."""
        yield self._where
        yield self._timeline
        with Vertical(id="body"):
            with VerticalScroll(id="now", can_focus=False):
                yield self._content
            yield self._holdings
            yield self._pages
            yield self._board
            yield self._lines
            with VerticalScroll(id="changes", classes="page", can_focus=False):
                yield self._changed
        yield self._bar

    def show(self, scene: Scene) -> None:
        """Draw a scene."""
        story, seq, language = self._story, scene.seq, scene.language
        labels = REPLAY[language]
        frame = next(story.frames(seq, seq, language))
        lines = story.lines(language)[:seq]
        self._where.update(_where(frame, story, scene.playback, labels, self.size.width - 2))
        self._timeline.show(seq)
        self._board.show(story.picture(seq, language), labels.no_picture)
        self._content.update(_content(frame, lines[-1].sentence, scene.sought))
        self._holdings.show(story.rows(seq, language), story.headings(seq, language))
        self._lines.show(lines, language, scene.sought)
        self._changed.update(Content("\n").join(_changed_lines(frame, story, labels)))
        self._pages.update(_tabs(scene.page, labels))
        self._bar.update(Content(scene.message) if scene.message else _keys(labels))
        body = self.query_one("#body")
        for page in PAGES:
            body.set_class(page == scene.page, f"-{page}")
            self.query_one(f"#{page}").border_title = _title(page, labels)

    def show_story(self, story: Story, last: int) -> None:
        """Use this story from now on, which goes to event `last`."""
        self._story = story
        self._timeline.reach(last)

    def toggle_rule(self) -> None:
        """Expand the rule to its whole text, or collapse it."""
        self.query_one("#body").toggle_class("-rule")

    def scroll_page(self, page: Page, lines: int) -> None:
        """Scroll a page. If the page is the story, which is always full, scroll the board."""
        self.query_one(f"#{'board' if page == 'story' else page}").scroll_relative(y=lines, animate=False)


def _where(frame: Frame, story: Story, playback: Playback, labels: Labels, width: int) -> Content:
    event = frame.happened[-1]
    turn = f"{labels.turn} {frame.turn} {labels.of} {story.turns}" if frame.turn else labels.before_turns
    left = f"{labels.event} {frame.seq} {labels.of} {story.last}"
    by = labels.by_event if playback.by == "event" else labels.by_turn
    mark = "▶" if playback.playing else labels.paused
    right = f"{mark} · {playback.speed:g} {labels.per_second}, {by}"
    gap = width - sum(map(cell_len, (turn, left, event.type, right))) - 6
    if gap < 1:
        right = f"▶ {playback.speed:g}/s" if playback.playing else labels.paused
        gap = width - sum(map(cell_len, (turn, left, event.type, right))) - 6
    return Content.assemble(
        (turn, "bold"),
        (" · ", MUTED),
        left,
        (" · ", MUTED),
        (event.type, "$text-accent"),
        " " * max(gap, 1),
        (right, "bold $success" if playback.playing else MUTED),
    )


def _content(frame: Frame, sentence: str, sought: re.Pattern[str] | None) -> Content:
    event = frame.happened[-1]
    told = Content.styled(sentence, "bold")
    rule = Content.styled(event.rule, "$text-accent")
    if sought is not None:
        told = told.highlight_regex(sought, style="reverse")
        rule = rule.highlight_regex(sought, style="reverse")
    return Content.assemble(told, "  ", rule, "\n", (event.rule_text, MUTED))


def _changed_lines(frame: Frame, story: Story, labels: Labels) -> Iterator[Content]:
    if frame.seq == 1:
        yield Content.styled(labels.whole_view, MUTED)
        return
    if not frame.patch:
        yield Content.styled(labels.no_changes, MUTED)
    for place, before, after in differences(story.view(frame.seq - 1), frame.patch):
        values = [] if before is None else [(before, "$text-error")]
        if before is not None and after is not None:
            values.append((" → ", MUTED))
        values += [] if after is None else [(after, "$text-success")]
        sign = "+" if before is None else "-" if after is None else " "
        yield Content.assemble((f"{sign} {place}  ", MUTED), *values)


def _tabs(shown: Page, labels: Labels) -> Content:
    tabs = (
        Content.from_markup(f"[@click=app.page('{page}')] {number} {_title(page, labels)} [/]").stylize(
            "bold reverse" if page == shown else MUTED
        )
        for number, page in enumerate(PAGES, start=1)
    )
    return Content("").join(tabs)


def _title(page: Page, labels: Labels) -> str:
    return {"board": labels.board, "story": labels.story, "changes": labels.changes}[page]


def _keys(labels: Labels) -> Content:
    keys = (
        Content.from_markup(f"[@click={action}][bold $accent]$key[/] [{MUTED}]$does[/][/]", key=key, does=does)
        for action, text in labels.within("bar").items()
        for key, does in [text.split("\t")]
    )
    return Content("  ").join(keys)


class Difference(NamedTuple):
    """`place`: a path such as ``seats/1/cash``. `before`: None if nothing was there. `after`: None if nothing is there
    now.
    """

    place: str
    before: str | None
    after: str | None


def differences(view: Any, patch: Sequence[Change]) -> Iterator[Difference]:
    """What each operation changed, given the view before them as JSON. Applies them to the view."""
    for change in patch:
        if change.path == "":
            return
        operation = msgspec.json.decode(msgspec.json.encode(change))
        source = operation.get("from")
        before = resolve_pointer(view, change.path) if change.op in ("replace", "remove") else None
        moved = resolve_pointer(view, source) if source is not None else None
        view = apply_patch(view, [operation], in_place=True)
        if source is not None:
            yield Difference(_member_path(source), _value_text(moved), None)
            yield Difference(_member_path(change.path), None, _value_text(moved))
        else:
            yield Difference(
                _member_path(change.path),
                None if change.op == "add" else _value_text(before),
                None if change.op == "remove" else _value_text(operation["value"]),
            )


def _member_path(pointer: str) -> str:
    return pointer.removeprefix("/")


def _value_text(value: Any) -> str:
    """A JSON value, without quotation marks around strings."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {_nested(member)}" for name, member in value.items()) or "{}"
    if isinstance(value, list):
        return ", ".join(_nested(member) for member in value) or "[]"
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _nested(value: Any) -> str:
    return f"({_value_text(value)})" if isinstance(value, dict | list) and value else _value_text(value)
