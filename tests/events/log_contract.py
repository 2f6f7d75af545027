"""What every log must do. A log's own test module subclasses `LogContract` and provides a `log` fixture."""

import asyncio
import json
from collections.abc import Sequence
from contextlib import aclosing, suppress
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from uuid import UUID, uuid4

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.leaving import IfLeft
from mcmulti.domain.core.capabilities.rating import companion
from mcmulti.events.log.envelope import START, Draft, Head, Recorded, broken_link, seal
from mcmulti.events.log.snapshot import Snapshot
from mcmulti.events.ports.accounts import Holder, Pending, Player, Token, first_token
from mcmulti.events.ports.chat import ChatBounds, ChatMessage
from mcmulti.events.ports.computed import KeptAssessment, KeptLadder
from mcmulti.events.ports.errors import (
    ChatTooFast,
    Conflict,
    LastToken,
    NameTaken,
    UnknownGame,
    UnknownPlayer,
    UnknownToken,
)
from mcmulti.events.ports.event_store import Receipt
from mcmulti.events.ports.game_index import (
    ABANDONED,
    FOR_ALL,
    Access,
    Bookmark,
    Ended,
    FinishedGame,
    Game,
    GamesWanted,
    RatedGame,
    Sought,
    TableRow,
    TenureRow,
)
from mcmulti.events.ports.integrity import Check
from mcmulti.events.ports.log import Log
from mcmulti.events.ports.notices import (
    NO_GAME,
    DailyHours,
    DueDigest,
    GamePreferences,
    Kind,
    Notification,
    Preferences,
    Topic,
    Webhook,
)
from mcmulti.events.ports.timekeeping import DueGame, Question
from tests.events.chat_contract import ChatContract
from tests.events.reviews_contract import ReviewsContract

NOON = datetime(2024, 2, 29, 12, 0, 0, 123456, UTC)
HOUR = timedelta(hours=1)
TOPICS: tuple[Topic, ...] = ("game.turn", "game.over")

ODD_BYTES = [
    b'{"b": 1,  "a":2}',
    b'{ "a" : [ ] }\n',
    '{"name":"Ölprinz €\U0001f6e2"}'.encode(),
    b'{"name":"\\u00d6lprinz \\u0000 \\ud800"}',
    b'{"big":123456789012345678901234567890,"small":1.0,"exponent":1E400}',
    b'{"twice":1,"twice":2}',
    b'"\\/"',
]


def draft(data: bytes = b'{"oil":1}', command: bytes | None = None) -> Draft:
    return Draft("BarrelsBought", data, "R.4.2", 3, UUID(int=7), command)


def verbatim(data: bytes) -> object:
    """The content of JSON, with numbers as written and fields in their order."""
    return json.loads(data, parse_int=str, parse_float=str, object_pairs_hook=list)


def receipt(player_id: UUID, key: str = "a key") -> Receipt:
    return Receipt(player_id, key, bytes(range(32)), 7, 9, bytes(16))


async def open_game(
    log: Log,
    *,
    ruleset: str = "mcmulti",
    at: datetime = NOON,
    drafts: Sequence[Draft] = (draft(),),
    opened_by: UUID | None = None,
    access: Access = FOR_ALL,
    if_left: IfLeft = "substitute",
    practice: bool = False,
) -> UUID:
    game_id = uuid4()
    first = seal(game_id, START, drafts, at)
    stands, secret = TableRow("open", if_left=if_left, practice=practice), game_id.bytes * 2
    await log.create(game_id, ruleset, 1, stands, secret, first, opened_by=opened_by, access=access)
    return game_id


async def next_events(log: Log, game_id: UUID, *drafts: Draft, at: datetime = NOON) -> list[Recorded]:
    return seal(game_id, (await log.game(game_id)).head, drafts or (draft(),), at)


def with_player(player_id: UUID) -> GamesWanted:
    """The games in which a player is seated."""
    return GamesWanted(player_ids=(player_id,))


async def seat(log: Log, game_id: UUID, *players: UUID) -> None:
    head = (await log.game(game_id)).head
    await log.append(game_id, head, await next_events(log, game_id), TableRow("open", tuple(players)), reseated=True)


async def move(log: Log, game_id: UUID, at: datetime) -> None:
    head = (await log.game(game_id)).head
    await log.append(game_id, head, await next_events(log, game_id, at=at), TableRow("running"))


async def played(log: Log, game_id: UUID, *tenures: TenureRow) -> None:
    """Append an event that changes these records of who played."""
    events = await next_events(log, game_id)
    await log.append(game_id, (await log.game(game_id)).head, events, TableRow("running"), tenures=tenures)


class PortContract:
    @pytest.fixture
    def log(self) -> Log:
        raise NotImplementedError


class EventStoreContract(PortContract):
    """What every `EventStore` must do."""

    async def test_a_new_game_holds_its_first_events(self, log: Log) -> None:
        game_id = uuid4()
        events = seal(game_id, START, [draft(), draft()], NOON)
        await log.create(game_id, "mcmulti", 4, TableRow("open"), bytes(32), events)

        assert await log.read(game_id) == events
        game = await log.game(game_id)
        assert game == Game(game_id, "mcmulti", 4, TableRow("open", deadline=None), Head(2, events[1].hash), NOON, NOON)
        assert isinstance(game.head, Head)

    async def test_a_game_is_created_once(self, log: Log) -> None:
        game_id = await open_game(log)
        before = await log.read(game_id), await log.secret(game_id)

        with pytest.raises(Conflict):
            await log.create(
                game_id, "postal", 1, TableRow("open"), bytes(32), seal(game_id, START, [draft(b"2")] * 2, NOON)
            )

        assert (await log.read(game_id), await log.secret(game_id)) == before

    async def test_every_field_comes_back(self, log: Log) -> None:
        game_id = await open_game(log)
        head = (await log.game(game_id)).head
        drafts = [
            Draft("TaxPaid", b"[1]", "R.9", 0, uuid4(), b'{"type":"PayTax"}'),
            Draft("GameFinished", b"{}", "R.1", None, None, None),
        ]
        events = seal(game_id, head, drafts, NOON)
        await log.append(game_id, head, events, TableRow("finished"))

        stored = await log.read(game_id, after=1)
        assert stored == events
        assert [type(value) for value in stored[0]] == [type(value) for value in events[0]]
        assert (await log.game(game_id))[3:5] == (TableRow("finished", deadline=None), Head(3, events[1].hash))

    async def test_bytes_are_kept_exactly(self, log: Log) -> None:
        game_id = await open_game(log, drafts=[draft(data, command=data) for data in ODD_BYTES])

        events = await log.read(game_id)
        assert [event.data for event in events] == ODD_BYTES
        assert [event.command for event in events] == ODD_BYTES

    async def test_the_chain_is_whole_after_reading(self, log: Log) -> None:
        game_id = await open_game(log, drafts=[draft(data) for data in ODD_BYTES])
        for data in ODD_BYTES:
            head = (await log.game(game_id)).head
            await log.append(game_id, head, await next_events(log, game_id, draft(data, data)), TableRow("running"))

        events = await log.read(game_id)
        assert len(events) == 2 * len(ODD_BYTES)
        assert broken_link(events) is None

    async def test_moments_keep_their_microseconds_and_are_utc(self, log: Log) -> None:
        elsewhere = timezone(timedelta(hours=-9, minutes=-30))
        for microsecond in (0, 1, 999_999):
            moment = datetime(1969, 7, 20, 20, 17, 40, microsecond, elsewhere)
            game_id = await open_game(log, at=moment)

            [event] = await log.read(game_id)
            assert event.recorded_at == moment == (await log.game(game_id)).created_at
            assert event.recorded_at.utcoffset() == timedelta(0)
            assert broken_link([event]) is None

    async def test_reading_can_start_and_stop_anywhere(self, log: Log) -> None:
        game_id = await open_game(log, drafts=[draft()] * 5)

        async def numbers(after: int, limit: int | None) -> list[int]:
            return [event.seq for event in await log.read(game_id, after, limit)]

        assert await numbers(0, None) == [1, 2, 3, 4, 5]
        assert await numbers(2, None) == [3, 4, 5]
        assert await numbers(2, 2) == [3, 4]
        assert await numbers(5, 10) == []
        assert await log.read(uuid4()) == []

    async def test_a_stale_head_writes_nothing(self, log: Log) -> None:
        game_id, player_id = await open_game(log), uuid4()
        first = (await log.game(game_id)).head
        stale = await next_events(log, game_id, draft(b'"too late"'))
        await seat(log, game_id)
        before = await log.read(game_id), await log.game(game_id)

        with pytest.raises(Conflict):
            await log.append(
                game_id, first, stale, TableRow("finished", (player_id,)), receipt(player_id), reseated=True
            )

        assert (await log.read(game_id), await log.game(game_id)) == before
        assert await log.receipt(game_id, player_id, "a key") is None
        assert await log.games(10, wanted=with_player(player_id)) == []

    async def test_the_right_number_with_another_hash_writes_nothing(self, log: Log) -> None:
        game_id = await open_game(log)
        forged = Head(1, bytes(32))
        before = await log.read(game_id), await log.game(game_id)

        with pytest.raises(Conflict):
            await log.append(game_id, forged, seal(game_id, forged, [draft()], NOON), TableRow("running"))

        assert (await log.read(game_id), await log.game(game_id)) == before

    async def test_events_that_do_not_follow_the_head_are_refused(self, log: Log) -> None:
        game_id, other_id = await open_game(log), uuid4()
        head = (await log.game(game_id)).head
        for events in (
            seal(game_id, Head(2, head.hash), [draft()], NOON),
            seal(game_id, Head(1, bytes(32)), [draft()], NOON),
            seal(other_id, head, [draft()], NOON),
        ):
            with pytest.raises(ValueError, match="does not follow"):
                await log.append(game_id, head, events, TableRow("running"))

        assert len(await log.read(game_id)) == 1

    async def test_the_secret_comes_back(self, log: Log) -> None:
        game_id = await open_game(log)

        assert await log.secret(game_id) == game_id.bytes * 2

    async def test_a_game_played_elsewhere_comes_whole(self, log: Log) -> None:
        game_id, ann, bob = uuid4(), uuid4(), uuid4()
        events = [
            *(first := seal(game_id, START, [draft(data) for data in ODD_BYTES], NOON)),
            *seal(game_id, Head(len(first), first[-1].hash), [draft()], NOON + timedelta(days=1)),
        ]
        await log.create(game_id, "mcmulti", 1, TableRow("finished", (ann, bob, ann)), b"s" * 32, events)

        assert await log.read(game_id) == events
        assert await log.secret(game_id) == b"s" * 32
        head = Head(len(events), events[-1].hash)
        assert await log.game(game_id) == Game(
            game_id,
            "mcmulti",
            1,
            TableRow("finished", (ann, bob, ann), deadline=None),
            head,
            NOON,
            NOON + timedelta(days=1),
        )
        for player_id in (ann, bob):
            assert [game.game_id for game in await log.games(10, wanted=with_player(player_id))] == [game_id]

    async def test_a_receipt_is_stored_with_its_events(self, log: Log) -> None:
        game_id, other_game, player_id = await open_game(log), await open_game(log), uuid4()
        head = (await log.game(game_id)).head
        await log.append(game_id, head, await next_events(log, game_id), TableRow("running"), receipt(player_id))

        assert await log.receipt(game_id, player_id, "a key") == receipt(player_id)
        assert await log.receipt(game_id, player_id, "A key") is None
        assert await log.receipt(game_id, uuid4(), "a key") is None
        assert await log.receipt(other_game, player_id, "a key") is None

    async def test_a_key_is_used_once_by_each_player_in_each_game(self, log: Log) -> None:
        game_id, other_game, player_id = await open_game(log), await open_game(log), uuid4()
        for game, player in ((game_id, player_id), (game_id, uuid4()), (other_game, player_id)):
            head = (await log.game(game)).head
            await log.append(game, head, await next_events(log, game), TableRow("running"), receipt(player))
        before = await log.read(game_id), await log.game(game_id)

        with pytest.raises(Conflict):
            await log.append(
                game_id,
                before[1].head,
                await next_events(log, game_id),
                TableRow("finished", (player_id,)),
                receipt(player_id)._replace(seq=10),
                reseated=True,
            )

        assert (await log.read(game_id), await log.game(game_id)) == before
        assert await log.receipt(game_id, player_id, "a key") == receipt(player_id)
        assert await log.games(10, wanted=with_player(player_id)) == []

    async def test_receipts_of_games_that_are_over_are_forgotten_a_game_at_a_time(self, log: Log) -> None:
        """The second game ends first. A third one is still running, and keeps its receipt."""
        player_id = uuid4()
        games = [await open_game(log) for _ in range(3)]
        for index in (1, 0, 2):
            head, stands = (await log.game(games[index])).head, TableRow("running" if index == 2 else "finished")
            events = await next_events(log, games[index])
            await log.append(games[index], head, events, stands, receipt(player_id))
        until, begin = await log.now(), Ended(NOON - timedelta(days=3650), UUID(int=0))
        over = [one for one in await log.over(begin, until, 10) if one.game_id in games]
        assert [one.game_id for one in over] == [games[1], games[0]]
        assert [one.game_id for one in await log.over(over[0], until, 10)] == [games[0]]
        assert await log.over(begin, over[0].at - timedelta(seconds=1), 10) == []
        assert len(await log.over(begin, until, 1)) == 1
        assert await log.forget_receipts(games[0]) == 1
        assert await log.forget_receipts(games[0]) == 0
        left = [await log.receipt(game, player_id, "a key") for game in games]
        assert left == [None, receipt(player_id), receipt(player_id)]

    async def test_what_may_be_published_is_found_by_rule_set_and_in_the_order_of_ends(self, log: Log) -> None:
        """Two games of different rule sets end at the same moment. Others are running, for practice, or unlisted."""
        begin, until = Ended(NOON - timedelta(days=1), UUID(int=0)), NOON + timedelta(days=1)

        async def ended(at: datetime, ruleset: str, row: TableRow | None = None, access: Access = FOR_ALL) -> UUID:
            game_id = uuid4()
            events = seal(game_id, START, (draft(),), at)
            row = row or TableRow("finished")
            await log.create(game_id, ruleset, 1, row, bytes(32), events, access=access)
            return game_id

        last = await ended(NOON + HOUR, "marracash")
        both = [await ended(NOON, ruleset) for ruleset in ("mcmulti", "marracash")]
        going_on = await ended(NOON, "mcmulti", TableRow("running"))
        practice = await ended(NOON, "mcmulti", TableRow("finished", practice=True))
        unlisted = await ended(NOON, "mcmulti", access=Access(listed=False))
        here = {*both, last, going_on, practice, unlisted}

        async def found(
            *rulesets: str, after: Ended = begin, until: datetime = until, limit: int = 100
        ) -> list[FinishedGame]:
            found = await log.published(rulesets, after, until, limit)
            return [each for each in found if each.ended.game_id in here]

        everything = await found("mcmulti", "marracash", "postal")
        assert [each.ended.game_id for each in everything] == [*sorted(both), last]
        game = await log.game(last)
        assert everything[-1] == (Ended(NOON + HOUR, last), "marracash", 1, game.head)
        assert await found("mcmulti", "marracash", after=everything[0].ended) == everything[1:]
        assert await found("mcmulti", "marracash", until=NOON + HOUR) == everything[:2]
        assert await found("marracash") == [each for each in everything if each.ruleset == "marracash"]
        assert await found("mcmulti", "marracash", limit=1) == everything[:1]
        assert await found("postal") == []

    async def test_an_append_without_events_leaves_the_head(self, log: Log) -> None:
        game_id, player_id = await open_game(log), uuid4()
        head = (await log.game(game_id)).head
        await log.append(game_id, head, [], TableRow("open"), receipt(player_id))

        assert (await log.game(game_id)).head == head
        assert await log.receipt(game_id, player_id, "a key") == receipt(player_id)

    async def test_of_many_writers_at_one_head_exactly_one_wins(self, log: Log) -> None:
        game_id = await open_game(log)
        head = (await log.game(game_id)).head
        rivals = [seal(game_id, head, [draft(b"%d" % n), draft()], NOON) for n in range(20)]

        outcomes = await asyncio.gather(
            *(log.append(game_id, head, events, TableRow("running")) for events in rivals), return_exceptions=True
        )

        [winner] = [n for n, outcome in enumerate(outcomes) if outcome is None]
        assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 19
        assert (await log.read(game_id))[1:] == rivals[winner]
        assert (await log.game(game_id)).head == Head(3, rivals[winner][1].hash)

    async def test_games_do_not_disturb_each_other(self, log: Log) -> None:
        async def play(game_id: UUID) -> None:
            for turn in range(5):
                head = (await log.game(game_id)).head
                events = await next_events(log, game_id, draft(b"%d" % turn), draft())
                await log.append(game_id, head, events, TableRow("running"))

        games = [await open_game(log) for _ in range(20)]
        await asyncio.gather(*(play(game_id) for game_id in games))

        for game_id in games:
            events = await log.read(game_id)
            assert [event.data for event in events[1::2]] == [b"0", b"1", b"2", b"3", b"4"]
            assert broken_link(events) is None

    async def test_the_latest_snapshot_up_to_an_event_is_found(self, log: Log) -> None:
        game_id = await open_game(log)
        one, five, other = (
            Snapshot(Head(seq, bytes([seq]) * 32), bytes(31) + bytes([layout]), b"state %d" % seq)
            for seq, layout in ((1, 1), (5, 1), (4, 2))
        )
        await log.keep_snapshots(game_id, [one, five, other])
        await log.keep_snapshots(game_id, [one._replace(state=b"another")])

        assert await log.snapshot(game_id, 4, one.shape) == one
        assert await log.snapshot(game_id, 5, one.shape) == five
        assert await log.snapshot(game_id, 99, other.shape) == other
        assert await log.snapshot(game_id, 3, other.shape) is None
        assert await log.snapshot(uuid4(), 99, one.shape) is None

    async def test_an_unknown_game_is_named_as_such(self, log: Log) -> None:
        nowhere = uuid4()
        with pytest.raises(UnknownGame):
            await log.append(nowhere, START, seal(nowhere, START, [draft()], NOON), TableRow("running"))
        with pytest.raises(UnknownGame):
            await log.game(nowhere)
        with pytest.raises(UnknownGame):
            await log.secret(nowhere)
        assert await log.receipt(nowhere, uuid4(), "a key") is None


