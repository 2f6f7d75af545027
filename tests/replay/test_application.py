"""The application: what its keys do, and what is on the screen afterward."""

import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from textual.geometry import Region
from textual.pilot import Pilot
from textual.widget import Widget

from mcmulti.cli.replay.application import ReplayApp
from mcmulti.cli.replay.panes import Help
from mcmulti.cli.replay.stage import PAGES
from mcmulti.domain.core.table import presented
from mcmulti.domain.core.wording.telling import Language
from mcmulti.domain.mcmulti import RULESET
from mcmulti.events.log.codec import event_decoder, fold, opened_with
from tests.games import CALLED
from tests.pure.replay.golden import recorded_lines, story, turn_beginnings

GAME = "two-players"
RULES = RULESET.texts.rules["en"]
EVENTS = story(GAME).events
LAST = 748
PATIENCE = 30.0
"""Seconds, long enough for a busy machine."""


@asynccontextmanager
async def replaying(at: int = 1, size: tuple[int, int] = (80, 24), **options: Any) -> AsyncIterator[Pilot[None]]:
    """The application on a terminal of this size."""
    options = {"first": 1, "last": LAST, "by": "event", "language": "en", **options}
    application = ReplayApp(story(GAME), at=at, **options)
    async with application.run_test(size=size) as pilot:
        await pilot.pause()
        yield pilot


def _seq(pilot: Pilot[None]) -> int:
    assert isinstance(pilot.app, ReplayApp)
    return pilot.app.seq


def _playing(pilot: Pilot[None]) -> bool:
    assert isinstance(pilot.app, ReplayApp)
    return pilot.app.playing


def seen(pilot: Pilot[None], part: str) -> str:
    """The text of a part of the screen, on one line. It must be visible."""
    widget = pilot.app.screen_stack[0].query_one(f"#{part}")
    assert isinstance(widget.parent, Widget)
    region = widget.content_region.intersection(widget.parent.region).intersection(pilot.app.screen.region)
    assert region.area, f"{part} is not on the screen"
    lines = widget.render_lines(region.translate(-widget.region.offset))
    return " ".join(" ".join(line.text for line in lines).split())


async def answered(pilot: Pilot[None], key: str, answer: str) -> None:
    """Press a key that asks for input, and type it."""
    await pilot.press(key, *answer, "enter")
    await pilot.pause()


def told(seq: int, language: Language = "en") -> str:
    """What happened, from the rule set itself."""
    before = presented(fold(RULESET, EVENTS[: seq - 1]), CALLED)
    return RULESET.texts.tell(before, event_decoder("mcmulti", 1)(EVENTS[seq - 1].data), language)


def _having(event: Callable[[dict[str, Any]], bool]) -> list[int]:
    return [line["seq"] for line in recorded_lines(GAME) if event(line)]


async def test_a_moment_is_shown_with_its_rule_and_what_everybody_has() -> None:
    """Player 2 had 300, paid 5 for a rig, sold gasoline for 14 and crude for 5 and 4, and buys gasoline for 14 and 16.

    Player 1 paid 48 for each of two stations, 64 for each of three refineries, and 5 for a rig. In the recovery, the
    bank pays 3 for a rig, 24 for a station, and 30 for a refinery.
    """
    async with replaying(at=22) as pilot:
        await pilot.press("2", "right")
        assert _seq(pilot) == 23
        turns = max(turn_beginnings(GAME))
        assert seen(pilot, "where") == f"Turn 1 of {turns} · event 23 of 748 · BarrelsBought paused"
        assert seen(pilot, "told") == f"{told(23)} market/buy {RULES['market/buy']}"
        assert seen(pilot, "holdings") == (
            "cash crude gasoline net worth ● Player 1 7 2 2 148 ▸■ Player 2 288 -30 0 3 +2 291 -30"
        )
        assert seen(pilot, "story").endswith(f"22 {told(22)} ▸ 23 {told(23)}")
        await pilot.press("3")
        assert "seats/1/cash 318 → 288 seats/1/gasoline 1 → 3" in seen(pilot, "changed")
        await pilot.press("1")
        assert "● Player 1 7 " in seen(pilot, "drawn")


