"""What the demo shows: the picture of a game, and a report that checks what the server says."""

from io import StringIO

import httpx
import msgspec
import pytest
from msgspec import Raw
from rich.console import Console

from mcmulti.api.telling.wire import Events, GameView
from mcmulti.cli.records.onlooker import Onlooker
from mcmulti.cli.records.results import report
from mcmulti.client.client import Client
from mcmulti.client.following import Moved
from mcmulti.domain.mcmulti import RULESET
from mcmulti.events.log.codec import fold
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.item import item
from tests.games import random_game
from tests.tabled import tabled

STRATEGIES = ("random", "random")


@pytest.fixture(scope="module")
def events() -> list[Recorded]:
    """A finished game."""
    return random_game(2, 3)


class Shop(httpx.AsyncBaseTransport):
    """Serves a view and a log, in pages of 1000 events."""

    def __init__(self, events: list[Recorded], shown: list[Recorded]) -> None:
        self.events = events
        self.shown = shown

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        game, head = self.shown[-1].game_id, self.shown[-1]
        if not request.url.path.endswith("/events"):
            view = Raw(msgspec.json.encode(RULESET.view(fold(RULESET, self.shown), None)))
            answer = GameView(game, head.seq, head.hash.hex(), tabled(self.shown, {}, kind="bot"), view)
            return httpx.Response(200, content=msgspec.json.encode(answer))
        after = int(request.url.params["after"])
        page = tuple(item(event) for event in self.events[after : after + 1000])
        more = after + 1000 if after + 1000 < len(self.events) else None
        return httpx.Response(200, content=msgspec.json.encode(Events(game, head.seq, head.hash.hex(), page, more)))


async def _reported(events: list[Recorded], shown: list[Recorded]) -> tuple[bool, str]:
    out = StringIO()
    async with Client("http://shop", transport=Shop(events, shown)) as client:
        proven = await report(client, str(shown[0].game_id), STRATEGIES, Console(file=out, width=100))
    return proven, out.getvalue()


async def test_an_honest_log_is_proven(events: list[Recorded]) -> None:
    proven, printed = await _reported(events, events)
    assert proven
    assert printed.count("✓") == 7


async def test_a_changed_event_is_found_and_named(events: list[Recorded]) -> None:
    number = next(index for index, event in enumerate(events) if event.type == "DiceRolled")
    changed = events[number]._replace(data=events[number].data.replace(b'"value":', b'"value": '))
    proven, printed = await _reported([*events[:number], changed, *events[number + 1 :]], events)
    assert not proven
    assert "✗" in printed
    assert f"event {changed.seq}" in printed


async def test_a_log_cut_short_is_not_the_game_that_is_shown(events: list[Recorded]) -> None:
    proven, printed = await _reported(events[:-1], events)
    assert not proven
    assert printed.count("✗") == 6


@pytest.mark.parametrize("height", [24, 50])
async def test_a_terminal_shows_the_board_and_the_latest_events_in_its_size(
    height: int, events: list[Recorded]
) -> None:
    out = StringIO()
    console = Console(file=out, width=80, height=height, force_terminal=True, color_system=None)
    for length in (1, 3, 12, len(events) // 2, len(events)):
        async with Client("http://shop", transport=Shop(events[:length], events[:length])) as client:
            onlooker = Onlooker(client, str(events[0].game_id), console)
            await onlooker.live.receive(Moved(tuple(events[:length])))
        with console.capture() as capture:
            console.print(onlooker.picture())
        lines = capture.get().splitlines()
        assert len(lines) < height
        assert max(map(len, lines)) <= 80
        assert "goal 750" in capture.get()
        last = [line.sentence for line in onlooker.live.story.lines("en") if not line.quiet][-1]
        assert lines[-1].rstrip("… ").removeprefix("  ") in last


async def test_elsewhere_a_line_says_the_turn_the_economy_and_everybodys_money(events: list[Recorded]) -> None:
    async with Client("http://shop", transport=Shop(events, events)) as client:
        onlooker = Onlooker(client, str(events[0].game_id), Console(file=StringIO()))
        await onlooker.live.receive(Moved(tuple(events[:1])))
        assert onlooker.in_a_line() == ""
        await onlooker.live.receive(Moved(tuple(events[1:])))
    has = [holding.amounts["dollars"] for holding in RULESET.books.gauges(fold(RULESET, events)).holdings]
    assert onlooker.in_a_line() == f"Game over, Rapid growth: Seat 1 {has[0]:,}, Seat 2 {has[1]:,}"
