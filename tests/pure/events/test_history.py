"""Any moment of a game, computed from snapshots, equals the fold of the whole log."""

from collections.abc import Sequence
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcmulti.domain.mcmulti import RULESET
from mcmulti.events.log.codec import fold, opened_with
from mcmulti.events.log.envelope import Head, Recorded
from mcmulti.events.log.positions import Position
from mcmulti.events.log.snapshot import SPACING, Snapshot, restored, shape, taken
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.ports.game_index import Game, TableRow
from mcmulti.events.store.history import History
from tests.games import random_game, random_postal_game
from tests.thorough import examples

KEY = bytes(range(32))
GAME = random_game(4, 11)
LAST = GAME[-1].seq
BY_POST = random_postal_game(3)
LAST_BY_POST = BY_POST[-1].seq


class CountingLog(MemoryLog):
    """Counts the events that are read. The event of the snapshot is read to check that it still exists."""

    def __init__(self) -> None:
        super().__init__()
        self.counted = 0

    async def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> list[Recorded]:
        events = await super().read(game_id, after, limit)
        self.counted += len(events)
        return events


class ForgetfulLog(MemoryLog):
    """Stores no snapshots."""

    async def keep_snapshots(self, game_id: UUID, snapshots: Sequence[Snapshot]) -> None:
        raise LogUnavailable("the disk is full")


async def kept(log: MemoryLog) -> Position:
    game_id = GAME[0].game_id
    await log.create(game_id, "mcmulti", 1, TableRow("finished"), bytes(32), GAME)
    return position(len(GAME))


def position(seq: int) -> Position:
    return Position(GAME[0].game_id, RULESET, fold(RULESET, GAME[:seq]), Head(seq, GAME[seq - 1].hash))


@examples(40)
@given(st.lists(st.integers(1, LAST), min_size=1, max_size=12))
async def test_every_moment_is_the_fold_of_the_log_up_to_it(seqs: list[int]) -> None:
    log = MemoryLog()
    now = await kept(log)
    history = History(log)
    for seq in seqs:
        assert await history.at(now, seq) == position(seq)
        await history.settled()


async def test_a_moment_costs_no_more_than_the_way_from_a_snapshot() -> None:
    """If the last event is requested first, every other one is less than `SPACING` events from a snapshot."""
    assert len(GAME) > 3 * SPACING
    log = CountingLog()
    now = await kept(log)
    history = History(log)
    await history.at(now, LAST)
    await history.settled()
    for seq in range(1, LAST + 1, 37):
        log.counted = 0
        assert await history.at(now, seq) == position(seq)
        assert log.counted <= SPACING


async def test_snapshots_are_taken_as_a_game_goes_on() -> None:
    """From command to command, once `SPACING` events have passed."""
    log = CountingLog()
    now = await kept(log)
    history = History(log)
    for before, after in ((SPACING - 3, SPACING + 4), (SPACING + 4, SPACING + 9), (2 * SPACING - 1, 2 * SPACING)):
        history.passed(position(before).head, position(after))
    await history.settled()
    for seq, read in ((SPACING + 4, 0), (SPACING + 9, 5), (2 * SPACING, 0), (2 * SPACING - 1, SPACING - 5)):
        log.counted = 0
        assert await history.at(now, seq) == position(seq)
        assert log.counted == 1 + read


async def test_snapshots_of_another_layout_are_not_used() -> None:
    """A snapshot with another shape could not even be decoded if it was read."""
    log = MemoryLog()
    now = await kept(log)
    await log.keep_snapshots(now.game_id, [Snapshot(position(100).head, bytes(32), b"of an older build")])
    assert await History(log).at(now, 100) == position(100)


async def test_a_log_that_keeps_no_snapshots_tells_the_past_all_the_same() -> None:
    log = ForgetfulLog()
    now = await kept(log)
    history = History(log)
    assert await history.at(now, 3 * SPACING) == position(3 * SPACING)
    await history.settled()


def test_a_state_comes_back_from_a_snapshot_as_it_was() -> None:
    for seq in range(1, LAST + 1, 7):
        state = position(seq).state
        snapshot = taken(KEY, GAME[0].game_id, RULESET, state, position(seq).head)
        assert restored(KEY, GAME[0].game_id, RULESET, snapshot) == state
        assert snapshot.shape == shape(RULESET)