async def test_steps_go_by_events_and_stop_at_both_ends() -> None:
    async with replaying(at=2) as pilot:
        await pilot.press("left", "left", "left")
        assert _seq(pilot) == 1
        assert seen(pilot, "where").startswith("Before the first turn · event 1 of 748 · GameOpened")
        await pilot.press("end", "right")
        assert _seq(pilot) == LAST
        await pilot.press("left", "left", "right")
        assert _seq(pilot) == LAST - 1
        await pilot.press("home")
        assert _seq(pilot) == 1


async def test_steps_go_by_turns() -> None:
    """Back goes to the beginning of the turn, and then to that of the turn before."""
    beginnings = turn_beginnings(GAME)
    async with replaying(at=1) as pilot:
        for turn in (1, 2, 3):
            await pilot.press("]")
            assert _seq(pilot) == beginnings[turn]
        await pilot.press("right", "right", "shift+left")
        assert _seq(pilot) == beginnings[3]
        await pilot.press("[")
        assert _seq(pilot) == beginnings[2]
        await pilot.press("shift+right", "[", "[", "[")
        assert _seq(pilot) == 1
        await pilot.press("end", "]")
        assert _seq(pilot) == LAST


@pytest.mark.parametrize(
    ("answer", "seq"),
    [
        ("500", 500),
        ("t7", turn_beginnings(GAME)[7]),
        ("T 7", turn_beginnings(GAME)[7]),
        ("z12", turn_beginnings(GAME)[12]),
        ("t0", 1),
        ("1", 1),
        ("748", 748),
    ],
)
async def test_jumps_go_to_events_and_turns(answer: str, seq: int) -> None:
    async with replaying(at=100) as pilot:
        await answered(pilot, "j", answer)
        assert _seq(pilot) == seq
        assert f"event {seq} of 748" in seen(pilot, "where")


@pytest.mark.parametrize("answer", ["749", "0", "-3", "t9999", "seven", "t"])
async def test_a_jump_to_nowhere_says_what_there_is(answer: str) -> None:
    async with replaying(at=100) as pilot:
        await answered(pilot, "j", answer)
        assert _seq(pilot) == 100
        turns = max(turn_beginnings(GAME))
        assert seen(pilot, "bar") == (f"There is no such event or turn. Events go from 1 to 748, turns to {turns}.")
        await pilot.press("right")
        assert "help" in seen(pilot, "bar")


async def test_a_question_can_be_called_off() -> None:
    async with replaying(at=100) as pilot:
        await pilot.press("j", "7", "escape")
        await pilot.press("slash", "escape")
        await pilot.press("j", "enter")
        assert (_seq(pilot), len(pilot.app.screen_stack)) == (100, 1)


async def test_searching_goes_round_all_places() -> None:
    news = _having(lambda line: line["type"] == "NewsTriggered")
    assert len(news) > 3
    async with replaying(at=news[1]) as pilot:
        await answered(pilot, "slash", "newsTRIGGERED")
        assert _seq(pilot) == news[2]
        assert seen(pilot, "bar") == f"“newsTRIGGERED”: 3 of {len(news)}"
        await pilot.press("N", "N")
        assert _seq(pilot) == news[0]
        await pilot.press("N")
        assert _seq(pilot) == news[-1]
        await pilot.press("n")
        assert _seq(pilot) == news[0]


async def test_searching_finds_rules_and_keeps_to_the_part_that_is_told() -> None:
    taxes = [seq for seq in _having(lambda line: line["rule"] == "news/double") if seq >= 100]
    async with replaying(at=100, first=100) as pilot:
        await answered(pilot, "slash", "news/double")
        assert _seq(pilot) == taxes[0]
        await pilot.press("N")
        assert _seq(pilot) == taxes[-1]


