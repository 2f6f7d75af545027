"""Every decoder of outside input: valid examples, how it is called, and what it may raise."""

import asyncio
import json
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple
from uuid import UUID

import click
import httpx
import msgspec
from structlog.testing import capture_logs

from mcmulti.api.admission.companions import at_the_table
from mcmulti.api.admission.gate import Admission, network_of, origin_of
from mcmulti.api.admission.quotas import limit_of, neighbours
from mcmulti.api.admission.rates import RateLimits
from mcmulti.api.app import ROUTES, ContractQuery
from mcmulti.api.chat.texts import plain_text
from mcmulti.api.chat.wire import NewMessage, message_number
from mcmulti.api.http import answers, received
from mcmulti.api.http.problems import ApiError
from mcmulti.api.messages.notifications import NotificationWishes, wished
from mcmulti.api.operations import play
from mcmulti.api.operations.orders import ORDERS
from mcmulti.api.operations.phrases import reading
from mcmulti.api.operations.series import NEW_SERIES, series_id
from mcmulti.api.telling.wire import NEW_GAMES, Commands, Events, Games, Join, NewPlayer
from mcmulti.cli.bench.load import refusal
from mcmulti.cli.commands.operator import bench, serve
from mcmulti.cli.commands.player.bot import _orders
from mcmulti.cli.commands.records import report
from mcmulti.cli.proof.downloading import DownloadPlace
from mcmulti.cli.proof.importing import ImportRefused, _proven
from mcmulti.cli.proof.verdict import judged, noted_head, noted_key, noted_keys
from mcmulti.cli.records.review import ReviewServed, review_in, seconds_in
from mcmulti.cli.replay.story import Story, Unplayable
from mcmulti.cli.seating import ClockText, new_game
from mcmulti.cli.servers import table_of
from mcmulti.client import sources
from mcmulti.client.addresses import without_password
from mcmulti.client.client import (
    Client,
    HttpProblem,
    ServerAway,
    _decoded,
    _GameItem,
    _listed,
    _needed_members,
    _tokens,
    stream_item,
)
from mcmulti.client.downloads import FileReader
from mcmulti.client.following import _event
from mcmulti.client.json_object import Json
from mcmulti.client.sources import RulesListed, SeriesListed, SourceError, called_at, fetched, parsed
from mcmulti.client.understood import may_do
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.wording.grammar import Unread
from mcmulti.domain.core.wording.grammar import read as read_phrase
from mcmulti.domain.rulesets import BY_VERSION, CURRENT
from mcmulti.events.embedded.manifest import Manifest, Written
from mcmulti.events.embedded.manifest import decoded as manifest_decoded
from mcmulti.events.embedded.manifest import encoded as manifest_encoded
from mcmulti.events.log.codec import command_decoder, current, event_decoder, fold, opened_with
from mcmulti.events.log.digests import SIZE
from mcmulti.events.log.envelope import START, Head, Recorded
from mcmulti.events.log.item import item
from mcmulti.events.log.signing import (
    KeyStatement,
    Revocation,
    SigningKey,
    distrust,
    is_signed,
    key_id,
    revocation,
    succession,
)
from mcmulti.events.log.snapshot import Snapshot, sealed_snapshot, shape, taken
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.accounts import Holder, Player, first_token
from mcmulti.events.ports.computed import KeptAssessment, KeptLadder, KeptReview
from mcmulti.events.ports.errors import DamagedGame
from mcmulti.events.ports.game_index import Ended, RatedGame, TableRow
from mcmulti.events.postgres.addresses import NoAddress, connecting
from mcmulti.events.postgres.stores.tokens import heard
from mcmulti.events.store.game_file import GameRecord, NotAGameFile, heading, lines, read, record_of
from mcmulti.events.store.names import can_be_shown, is_reserved, name_key, name_skeleton, of_one_script
from mcmulti.events.store.redaction import for_onlookers, legible
from mcmulti.library.game import load_game
from mcmulti.library.positions import BadPosition, open_position
from mcmulti.library.saving import restored
from mcmulti.library.state import State
from mcmulti.projections.proof.proof import verify
from mcmulti.projections.proof.series import place_of
from mcmulti.projections.reviews import ChangedReview, FinishedReview, Review, restored_review, sealed_review
from mcmulti.projections.statistics import checkpoint
from mcmulti.projections.statistics.ratings import Ladder
from mcmulti.referee.reading import GameReader
from tests.games import recorded_games
from tests.golden.forging import rehashed


class Decoder(NamedTuple):
    """`valid`: examples that it accepts.

    `raises`: its errors for others. `covers`: the places in the code that this tests.
    """

    valid: Callable[[], Sequence[bytes]]
    decode: Callable[[bytes], object]
    raises: tuple[type[Exception], ...]
    covers: tuple[str, ...] = ()


# Examples to begin with


def _metered(game: str) -> int:
    """The expected length of a path's game if the game is not known."""
    nowhere: Any = SimpleNamespace(referee=SimpleNamespace(length_at_hand=lambda _: 0))
    return RateLimits(Admission(), nowhere)._events(game)


