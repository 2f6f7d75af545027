"""Tables: the common part of all games, the same for everybody."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Literal
from uuid import UUID, uuid5

from msgspec import UNSET, Meta, Struct, UnsetType

from mcmulti.api.admission.house import Level
from mcmulti.domain.core.capabilities.leaving import IfLeft
from mcmulti.domain.core.capabilities.rating import companion_number
from mcmulti.domain.core.figures import Count, RuleId, RulesetName, Seat, Seats, Seconds
from mcmulti.domain.core.table import HOUSE, Called
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.item import Hash, Seq, Timestamp
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Kind
from mcmulti.events.ports.chat import ChatRoom
from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.ports.game_index import Bookmark, Game, TableRow
from mcmulti.events.ports.log import Log
from mcmulti.events.store.lru_cache import LruCache
from mcmulti.events.store.standing import row_of

if TYPE_CHECKING:  # exported pages have tables, too, but no server, whose imports take longest
    from mcmulti.api.telling.names import NameBook
    from mcmulti.referee.referee import Referee

PLAYERS = 10_000
"""The number of players whose kind is cached."""
REMATCHES = 10_000
"""The number of games whose rematch is cached."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TICK = timedelta(microseconds=1)

NO_REMATCHES: Mapping[UUID, UUID] = {}

VISIBLE = r"[^\x00-\x20\x7f]"
"""Any character but spaces and controls of ASCII, so that clients in all languages read the pattern, and agree with
servers. Names without a visible character beyond ASCII are refused as `unprintable_name`.
"""
Name = Annotated[str, Meta(min_length=1, max_length=40, pattern=VISIBLE, description="Printable characters only.")]
Cursor = Annotated[
    str,
    Meta(
        pattern="^[0-9]{1,17}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
        description="Start of the next page. Use the value as received.",
    ),
]
Now = Annotated[Seats, Meta(description="The seats that the game is waiting for.")]
ChatRooms = Annotated[tuple[ChatRoom, ...], Meta(max_length=2, description="Rooms of the chat of a table.")]
BotSeats = Annotated[Seats, Meta(description="The free seats for which a table wants bots.")]


SeatState = Annotated[
    Literal["free", "taken", "companion", "house", "vacant", "reserved", "closed"],
    Meta(
        description="State of a seat. `free` before the start. `taken` by a player. `companion`: by a person at the"
        " device of the player who opened the table; their number is the last digit of `player`. `house`: a house bot"
        " plays on for a player who left. `vacant`: left, and anyone without a seat may take it. `reserved`: left, for"
        " a house bot or the player who left. `closed`: left, and nobody may take it."
    ),
]


class TableSeat(Struct, frozen=True):
    """A seat of a table: its player, null if it is empty. `kind`: what its player claims to be.

    `bank`: seconds that it can use in addition to those for its moves, once for the whole game; null without a clock.
    While the game waits for the seat, it is the value from when that began: the table's `deadline` includes it already.
    """

    seat: Seat
    player: UUID | None
    name: Name | None
    kind: Kind | None
    bank: Seconds | None
    state: SeatState


class HouseBotSeat(Struct, frozen=True):
    """A free seat for which a table asks for a bot of the server, and the `level` at which it will play."""

    seat: Seat
    level: Level


class TableOutcome(Struct, frozen=True):
    """How a game ended: the seats that won, and the rule that it ended by."""

    winners: Seats
    rule: RuleId


class TableView(Struct, frozen=True):
    """The common part of all games, the same for everybody. It is true of event `seq`.

    `to_move`: the seats the game waits for. `turn`: the number of the turn, 0 before the first. `deadline`: when it
    goes on without them; null if there is no limit, and in the past. `outcome`: null until the game is over.
    `opened_by`: null if it was played elsewhere. `moved_at`: when event `seq` was recorded. `listed`: whether it is in
    everybody's lists. `closed`: whether only invited players may sit down. `bots`: the free seats for which it asks for
    bots; none once it has begun. `house_bots`: the same for bots of the server. `rated`: whether it counts for ratings,
    to which all who sit down agree. `practice`: whether it counts for no rating and no record. `rematch`: the game in
    which the same people play again, null until there is one, and in the past. `rematch_of`: the game that this one
    repeats. `chat`: the rooms of its chat, if its opener wanted one.
    """

    game: UUID
    ruleset: RulesetName
    version: Count
    status: Literal["open", "running", "finished"]
    seats: tuple[TableSeat, ...]
    to_move: Now
    turn: Count
    deadline: Timestamp | None
    outcome: TableOutcome | None
    opened_by: UUID | None
    listed: bool
    closed: bool
    bots: BotSeats
    house_bots: tuple[HouseBotSeat, ...]
    rated: bool
    practice: bool
    rematch: UUID | None
    rematch_of: UUID | None
    created_at: Timestamp
    moved_at: Timestamp
    seq: Seq
    hash: Hash
    chat: ChatRooms | UnsetType = UNSET