async def test_what_is_nowhere_is_said_to_be() -> None:
    async with replaying(at=100) as pilot:
        await pilot.press("n")
        assert seen(pilot, "bar") == "Search for something first, with /"
        await answered(pilot, "slash", "castle (long")
        assert _seq(pilot) == 100
        assert seen(pilot, "bar") == "“castle (long” does not occur in this game."


async def _until(done: Callable[[], bool], pilot: Pilot[None]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not done():
            await pilot.pause(0.02)


async def test_it_plays_until_it_is_paused() -> None:
    async with replaying(at=50) as pilot:
        await pilot.press("+", "+", "+", "+", "space")
        assert re.search("▶ 16/s|▶ · 16 a second", seen(pilot, "where"))
        await _until(lambda: _seq(pilot) >= 53, pilot)
        await pilot.press("space")
        assert not _playing(pilot)
        stopped = _seq(pilot)
        await pilot.pause(0.3)
        assert _seq(pilot) == stopped
        assert "paused" in seen(pilot, "where")


async def test_it_stops_at_the_end_and_begins_again() -> None:
    async with replaying(at=LAST - 2) as pilot:
        await pilot.press("=", "=", "=", "space")
        await _until(lambda: _seq(pilot) == LAST, pilot)
        assert not _playing(pilot)
        await pilot.press("minus", "minus", "minus", "minus", "minus", "space")
        assert re.search("▶ 0.5/s|▶ · 0.5 a second", seen(pilot, "where"))
        assert (_seq(pilot), _playing(pilot)) == (1, True)


async def test_it_plays_turn_by_turn() -> None:
    beginnings = turn_beginnings(GAME)
    async with replaying(at=beginnings[4], size=(160, 50)) as pilot:
        await pilot.press("b", "+", "+", "space")
        assert seen(pilot, "where").endswith("▶ · 8 a second, turn by turn")
        passed: set[int] = set()
        await _until(lambda: passed.add(_seq(pilot)) or _seq(pilot) >= beginnings[7], pilot)  # type: ignore[func-returns-value]
        await pilot.press("space")
        assert passed <= set(beginnings.values())


async def test_the_language_is_changed_and_changed_back() -> None:
    async with replaying(at=23) as pilot:
        await pilot.press("l")
        assert seen(pilot, "told").startswith(told(23, "de"))
        assert seen(pilot, "where").startswith("Zug 1 von ")
        assert "Deutsch" not in seen(pilot, "bar")
        await pilot.press("l")
        assert seen(pilot, "told").startswith(told(23, "en"))


async def test_the_whole_rule_can_be_read() -> None:
    """The text of this rule does not fit into its place."""
    async with replaying(at=12) as pilot:
        assert seen(pilot, "told").split()[-1] not in RULES["purchase/round"].split()[-3:]
        await pilot.press("r")
        assert seen(pilot, "told").endswith(RULES["purchase/round"])


async def test_pages_are_changed_and_scrolled() -> None:
    """The board does not fit into sixteen lines."""
    async with replaying(at=200, size=(80, 16)) as pilot:
        body = pilot.app.query_one("#body")
        pages = []
        for _ in range(4):
            pages.append([page for page in ("board", "story", "changes") if body.has_class(f"-{page}")])
            await pilot.press("tab")
        assert pages == [["board"], ["story"], ["changes"], ["board"]]
        await pilot.press("1")
        board = pilot.app.query_one("#board")
        while not board.max_scroll_y:
            await pilot.pause()
        await pilot.press("pagedown", "down", "up")
        assert board.scroll_y == board.max_scroll_y - 1


@pytest.mark.parametrize("size", [(130, 24), (160, 50), (80, 60)])
async def test_with_room_the_story_stands_next_to_the_board(size: tuple[int, int]) -> None:
    async with replaying(at=23, size=size) as pilot:
        assert "● Player 1" in seen(pilot, "drawn")
        assert told(23) in seen(pilot, "story")
        assert "▸■ Player 2 288" in seen(pilot, "holdings")


async def test_help_lists_the_keys_and_any_key_closes_it() -> None:
    async with replaying(at=23) as pilot:
        await pilot.press("question_mark")
        assert isinstance(pilot.app.screen, Help)
        await pilot.press("right")
        assert (_seq(pilot), len(pilot.app.screen_stack)) == (23, 1)


async def test_the_mouse_chooses_moments() -> None:
    async with replaying(at=23) as pilot:
        await pilot.click("#timeline", offset=(79, 0))
        assert _seq(pilot) == LAST
        await pilot.click("#timeline", offset=(0, 0))
        assert _seq(pilot) == 1
        await answered(pilot, "j", "23")
        await pilot.press("2")
        await pilot.click("#story", offset=(12, 0))
        assert _seq(pilot) < 23


async def test_a_part_of_the_game_has_its_own_ends() -> None:
    async with replaying(at=34, first=34, last=50) as pilot:
        await pilot.press("left", "[")
        assert _seq(pilot) == 34
        await pilot.press("end")
        assert _seq(pilot) == 50
        await answered(pilot, "j", "51")
        assert _seq(pilot) == 50
        await pilot.press("2")
        assert told(33) not in seen(pilot, "story")


@pytest.mark.parametrize("key", ["q", "ctrl+c"])
async def test_it_can_be_left(key: str) -> None:
    async with replaying() as pilot:
        await pilot.press(key)
        await _until(lambda: pilot.app.return_code == 0, pilot)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
async def test_it_ends_in_order_by_signals(number: signal.Signals) -> None:
    async with replaying() as pilot:
        os.kill(os.getpid(), number)
        await _until(lambda: pilot.app.return_code == 128 + number, pilot)


async def test_every_event_can_be_shown_on_the_smallest_terminal() -> None:
    """Every part of every sixth is drawn.

    For every 30th, the test waits and reads it, with each of the pages in turn.
    """
    parts = ("drawn", "story", "changed")
    async with replaying() as pilot:
        assert isinstance(pilot.app, ReplayApp)
        for line in recorded_lines(GAME)[5::6]:
            seq = line["seq"]
            pilot.app.action_step(seq - _seq(pilot))
            for part in ("where", "told", "holdings", *parts):
                assert pilot.app.query_one(f"#{part}").render_lines(Region(0, 0, 80, 24))
            if seq % 30 == 0:
                pilot.app.action_page(PAGES[seq // 30 % 3])
                await pilot.pause()
                assert f"event {seq} of 748 · {line['type']}" in seen(pilot, "where")
                assert line["rule"] in seen(pilot, "told")
                wanted = ("1 2 3 4 5 6 1 2 3 4 5 6", f"▸ {seq} {told(seq)}", "")[seq // 30 % 3]
                assert wanted in seen(pilot, parts[seq // 30 % 3])


@pytest.mark.parametrize("language", ["en", "de"])
async def test_a_game_by_post_is_shown_in_every_pane(language: Language) -> None:
    """A round closed by the deadline, described by the rule set itself. Each pane has content."""
    name = "by-post-deadline"
    closed = next(line for line in recorded_lines(name) if line["type"] == "RoundClosed" and line["data"]["missing"])
    events = story(name).events
    ruleset = opened_with(events[0])
    happened = event_decoder("postal", 1)(events[closed["seq"] - 1].data)
    sentence = ruleset.texts.tell(presented(fold(ruleset, events[: closed["seq"] - 1]), CALLED), happened, language)
    application = ReplayApp(story(name), at=closed["seq"], first=1, last=len(events), by="event", language=language)
    async with application.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        for key, pane in (("1", "drawn"), ("3", "changed"), ("2", "story")):
            await pilot.press(key)
            await pilot.pause()
            assert seen(pilot, pane), pane
        assert sentence in seen(pilot, "told")
        await pilot.press("end")
        assert _seq(pilot) == len(events)