def _acting(credentials: str) -> Holder:
    """The caller of a token, and a seat in a game."""
    holder = Holder(Player(UUID(int=1), "Ada"), first_token(datetime(2025, 1, 1, tzinfo=UTC)))
    scope: Any = {"path_params": {"game": str(UUID(int=7))}}
    return at_the_table(holder, f"Bearer {credentials}", scope)


@cache
def _positions() -> tuple[bytes, ...]:
    """The state of a game of each rule set after its opening."""
    return tuple(json.dumps(load_game(name).new_initial_state(seed=1).position()).encode() for name in CURRENT)


@cache
def games(name: str) -> tuple[Sequence[Recorded], ...]:
    """The two smallest golden games of a rule set, or two random ones if none is recorded yet."""
    return tuple(recorded_games(name, 2))


@cache
def commands(name: str) -> tuple[bytes, ...]:
    """Commands that seats sent in games of a rule set."""
    moves = tuple(f'{{"type":"{move.__name__}"'.encode() for move in CURRENT[name].commands.moves)
    logged = [event.command for events in games(name) for event in events]
    told = [command for command in logged if command is not None and command.startswith(moves)]
    return tuple(dict.fromkeys([*told[:10], *told[:: max(1, len(told) // 40)]]))


@cache
def every_event() -> tuple[tuple[str, bytes], ...]:
    """One event of each type of every rule set."""
    found = {(name, event.type): event.data for name in CURRENT for events in games(name) for event in events}
    return tuple((name, data) for (name, _), data in found.items())


@cache
def sheets() -> tuple[bytes, ...]:
    """Order sheets of games by post."""
    sent = [msgspec.json.decode(command) for command in commands("postal")]
    return tuple(msgspec.json.encode(each["sheet"]) for each in sent if "sheet" in each)


@cache
def beginnings() -> tuple[bytes, ...]:
    """Game files of the first events of games, and of a whole one."""
    key = SigningKey(bytes(32))
    short = [events[:40] for name in CURRENT for events in games(name)]
    return tuple(b"".join(lines(record_of(events, key))) for events in (*short, games("marracash")[0]))


@cache
def _written_offers() -> list[Json]:
    """Offers with every kind of field."""
    cases = json.loads((Path(__file__).parents[2] / "phrases.json").read_text("utf-8"))
    return [offer for case in cases for offer in case["offers"] if case["name"] == "mcmulti places, steps and forms"]


def _stated_offers() -> list[Json]:
    """The same offers as a server sends them."""
    return [{"sentence": "Do it.", "rule": "a/b", **offer} for offer in _written_offers()]


def _texts(*valid: str) -> Callable[[], Sequence[bytes]]:
    return lambda: [text.encode() for text in valid]


def _json(*valid: object) -> Callable[[], Sequence[bytes]]:
    return lambda: [msgspec.json.encode(each) for each in valid]


def _a_manifest() -> Sequence[bytes]:
    tables = {"event": Written(9, "0a" * 32)}
    made_at = datetime(2026, 1, 31, 12, tzinfo=UTC)
    return [manifest_encoded(Manifest(1, "1.0.0", "18.1", made_at, 1, 9, 4096, "0b" * 32, tables))]


# How input is read


def of_text(decode: Callable[[str], object]) -> Callable[[bytes], object]:
    """Input of a function that takes text. Not all of it need be Unicode, as on a command line."""
    return lambda sent: decode(sent.decode("utf-8", "surrogateescape"))


def _asked(name: bytes, read_header: Callable[[Any], object]) -> Callable[[bytes], object]:
    """A header of a request."""

    def asked(sent: bytes) -> object:
        scope = {"type": "http", "headers": [(name, sent)], "state": {}}
        return read_header(type("Asked", (), {"scope": scope})())

    return asked


def _move(name: str) -> Callable[[bytes], object]:
    """A command as a client sends it, and what the rules say about it during a game and before its start."""
    ruleset = CURRENT[name]
    events = games(name)[0]
    begun = [number for number, event in enumerate(events) if event.command is not None]
    states = [fold(ruleset, events[:number]) for number in (begun[0], begun[5], begun[len(begun) // 2])]

    def moved(sent: bytes) -> None:
        command = play.move_sent(ruleset, sent, 0)
        for state in states:
            for seat in (None, 0, 1):
                offer = ruleset.admit(state, seat, command)
                if not isinstance(offer, Rejection):
                    ruleset.carry_out(state, seat, command, offer, SeededChance(bytes(32), state.game_id))

    return moved


def _queries(sent: bytes) -> None:
    """A query, to every operation."""
    for query in QUERIES:
        with suppress(ApiError):
            received._parameters.__wrapped__(sent, query)


QUERIES = {ContractQuery, *(route.opt["operation"].query for route in ROUTES)}


def _events(sent: bytes) -> None:
    """The data of an event, for every rule set."""
    for name, version in BY_VERSION:
        for decode in (event_decoder(name, version), command_decoder(name, version)):
            with suppress(ValueError, RecursionError):
                decode(sent)


def _opening(sent: bytes) -> None:
    current(opened_with(_first()._replace(data=sent)), _first()._replace(data=sent))


def _offered(sent: bytes) -> None:
    """Offers, and what phrases make of them."""
    with suppress(ValueError, RecursionError):
        told = json.loads(sent)
        if isinstance(told, dict):
            with suppress(Unread):
                read_phrase("clean 3", may_do(told).sayable)


def _first() -> Recorded:
    return games("mcmulti")[0][0]


def _file(sent: bytes) -> None:
    """A game file: read, proven, described, and imported, as commands do it."""
    record = read(sent.splitlines(keepends=True))
    _examined(record.events)
    judged(record)
    with suppress(ImportRefused):
        _proven(record)


def _forged(number: int, *, commanded: bool = False) -> Callable[[bytes], None]:
    """The data of an event in a consistent log: a forger has hashed it again."""

    def forged(sent: bytes) -> None:
        for name in CURRENT:
            events = list(games(name)[0][:60])
            at = number % len(events)
            events[at] = events[at]._replace(command=sent) if commanded else events[at]._replace(data=sent)
            _examined(rehashed(events))

    return forged


def _examined(events: Sequence[Recorded]) -> None:
    """What commands do first with the events of a game from elsewhere."""
    last = events[-1]
    judged(GameRecord(heading(last.game_id, "mcmulti", 1, Head(last.seq, last.hash), None), events))
    for_onlookers(events)
    with suppress(Unplayable):
        Story(legible(events))


def _damaged(sent: bytes) -> None:
    """Rows of a database with arbitrary contents, in a consistent log and in an inconsistent one."""
    for name in CURRENT:
        events = list(games(name)[0][:30])
        for at in (0, 1, len(events) // 2, len(events) - 1):
            odd = [*events[:at], events[at]._replace(data=sent), *events[at + 1 :]]
            for rows in (odd, rehashed(odd)):
                asyncio.run(_loaded(name, rows))


async def _loaded(name: str, rows: Sequence[Recorded], snapshots: Sequence[Snapshot] = ()) -> None:
    log = MemoryLog()
    game = rows[0].game_id
    await log.create(game, name, CURRENT[name].version, TableRow("running"), bytes(32), rows)
    key = await log.digest_key()
    await log.keep_snapshots(game, [sealed_snapshot(key, game, snapshot) for snapshot in snapshots])
    with suppress(DamagedGame), capture_logs():
        await GameReader(log).position(game)


def _snapshots(sent: bytes) -> None:
    """A stored state that was replaced."""
    for name, ruleset in CURRENT.items():
        rows = games(name)[0][:30]
        last = rows[len(rows) * 2 // 3 - 1]
        head = Head(last.seq, last.hash)
        asyncio.run(_loaded(name, rows, [Snapshot(head, shape(ruleset), sent)]))


def _ladders(sent: bytes) -> None:
    """Stored ratings that were replaced."""
    key, ended = bytes(32), Ended(datetime.fromtimestamp(0, UTC), UUID(int=0))
    for restore in (
        lambda: checkpoint.restored(key, checkpoint.sealed_ladder(key, KeptLadder(bytes(32), ended, START, sent))),
        lambda: checkpoint.restored_assessment(
            key, checkpoint.sealed_assessment(key, KeptAssessment(ended.game_id, bytes(32), sent))
        ),
    ):
        with suppress(ValueError, msgspec.DecodeError, RecursionError):
            restore()


def _kept_ladders() -> Sequence[bytes]:
    ladder, players = Ladder(), (UUID(int=1), UUID(int=2))
    ended = Ended(datetime.fromtimestamp(0, UTC), UUID(int=3))
    won = RatedGame(ended, "mcmulti", players, (), (0,), (10, 10))
    verdict = ladder.add(won, dict.fromkeys(players, "human"))
    kept = checkpoint.kept(bytes(32), ladder, ended, START)
    return [kept.state[SIZE:], checkpoint.kept_assessment(bytes(32), players[0], verdict).assessment[SIZE:]]


def _kept_states() -> Sequence[bytes]:
    found = []
    for name, ruleset in CURRENT.items():
        rows = games(name)[0][:20]
        head = Head(rows[-1].seq, rows[-1].hash)
        found.append(taken(bytes(32), rows[0].game_id, ruleset, fold(ruleset, rows), head).state[SIZE:])
    return found


def _saved_states() -> Sequence[bytes]:
    """A state of each game that waits for a seat, and of each that waits for a draw, with their histories."""
    return [load_game(name).new_initial_state(seed).serialize() for name in CURRENT for seed in (None, 1)]


def _loaded_game(sent: bytes) -> None:
    setup = json.loads(sent)
    if isinstance(setup, dict):
        load_game("mcmulti", **setup)


def _acted(sent: bytes) -> None:
    """An action by its fields. Input without names, or with other names, becomes a value that no field has."""
    fields = json.loads(sent)
    state = _auction()
    state.child(state.game.action("PutUp", **fields) if isinstance(fields, dict) else fields)


@cache
def _auction() -> State:
    return load_game("marracash", seats=3).new_initial_state(seed=1)


def _answered(ask: Callable[[Client], Coroutine[Any, Any, object]]) -> Callable[[bytes], object]:
    """The response of a server to our client. The server may be anything that calls itself one."""

    def answered(sent: bytes) -> object:
        headers, _, body = sent.partition(b"\n\n")
        pairs = [tuple(line.split(b": ", 1)) for line in headers.split(b"\n") if b": " in line]

        def answer(request: httpx.Request) -> httpx.Response:
            return httpx.Response(200 if b"200" in headers else 429, headers=pairs, content=body)  # type: ignore[arg-type]

        async def asked() -> object:
            transport = httpx.MockTransport(answer)
            async with Client("http://mcmulti", patience=0.0, transport=transport) as client:
                return await ask(client)

        return asyncio.run(asked())

    return answered


def _downloaded(file: bytes) -> bytes:
    """A game file as a server sends it among others."""
    game = json.loads(file.splitlines()[0])["game"]
    end = {"type": "FileEnd", "game": game, "ended_at": "2026-01-01T00:00:00Z", "damaged": False, "next": "1-2"}
    return file + json.dumps(end).encode() + b'\n{"type":"DownloadEnd","next":null,"more":false}'


def _taken(sent: bytes) -> None:
    reader = FileReader()
    for line in sent.split(b"\n"):
        reader.read_line(line)


def _pages() -> Sequence[bytes]:
    events = tuple(map(item, games("mcmulti")[0][:3]))
    page, endless = (Events(_first().game_id, 3, events[-1].hash, events, behind) for behind in (None, 0))
    listed = Games((), None, False, ())
    ok = b'200\nETag: "1-2"\nRetry-After: 1\n\n'
    said = [
        ok + msgspec.json.encode(each) for each in (page, endless, listed, {"game": str(_first().game_id), "seq": 1})
    ]
    return [*said, b'429\nRetry-After: 3\n\n{"code":"too_many_requests","detail":"No."}']


async def _all_asked(client: Client) -> None:
    game = str(_first().game_id)
    asks: tuple[Callable[[], Coroutine[Any, Any, object]], ...] = (
        lambda: fetched(client, game),
        lambda: called_at(client, game, games("mcmulti")[0]),
        lambda: sources._games_at(client),
        lambda: sources.record_at(client, game),
        lambda: sources._youngest_at(client),
        lambda: client.register("Ada"),
        lambda: client.open_game("mcmulti"),
        lambda: client.take_seat(game),
        lambda: client.change_invitations(game),
        lambda: client.rematch(game),
        lambda: client.view(game),
        lambda: client.offers(game),
        lambda: client.send(game, []),
        lambda: client.get_object("/v1/rulesets"),
    )
    for ask in asks:
        with suppress(HttpProblem, ServerAway, SourceError):
            await ask()


def _listed_keys() -> Sequence[bytes]:
    """A key with a successor that revoked it."""
    first, second = (SigningKey(bytes([number] * 32)) for number in (1, 2))
    since = datetime(2026, 1, 1, tzinfo=UTC)
    follows, revoked = succession(first.public, second.public, since), revocation(first.public, since)
    keys = (
        KeyStatement(second.public, since, first.sign_bytes(follows), second.sign_bytes(follows)),
        KeyStatement(first.public, since, revoked=Revocation(since, second.public, second.sign_bytes(revoked))),
    )
    return [msgspec.json.encode({"keys": keys})]


def _trusted(sent: bytes) -> None:
    statements = noted_keys(sent)
    for key in {each.public for each in statements}:
        distrust(statements, key, key, datetime(2026, 2, 1, tzinfo=UTC))


def _connected(sent: str) -> None:
    """The address of a database, which is shown without its password."""
    with suppress(NoAddress):
        connecting(sent)
    assert "s3cr3t" not in without_password(f"postgresql://ada:s3cr3t@{sent.replace('@', '')}")


def _set_up(sent: str) -> None:
    for name in CURRENT:
        with suppress(click.BadParameter):
            new_game(name, None, None, [sent])


def _named(sent: str) -> None:
    if can_be_shown(sent):
        sent.encode()
    name_key(sent), name_skeleton(sent), of_one_script(sent), is_reserved(sent)


PROBLEM = (ApiError,)


def _review() -> bytes:
    """A review in which nothing was examined."""
    return msgspec.json.encode(Review("", "mcmulti", 1, "tycoon", False, 0, 0, 0, 1, 1, (), (), ()))


def _placed(sent: bytes) -> None:
    """A first event with this content: its place in a series, and whether it is sound."""
    first = games("mcmulti")[0][0]._replace(data=sent)
    place_of(first)
    verify([first])


FUZZED: dict[str, Decoder] = {
    **{
        f"commands of {name}": Decoder(partial(commands, name), _move(name), PROBLEM, ("api.http.received:decoded",))
        for name in CURRENT
    },
    "sheets by post": Decoder(
        sheets,
        lambda sent: received.read_body(sent, *ORDERS),
        PROBLEM,
        ("api.http.received:_decoder", "api.operations.play:_type_of"),
    ),
    "bodies of commands": Decoder(
        _json({"commands": [{"type": "EndTurn"}]}),
        lambda sent: received.read_body(sent, Commands),
        PROBLEM,
        ("api.http.received:_untyped",),
    ),
    "bodies of new games": Decoder(
        _json(*({"ruleset": name, "setup": {"seats": 4}} for name in CURRENT)),
        lambda sent: received.read_body(sent, *NEW_GAMES),
        PROBLEM,
    ),
    "bodies of new series": Decoder(
        _json(*({"ruleset": name, "tables": 2, "setup": {"seats": 4}} for name in CURRENT)),
        lambda sent: received.read_body(sent, *NEW_SERIES),
        PROBLEM,
    ),
    "bodies of new players": Decoder(_json({"name": "Ada"}), lambda sent: received.read_body(sent, NewPlayer), PROBLEM),
    "bodies of who sits down": Decoder(
        _json({"seat": 1, "entropy": "luck"}, {}), lambda sent: received.read_body(sent, Join), PROBLEM
    ),
    "ids of messages": Decoder(
        _texts("1709208000123"),
        lambda sent: message_number(sent.decode("latin-1")),
        PROBLEM,
        ("api.chat.wire:message_number",),
    ),
    "texts in chats": Decoder(
        _texts("Grüße, 你好! ❤️ 👨‍👩‍👧", "e\u0301te"), lambda sent: plain_text(sent.decode(errors="replace")), PROBLEM
    ),
    "bodies of settings of notifications": Decoder(
        _json(
            {"topics": ["game.turn"], "reminder": 60, "digest": "18:00"},
            {"topics": [], "time_zone": "Europe/Berlin", "quiet": {"begin": "22:00", "end": "07:30"}},
        ),
        lambda sent: wished(received.read_body(sent, NotificationWishes)),
        PROBLEM,
        ("api.messages.notifications:_minutes",),
    ),
    "bodies of messages": Decoder(
        _json({"room": "players", "text": "Hello"}, {"room": "spectators", "quick_reply": "good_game"}),
        lambda sent: received.read_body(sent, NewMessage),
        PROBLEM,
    ),
    "queries": Decoder(
        _texts(
            "after=1&limit=2&until=3&wait=0", "at=7", f"before=1-{UUID(int=1)}&status=open&mine=true", "language=de"
        ),
        _queries,
        (),
        ("api.http.received:_parameters",),
    ),
    "If-Match": Decoder(
        _texts('"57-' + "0a" * 32 + '"', 'W/"1-' + "0" * 64 + ';gzip", "x"', "*"),
        _asked(b"if-match", received.if_match),
        PROBLEM,
        ("api.caching.tags:position",),
    ),
    "If-None-Match": Decoder(_texts('"57"', "*"), _asked(b"if-none-match", received.if_none_match), PROBLEM),
    "Last-Event-ID": Decoder(
        _texts("57", "57-" + "0a" * 32),
        _asked(b"last-event-id", received.last_event_id),
        PROBLEM,
        ("api.http.received:last_event_id", "api.readings.log:follow_games"),
    ),
    "Idempotency-Key": Decoder(_texts("a-key"), _asked(b"idempotency-key", received.idempotency_key), PROBLEM),
    "Accept": Decoder(
        _texts("application/json;q=0.5, text/csv", "*/*;q=1e3"),
        _asked(b"accept", lambda asked: received.accepted(asked, ("application/json", "text/csv"))),
        PROBLEM,
    ),
    "Accept-Encoding": Decoder(
        _texts("gzip;q=0.5, *;q=0"), _asked(b"accept-encoding", lambda asked: answers.accepted(asked.scope)), ()
    ),
    "ids of games": Decoder(_texts(str(UUID(int=7))), of_text(received.game_id), PROBLEM),
    "ids of games whose requests are metered": Decoder(
        _texts(str(UUID(int=7))), of_text(_metered), (), ("api.admission.rates:RateLimits._events",)
    ),
    "companions": Decoder(
        _texts("mcm_token~1", "mcm_token~5"), of_text(_acting), PROBLEM, ("api.admission.companions:at_the_table",)
    ),
    "ids of players": Decoder(
        _texts(str(UUID(int=7))), of_text(received.player_id), PROBLEM, ("api.http.received:player_id",)
    ),
    "addresses of clients": Decoder(
        _texts("10.0.0.1", "::ffff:1.2.3.4", "fe80::1%eth0"),
        of_text(neighbours),
        (),
        ("api.admission.quotas:neighbours",),
    ),
    "names": Decoder(_texts("Ada", "Zoë \u202e"), of_text(_named), ()),
    "events": Decoder(
        lambda: [data for _, data in every_event()],
        _events,
        (),
        (
            "events.log.codec:_decoder",
            "events.log.codec:event_decoder",
            "events.log.codec:_members",
            "events.log.codec:_type",
            "projections.proof.draws:draws_in",
        ),
    ),
    "first events": Decoder(
        lambda: [games(name)[0][0].data for name in CURRENT], _opening, (ValueError,), ("events.log.codec:opened_with",)
    ),
    "game files": Decoder(
        beginnings,
        _file,
        (NotAGameFile,),
        (
            "events.store.game_file:_file",
            "events.store.game_file:_event",
            "events.store.game_file:GameFile.head",
            "events.store.game_file:_check_names",
            "events.store.game_file:_seated",
            "events.ports.accounts:called",
            "events.log.item:recorded",
            "cli.proof.verdict:_proof",
            "cli.proof.importing:_import_game",
        ),
    ),
    "finished games of a server": Decoder(
        lambda: [_downloaded(content) for content in beginnings()],
        _taken,
        (ValueError,),
        ("client.downloads:FileReader.read_line",),
    ),
    "where downloads continue": Decoder(
        _json({"wanted": {"server": "https://example.org"}, "next": "1-" + str(UUID(int=7))}),
        lambda sent: msgspec.json.decode(sent, type=DownloadPlace),
        (ValueError, RecursionError),
        ("cli.proof.downloading:_download_place",),
    ),
    "first events of forged logs": Decoder(
        lambda: [games(name)[0][0].data for name in CURRENT],
        _forged(0),
        (),
        ("projections.proof.deciding:opened",),
    ),
    "events of forged logs": Decoder(
        lambda: [data for _, data in every_event()],
        _forged(21),
        (),
        (
            "events.log.codec:fold",
            "events.store.redaction:for_reader",
            "cli.replay.story:Story.go_on",
            "projections.proof.draws:_draws_in",
            "projections.proof.draws:_salt_in",
            "projections.proof.prover:_seed_in",
            "projections.proof.deciding:_sender",
            "projections.proof.prover:_commitment",
        ),
    ),
    "commands of forged logs": Decoder(
        lambda: [each for name in CURRENT for each in commands(name)], _forged(8, commanded=True), ()
    ),
    "rows of a database": Decoder(lambda: [data for _, data in every_event()], _damaged, ()),
    "snapshots": Decoder(
        _kept_states,
        _snapshots,
        (),
        ("events.log.snapshot:_decoder", "events.log.snapshot:state_in"),
    ),
    "stored ratings": Decoder(
        _kept_ladders,
        _ladders,
        (),
        ("projections.statistics.checkpoint:_ladder", "projections.statistics.checkpoint:_assessment"),
    ),
    "stored reviews": Decoder(
        lambda: [msgspec.json.encode(FinishedReview((str(UUID(int=1)),), {}, "damaged"))],
        lambda sent: restored_review(
            bytes(32), sealed_review(bytes(32), KeptReview(UUID(int=1), bytes(32), 60, sent, b"work"))
        ),
        (ChangedReview,),
        ("projections.reviews:_finished",),
    ),
    "saved states of the library": Decoder(
        _saved_states,
        restored,
        (ValueError,),
        (
            "library.saving:_decode",
            "library.saving:_decoders",
            "library.saving:_happened",
            "library.saving:_waiting_draw",
            "library.saving:restored",
        ),
    ),
    "positions for the library": Decoder(
        _positions,
        lambda sent: open_position(sent, seed=1),
        (BadPosition,),
        ("library.positions:read_document",),
    ),
    "setups for the library": Decoder(
        _json({}, {"seats": 2}, {"seats": 4, "target": 1000}),
        _loaded_game,
        (ValueError, RecursionError),
        ("library.game:load_game",),
    ),
    "actions for the library": Decoder(
        _json({"shop": "R1", "bid": 100}),
        _acted,
        (ValueError, TypeError, RecursionError),
        ("library.game:Game.action", "library.game:Game.checked"),
    ),
    "signatures": Decoder(
        _texts(SigningKey(bytes(32)).public, "0a" * 64),
        of_text(lambda sent: is_signed(sent, sent, UUID(int=1), Head(1, bytes(32)))),
        (),
        ("events.log.signing:_holds",),
    ),
    "ids of keys": Decoder(
        _texts(SigningKey(bytes(32)).public), of_text(key_id), (ValueError,), ("events.log.signing:key_id",)
    ),
    "answers of servers": Decoder(
        _pages,
        _answered(_all_asked),
        (),
        (
            "client.client:_object",
            "client.client:_seconds",
            "client.sources:parsed",
            "client.sources:called_at",
        ),
    ),
    "addresses of databases": Decoder(
        _texts("postgresql://ada:pw@host:5432/db?sslmode=require", "host=a port=5432,5433 dbname=b"),
        of_text(_connected),
        (),
        ("events.postgres.addresses:connecting",),
    ),
    "addresses of metrics": Decoder(
        _texts("127.0.0.1:9100", "[::1]:9100"),
        of_text(serve._address),
        (click.BadParameter,),
        ("cli.commands.operator.serve:_address",),
    ),
    "limits": Decoder(_texts("100/second", "2000/10 seconds"), of_text(limit_of), (ValueError,)),
    "networks of proxies": Decoder(
        _texts("10.0.0.0/8", "::1"), of_text(network_of), (ValueError,), ("api.admission.gate:network_of",)
    ),
    "origins": Decoder(
        _texts("https://example.org:8443"), of_text(origin_of), (ValueError,), ("api.admission.gate:origin_of",)
    ),
    "heads that somebody noted": Decoder(
        _texts('"57-' + "0a" * 32 + '"'), of_text(noted_head), (ValueError,), ("cli.proof.verdict:noted_head",)
    ),
    "tokens of a player": Decoder(
        _json({"tokens": []}),
        lambda sent: _tokens(httpx.Response(200, content=sent)),
        (HttpProblem,),
        ("client.client:_decoded",),
    ),
    "pages of a list": Decoder(
        _json({"games": [{"game": "x"}], "next": None}),
        lambda sent: _listed(_needed_members(httpx.Response(200, content=sent)), "games"),
        (HttpProblem,),
        ("client.client:_listed",),
    ),
    "items of the lobby": Decoder(
        _texts('{"type":"LobbyHead","rows":0}', '{"type":"TableGone","game":"x"}'),
        of_text(stream_item),
        (HttpProblem,),
        ("client.client:stream_item",),
    ),
    "events of a stream": Decoder(
        lambda: [msgspec.json.encode(item(event)) for event in games("mcmulti")[0][:20]],
        of_text(lambda sent: _event(_first().game_id, sent)),
        (HttpProblem,),
        ("client.following:_event",),
    ),
    "items of the stream of a game": Decoder(
        _texts(
            '{"type":"TableMoved","table":{"status":"running","seq":7}}', '{"type":"DiceRolled","seq":3,"rule":"a/b"}'
        ),
        of_text(lambda line: _decoded(line, _GameItem)),
        (HttpProblem,),
        ("client.client:_decoded",),
    ),
    "offers of a server": Decoder(
        lambda: [json.dumps({"seat": 0, "offers": _stated_offers(), "besides": []}).encode()],
        _offered,
        (HttpProblem,),
        ("client.understood:understood", "client.understood:_of_a_known_kind"),
    ),
    "rules of a server": Decoder(
        _texts(
            '{"name":"x","version":1,"title":"X","components":{},"rules":{"a/b":"C."},"codes":{},"money":"millions","words":{}}'
        ),
        lambda sent: parsed("http://127.0.0.1:8000", sent, RulesListed, "has rules"),
        (SourceError,),
        ("client.sources:parsed",),
    ),
    "reviews in files": Decoder(
        lambda: [_review(), b'{"review":%b}' % _review()],
        lambda sent: review_in(sent, "review.json"),
        (click.BadParameter,),
        ("cli.records.review:review_in",),
    ),
    "reviews of a server": Decoder(
        lambda: [b'{"review":null}', b'{"review":%b}' % _review()],
        lambda sent: parsed("http://127.0.0.1:8000", sent, ReviewServed, "sends a review"),
        (SourceError,),
        ("client.sources:parsed",),
    ),
    "seconds of a review": Decoder(
        _texts("60", "0.5", "stored"), of_text(seconds_in), (click.BadParameter,), ("cli.records.review:seconds_in",)
    ),
    "series of a server": Decoder(
        _texts('{"tables":[{"game":"00000000-0000-8000-8000-000000000007"}]}'),
        lambda sent: parsed("http://127.0.0.1:8000", sent, SeriesListed, "has a series"),
        (SourceError,),
        ("client.sources:parsed",),
    ),
    "ids of series": Decoder(
        _texts(str(UUID(int=7))), of_text(series_id), PROBLEM, ("api.operations.series:series_id",)
    ),
    "places in series": Decoder(
        lambda: [games(name)[0][0].data for name in CURRENT],
        _placed,
        (),
        ("projections.proof.series:place_of",),
    ),
    "addresses of games": Decoder(
        _texts(f"http://127.0.0.1:8000/games/{UUID(int=7)}", str(UUID(int=7))),
        of_text(lambda sent: table_of("http://127.0.0.1:8000", sent)),
        (click.BadParameter,),
        ("cli.servers:table_of",),
    ),
    "phrases": Decoder(
        _texts("clean up 3,1", "instruct sell_from=20 refine=true", 'instruct {"sell_from": 20}', "pump 4"),
        of_text(lambda sent: reading(UUID(int=7), START, _written_offers(), sent)),
        (),
        ("api.operations.phrases:reading",),
    ),
    "keys that somebody noted": Decoder(_texts("0a" * 32, "0a" * 8), of_text(noted_key), (ValueError,)),
    "keys as a server lists them": Decoder(_listed_keys, _trusted, (ValueError,), ("cli.proof.verdict:noted_keys",)),
    "manifests of backups": Decoder(
        _a_manifest, manifest_decoded, (ValueError,), ("events.embedded.manifest:decoded",)
    ),
    "numbers of clients": Decoder(
        _texts("16,64"),
        of_text(lambda sent: bench._numbers(None, None, sent)),
        (click.BadParameter,),
        ("cli.commands.operator.bench:_numbers",),
    ),
    "why a server refused": Decoder(
        _json({"detail": "Too many requests.", "quota": "requests"}, {"code": "busy"}),
        lambda sent: refusal(429, sent),
        (),
        ("cli.bench.load:refusal",),
    ),
    "orders for others' turns": Decoder(
        _texts('{"sell_from": 20, "pump": true}', "{}"),
        of_text(_orders),
        (click.UsageError,),
        ("cli.commands.player.bot:_orders",),
    ),
    "clocks": Decoder(
        _texts("60", "60+600", "24h", "10m+1d"),
        of_text(lambda sent: ClockText().convert(sent, None, None)),
        (click.BadParameter,),
        ("cli.seating:ClockText.convert",),
    ),
    "what is told of tokens and names": Decoder(
        _texts("0a" * 16, "0a" * 32), of_text(heard), (ValueError,), ("events.postgres.stores.tokens:heard",)
    ),
    "numbers of rounds": Decoder(
        _texts("3", "all"),
        of_text(lambda sent: report._round(None, None, sent)),  # type: ignore[arg-type]
        (click.BadParameter,),
        ("cli.commands.records.report:_round", "api.readings.reports:get_round_report"),
    ),
    "settings of games": Decoder(
        _texts("seats=3", "target=1000", "round_hours=[1]", 'seats={"a": 1}'),
        of_text(_set_up),
        (),
        ("cli.seating:_check_option", "cli.seating:_setting", "cli.seating:new_game"),
    ),
}
"""By what is decoded."""

OURS: dict[str, tuple[str, ...]] = {
    "what this build or this machine wrote, no one else": (
        "api.admission.quotas:Refilled.headers",
        "api.http.contract:Deprecated.headers",
        "api.readings.guides:example_states",
        "api.reviews.puzzles:_puzzle_view",
        "puzzles.kept:shipped",
        "cli.commands.operator.chat:_Message.convert",
        "api.openapi.__init__:as_yaml",
        "api.openapi.__init__:document",
        "api.openapi.committed:_listing",
        "api.openapi.committed:changes_of",
        "api.openapi.examples:BY_RULESET",
        "api.openapi.committed:file_schema",
        "cli.bench.processors:_process",
        "cli.bench.processors:busy_seconds",
        "cli.bench.processors:tree",
        "cli.bench.server:served",
        "cli.play.here:at_home",
        "cli.play.here:at_one_terminal",
        "cli.play.hand:Hand.sheet",
        "cli.play.hand:Hand._written",
        "cli.servers:kept",
        "cli.records.results:_proof",
        "cli.records.onlooker:Onlooker.__init__",
        "cli.doctor.examination:_settings",
        "projections.reviews:named_hints",
        "projections.reviews:with_names",
        "server.children.reviews:_Carried._computed",
        "server.children.reviews:Hints.__call__",
        "events.embedded.watchdog:_locked",
        "events.embedded.watchdog:dying_with_us",
        "events.embedded.server:major",
        "events.embedded.server:major_of",
        "events.embedded.upgrade:_programs",
        "events.postgres.stores.keys:revoke",
        "events.postgres.stores.keys:rotate",
        "events.postgres.migrate:migration_of",
        "events.cluster.nodes:Shard.shard_number",
        "events.cluster.spread:SpreadLog.revocations",
        "api.admission.house:opponent",
        "api.messages.webhooks:test_webhook",
        "server.children.house:_Tokens.__init__",
        "server.children.house:_Tokens.token_for",
        "server.children.house:_let_bots_play",
        "server.children.house:_seed",
        "server.children.house:HouseCounts.set_activity",
        "server.children.painting:PaintingProcess._told",
        "projections.pictures.painting:main",
        "server.worker:main",
    ),
    "what was decoded before: an event of the log, of a rule set, or of what was checked on its way in": (
        "api.admission.access:_bring",
        "api.pending:announced",
        "api.admission.series:SeriesDesk.tables",
        "api.operations.series:_at_seat",
        "api.operations.series:_view",
        "projections.proof.series:_own_entropy",
        "projections.proof.series:series_fault",
        "api.readings.proof:proof_of",
        "api.streams.game:Presence.seats",
        "api.streams.player:Turns._show",
        "cli.records.audit:_sentences",
        "cli.proof.moments:_moments",
        "cli.proof.moments:moments",
        "cli.replay.stage:differences",
        "cli.replay.story:Story._lines_after",
        "cli.replay.story:Story.view",
        "cli.seating:_possible_seats",
        "events.postgres.connections:PostgresConnections.__init__",
        "events.postgres.stores.game_index:PostgresGames.games",
        "events.postgres.stores.game_index:GameRow.game",
        "events.postgres.stores.game_index:PostgresGames.size",
        "events.cluster.answers:SpreadAnswers._rows",
        "events.postgres.appending:minute",
        "events.cluster.answers:_bytea",
        "events.store.redaction:Onlooking.legible",
        "events.store.standing:_leavers",
        "events.store.standing:row",
        "events.store.standing:rows",
        "events.store.standing:tenures",
        "projections.statistics.ratings:rated",
        "events.memory.game_index:_decisions",
        "referee.scheduler:answer",
        "referee.receipts:Receipts._undone",
        "api.operations.branches:open_branch",
        "library.record:recorded_game",
        "library.saving:saved",
        "library.steps:game_numbered",
        "library.steps:named",
        "library.state:State.__repr__",
        "server.connections:Connections.__init__",
        "server.connections:_among",
    ),
    "what the HTTP parser or a pattern lets through": (
        "api.admission.rates:RateLimits.__init__",
        "api.readings.ratings:_place",
        "api.telling.tables:bookmark_of",
        "api.http.received:content",
        "cli.proof.importing:_proven",
        "projections.proof.proof:verify",
        "cli.commands.operator.serve:_most_open",
        "cli.replay.application:ReplayApp._jump",
    ),
    "figures of drawings": (
        "projections.svg.grids:_laid_out",
        "projections.svg.marks:short",
        "projections.svg.pieces:signs",
        "projections.svg.ring:_inside_table",
        "projections.svg.ring:_middle",
        "projections.svg.tracks:_numbered",
        "projections.terminal.panels:_columns",
        "projections.terminal.panels:_short_columns",
        "projections.charts.drawing:_draw_keys",
        "projections.charts.drawing:_mark_expected",
    ),
}
"""By the reason why it never comes from outside."""