@pytest.mark.parametrize("spoiled", ["a number", "another game's", "another event's", "another key's"])
async def test_a_snapshot_that_is_not_what_was_kept_is_thrown_away(spoiled: str) -> None:
    """One byte of the state was changed, or another state was put in its place."""
    log, game_id = MemoryLog(), GAME[0].game_id
    now, key, at = await kept(log), await log.digest_key(), position(SPACING)
    snapshot = taken(key, game_id, RULESET, at.state, at.head)
    if spoiled == "a number":
        state = snapshot.state[:-1] + bytes([snapshot.state[-1] ^ 1])
    elif spoiled == "another game's":
        state = taken(key, UUID(int=1), RULESET, at.state, at.head).state
    elif spoiled == "another event's":
        state = taken(key, game_id, RULESET, position(7).state, position(7).head).state
    else:
        state = taken(b"k" * 32, game_id, RULESET, at.state, at.head).state
    await log.keep_snapshots(game_id, [snapshot._replace(state=state)])
    history = History(log)
    assert await history.at(now, SPACING + 1) == position(SPACING + 1)
    assert await log.snapshot(game_id, LAST, shape(RULESET)) is None
    await history.settled()


async def test_a_sound_snapshot_is_read_in_place_of_the_events_before() -> None:
    log, game_id = CountingLog(), GAME[0].game_id
    now, key, at = await kept(log), await log.digest_key(), position(SPACING)
    await log.keep_snapshots(game_id, [taken(key, game_id, RULESET, at.state, at.head)])
    assert await History(log).at(now, SPACING + 1) == position(SPACING + 1)
    assert log.counted == 2


@examples(10)
@given(st.lists(st.integers(1, LAST_BY_POST), min_size=1, max_size=12))
async def test_every_moment_of_a_game_by_post_is_the_fold_of_the_log_up_to_it(seqs: list[int]) -> None:
    """Sealed sheets are part of the state, and snapshots restore them unchanged."""
    log = MemoryLog()
    game_id, ruleset = BY_POST[0].game_id, opened_with(BY_POST[0])
    await log.create(game_id, "postal", 1, TableRow("finished"), bytes(32), BY_POST)

    def by_post(seq: int) -> Position:
        return Position(game_id, ruleset, fold(ruleset, BY_POST[:seq]), Head(seq, BY_POST[seq - 1].hash))

    now, history = by_post(LAST_BY_POST), History(log)
    for seq in seqs:
        assert await history.at(now, seq) == by_post(seq)
        await history.settled()


class MovingLog(MemoryLog):
    """Another server appends two events to a game, one of them between any two reads."""

    def __init__(self) -> None:
        super().__init__()
        self.later: list[Recorded] = []

    async def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> list[Recorded]:
        await self._go_on(game_id)
        return await super().read(game_id, after, limit)

    async def game(self, game_id: UUID) -> Game:
        await self._go_on(game_id)
        return await super().game(game_id)

    async def _go_on(self, game_id: UUID) -> None:
        if self.later:
            event = self.later.pop(0)
            await self.append(game_id, Head(event.seq - 1, event.prev_hash), [event], TableRow("running"))


@pytest.mark.parametrize("seq", [3, SPACING + 3])
async def test_a_game_that_goes_on_while_it_is_looked_at_is_not_damaged(seq: int) -> None:
    """It has moved on once more when the head is read again."""
    game_id = GAME[0].game_id
    for look in (History.now, History.examine):
        log = MovingLog()
        await log.create(game_id, "mcmulti", 1, TableRow("running"), bytes(32), GAME[:seq])
        log.later = GAME[seq : seq + 2]
        await look(History(log), game_id, Head(seq, GAME[seq - 1].hash))


async def test_a_short_game_is_loaded_by_one_question() -> None:
    log = CountingLog()
    await log.create(GAME[0].game_id, "mcmulti", 1, TableRow("running"), bytes(32), GAME[:7])
    assert await History(log).now(GAME[0].game_id, Head(7, GAME[6].hash)) == position(7)
    assert log.counted == 7


async def test_events_that_were_read_before_a_game_went_on_twice_are_whole() -> None:
    """The head was `SPACING`. One more event came with the read, and another before the head was read again."""
    log = MemoryLog()
    await log.create(GAME[0].game_id, "mcmulti", 1, TableRow("running"), bytes(32), GAME[: SPACING + 2])
    ends = [Head(seq, GAME[seq - 1].hash) for seq in (SPACING, SPACING + 1)]
    await History(log).reaches(GAME[0].game_id, ends[1], ends[0])