class Tables:
    """Makes tables from the log's games, with the names of their players."""

    def __init__(self, log: Log, referee: "Referee", names: "NameBook") -> None:
        self._log = log
        self._referee = referee
        self._names = names
        self._kinds: LruCache[UUID, Kind] = LruCache(PLAYERS)
        self._rematches: LruCache[UUID, UUID] = LruCache(REMATCHES)

    def forget(self) -> None:
        """The log went back: known rematches may be gone."""
        self._rematches.clear()

    async def rematches(self, games: Sequence[UUID]) -> dict[UUID, UUID]:
        """The rematches of finished games; missing if there is none.

        If the log cannot answer now, they are missing too, and the games themselves are still returned.
        """
        unknown = {rematch_id(game): game for game in games if self._rematches.get(game) is None}
        if unknown:
            with suppress(LogUnavailable):
                for found in await self._log.heads([*unknown]):
                    self._rematches.put(unknown[found], found)
        return {game: rematch for game in games if (rematch := self._rematches.get(game)) is not None}

    async def summaries(self, games: Sequence[Game]) -> tuple[TableView, ...]:
        """The tables of games for lists. Raises `LogUnavailable`."""
        players = {str(player) for game in games for player in game.standing.players if player}
        called = (await self._names.lookup(tuple(sorted(players)))).called
        rematches = await self.rematches([game.game_id for game in games if game.status == "finished"])
        return await self._table_views(games, called, rematches)

    async def called(self, position: Position) -> Called:
        """The names at a table. Raises `LogUnavailable`."""
        return (await self._names.lookup(position.state.everybody)).called

    async def current(self, position: Position, called: Called, rematch: UUID | None) -> tuple[Position, TableView]:
        """The table of a game at this position, or later, and the position. Raises like `GameReader.position`."""
        position, game = await self._referee.logged(position)
        return position, (await self._table_views((game,), called, {} if rematch is None else {game.game_id: rematch}))[
            0
        ]

    async def present(self, game_id: UUID) -> TableView:
        """The current table of a game. Raises like `GameReader.position`."""
        _, game = await self._referee.logged(await self._referee.known(game_id))
        return (await self.summaries((game,)))[0]

    async def at(
        self,
        position: Position,
        called: Called | None = None,
        *,
        events: Sequence[Recorded] = (),
        past: bool = False,
    ) -> TableView:
        """The table of a game at a position, or of a trial: `events` led there, if they are known.

        If the game is still there, it is the current table, unless the `past` is requested.
        """
        _, game = await self._referee.logged(position)
        if past or game.head != position.head:
            last = (events or await self._referee.events_of(position, position.head.seq - 1))[-1]
            stood = row_of(position.ruleset, position.state, game.standing.ended_by, None)
            game = game._replace(standing=stood, head=position.head, moved_at=last.recorded_at)
        if called is None:
            called = (await self._names.lookup(position.state.everybody)).called
        return (await self._table_views((game,), called))[0]

    async def _table_views(
        self, games: Sequence[Game], called: Called, rematches: Mapping[UUID, UUID] = NO_REMATCHES
    ) -> tuple[TableView, ...]:
        kinds = await self.kinds({player for game in games for player in game.standing.players if player})
        return tuple([table(game, called, kinds, rematches.get(game.game_id)) for game in games])

    async def kinds(self, players: Collection[UUID]) -> Mapping[UUID, Kind]:
        """The kinds of these players; players who never registered here are missing. Raises `LogUnavailable`."""
        kinds = self._kinds.find(players)
        missing = [] if len(kinds) == len(players) else [player for player in players if player not in kinds]
        if missing:
            for player_id, player in (await self._log.players(missing)).items():
                kinds[player_id] = self._kinds.put(player_id, player.kind)
        return kinds


def cursor_of(mark: Bookmark) -> str:
    """A bookmark as an opaque cursor for clients."""
    return f"{(mark.at - _EPOCH) // _TICK}-{mark.game_id}"


def bookmark_of(cursor: str) -> Bookmark:
    """The inverse of `cursor_of`, for cursors from clients."""
    ticks, _, game_id = cursor.partition("-")
    return Bookmark(_EPOCH + int(ticks) * _TICK, UUID(game_id))


def opened_under(player_id: UUID, key: str) -> UUID:
    """The id of the game that a player opens under an idempotency key."""
    return uuid5(player_id, key)


def rematch_id(game: UUID) -> UUID:
    """The id of the rematch of a game, whether it exists or not: so there is only one, whoever asks for it."""
    return uuid5(game, "rematch")


def table(game: Game, called: Called, kinds: Mapping[UUID, Kind | None], rematch: UUID | None = None) -> TableView:
    """The table of a game, with the players' names and kinds, as far as they are known."""
    stands = game.standing
    return TableView(
        game.game_id,
        game.ruleset,
        game.version,
        stands.status,
        tuple([_table_seat(stands, seat, called, kinds) for seat in range(len(stands.players))]),
        stands.to_move,
        stands.turn,
        stands.deadline or None,
        None if stands.winners is None or stands.ended_by is None else TableOutcome(stands.winners, stands.ended_by),
        game.opened_by,
        game.access.listed,
        game.access.closed,
        game.asks_for_bots,
        tuple([HouseBotSeat(*asked) for asked in game.asks_for_house_bots]) if game.access.house_bots else (),
        game.access.rated,
        stands.practice,
        rematch,
        game.access.rematch_of,
        game.created_at,
        game.moved_at,
        game.head.seq,
        game.head.hash.hex(),
        game.access.chat or UNSET,
    )


def _table_seat(stands: TableRow, seat: int, called: Called, kinds: Mapping[UUID, Kind | None]) -> TableSeat:
    player, bank = stands.players[seat], stands.banks[seat] if stands.banks else None
    if player is None:
        state = _EMPTY.get(stands.status) or _LEFT[stands.if_left]
        return TableSeat(seat, None, None, None, bank, state)
    name = str(player)
    state = "house" if name in HOUSE else "taken"
    if stands.practice and companion_number(name):
        state = "companion"
    return TableSeat(seat, player, called.get(name), kinds.get(player), bank, state)


_EMPTY: dict[str, SeatState] = {"open": "free", "finished": "closed"}
"""The state of an empty seat before the start and after the end."""
_LEFT: dict[IfLeft, SeatState] = {"substitute": "vacant", "bot": "reserved", "sold": "closed", "passes": "closed"}
