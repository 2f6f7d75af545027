"""Folds that a server caches: how much of the log they read, and what they read again."""

import asyncio
from typing import Any
from uuid import UUID

import pytest

from mcmulti.api.caching import folds as kept
from mcmulti.api.caching.folds import Folds
from mcmulti.api.http.apart import Apart
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.positions import Position
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.errors import DamagedGame
from mcmulti.events.ports.game_index import TableRow
from mcmulti.projections.books.ledger import Daybook, entries
from mcmulti.projections.proof.draws import Drawn
from mcmulti.referee.feed import LogWentBack
from mcmulti.referee.referee import Referee
from tests.games import random_game
from tests.golden.forging import chain_hash

EVENTS = random_game(4, 7)
GAME = EVENTS[0].game_id
LONG = len(EVENTS)
PIECE = 100


class Counted(MemoryLog):
    """A log that counts the events that are read, and the sizes of the reads."""

    def __init__(self) -> None:
        super().__init__()
        self.pages: list[int] = []
        self.reading = self.most = 0

    async def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> list[Recorded]:
        self.reading += 1
        self.most = max(self.most, self.reading)
        await asyncio.sleep(0)
        found = await super().read(game_id, after, limit)
        self.reading -= 1
        self.pages.append(len(found))
        return found

    def drop_game(self) -> None:
        """The game is gone, as after the log went back."""
        self._games.pop(GAME, None)

    def counted(self) -> int:
        """The number of events read since the last call."""
        found = sum(self.pages)
        self.pages.clear()
        return found


class Server:
    """A game whose folds a server caches, and its log, read in pages of `PIECE` events."""

    def __init__(self, most: int = kept.MOST) -> None:
        self.log = Counted()
        self.referee = Referee(self.log)
        self.folds = Folds(self.referee, Apart(), most)

    async def stands(self, seq: int, events: list[Recorded] = EVENTS) -> Position:
        """Let the log have the game up to an event. Return the head, which is then cached."""
        await self.holds(events[:seq])
        found = await Referee(self.log).position(GAME)
        self.log.pages.clear()
        return found

    async def holds(self, events: list[Recorded]) -> None:
        """Let the log have these events of the game, and no others."""
        self.log.drop_game()
        await self.log.create(GAME, "mcmulti", 1, TableRow("running"), bytes(32), events)

    async def books(self, now: Position, until: int | None = None) -> list[Any]:
        return list((await self.folds.reach(now, Daybook, Daybook, until)).entries)

    async def past(self, now: Position, seq: int) -> Position:
        found = await Referee(self.log).position_at(now.game_id, seq)
        self.log.pages.clear()
        return found


@pytest.fixture(autouse=True)
def _small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "PAGE", PIECE)


def booked(until: int, events: list[Recorded] = EVENTS) -> list[Any]:
    return list(entries(events[:until]))


async def test_an_answer_reads_what_happened_since_the_last_one() -> None:
    server = Server()
    for seq, reads in ((LONG - 50, LONG - 50), (LONG - 49, 1), (LONG - 49, 0), (LONG, 49)):
        now = await server.stands(seq)
        assert await server.books(now) == booked(seq)
        assert server.log.counted() == reads


async def test_the_past_reads_no_more_than_a_page() -> None:
    server = Server()
    now = await server.stands(LONG)
    assert await server.books(now) == booked(LONG)
    server.log.counted()
    for seq, reads in ((1, 1), (250, 50), (200, 0), (LONG, 0), (299, 99), (250, 50)):
        then = await server.past(now, seq)
        assert await server.books(then) == booked(seq)
        assert server.log.counted() == reads, seq


async def test_no_page_is_read_before_its_turn() -> None:
    """However many requests come at a time, one page is in progress. Requests for the same position share it."""
    server = Server()
    now = await server.stands(LONG)
    asked = [server.folds.reach(now, (kind, number), kind) for kind in (Daybook, Drawn) for number in range(5)]
    await asyncio.gather(*asked, *(server.books(now) for _ in range(5)))
    assert (server.log.most, server.log.counted()) == (1, 11 * LONG)
    assert max(server.log.pages, default=0) <= PIECE