class GameIndexContract(PortContract):
    """What every `GameIndex` must do."""

    async def test_how_many_events_there_are(self, log: Log) -> None:
        before = await log.size()
        for number in range(4):
            await open_game(log, drafts=[draft()] * (1 + 3 * number))
        assert await log.size() == before + 1 + 4 + 7 + 10

    async def test_heads_of_many_games_come_at_once(self, log: Log) -> None:
        """Games of 1, 2, and 3 events, and one that does not exist. The order and number of ids do not matter."""
        games = [await open_game(log, drafts=[draft()] * length) for length in (1, 2, 3)]
        heads = {game_id: (await log.game(game_id)).head for game_id in games}
        assert [head.seq for head in heads.values()] == [1, 2, 3]

        found = await log.heads([*reversed(games), uuid4(), games[0]])
        assert found == heads
        assert {type(head) for head in found.values()} == {Head}
        assert await log.heads(games[1:2]) == {games[1]: heads[games[1]]}
        assert await log.heads([]) == {}

    async def test_games_are_listed_youngest_first_in_pages(self, log: Log) -> None:
        games = [await open_game(log, at=NOON + timedelta(microseconds=n // 2)) for n in range(7)]
        ages = {game_id: (await log.game(game_id)).created_at for game_id in games}
        youngest_first = sorted(games, key=lambda game_id: (ages[game_id], game_id), reverse=True)

        listed: list[UUID] = []
        before: Bookmark | None = None
        while page := await log.games(3, before):
            assert len(page) <= 3
            assert page == [await log.game(game.game_id) for game in page]
            listed += [game.game_id for game in page]
            before = page[-1].mark()

        assert listed == youngest_first

    async def test_games_are_listed_by_their_last_move(self, log: Log) -> None:
        """Games 0 to 5 are opened in order.

        Games 2 and 4 move an hour later, in the same microsecond. Game 0 moves a second before.
        """
        games = [await open_game(log, at=NOON + timedelta(seconds=n)) for n in range(6)]
        for number, at in ((2, HOUR), (4, HOUR), (0, HOUR - timedelta(seconds=1))):
            await move(log, games[number], NOON + at)
        last = sorted((games[2], games[4]), reverse=True)

        found = await log.games(10, order="moved")

        assert [game.game_id for game in found] == [*last, games[0], games[5], games[3], games[1]]
        assert found == [await log.game(game.game_id) for game in found]
        assert [game.game_id for game in await log.games(2, found[0].mark("moved"), order="moved")] == [
            last[1],
            games[0],
        ]

    async def test_a_list_by_last_move_has_every_game_that_stands_still_once_whatever_moves(self, log: Log) -> None:
        """While nine games are read in pages of two, one that was already listed and one that was not make a move."""
        games = [await open_game(log, at=NOON + timedelta(seconds=n)) for n in range(9)]
        listed: list[UUID] = []
        before: Bookmark | None = None
        while page := await log.games(2, before, order="moved"):
            listed += [game.game_id for game in page]
            before = page[-1].mark("moved")
            if len(listed) == 4:
                await move(log, games[8], NOON + HOUR)
                await move(log, games[0], NOON + HOUR)

        assert listed == games[8:0:-1]
        assert {game.game_id for game in await log.games(2, order="moved")} == {games[8], games[0]}

    async def test_games_are_found_by_their_ids_at_once(self, log: Log) -> None:
        games = [await open_game(log, at=NOON + timedelta(seconds=n)) for n in range(4)]
        wanted = GamesWanted(game_ids=(games[0], uuid4(), games[2]))
        assert [game.game_id for game in await log.games(10, wanted=wanted)] == [games[2], games[0]]
        assert await log.games(10, wanted=GamesWanted(game_ids=())) == []

    async def test_a_list_by_last_move_is_narrowed(self, log: Log) -> None:
        ann = uuid4()
        games = [await open_game(log, at=NOON + timedelta(seconds=n)) for n in range(4)]
        await seat(log, games[1], ann)
        await move(log, games[0], NOON + HOUR)
        await move(log, games[2], NOON + 2 * HOUR)

        async def listed(**wanted: Any) -> list[int]:
            found = await log.games(10, wanted=GamesWanted(**wanted), order="moved")
            return [games.index(game.game_id) for game in found]

        assert await listed(status="running") == [2, 0]
        assert set(await listed(status="open")) == {1, 3}
        assert await listed(player_ids=(ann,)) == [1]

    async def test_a_list_is_narrowed_by_all_that_is_given(self, log: Log) -> None:
        ann, bob = uuid4(), uuid4()
        kinds = ("mcmulti", "mcmulti", "postal", "postal")
        games = [await open_game(log, ruleset=kind, at=NOON + timedelta(seconds=n)) for n, kind in enumerate(kinds)]
        for game_id, players in zip(games, ([ann], [ann, bob], [bob], [ann, bob]), strict=True):
            await seat(log, game_id, *players)
        head = (await log.game(games[3])).head
        await log.append(games[3], head, await next_events(log, games[3]), TableRow("running", (ann, bob)))

        async def listed(limit: int = 10, before: Bookmark | None = None, **wanted: Any) -> list[int]:
            if "player_id" in wanted:
                wanted["player_ids"] = (wanted.pop("player_id"),)
            found = await log.games(limit, before, GamesWanted(**wanted))
            return [games.index(game.game_id) for game in found]

        assert await listed() == [3, 2, 1, 0]
        assert await listed(status="open") == [2, 1, 0]
        assert await listed(ruleset="postal") == [3, 2]
        assert await listed(player_id=ann) == [3, 1, 0]
        assert await listed(player_id=ann, limit=2) == [3, 1]
        assert await listed(player_id=ann, before=(await log.game(games[3])).mark()) == [1, 0]
        assert await listed(player_id=bob, status="open", ruleset="mcmulti") == [1]
        assert await listed(player_id=uuid4()) == []
        assert await listed(status="finished") == []
        assert await listed(player_ids=(ann, bob)) == [3, 1]

    async def test_tables_with_free_seats_and_games_that_wait_for_a_player_are_found(self, log: Log) -> None:
        ann, bob = uuid4(), uuid4()
        stands = {
            "empty": TableRow("open", (None, None)),
            "full": TableRow("open", (ann, bob), (0, 1)),
            "half": TableRow("open", (bob, None), (0,)),
            "anns": TableRow("running", (bob, ann), (1,), 3),
            "bobs": TableRow("running", (bob, ann), (0,), 3),
            "both": TableRow("running", (ann, None, bob), (0, 2), 3),
            "left": TableRow("running", (ann, None), (1,), 3),
            "over": TableRow("finished", (ann, bob), (), 3, (0,), "end/winner"),
        }
        names = {}
        for number, (name, row) in enumerate(stands.items()):
            game_id = await open_game(log, at=NOON + timedelta(seconds=number))
            names[game_id] = name
            head = (await log.game(game_id)).head
            await log.append(game_id, head, await next_events(log, game_id), row, reseated=True)

        async def listed(**wanted: Any) -> list[str]:
            return [names[game.game_id] for game in await log.games(10, wanted=GamesWanted(**wanted))]

        assert await listed(free=True) == ["half", "empty"]
        assert await listed(free=True, player_ids=(bob,)) == ["half"]
        assert await listed(asks=ann) == ["both", "anns"]
        assert await listed(asks=bob) == ["both", "bobs"]
        assert await listed(asks=ann, player_ids=(bob,), ruleset="mcmulti") == ["both", "anns"]
        assert await listed(asks=uuid4()) == []

    async def test_practice_games_wait_for_the_opener_who_sits_there_in_place_of_companions(self, log: Log) -> None:
        ann, bob = uuid4(), uuid4()
        waiting = {}
        for name, opener, others, practice in (
            ("companion", ann, True, True),
            ("rated", ann, True, False),
            ("another", ann, False, True),
            ("bobs", bob, True, True),
        ):
            game_id = await open_game(log, opened_by=opener, practice=practice)
            second = UUID(companion(str(ann), str(game_id), 1)) if others else uuid4()
            row = TableRow("running", (ann, second), (1,), 3, practice=practice)
            head = (await log.game(game_id)).head
            await log.append(game_id, head, await next_events(log, game_id), row, reseated=True)
            waiting[game_id] = name
        found = await log.games(10, wanted=GamesWanted(asks=ann))
        assert [waiting[game.game_id] for game in found] == ["companion"]

    async def test_tables_that_ask_for_a_bot_are_found_while_one_of_those_seats_is_free(self, log: Log) -> None:
        ann, bot = uuid4(), uuid4()
        stands = {
            "none": (0, TableRow("open", (ann, None, None))),
            "elsewhere": (1, TableRow("open", (None, ann, bot))),
            "last": (1, TableRow("open", (None, None, None))),
            "two": (2, TableRow("open", (ann, None, bot))),
            "all": (16, TableRow("open", (None, ann, bot))),
            "begun": (2, TableRow("running", (ann, bot, None))),
        }
        games = {}
        for number, (name, (bots, row)) in enumerate(stands.items()):
            game_id = await open_game(log, at=NOON + timedelta(seconds=number), access=Access(bots=bots))
            await log.append(game_id, (await log.game(game_id)).head, await next_events(log, game_id), row)
            games[game_id] = name
        found = await log.games(10, wanted=GamesWanted(bots=True))
        assert {games[game.game_id]: game.asks_for_bots for game in found} == {"all": (0,), "two": (1,), "last": (2,)}
        assert [games[game.game_id] for game in found] == ["all", "two", "last"]
        by_id = [await log.game(game_id) for game_id in games]
        assert {games[game.game_id] for game in by_id if GamesWanted(bots=True).fits(game)} == {"all", "two", "last"}

    async def test_tables_that_asked_for_house_bots_are_found_until_the_game_is_over(self, log: Log) -> None:
        """Of four seats, the last two are for house bots, and the one before them is for any bot."""
        ann, bot = uuid4(), uuid4()
        stands = {
            "others": ((), TableRow("open", (ann, None, None, None))),
            "free": (("tycoon", "random"), TableRow("open", (ann, None, None, None))),
            "half": (("tycoon", "random"), TableRow("open", (ann, bot, bot, None))),
            "begun": (("tycoon", "random"), TableRow("running", (ann, bot, bot, bot))),
            "over": (("tycoon", "random"), TableRow("finished", (ann, bot, bot, bot))),
        }
        games = {}
        for number, (name, (levels, row)) in enumerate(stands.items()):
            access = Access(bots=1, house_bots=levels)
            game_id = await open_game(log, at=NOON + timedelta(seconds=number), access=access)
            await log.append(game_id, (await log.game(game_id)).head, await next_events(log, game_id), row)
            games[game_id] = name
        wanted = GamesWanted(house_bots=True)
        found = await log.games(10, wanted=wanted)
        assert {games[game.game_id]: game.asks_for_house_bots for game in found} == {
            "begun": (),
            "half": ((3, "random"),),
            "free": ((2, "tycoon"), (3, "random")),
        }
        any_bot = await log.games(10, wanted=GamesWanted(bots=True))
        assert {games[game.game_id]: game.asks_for_bots for game in any_bot} == {"free": (1,), "others": (3,)}
        by_id = [await log.game(game_id) for game_id in games]
        assert {games[game.game_id] for game in by_id if wanted.fits(game)} == {"begun", "half", "free"}

    async def test_running_games_with_an_empty_seat_are_found_by_what_becomes_of_it(self, log: Log) -> None:
        ann, bob = uuid4(), uuid4()
        stands = {
            "free": TableRow("open", (ann, None), if_left="bot"),
            "house": TableRow("running", (ann, None, bob), if_left="bot"),
            "anybody": TableRow("running", (ann, None, bob)),
            "full": TableRow("running", (ann, bob), if_left="bot"),
            "over": TableRow("finished", (ann, None), (), 3, (0,), "table/last", if_left="bot"),
        }
        names = {}
        for name, row in stands.items():
            game_id = await open_game(log, if_left=row.if_left)
            names[game_id] = name
            head = (await log.game(game_id)).head
            await log.append(game_id, head, await next_events(log, game_id), row, reseated=True)
            assert (await log.game(game_id)).standing.if_left == row.if_left

        async def listed(left: IfLeft) -> list[str]:
            return [names[game.game_id] for game in await log.games(10, wanted=GamesWanted(left=left))]

        assert (await listed("bot"), await listed("substitute"), await listed("sold")) == (["house"], ["anybody"], [])

    async def test_rated_games_that_are_over_are_told_in_the_order_of_their_end(self, log: Log) -> None:
        ann, bob, cid, dan = (uuid4() for _ in range(4))
        rows = {
            "won": TableRow("finished", (ann, bob), (), 3, (1,), "turn/win"),
            "left": TableRow("finished", (ann, dan, None), (), 3, (0,), "table/last", leavers=(None, bob, cid)),
            "off": TableRow("finished", (ann, bob), (), 3, (), "table/propose-end"),
            "runs": TableRow("running", (ann, bob), (0,)),
            "friendly": TableRow("finished", (ann, bob), (), 3, (1,), "turn/win"),
        }
        games = {}
        for name, row in rows.items():
            game_id = await open_game(log, access=Access(rated=name != "friendly"), ruleset="postal")
            games[game_id] = name
            head = (await log.game(game_id)).head
            await log.append(game_id, head, await next_events(log, game_id), row, reseated=name == "left")
            assert (await log.game(game_id)).standing.leavers == row.leavers

        async def told(after: Ended, limit: int = 10) -> list[RatedGame]:
            return await log.rated(after, limit)

        first = Ended(NOON - timedelta(days=10_000), UUID(int=0))
        rated = await told(first)
        assert [games[each.ended.game_id] for each in rated] == ["won", "left", "off"]
        assert [each.ended for each in rated] == sorted(each.ended for each in rated)
        assert rated[0][1:] == ("postal", (ann, bob), (), (1,), (0, 0))
        assert rated[1][1:] == ("postal", (ann, bob, cid), (None, bob, cid), (0,), (0, 0, 0))
        assert rated[2].winners == ()
        assert await told(first, 2) == rated[:2]
        assert await told(rated[0].ended) == rated[1:]
        assert await told(rated[2].ended) == []

        over = rated[0].ended.game_id  # a later correction does not change its end
        await log.append(over, (await log.game(over)).head, [], rows["won"], reseated=True)
        assert await told(first) == rated

    async def test_decisions_are_commands_but_by_post_rounds_with_orders_until_the_seat_is_left(self, log: Log) -> None:
        """Ann sells twice and has sheets for two of three rounds.

        Bob leaves after his first sheet, in the second round.
        """
        ann, bob, cid = (uuid4() for _ in range(3))

        def sent(actor: int, command: bytes) -> Draft:
            return Draft("BarrelsBought", b"{}", "rule", actor, uuid4(), command)

        def closed(data: bytes) -> Draft:
            return Draft("RoundClosed", data, "rule", None, uuid4(), b'{"type":"CloseRound","round":1}')

        drafts = (
            sent(0, b'{"type":"SellBarrels"}'),
            sent(0, b'{"type":"SellBarrels"}'),
            sent(0, b'{"type":"TakeBack"}'),
            sent(1, b'{"type":"SubmitOrders"}'),
            closed(b'{"type":"RoundClosed","round":1,"missing":[1]}'),
            closed(b'{"type":"RoundClosed","round":2,"missing":[]}'),
            Draft("SeatVacated", b'{"type":"SeatVacated","seat":1}', "rule", 1, uuid4(), b'{"type":"Resign"}'),
            closed(b'{"type":"RoundClosed","round":3,"missing":[0]}'),
            sent(1, b'{"type":"SellBarrels"}'),
            sent(0, b'{"type":"Resign"}'),
        )
        game_id = await open_game(log, access=Access(rated=True))
        row = TableRow("finished", (ann, cid), (), 3, (1,), "turn/win", leavers=(None, bob))
        head = (await log.game(game_id)).head
        await log.append(game_id, head, await next_events(log, game_id, *drafts), row, reseated=True)
        [told] = await log.rated(Ended(NOON - timedelta(days=10_000), UUID(int=0)), 10)
        assert (told.starters, told.decisions) == ((ann, bob), (4, 1))

    async def test_a_game_that_is_not_listed_is_seen_by_those_who_belong_there(self, log: Log) -> None:
        ann, bob, cid, dan = (uuid4() for _ in range(4))
        unlisted = Access(listed=False, invited=(cid,))
        games = {
            await open_game(log): "anybody's",
            await open_game(log, opened_by=dan): "dan's",
            await open_game(log, at=NOON + timedelta(1), opened_by=ann, access=unlisted): "ann's",
        }
        hidden = next(game for game, whose in games.items() if whose == "ann's")
        await seat(log, hidden, bob)

        async def listed(player: UUID | None, **wanted: Any) -> set[str]:
            found = await log.games(10, wanted=GamesWanted(**wanted, seen_by=player))
            return {games[game.game_id] for game in found}

        everybodys = {"anybody's", "dan's"}
        for player in (None, dan, uuid4()):
            assert await listed(player) == everybodys
            assert await listed(player, player_ids=(bob,)) == set()
            assert await listed(player, free=True) <= everybodys
        for player in (ann, bob, cid):
            assert await listed(player) == {*everybodys, "ann's"}
            assert await listed(player, player_ids=(bob,)) == {"ann's"}
        assert len(await log.games(10)) == 3
        for player in (None, ann, bob, cid, dan):
            assert (await log.game(hidden)).is_seen_by(player) == ("ann's" in await listed(player))

    async def test_access_comes_back_and_changes_from_what_it_was(self, log: Log) -> None:
        ann, bob = uuid4(), uuid4()
        first = Access(False, True, (ann,), bytes(range(32)), bytes(32), uuid4(), rated=True)
        game_id, other = await open_game(log, access=first), await open_game(log)
        assert (await log.game(game_id)).access == first
        assert (await log.game(other)).access == FOR_ALL

        second = replace(first, invited=(bob, ann), code_hash=None)
        await log.change_access(game_id, first, second)
        with pytest.raises(Conflict):
            await log.change_access(game_id, first, first)
        with pytest.raises(Conflict):
            await log.change_access(uuid4(), first, second)
        await seat(log, game_id, ann)
        assert (await log.game(game_id)).access == second
        assert (await log.games(1, wanted=GamesWanted(seen_by=bob, player_ids=(ann,))))[0].access == second
        await log.change_access(game_id, second, first)
        assert (await log.game(game_id)).access == first
        assert (await log.game(other)).access == FOR_ALL

    async def test_the_tables_that_a_player_is_invited_to_are_those_with_a_seat_for_it(self, log: Log) -> None:
        ann, bob = uuid4(), uuid4()
        access = Access(closed=True, invited=(ann,))
        rows = {
            "empty": TableRow("open", (None, None)),
            "half": TableRow("open", (bob, None), (0,)),
            "sits": TableRow("open", (ann, None), (0,)),
            "full": TableRow("open", (bob, uuid4()), (0, 1)),
            "runs": TableRow("running", (bob, None), (0,)),
        }
        names = {}
        for number, (name, row) in enumerate(rows.items()):
            game_id = await open_game(log, at=NOON + timedelta(seconds=number), opened_by=bob, access=access)
            names[game_id] = name
            head = (await log.game(game_id)).head
            await log.append(game_id, head, await next_events(log, game_id), row, reseated=True)

        async def invited(player: UUID) -> list[str]:
            return [names[game.game_id] for game in await log.games(10, wanted=GamesWanted(invited=player))]

        assert await invited(ann) == ["half", "empty"]
        assert await invited(bob) == []

    async def test_seats_are_replaced_whenever_players_are_given(self, log: Log) -> None:
        game_id, ann, bob, cid = await open_game(log), uuid4(), uuid4(), uuid4()

        async def seated() -> set[str]:
            names = {"ann": ann, "bob": bob, "cid": cid}
            return {name for name, player in names.items() if await log.games(10, wanted=with_player(player))}

        await seat(log, game_id, ann, bob, ann)
        assert await seated() == {"ann", "bob"}
        await seat(log, game_id, bob, cid)
        assert await seated() == {"bob", "cid"}
        head = (await log.game(game_id)).head
        await log.append(game_id, head, await next_events(log, game_id), TableRow("running", (bob, cid)))
        assert await seated() == {"bob", "cid"}
        await seat(log, game_id)
        assert await seated() == set()

    async def test_games_are_found_by_who_sits_there_and_by_how_their_ids_begin(self, log: Log) -> None:
        ann, bob, cid = (uuid4() for _ in range(3))
        games = [
            await open_game(log, at=NOON + timedelta(seconds=n), opened_by=cid, access=access)
            for n, access in enumerate((FOR_ALL, FOR_ALL, Access(listed=False), FOR_ALL))
        ]
        await seat(log, games[0], ann, bob)
        await seat(log, games[1], bob)
        await seat(log, games[1], cid)
        await seat(log, games[2], bob)
        head = (await log.game(games[0])).head
        await log.append(games[0], head, await next_events(log, games[0]), TableRow("finished", (ann, bob)))

        async def listed(named: Sought, limit: int = 10, **wanted: Any) -> list[int]:
            found = await log.games(limit, wanted=GamesWanted(named=named, **wanted))
            assert all(named.fits(game) for game in found)
            return [games.index(game.game_id) for game in found]

        assert await listed(Sought((bob,))) == [2, 0]
        assert await listed(Sought((bob,)), limit=1) == [2]
        assert await listed(Sought((ann, cid))) == [1, 0]
        assert await listed(Sought((bob,)), seen_by=ann) == [0]
        assert await listed(Sought((bob,)), status="open") == [2]
        begins = games[3].hex[:9]
        assert await listed(Sought((), begins)) == await listed(Sought((), games[3].hex)) == [3]
        assert await listed(Sought((bob,), begins)) == [3, 2, 0]
        assert await listed(Sought((), games[2].hex[:9]), seen_by=None) == []
        assert await listed(Sought((uuid4(),))) == await listed(Sought()) == []

    async def test_games_that_are_not_over_are_open_for_who_opened_them_and_who_sits_there(self, log: Log) -> None:
        ann, bob, now = uuid4(), uuid4(), datetime.now(UTC)
        opened, seated, left, done = [await open_game(log, at=now, opened_by=ann) for _ in range(4)]
        await seat(log, seated, ann, bob)
        await seat(log, left, bob)
        await seat(log, left)
        await seat(log, done, bob)
        assert await log.open_games(bob) == {seated, done}
        head = (await log.game(done)).head
        await log.append(done, head, await next_events(log, done), TableRow("finished"))
        old = await open_game(log, at=now - ABANDONED, opened_by=ann)
        await seat(log, old, ann)
        assert await log.open_games(ann) == {opened, seated, left}
        assert await log.open_games(bob) == {seated}
        assert await log.open_games(uuid4()) == set()
        assert await log.unfinished([opened, done, old, seated, uuid4()]) == {opened, seated}
        assert await log.unfinished([]) == set()

    async def test_the_ended_games_of_a_player_are_listed_by_the_logs_own_clock(self, log: Log) -> None:
        ann, bob = uuid4(), uuid4()
        began = await log.now()
        games = [await open_game(log) for _ in range(5)]
        for game_id, players in zip(games, ([ann], [ann, bob], [bob], [ann], [ann]), strict=True):
            await seat(log, game_id, *players)
        finished = TableRow("finished")
        for game_id, stands in zip(games[:4], (finished, finished, finished, TableRow("running")), strict=True):
            head = (await log.game(game_id)).head
            await log.append(game_id, head, await next_events(log, game_id), stands)
        elsewhere = uuid4()
        events = seal(elsewhere, START, [draft()], NOON)
        await log.create(elsewhere, "mcmulti", 1, TableRow("finished", (ann,)), bytes(32), events)
        first, second = await log.ended(ann, Ended(began, UUID(int=0)), 10)
        assert [first.game_id, second.game_id] == games[:2]
        assert began <= first.at <= second.at <= await log.now()
        assert await log.ended(ann, Ended(began, UUID(int=0)), 1) == [first]
        assert await log.ended(ann, first, 10) == [second]
        assert await log.ended(ann, second, 10) == []
        assert [game_id for _, game_id in await log.ended(bob, Ended(began, UUID(int=0)), 10)] == games[1:3]
        assert await log.ended(ann, Ended(NOON - timedelta(days=1), UUID(int=0)), 1) == [Ended(NOON, elsewhere)]

    async def test_who_played_what_is_kept_with_what_happens(self, log: Log) -> None:
        """An append adds people who play for the first time. Counts that it does not mention stay as they were."""
        ann, bob, cid = (uuid4() for _ in range(3))
        game_id = await open_game(log)
        await played(log, game_id, TenureRow(ann, "mcmulti", (bob,), NOON), TenureRow(bob, "mcmulti", (ann,), NOON))
        await played(log, game_id, TenureRow(ann, "mcmulti", (bob,), missed=2))
        await played(
            log,
            game_id,
            TenureRow(ann, "mcmulti", (bob, cid), missed=1, result="left", vacated=1),
            TenureRow(cid, "mcmulti", (ann, bob), NOON + timedelta(hours=1), substitute=True),
        )
        expected = {
            TenureRow(ann, "mcmulti", (bob, cid), NOON, result="left", missed=3, vacated=1),
            TenureRow(bob, "mcmulti", (ann,), NOON),
            TenureRow(cid, "mcmulti", (ann, bob), NOON + timedelta(hours=1), substitute=True),
        }
        assert set(await log.tenures_at(game_id)) == expected
        assert await log.tenures_of(uuid4(), 10) == []
        for player in (ann, bob, cid):
            assert await log.tenures_of(player, 10) == [each for each in expected if each.player_id == player]

    async def test_what_a_player_played_is_listed_from_the_latest_on(self, log: Log) -> None:
        ann = uuid4()
        kept = [TenureRow(ann, "mcmulti", (), NOON + timedelta(hours=hour)) for hour in (2, 0, 3, 1)]
        for tenure in kept:
            await played(log, await open_game(log), tenure)
        assert await log.tenures_of(ann, 9) == [kept[2], kept[0], kept[3], kept[1]]
        assert await log.tenures_of(ann, 2) == [kept[2], kept[0]]

    async def test_a_refused_append_changes_nothing_of_who_played(self, log: Log) -> None:
        ann, game_id = uuid4(), await open_game(log)
        await played(log, game_id, TenureRow(ann, "mcmulti", (), NOON))
        stale, late = (await log.game(game_id)).head, await next_events(log, game_id)
        await played(log, game_id, TenureRow(ann, "mcmulti", missed=1))
        with pytest.raises(Conflict):
            await log.append(game_id, stale, late, TableRow("running"), tenures=[TenureRow(ann, "mcmulti", missed=1)])
        assert [each.missed for each in await log.tenures_of(ann, 1)] == [1]

    async def test_who_is_erased_leaves_no_trace_of_what_it_played(self, log: Log) -> None:
        """Later events in that player's games do not bring the record back either."""
        ann, bob = Player(uuid4(), "Ann"), Player(uuid4(), "Bob")
        for player, token in ((ann, b"a"), (bob, b"b")):
            await log.add_player(player, first_token(NOON), token * 32)
        game_id = await open_game(log)
        tenures = [TenureRow(player.player_id, "mcmulti", (), NOON) for player in (ann, bob)]
        await played(log, game_id, *tenures)
        await played(log, await open_game(log), tenures[0])
        await log.erase(ann.player_id)
        await played(
            log, game_id, *(TenureRow(player.player_id, "mcmulti", (), result="lost") for player in (ann, bob))
        )
        assert await log.tenures_of(ann.player_id, 10) == []
        assert [(each.player_id, each.result) for each in await log.tenures_at(game_id)] == [(bob.player_id, "lost")]

    async def test_who_played_is_said_anew_without_an_event(self, log: Log) -> None:
        ann, bob, game_id = uuid4(), uuid4(), await open_game(log)
        await played(log, game_id, TenureRow(ann, "mcmulti", (), NOON, missed=7))
        game, right = await log.game(game_id), TenureRow(bob, "mcmulti", (), NOON, result="won")
        await log.append(game_id, game.head, [], game.standing, reseated=True, tenures=[right])
        assert await log.tenures_at(game_id) == [right]
        assert await log.tenures_of(ann, 1) == []

    async def test_a_game_from_elsewhere_comes_with_who_played_it(self, log: Log) -> None:
        game_id, tenure = uuid4(), TenureRow(uuid4(), "mcmulti", (uuid4(),), NOON, result="shared", resigned=1)
        events = seal(game_id, START, [draft()], NOON)
        await log.create(game_id, "mcmulti", 1, TableRow("finished"), bytes(32), events, tenures=[tenure])
        assert await log.tenures_at(game_id) == [tenure]


class IntegrityContract(PortContract):
    """What every `Integrity` must do."""

    async def test_there_is_one_key_of_digests(self, log: Log) -> None:
        first = await log.digest_key()
        assert len(first) == 32
        assert await log.digest_key() == first

    async def test_the_latest_check_of_a_game_is_kept(self, log: Log) -> None:
        game_id, other = await open_game(log), await open_game(log)
        assert await log.checked(game_id) is None
        sound = Check(game_id, Head(7, bytes(range(32))), NOON, None, b"d" * 16)
        await log.keep_check(sound)
        await log.keep_check(sound._replace(game_id=other))
        assert await log.checked(game_id) == sound
        assert sound not in await log.faults(1000)
        wrong = Check(game_id, Head(8, bytes(32)), NOON + HOUR, "event 9 is missing", b"e" * 16)
        await log.keep_check(wrong)
        assert await log.checked(game_id) == wrong
        found = [check for check in await log.faults(1000) if check.game_id in (game_id, other)]
        assert found == [wrong]


class RatingsContract(PortContract):
    """What every `RatingStore` must do."""

    async def test_the_latest_ladder_of_a_shape_is_kept(self, log: Log) -> None:
        shape, other = uuid4().bytes * 2, uuid4().bytes * 2
        assert await log.ladder(shape) is None
        first = KeptLadder(shape, Ended(NOON, uuid4()), Head(7, bytes(range(32))), b"state")
        await log.keep_ladder(first)
        await log.keep_ladder(first._replace(shape=other))
        assert await log.ladder(shape) == first
        later = KeptLadder(shape, Ended(NOON + HOUR, uuid4()), Head(9, bytes(32)), b"another")
        await log.keep_ladder(later)
        assert (await log.ladder(shape), await log.ladder(other)) == (later, first._replace(shape=other))

    async def test_the_latest_assessments_of_games_are_kept_by_shape(self, log: Log) -> None:
        shape, other = uuid4().bytes * 2, uuid4().bytes * 2
        games = [await open_game(log) for _ in range(3)]
        kept = [KeptAssessment(game, shape, b"first of %d" % number) for number, game in enumerate(games)]
        await log.keep_assessments(kept)
        changed = KeptAssessment(games[1], shape, b"changed")
        await log.keep_assessments([kept[0], changed, kept[2]._replace(shape=other)])
        assert [await log.assessment(game, shape) for game in games] == [kept[0], changed, kept[2]]
        assert await log.assessment(games[2], other) == kept[2]._replace(shape=other)
        assert await log.assessment(games[0], other) is None

    async def test_ratings_of_shapes_that_were_not_continued_are_deleted(self, log: Log) -> None:
        mine, old, late, unknown = (uuid4().bytes * 2 for _ in range(4))
        game = await open_game(log)
        for shape, at in ((mine, NOON - HOUR), (old, NOON - HOUR), (late, NOON)):
            await log.keep_ladder(KeptLadder(shape, Ended(at, game), Head(7, bytes(32)), b"state"))
        await log.keep_assessments([KeptAssessment(game, shape, b"x") for shape in (mine, old, late, unknown)])
        assert await log.forget_ratings(mine, NOON - HOUR) == 0
        assert await log.forget_ratings(mine, NOON) == 1
        left = {shape for shape in (mine, old, late, unknown) if await log.assessment(game, shape)}
        assert left == {mine, late, unknown}
        assert [await log.ladder(shape) is None for shape in (mine, old, late)] == [False, True, False]
        assert await log.forget_ratings(mine, NOON) == 0


class TimekeepingContract(PortContract):
    """What every `Timekeeping` must do."""

    async def test_a_game_is_due_once_its_deadline_has_come(self, log: Log) -> None:
        """Two deadlines, at 12:00 and 13:00, and a game without one.

        At 11:59 none is due, at 12:30 one, at 13:00 both.
        """
        early, late, never = [await open_game(log) for _ in range(3)]
        for game_id, deadline in ((late, NOON + timedelta(hours=1)), (early, NOON)):
            head = (await log.game(game_id)).head
            await log.append(game_id, head, await next_events(log, game_id), TableRow("running", deadline=deadline))
        assert (await log.game(early)).deadline == NOON
        assert (await log.game(never)).deadline is None

        assert await log.due(NOON - timedelta(minutes=1), 10) == []
        assert await log.due(NOON + timedelta(minutes=30), 10) == [DueGame(NOON, early)]
        assert await log.due(NOON + timedelta(hours=1), 10) == [
            DueGame(NOON, early),
            DueGame(NOON + timedelta(hours=1), late),
        ]
        assert await log.due(NOON + timedelta(hours=1), 1) == [DueGame(NOON, early)]

    async def test_a_question_is_unanswered_from_its_moment_on_until_it_is_closed(self, log: Log) -> None:
        """Two games ask, for 12:00 and 12:05. The first asks again, and its old question closes nothing."""
        early, late, never = [await open_game(log) for _ in range(3)]
        then = NOON + timedelta(minutes=5)
        await log.ask(late, Question(then, True))
        await log.ask(early, Question(NOON, True))
        assert await log.question(never) is None
        first = await log.question(early)
        assert first == Question(NOON, True)
        assert await log.unanswered(NOON - timedelta(seconds=1), 10) == []
        assert await log.unanswered(NOON, 10) == [DueGame(NOON, early)]
        assert await log.unanswered(then, 10) == [DueGame(NOON, early), DueGame(then, late)]
        assert await log.unanswered(then, 1) == [DueGame(NOON, early)]
        again = NOON + timedelta(minutes=1)
        await log.ask(early, Question(again, True))
        await log.close_question(early, first)
        assert await log.question(early) == Question(again, True)
        await log.close_question(early, Question(again, True))
        assert await log.question(early) == Question(again, False)
        assert await log.unanswered(then, 10) == [DueGame(then, late)]
        await log.ask(early, Question(again, True))
        assert await log.question(early) == Question(again, True)

    async def test_a_deadline_stays_until_another_one_is_given(self, log: Log) -> None:
        game_id = await open_game(log)
        for deadline, expected in ((NOON, NOON), (UNSET, NOON), (None, None)):
            head = (await log.game(game_id)).head
            await log.append(game_id, head, await next_events(log, game_id), TableRow("running", deadline=deadline))
            assert (await log.game(game_id)).deadline == expected


class AccountsContract(PortContract):
    """What every `Players` and `Tokens` must do."""

    async def test_players_are_found_by_what_they_are_called(self, log: Log) -> None:
        ann, bob = Player(uuid4(), "Ann"), Player(uuid4(), "bob", "bot")
        for number, player in enumerate((ann, bob)):
            await log.add_player(player, first_token(NOON), bytes([number]) * 32)
        assert await log.players_called(["ANN", "bob", "Cid"]) == {"ANN": ann, "bob": bob}
        await log.rename(ann.player_id, "Anna")
        await log.erase(bob.player_id)
        assert await log.players_called(["ann", "anna", "bob", ""]) == {"anna": ann._replace(name="Anna")}
        assert await log.players_called([]) == {}

    async def test_a_player_is_known_by_the_token(self, log: Log) -> None:
        ann = Player(uuid4(), "Ann Ölprinz")
        first = first_token(NOON)
        await log.add_player(ann, first, b"a" * 32)
        await log.add_player(Player(uuid4(), "Bob"), first_token(NOON), b"b" * 32)

        assert await log.holder(b"a" * 32) == Holder(ann, first)
        assert await log.holder(b"c" * 32) is None
        assert await log.player(ann.player_id) == ann
        assert await log.player(uuid4()) is None

    async def test_where_a_player_registered_is_kept_for_ratings_even_when_it_is_erased(self, log: Log) -> None:
        ann, bob = Player(uuid4(), "Ann", "human", b"here"), Player(uuid4(), "Bob")
        await log.add_player(ann, first_token(NOON), b"a" * 32)
        await log.add_player(bob, first_token(NOON), b"b" * 32)
        await log.erase(ann.player_id)
        found = await log.players([ann.player_id, bob.player_id])
        assert found == {ann.player_id: ann._replace(name=""), bob.player_id: bob}

    async def test_a_player_takes_another_name(self, log: Log) -> None:
        """As at registration, nobody else may have the name or one that looks like it. The old name is free again."""
        ann, bob = Player(uuid4(), "Ann"), Player(uuid4(), "Bob")
        await log.add_player(ann, first_token(NOON), b"a" * 32)
        await log.add_player(bob, first_token(NOON), b"b" * 32)
        for taken in ("Bob", "bOB", "B\u043eb"):
            with pytest.raises(NameTaken):
                await log.rename(ann.player_id, taken)
        for name in ("ANN", "Zoe"):
            await log.rename(ann.player_id, name)
            assert await log.names([ann.player_id, bob.player_id, uuid4()]) == {
                ann.player_id: name,
                bob.player_id: "Bob",
            }
        holder = await log.holder(b"a" * 32)
        assert holder is not None
        assert holder.player == await log.player(ann.player_id) == ann._replace(name="Zoe")
        await log.rename(bob.player_id, "Ann")
        with pytest.raises(UnknownPlayer):
            await log.rename(uuid4(), "Cid")

    async def test_who_is_erased_is_nobody_and_keeps_the_id(self, log: Log) -> None:
        ann = Player(uuid4(), "Ann", "bot")
        await log.add_player(ann, first_token(NOON), b"a" * 32)
        await log.add_token(ann.player_id, first_token(NOON), b"b" * 32)
        assert sorted(await log.erase(ann.player_id)) == [b"a" * 32, b"b" * 32]
        assert await log.player(ann.player_id) == ann._replace(name="")
        assert await log.names([ann.player_id]) == {}
        assert await log.holder(b"a" * 32) is await log.holder(b"b" * 32) is None
        with pytest.raises(UnknownPlayer):
            await log.rename(ann.player_id, "Zoe")
        with suppress(Conflict):
            await log.add_token(ann.player_id, first_token(NOON), b"c" * 32)
        assert await log.holder(b"c" * 32) is None
        await log.erase(ann.player_id)
        await log.keep_names({ann.player_id: "Ann"})
        assert await log.names([ann.player_id]) == {}
        await log.add_player(Player(uuid4(), "Ann"), first_token(NOON), b"d" * 32)

    async def test_names_of_games_from_elsewhere_are_those_of_who_is_not_registered(self, log: Log) -> None:
        """These names block nobody: others may use them, too."""
        ann, eve = Player(uuid4(), "Ann"), uuid4()
        await log.add_player(ann, first_token(NOON), b"a" * 32)
        await log.keep_names({ann.player_id: "Zoe", eve: "Ann"})
        assert await log.names([ann.player_id, eve]) == {ann.player_id: "Ann", eve: "Ann"}
        await log.keep_names({eve: "Eve"})
        assert await log.names([eve]) == {eve: "Eve"}
        assert await log.player(eve) is None
        await log.add_player(Player(uuid4(), "Eve"), first_token(NOON), b"e" * 32)

    async def test_companions_are_erased_with_the_player_at_whose_device_they_play(self, log: Log) -> None:
        ann, ben, eve = Player(uuid4(), "Ann"), uuid4(), uuid4()
        await log.add_player(ann, first_token(NOON), b"a" * 32)
        await log.keep_names({ben: "Benn"}, ann.player_id)
        await log.keep_names({ben: "Ben"}, ann.player_id)
        await log.keep_names({eve: "Eve"})
        assert await log.names([ben, eve]) == {ben: "Ben", eve: "Eve"}
        await log.erase(ann.player_id)
        assert await log.names([ben, eve]) == {eve: "Eve"}

    async def test_players_are_found_by_how_words_of_their_names_begin(self, log: Log) -> None:
        ann, lee, zoe, odd, visitor = (uuid4() for _ in range(5))
        names = {ann: "Ann", lee: "Lee van Annen", zoe: "Zoë \ufdfa", odd: "'& \\\\ !():*'"}
        for number, (player_id, name) in enumerate(names.items()):
            await log.add_player(Player(player_id, name), first_token(NOON), bytes([number]) * 32)
        await log.keep_names({visitor: "Annabelle", lee: "Nobody"})

        async def found(text: str, limit: int = 10) -> list[UUID]:
            return await log.players_found(text, limit)

        assert await found("ann") == await found(" ANN ") == [ann, visitor, lee]
        assert await found("ann", 2) == [ann, visitor]
        assert await found("van ANN") == await found("le an") == [lee]
        assert await found("zo") == await found("ZOË") == [zoe]
        assert await found("nn") == await found("nobody") == await found("ann bob") == []
        assert await found("") == await found("  ") == await found("\0") == await found("ann\0") == []
        for text in ("'&", "\\\\", "!():*'", "'& \\\\"):
            assert await found(text) == [odd], text
        assert await found("' | 'ann") == [lee], "punctuation does not count, and | looks like l"
        for text in ("':*", "%", "_nn", "*", "\ufdfa" * 40, "\u3316" * 40, "\U0001f6e2"):
            assert set(await found(text)) <= {zoe}, text
        await log.rename(ann, "Bea")
        await log.erase(lee)
        await log.keep_names({lee: "Lee van Annen", visitor: "Cleo"})
        assert await found("ann") == await found("lee") == []
        assert (await found("be"), await found("cl")) == ([ann], [visitor])

    async def test_who_listens_is_told_who_is_called_otherwise(self, log: Log) -> None:
        ann = Player(uuid4(), "Ann")
        await log.add_player(ann, first_token(NOON), b"a" * 32)
        async with aclosing(log.revocations()) as told:
            assert await anext(told) is None
            await log.rename(ann.player_id, "Zoe")
            await log.announce(ann.player_id, None)
            await log.erase(ann.player_id)
            found: list[bytes | UUID] = []
            while len(found) < 4:
                found += [what for what in [await anext(told)] if what is not None]
        assert found[:2] == [ann.player_id, ann.player_id]
        assert set(found) == {ann.player_id, b"a" * 32}

    async def test_a_player_is_a_person_or_a_bot(self, log: Log) -> None:
        bot = Player(uuid4(), "Zed", "bot")
        await log.add_player(bot, first_token(NOON), b"z" * 32)
        assert await log.player(bot.player_id) == bot
        holder = await log.holder(b"z" * 32)
        assert holder is not None
        assert holder.player == bot

    async def test_a_player_has_several_tokens_and_revokes_them(self, log: Log) -> None:
        ann, bob = Player(uuid4(), "Ann"), Player(uuid4(), "Bob")
        first = first_token(NOON)
        await log.add_player(ann, first, b"a" * 32)
        await log.add_player(bob, first_token(NOON), b"b" * 32)
        spare = Token(uuid4(), "spare", ("play",), NOON + timedelta(hours=1), NOON + timedelta(days=1))
        await log.add_token(ann.player_id, spare, b"c" * 32)
        with pytest.raises(Conflict):
            await log.add_token(bob.player_id, spare._replace(token_id=uuid4()), b"c" * 32)
        assert await log.tokens(ann.player_id) == [first, spare]
        assert await log.holder(b"c" * 32) == Holder(ann, spare)

        await log.use_tokens([spare.token_id, uuid4()], NOON + timedelta(hours=3))
        assert [token.used_at for token in await log.tokens(ann.player_id)] == [None, NOON + timedelta(hours=3)]
        await log.use_tokens([spare.token_id, first.token_id], NOON + timedelta(hours=4))
        first = first._replace(used_at=NOON + timedelta(hours=4))

        await log.revoke_tokens(bob.player_id, [spare.token_id])
        assert len(await log.tokens(ann.player_id)) == 2, "it is not Bob's"
        await log.revoke_tokens(ann.player_id, [spare.token_id])
        assert await log.tokens(ann.player_id) == [first]
        assert await log.holder(b"c" * 32) is None

    async def test_who_makes_tokens_is_the_last_to_go(self, log: Log) -> None:
        """A token that expires, or that cannot create tokens, does not replace it."""
        ann, first = Player(uuid4(), "Ann"), first_token(NOON)
        await log.add_player(ann, first, b"a" * 32)
        passing = Token(uuid4(), "passing", ("account",), NOON, NOON + timedelta(days=1))
        player = Token(uuid4(), "bot", ("read", "play"), NOON)
        await log.add_token(ann.player_id, passing, b"b" * 32)
        await log.add_token(ann.player_id, player, b"c" * 32)
        with pytest.raises(LastToken):
            await log.revoke_tokens(ann.player_id, [first.token_id])
        lasting = Token(uuid4(), "spare", ("account",), NOON)
        await log.add_token(ann.player_id, lasting, b"d" * 32)
        await log.revoke_tokens(ann.player_id, [first.token_id])
        assert {token.name for token in await log.tokens(ann.player_id)} == {"passing", "bot", "spare"}

    async def test_of_two_lasting_tokens_revoked_at_once_one_stays(self, log: Log) -> None:
        ann, tokens = Player(uuid4(), "Ann"), [first_token(NOON), first_token(NOON)]
        await log.add_player(ann, tokens[0], b"a" * 32)
        await log.add_token(ann.player_id, tokens[1], b"b" * 32)
        revoked = [log.revoke_tokens(ann.player_id, [token.token_id]) for token in tokens]
        outcomes = await asyncio.gather(*revoked, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes if isinstance(outcome, Exception)] == [LastToken]
        assert len(await log.tokens(ann.player_id)) == 1

    async def test_tokens_are_revoked_with_the_one_that_made_them(self, log: Log) -> None:
        """This includes children and grandchildren. A revoked token cannot create others."""
        ann, first = Player(uuid4(), "Ann"), first_token(NOON)
        await log.add_player(ann, first, b"a" * 32)
        child = Token(uuid4(), "child", ("read", "account"), NOON, parent_id=first.token_id)
        grandchild = Token(uuid4(), "grandchild", ("read",), NOON, parent_id=child.token_id)
        sibling = Token(uuid4(), "sibling", ("play",), NOON, parent_id=first.token_id)
        for number, token in enumerate((child, grandchild, sibling)):
            await log.add_token(ann.player_id, token, bytes([number]) * 32)
        assert set(await log.tokens(ann.player_id)) == {first, child, grandchild, sibling}
        revoked = await log.revoke_tokens(ann.player_id, [child.token_id])
        assert sorted(revoked) == [bytes([0]) * 32, bytes([1]) * 32]
        assert set(await log.tokens(ann.player_id)) == {first, sibling}
        with pytest.raises(UnknownToken):
            await log.add_token(ann.player_id, grandchild._replace(token_id=uuid4()), b"g" * 32)
        assert await log.holder(b"g" * 32) is None
        with pytest.raises(LastToken):
            await log.revoke_tokens(ann.player_id, [first.token_id, sibling.token_id])
        assert await log.revoke_tokens(ann.player_id, []) == []

    async def test_tokens_are_forgotten_some_time_after_they_expired_or_were_revoked(self, log: Log) -> None:
        """A token that created others goes after them, and a token that is valid stays, however old it is."""
        ann, first = Player(uuid4(), "Ann"), first_token(NOON)
        await log.add_player(ann, first, b"a" * 32)
        parent = Token(uuid4(), "parent", ("read", "account"), NOON, NOON + timedelta(days=2), parent_id=first.token_id)
        child = Token(uuid4(), "child", ("read",), NOON, NOON + timedelta(days=1), parent_id=parent.token_id)
        later = Token(uuid4(), "later", ("read",), NOON, NOON + timedelta(days=3), parent_id=first.token_id)
        revoked = Token(uuid4(), "revoked", ("read",), NOON, parent_id=first.token_id)
        for number, token in enumerate((parent, child, later, revoked)):
            await log.add_token(ann.player_id, token, bytes([number]) * 32)
        assert await log.forget_tokens(NOON + timedelta(days=1), 10) == 0
        assert await log.forget_tokens(NOON + timedelta(days=2, seconds=1), 10) == 1
        assert set(await log.tokens(ann.player_id)) == {first, parent, later, revoked}, "the child is gone"
        assert await log.forget_tokens(NOON + timedelta(days=2, seconds=1), 10) == 1
        assert set(await log.tokens(ann.player_id)) == {first, later, revoked}, "now its parent is gone, too"
        assert await log.holder(bytes([0]) * 32) is None

        await log.revoke_tokens(ann.player_id, [revoked.token_id])
        far = await log.now() + timedelta(days=3650)
        while await log.forget_tokens(far, 1):
            pass
        assert await log.tokens(ann.player_id) == [first]
        spare = revoked._replace(token_id=uuid4())
        await log.add_token(ann.player_id, spare, bytes([3]) * 32)  # the hash of the revoked one, which is forgotten
        assert await log.revoke_tokens(ann.player_id, [spare.token_id]) == [bytes([3]) * 32]

    async def test_no_token_is_made_by_one_that_is_revoked_at_the_same_moment(self, log: Log) -> None:
        ann, first = Player(uuid4(), "Ann"), first_token(NOON)
        await log.add_player(ann, first, b"a" * 32)
        for number in range(8):
            thief = Token(uuid4(), "thief", ("account",), NOON, parent_id=first.token_id)
            await log.add_token(ann.player_id, thief, bytes([1, number]) * 16)
            heir = Token(uuid4(), "heir", ("account",), NOON, parent_id=thief.token_id)
            await asyncio.gather(
                log.revoke_tokens(ann.player_id, [thief.token_id]),
                log.add_token(ann.player_id, heir, bytes([2, number]) * 16),
                return_exceptions=True,
            )
            assert await log.tokens(ann.player_id) == [first]

    async def test_what_is_announced_is_known_with_every_token_until_it_is_canceled_or_done(self, log: Log) -> None:
        ann, first = Player(uuid4(), "Ann"), first_token(NOON)
        await log.add_player(ann, first, b"a" * 32)
        spare = Token(uuid4(), "spare", ("account",), NOON, parent_id=first.token_id)
        await log.add_token(ann.player_id, spare, b"b" * 32)
        pending = Pending("erase", spare.token_id, NOON + timedelta(days=3))
        await log.announce(ann.player_id, pending)
        assert await log.holder(b"a" * 32) == Holder(ann, first, pending)
        await log.announce(ann.player_id, None)
        assert await log.holder(b"a" * 32) == Holder(ann, first)
        with pytest.raises(Conflict):
            await log.erase(ann.player_id, pending)
        await log.announce(ann.player_id, pending)
        await log.revoke_tokens(ann.player_id, [spare.token_id])
        assert await log.holder(b"a" * 32) == Holder(ann, first)
        with pytest.raises(UnknownToken):
            await log.announce(ann.player_id, pending)
        later = pending._replace(token_id=first.token_id)
        await log.announce(ann.player_id, later)
        with pytest.raises(Conflict):
            await log.erase(ann.player_id, later._replace(due=NOON))
        assert b"a" * 32 in await log.erase(ann.player_id, later)
        with pytest.raises(UnknownPlayer):
            await log.announce(ann.player_id, None)

    async def test_another_token_takes_the_place_of_the_owner_token(self, log: Log) -> None:
        ann, first = Player(uuid4(), "Ann"), first_token(NOON)
        await log.add_player(ann, first, b"a" * 32)
        heir = first._replace(token_id=uuid4(), parent_id=first.token_id)
        await log.add_token(ann.player_id, heir, b"b" * 32)
        await log.add_token(ann.player_id, first._replace(token_id=uuid4(), parent_id=heir.token_id), b"c" * 32)
        pending = Pending("replace_owner_token", heir.token_id, NOON)
        with pytest.raises(Conflict):
            await log.replace_owner(ann.player_id, pending)
        await log.announce(ann.player_id, pending)
        assert sorted(await log.replace_owner(ann.player_id, pending)) == [b"a" * 32, b"c" * 32]
        assert await log.holder(b"b" * 32) == Holder(ann, heir._replace(parent_id=None))
        assert await log.tokens(ann.player_id) == [heir._replace(parent_id=None)]
        with pytest.raises(LastToken):
            await log.revoke_tokens(ann.player_id, [heir.token_id])

    async def test_revocations_are_told_while_they_are_listened_to(self, log: Log) -> None:
        """Ten of each at once, to two listeners. The first item is None."""
        ann = Player(uuid4(), "Ann")
        await log.add_player(ann, first_token(NOON), bytes(32))
        further = {bytes([number] * 32): first_token(NOON) for number in range(1, 11)}
        for token_hash, token in further.items():
            await log.add_token(ann.player_id, token, token_hash)
        async with aclosing(log.revocations()) as one, aclosing(log.revocations()) as other:
            for listener in (one, other):
                assert await anext(listener) is None
            await asyncio.gather(*(log.revoke_tokens(ann.player_id, [token.token_id]) for token in further.values()))
            for listener in (one, other):
                told: set[bytes] = set()
                while len(told) < len(further):
                    told |= {token_hash for token_hash in [await anext(listener)] if isinstance(token_hash, bytes)}
                assert told == set(further)

    async def test_a_name_is_taken_whatever_its_case(self, log: Log) -> None:
        pairs = [("Ann", "aNN"), ("Ölprinz", "ÖLPRINZ"), ("Straße", "STRASSE"), ("\ufb01n", "Fin")]
        for name, same in pairs:
            await log.add_player(Player(uuid4(), name), first_token(NOON), name.encode().ljust(32))

            with pytest.raises(NameTaken):
                await log.add_player(Player(uuid4(), same), first_token(NOON), b"b" * 32)

            assert await log.holder(b"b" * 32) is None

    async def test_a_name_that_looks_like_another_is_taken(self, log: Log) -> None:
        """Confusables of UTS 39: Cyrillic letters, digits for letters, rn for m, I for l, invisible characters."""
        alikes = [("Ann", "\u0410nn"), ("Paul", "PauI"), ("Otto", "0tto"), ("Tim", "Tirn"), ("Ben 1", "Ben l")]
        alikes += [
            ("Alice", "A\u04cfice"),
            ("Robo", "R0b0"),
            ("Jade", "J\u1ea1de"),
            ("Ben", "BEN."),
            ("Zo\u00eb", "zoe!"),
        ]
        for name, alike in [*alikes, ("Eva", "Ev\ufe0fa"), ("Jo Ann", "Jo  Ann")]:
            await log.add_player(Player(uuid4(), name), first_token(NOON), name.encode().ljust(32))

            with pytest.raises(NameTaken):
                await log.add_player(Player(uuid4(), alike), first_token(NOON), b"b" * 32)
        for number, name in enumerate(["Anna", "Ana", "Anni", "Ben 2", "Ben 11", "Eve", "Otti", "Ann\u00e9"]):
            await log.add_player(Player(uuid4(), name), first_token(NOON), bytes([number] * 32))


class KeysContract(PortContract):
    """What every `Keys` must do."""

    async def test_there_is_one_signing_key_whoever_brings_another(self, log: Log) -> None:
        signers = await asyncio.gather(*(log.signer(bytes([n]) * 32) for n in range(1, 9)))

        [key] = {signer.seed for signer in signers}
        assert key in {bytes([n]) * 32 for n in range(1, 9)}
        assert (await log.signer(b"x" * 32)).seed == key


def webhook(player_id: UUID, **otherwise: Any) -> Webhook:
    url, topics = "https://example.org/hook", TOPICS
    plain = Webhook(uuid4(), player_id, url, "standard", topics, "en", bytes(range(32)), NOON)
    return plain._replace(**otherwise)


def notice(game_id: UUID, hook: Webhook, mark: int = 1, **otherwise: Any) -> Notification:
    plain = Notification(game_id, hook.webhook_id, hook.player_id, "game.turn", mark, uuid4(), NOON)
    return replace(plain, **otherwise)


async def due_of(log: Log, *hooks: Webhook, at: datetime = NOON) -> list[Notification]:
    """The messages to these webhooks that are due. A log may have others."""
    known = {hook.webhook_id for hook in hooks}
    return [each for each in await log.notices_due(at, 1000, 1000) if each.webhook_id in known]


async def registered(log: Log, *names: str) -> list[UUID]:
    """The ids of new players."""
    players = [Player(uuid4(), name) for name in names]
    for player in players:
        await log.add_player(player, first_token(NOON), player.player_id.bytes * 2)
    return [player.player_id for player in players]


class NoticesContract(PortContract):
    """What every `Webhooks` and every `Outbox` must do."""

    async def test_webhooks_are_those_of_their_players(self, log: Log) -> None:
        ann, bob, eve = await registered(log, "Ann", "Bob", "Eve")
        first = webhook(ann, previous_secret=bytes(32), previous_until=NOON, gone_at=NOON)
        second = webhook(
            ann, created_at=NOON + HOUR, format="push", topics=("game.over",), language="de", keys=bytes(81)
        )
        other = webhook(bob, format="push", keys=bytes(range(81)))
        for each in (first, second, other):
            assert await log.add_webhook(each, 2)
        assert await log.webhooks([ann]) == [first, second]
        assert {each.webhook_id for each in await log.webhooks([bob, ann])} == {
            each.webhook_id for each in (first, second, other)
        }
        assert await log.webhooks([eve]) == []
        game_id = uuid4()
        await log.post_notices(game_id, [notice(game_id, first), over := notice(game_id, second)])
        await log.remove_webhook(bob, first.webhook_id)
        assert await log.webhooks([ann]) == [first, second]
        await log.remove_webhook(ann, first.webhook_id)
        assert await log.webhooks([ann]) == [second]
        assert await due_of(log, first, second) == [over]
        assert await log.any_webhooks()

    async def test_a_player_has_so_many_webhooks_and_no_more_by_asking_for_several_at_once(self, log: Log) -> None:
        ann, bob = await registered(log, "Ann", "Bob")
        added = await asyncio.gather(*(log.add_webhook(webhook(ann), 3) for _ in range(8)))
        assert sorted(added) == [False] * 5 + [True] * 3
        assert len(await log.webhooks([ann])) == 3
        [again, *_] = await log.webhooks([ann])
        with pytest.raises(Conflict):
            await log.add_webhook(again, 9)
        assert await log.add_webhook(webhook(bob), 3)

    async def test_who_does_not_exist_or_not_any_more_has_no_webhooks(self, log: Log) -> None:
        """This holds even if somebody adds one while being erased."""
        ann, bob = await registered(log, "Ann", "Bob")
        await log.erase(ann)
        for player_id in (ann, uuid4()):
            with pytest.raises(UnknownPlayer):
                await log.add_webhook(webhook(player_id), 3)
        await asyncio.gather(
            *(log.add_webhook(webhook(bob), 9) for _ in range(3)), log.erase(bob), return_exceptions=True
        )
        assert await log.webhooks([ann, bob]) == []

    async def test_a_secret_is_rotated_and_a_receiver_unsubscribes(self, log: Log) -> None:
        [ann] = await registered(log, "Ann")
        before, other = webhook(ann), webhook(ann, created_at=NOON + HOUR)
        for each in (before, other):
            assert await log.add_webhook(each, 2)
        await log.rotate_secret(before.webhook_id, b"n" * 32, before.secret, NOON + HOUR)
        await log.end_webhook(before.webhook_id, NOON)
        now = before._replace(secret=b"n" * 32, previous_secret=before.secret, previous_until=NOON + HOUR, gone_at=NOON)
        assert await log.webhooks([ann]) == [now, other]

    async def test_a_message_is_posted_together_with_what_it_tells_of_or_not_at_all(self, log: Log) -> None:
        game_id, hook = uuid4(), webhook(uuid4())
        first = seal(game_id, START, [draft()], NOON)
        made = game_id, "mcmulti", 1, TableRow("open"), bytes(32), first
        invited = notice(game_id, hook, kind="game.invitation")
        await log.create(*made, notices=[invited])
        with pytest.raises(Conflict):
            await log.create(*made, notices=[notice(game_id, hook, kind="game.over")])
        assert await due_of(log, hook) == [invited]

        before, after = Access(), Access(invited=(hook.player_id,))
        with pytest.raises(Conflict):
            await log.change_access(game_id, after, before, [notice(game_id, hook, kind="game.over")])
        again = notice(game_id, hook, mark=2, kind="game.invitation")
        await log.change_access(game_id, before, after, [again])
        assert await due_of(log, hook) == [again]

        said, bounds = ChatMessage(game_id, "players", uuid4(), NOON, "Hello", key="k"), ChatBounds(1, HOUR, 9)
        told = notice(game_id, hook, kind="chat.message")
        await log.say(said, bounds, [told])
        assert await log.say(said, bounds, [notice(game_id, hook, mark=2, kind="chat.message")])
        with pytest.raises(ChatTooFast):
            await log.say(replace(said, key=None), bounds, [notice(game_id, hook, mark=2, kind="chat.message")])
        assert {each.message_id for each in await due_of(log, hook)} == {again.message_id, told.message_id}

        [ann] = await registered(log, "Ann")
        address, other = webhook(ann), webhook(ann)
        assert await log.add_webhook(address, 1, [asks := notice(NO_GAME, address, kind="confirm", by_mail=True)])
        assert not await log.add_webhook(other, 1, [notice(NO_GAME, other, kind="confirm", by_mail=True)])
        mails = await log.notices_due(NOON, 1000, 1000, by_mail=True)
        assert [each for each in mails if each.player_id == ann] == [asks]

    async def test_a_message_is_posted_once_for_each_mark(self, log: Log) -> None:
        hook, game_id = webhook(uuid4()), uuid4()
        first = notice(game_id, hook)
        await log.post_notices(game_id, [first])
        await log.post_notices(game_id, [notice(game_id, hook)])
        assert await due_of(log, hook) == [first]
        await log.settle_notice(first, NOON)
        await log.post_notices(game_id, [notice(game_id, hook)])
        assert await due_of(log, hook) == []
        later = notice(game_id, hook, mark=2)
        over = notice(game_id, hook, kind="game.over")
        await log.post_notices(game_id, [later, over])
        assert {each.message_id for each in await due_of(log, hook)} == {later.message_id, over.message_id}

    async def test_messages_are_due_from_their_moment_on_the_earliest_first(self, log: Log) -> None:
        hook, games = webhook(uuid4()), [uuid4() for _ in range(8)]
        posted = [notice(game, hook, due_at=NOON - number * HOUR) for number, game in enumerate(games)]
        for each in posted:
            await log.post_notices(each.game_id, [each])
        assert await due_of(log, hook) == posted[::-1]
        assert await due_of(log, hook, at=NOON - HOUR) == posted[:0:-1]
        assert len(await log.notices_due(NOON, 3, 1000)) == 3
        assert await log.notices_waiting() >= 8

    async def test_a_player_with_many_messages_leaves_room_for_those_of_others(self, log: Log) -> None:
        ann, bob, game_id = webhook(uuid4()), webhook(uuid4()), uuid4()
        many = [notice(game_id, webhook(ann.player_id), due_at=NOON - number * HOUR) for number in range(1, 6)]
        await log.post_notices(game_id, [*many, one := notice(game_id, bob)])
        assert await log.notices_due(NOON, 3, 2) == [many[4], many[3], one]

    async def test_one_server_takes_a_message_and_it_is_due_again_if_nobody_settles_it(self, log: Log) -> None:
        hook, game_id = webhook(uuid4()), uuid4()
        await log.post_notices(game_id, [notice(game_id, hook)])
        [found] = await due_of(log, hook)
        taken = await asyncio.gather(*(log.take_notice(found, NOON + HOUR) for _ in range(4)))
        assert sorted(taken) == [False, False, False, True]
        assert await due_of(log, hook) == []
        again = replace(found, due_at=NOON + HOUR, attempts=1)
        assert await due_of(log, hook, at=NOON + HOUR) == [again]
        await log.postpone_notice(again, NOON + 2 * HOUR)
        assert await due_of(log, hook, at=NOON + HOUR) == []
        again = replace(again, due_at=NOON + 2 * HOUR)
        assert await due_of(log, hook, at=NOON + 2 * HOUR) == [again]
        assert await log.take_notice(again, NOON + 3 * HOUR)
        before = await log.notices_waiting()
        await log.settle_notice(again, NOON)
        assert await log.notices_waiting() == before - 1
        assert await due_of(log, hook, at=NOON + 9 * HOUR) == []
        assert not await log.take_notice(replace(again, attempts=2), NOON + 9 * HOUR)

    async def test_turns_that_are_over_are_withdrawn(self, log: Log) -> None:
        """This includes one that was sent. The next time, the same turn is a new message."""
        ann, bob, game_id, other = webhook(uuid4()), webhook(uuid4()), uuid4(), uuid4()
        posted = [notice(game_id, ann), notice(game_id, ann, kind="game.over"), notice(game_id, bob)]
        await log.post_notices(game_id, posted)
        await log.post_notices(other, [notice(other, ann)])
        await log.withdraw_turns(game_id, 0, [bob.player_id])
        left = {(each.game_id, each.player_id, each.kind) for each in await due_of(log, ann, bob)}
        assert left == {
            (game_id, ann.player_id, "game.over"),
            (game_id, bob.player_id, "game.turn"),
            (other, ann.player_id, "game.turn"),
        }
        await log.settle_notice(posted[2], NOON)
        await log.withdraw_turns(game_id, 0, [])
        await log.post_notices(game_id, [again := notice(game_id, bob, seq=9)])
        assert await due_of(log, bob) == [again]
        await log.withdraw_turns(game_id, 8, [])  # another server, which has not seen event 9
        assert await due_of(log, bob) == [again]
        await log.withdraw_turns(game_id, 9, [])
        assert await due_of(log, bob) == []

    async def test_what_was_settled_long_ago_is_forgotten_but_for_turns(self, log: Log) -> None:
        hook, game_id = webhook(uuid4()), uuid4()
        turn, over, test = (
            notice(game_id, hook),
            notice(game_id, hook, kind="game.over"),
            notice(NO_GAME, hook, kind="test"),
        )
        await log.post_notices(game_id, [turn, over])
        await log.post_notices(NO_GAME, [test])
        for each in (turn, over, test):
            await log.settle_notice(each, NOON)
        await log.forget_settled(NOON)
        await log.post_notices(NO_GAME, [notice(NO_GAME, hook, kind="test")])
        assert await due_of(log, hook) == []
        await log.forget_settled(NOON + HOUR)
        await log.post_notices(game_id, [notice(game_id, hook), again := notice(game_id, hook, kind="game.over")])
        assert await due_of(log, hook) == [again]

    async def test_emails_are_due_apart_from_other_messages(self, log: Log) -> None:
        hook, game_id = webhook(uuid4()), uuid4()
        posted = [notice(game_id, hook), notice(game_id, hook, kind="game.over", by_mail=True)]
        await log.post_notices(game_id, posted)
        assert await due_of(log, hook) == posted[:1]
        emails = await log.notices_due(NOON, 1000, 1000, by_mail=True)
        assert [each for each in emails if each.webhook_id == hook.webhook_id] == posted[1:]

    async def test_an_address_is_confirmed_once_by_the_last_token_that_was_sent(self, log: Log) -> None:
        [ann] = await registered(log, "Ann")
        hook = webhook(ann, format="email")
        gone = webhook(ann, format="email", gone_at=NOON, confirmation=b"b" * 32)
        for each in (hook, gone):
            assert await log.add_webhook(each, 2)
        assert not await log.confirm_address(hook.webhook_id, b"a" * 32, NOON)
        assert not await log.confirm_address(gone.webhook_id, b"b" * 32, NOON)
        assert not await log.ask_to_confirm(gone.webhook_id, b"a" * 32)
        for token in (b"a", b"b"):
            assert await log.ask_to_confirm(hook.webhook_id, token * 32)
        assert not await log.confirm_address(hook.webhook_id, b"a" * 32, NOON)
        confirmed = await asyncio.gather(*(log.confirm_address(hook.webhook_id, b"b" * 32, NOON) for _ in range(4)))
        assert sorted(confirmed) == [False, False, False, True]
        assert not await log.ask_to_confirm(hook.webhook_id, b"c" * 32)
        assert not await log.ask_to_confirm(uuid4(), b"c" * 32)
        assert await log.webhook(hook.webhook_id) == hook._replace(confirmed_at=NOON)
        assert await log.webhook(uuid4()) is None

    async def test_one_server_sends_to_an_address_and_none_before_the_pause_is_over(self, log: Log) -> None:
        [ann] = await registered(log, "Ann")
        hook = webhook(ann, format="email")
        assert await log.add_webhook(hook, 1)
        taken = await asyncio.gather(*(log.take_mail(hook.webhook_id, NOON, NOON + HOUR) for _ in range(4)))
        assert sorted(taken) == [False, False, False, True]
        assert await log.take_mail(hook.webhook_id, NOON + HOUR, NOON + 2 * HOUR)
        await log.pause_mail(hook.webhook_id, NOON + 3 * HOUR)
        assert not await log.take_mail(hook.webhook_id, NOON + 2 * HOUR, NOON + 9 * HOUR)
        assert await log.webhooks([ann]) == [hook._replace(mail_at=NOON + 3 * HOUR)]
        assert not await log.take_mail(uuid4(), NOON, NOON)

    async def test_emails_are_counted_by_the_day(self, log: Log) -> None:
        what, day = uuid4().bytes, NOON.date()
        counted = await asyncio.gather(*(log.count_mail(what, day, 3) for _ in range(5)))
        assert sorted(counted) == [False, False, True, True, True]
        assert await log.count_mail(uuid4().bytes, day, 1)
        await log.forget_mail(NOON)
        assert not await log.count_mail(what, day, 3)
        await log.forget_mail(NOON + 24 * HOUR)
        assert await log.count_mail(what, day, 1)

    async def test_addresses_that_nobody_confirms_are_forgotten(self, log: Log) -> None:
        [ann] = await registered(log, "Ann")
        hooks = [
            webhook(ann),
            webhook(ann, format="email", created_at=NOON + HOUR),
            webhook(ann, format="email", created_at=NOON + 2 * HOUR, confirmed_at=NOON),
            webhook(ann, format="email", created_at=NOON + 3 * HOUR),
        ]
        for hook in hooks:
            assert await log.add_webhook(hook, 9)
        await log.forget_mail(NOON + 3 * HOUR)
        assert await log.webhooks([ann]) == [hooks[0], *hooks[2:]]

    async def test_an_address_that_is_refused_shows_since_when(self, log: Log) -> None:
        [ann] = await registered(log, "Ann")
        hook = webhook(ann, format="email")
        assert await log.add_webhook(hook, 1)
        await log.mark_refused(hook.webhook_id, NOON)
        assert await log.webhook(hook.webhook_id) == hook._replace(refused_at=NOON)
        await log.mark_refused(hook.webhook_id, None)
        assert await log.webhook(hook.webhook_id) == hook

    async def test_preferences_are_kept_in_general_and_for_games(self, log: Log) -> None:
        ann, bob, eve = await registered(log, "Ann", "Bob", "Eve")
        games, muted = [uuid4(), uuid4()], GamePreferences((), None)
        assert await log.preferences([ann]) == {}
        general = Preferences(("game.over",), None, "Europe/Berlin", DailyHours(1320, 420), 1080)
        await log.set_preferences(ann, general, NOON)
        for game_id in games:
            assert await log.set_game_preferences(bob, game_id, muted, 2)
            assert await log.set_game_preferences(ann, game_id, GamePreferences(TOPICS, 60), 2)
        assert await log.set_game_preferences(ann, games[1], muted, 2)
        assert not await log.set_game_preferences(ann, uuid4(), muted, 2)
        own = {games[0]: GamePreferences(TOPICS, 60), games[1]: muted}
        assert await log.preferences([ann, bob, eve]) == {
            ann: general._replace(games=own),
            bob: Preferences(games=dict.fromkeys(games, muted)),
        }
        assert await log.preferences([ann], games[1:]) == {ann: general._replace(games={games[1]: muted})}
        await log.set_preferences(ann, Preferences(), None)
        await log.reset_game_preferences(ann, games[0])
        await log.reset_game_preferences(eve, games[0])
        assert await log.preferences([ann]) == {ann: Preferences(games={games[1]: muted})}
        await log.erase(ann)
        assert await log.preferences([ann, bob]) == {bob: Preferences(games=dict.fromkeys(games, muted))}
        for player_id in (ann, uuid4()):
            with pytest.raises(UnknownPlayer):
                await log.set_preferences(player_id, general, NOON)
            with pytest.raises(UnknownPlayer):
                await log.set_game_preferences(player_id, games[0], muted, 2)

    async def test_digests_are_due_until_the_next_one_is_planned(self, log: Log) -> None:
        ann, bob = await registered(log, "Ann", "Bob")
        daily = Preferences(digest=720)
        await log.set_preferences(ann, daily, NOON + HOUR)
        await log.set_preferences(bob, daily, NOON)

        async def due(at: datetime) -> list[DueDigest]:
            return [each for each in await log.digests_due(at, 1000) if each.player_id in (ann, bob)]

        first, second = DueDigest(bob, NOON, daily), DueDigest(ann, NOON + HOUR, daily)
        assert await due(NOON - HOUR) == []
        assert await due(NOON) == [first]
        assert await due(NOON + HOUR) == [first, second]
        await log.plan_digest(first, NOON + 24 * HOUR)
        await log.plan_digest(first, NOON + 48 * HOUR)  # another server, which was late
        assert await due(NOON + HOUR) == [second]
        assert await due(NOON + 24 * HOUR) == [second, DueDigest(bob, NOON + 24 * HOUR, daily)]
        await log.set_preferences(ann, Preferences(), None)
        await log.plan_digest(second, NOON)
        assert await due(NOON + HOUR) == []

    async def test_reminders_are_withdrawn_with_the_turn_and_remembered_as_long(self, log: Log) -> None:
        hook, game_id = webhook(uuid4()), uuid4()
        reminder = notice(game_id, hook, kind="game.deadline")
        await log.post_notices(game_id, [reminder])
        await log.withdraw_turns(game_id, 9, [hook.player_id])
        assert await due_of(log, hook) == [reminder]
        await log.settle_notice(reminder, NOON)
        await log.forget_settled(NOON + HOUR)
        await log.post_notices(game_id, [notice(game_id, hook, kind="game.deadline")])
        assert await due_of(log, hook) == []
        await log.withdraw_turns(game_id, 9, [])
        kinds: list[Kind] = ["game.deadline", "game.invitation", "chat.message", "digest"]
        await log.post_notices(game_id, [notice(game_id, hook, kind=kind) for kind in kinds])
        assert {each.kind for each in await due_of(log, hook)} == {*kinds}

    async def test_who_is_erased_leaves_neither_webhooks_nor_messages(self, log: Log) -> None:
        ann, bob = await registered(log, "Ann", "Bob")
        hooks, game_id = [webhook(ann), webhook(bob)], uuid4()
        for hook in hooks:
            assert await log.add_webhook(hook, 1)
        await log.post_notices(game_id, [notice(game_id, hook) for hook in hooks])
        await log.erase(ann)
        assert await log.webhooks([ann, bob]) == hooks[1:]
        assert [each.player_id for each in await due_of(log, *hooks)] == [bob]


class LogContract(
    EventStoreContract,
    GameIndexContract,
    IntegrityContract,
    RatingsContract,
    TimekeepingContract,
    AccountsContract,
    KeysContract,
    NoticesContract,
    ChatContract,
    ReviewsContract,
):
    """All ports of one log."""

    async def test_it_says_that_it_is_ready(self, log: Log) -> None:
        await log.ready()