async def test_pages_of_several_readers_take_turns() -> None:
    """A reader of a long game goes to the end of the queue after each page."""
    server = Server()
    now = await server.stands(LONG)
    short = await server.past(now, PIECE)
    long = asyncio.create_task(server.books(now))
    await asyncio.sleep(0)
    await server.folds.reach(short, Drawn, Drawn)
    assert not long.done()
    assert await long == booked(LONG)


async def test_what_a_log_held_before_it_went_back_is_not_gone_on_from() -> None:
    """After event 400, the game continues differently, to the same number of events and beyond.

    Cached folds are still valid up to event 400.
    """
    server = Server()
    other = [*EVENTS[:400], *_otherwise(EVENTS[400:])]
    for seq, events, reads in ((550, EVENTS, 550), (550, other, 550), (450, EVENTS, 50), (LONG, other, LONG - 550)):
        now = await server.stands(seq, events)
        assert await server.books(now) == booked(seq, events)
        assert server.log.counted() == reads
    assert await server.books(await server.stands(LONG)) == booked(LONG)


def _otherwise(events: list[Recorded]) -> list[Recorded]:
    """The same events with another actor, so that each has another hash."""
    found: list[Recorded] = []
    before = events[0].prev_hash
    for event in events:
        changed = event._replace(rule="table/start", prev_hash=before)
        changed = changed._replace(hash=chain_hash(changed))
        before = changed.hash
        found.append(changed)
    return found


async def test_who_asks_for_what_the_log_does_not_hold_any_more_is_told() -> None:
    server = Server()
    now = await server.stands(LONG)
    await server.stands(LONG - 10)
    with pytest.raises(LogWentBack):
        await server.books(now)


DAMAGED = [*EVENTS[:300], EVENTS[300]._replace(data=EVENTS[300].data.replace(b"}", b" }")), *EVENTS[301:]]


async def test_a_damaged_event_is_in_no_fold() -> None:
    server = Server()
    now = await server.stands(LONG)
    await server.holds(DAMAGED)
    with pytest.raises(DamagedGame):
        await server.books(now)


async def test_a_check_reads_every_event_whatever_is_kept() -> None:
    server = Server()
    now = await server.stands(LONG)
    for _ in range(2):
        await server.books(now)
        server.log.counted()
        await server.folds.check(now)
        assert server.log.counted() == LONG
    await server.holds(DAMAGED)
    with pytest.raises(DamagedGame, match="event 301 was changed"):
        await server.folds.check(now)


async def test_a_page_is_checked_before_anything_is_made_of_it() -> None:
    server = Server()
    now = await server.stands(LONG)
    await server.holds(DAMAGED)
    pages = server.folds.pages(now, len)
    assert [await anext(pages) for _ in range(3)] == [PIECE] * 3
    with pytest.raises(DamagedGame):
        await anext(pages)


async def test_a_log_that_went_back_while_it_is_read_in_pages_is_told_of() -> None:
    server = Server()
    now = await server.stands(LONG)
    pages = server.folds.pages(now, len)
    assert await anext(pages) == PIECE
    await server.stands(PIECE)
    with pytest.raises(LogWentBack):
        await anext(pages)


async def test_what_is_kept_has_a_bound_in_bytes() -> None:
    """The least recently used fold is evicted, and folded again."""
    server = Server(most=3_000_000)
    now = await server.stands(LONG)
    weighs = []
    for number in range(8):
        await server.folds.reach(now, number, Daybook)
        weighs.append(server.folds.weighs)
    assert max(weighs) <= 3_000_000
    assert weighs[0] > 500_000
    server.log.counted()
    await server.folds.reach(now, 7, Daybook)
    assert server.log.counted() == 0
    await server.folds.reach(now, 0, Daybook)
    assert server.log.counted() == LONG


async def test_all_is_given_up_when_the_log_went_back() -> None:
    server = Server()
    now = await server.stands(LONG)
    await server.books(now)
    for forget in server.referee.forgetters:
        forget()
    assert server.folds.weighs == 0
