"""What every log can do. Two keep it: `postgres.PostgresLog` for play, `memory.MemoryLog` for simulation."""

from collections.abc import AsyncGenerator, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Literal, NamedTuple, Protocol
from uuid import UUID, uuid4

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from mcmulti.domain.core.setup import IfLeft
from mcmulti.domain.core.table import Status
from mcmulti.events.log.envelope import Head, Recorded
from mcmulti.events.log.signing import SigningKey
from mcmulti.events.log.snapshot import Snapshot

ABANDONED = timedelta(days=30)
"""How long a game that is not over counts as open."""
OUTAGE = timedelta(seconds=5)
"""For how long nobody may keep time before it is given back."""
BEAT = timedelta(seconds=2)
"""How long ago it is noted at most, while somebody does, that somebody keeps time."""
SEATS = 1000
"""How many of a player's seats are looked at to find open games, the latest first."""


class LogError(Exception):
    """The log cannot do what it was asked."""


class Conflict(LogError):
    """The game's head is not where the writer thought: somebody else appended first. Nothing was written."""


class UnknownGame(LogError):
    """There is no game of this id."""


class DamagedGame(LogError):
    """What the log holds of a game is not what was appended to it: a row was changed, lost or put there."""

    def __init__(self, game_id: UUID, fault: str) -> None:
        super().__init__(f"the log of game {game_id} is damaged: {fault}")
        self.game_id = game_id
        self.fault = fault


class NameTaken(LogError):
    """Another player bears this name already, or one that looks like it."""


class UnknownPlayer(LogError):
    """There is no player of this id, or not any more."""


class LastToken(LogError):
    """Without this token nobody could make others for its player."""


class UnknownToken(LogError):
    """The player has no such token, or not any more."""


class LogUnavailable(LogError):
    """The place that keeps the log does not answer; the same call may go through later."""


class TableRow(Struct, frozen=True):
    """Where a game stands, as far as it is asked of many games at once: kept beside the events, and made of them.

    `players` is who sits where, by seat; `to_move` are the seats that the game waits for, `turn` is the number of its
    turn.
    `winners`, and the rule that it was `ended_by`, are None until it is over.
    `deadline` is when it goes on without those it waits for: None if it waits as long as it takes. It is unset where an
    append leaves it as it was.
    `banks`: the seconds that each seat had left besides when the game began to wait for those it waits for; empty where
    there are none.
    `if_left` is what becomes of seats that are left, which never changes. `leavers`: who of those that the game began
    with left it, by seat, with None for who stayed; empty if nobody did. Who comes back has left all the same.
    """

    status: Status
    players: tuple[UUID | None, ...] = ()
    to_move: tuple[int, ...] = ()
    turn: int = 0
    winners: tuple[int, ...] | None = None
    ended_by: str | None = None
    deadline: datetime | UnsetType | None = UNSET
    banks: tuple[int, ...] = ()
    if_left: IfLeft = "substitute"
    leavers: tuple[UUID | None, ...] = ()

    def behind(self, before: "TableRow | None") -> "TableRow":
        """The same with the deadline that there is now; `before`: where the game stood."""
        if not isinstance(self.deadline, UnsetType):
            return self
        return replace(self, deadline=None if before is None else before.deadline)


class Access(Struct, frozen=True):
    """Who sees a table in lists, and who may sit down at it. It is kept beside the events: no rule knows of it.

    `listed`: everybody sees it; otherwise who opened it, who sits there and who is `invited`. `closed`: only these, and
    whoever knows its code, may sit down. `code_hash` is SHA-256 of that, None if there is none. `asked_hash` is SHA-256
    of what the opener asked for, None if that was nothing. `rematch_of` is the game that it repeats. `bots`: for how
    many of its seats, the last ones, it asks for bots. `rated`: whether it counts for ratings, to which whoever sits
    down agrees.

    What changes later is who is invited and the code, by `Log.change_access`.
    """

    listed: bool = True
    closed: bool = False
    invited: tuple[UUID, ...] = ()
    code_hash: bytes | None = None
    asked_hash: bytes | None = None
    rematch_of: UUID | None = None
    bots: int = 0
    rated: bool = False


FOR_ALL = Access()


ListOrder = Literal["opened", "moved"]
"""By what lists of games are ordered: when they were opened, or when they moved last; the latest first."""


class Bookmark(NamedTuple):
    """Where a list goes on: behind the game of this id, which was opened, or had moved, at this moment.

    Where games move meanwhile, a list by last move still has every one that did not, once: those that do move come
    before the mark.
    """

    at: datetime
    game_id: UUID


class Game(NamedTuple):
    """A game as the log lists it. Its last event is of `moved_at`."""

    game_id: UUID
    ruleset: str
    version: int
    standing: TableRow
    head: Head
    created_at: datetime
    moved_at: datetime
    opened_by: UUID | None = None
    access: Access = FOR_ALL

    def is_seen_by(self, player_id: UUID | None) -> bool:
        """Whether it stands in the lists of a player; None: of who says no name. `postgres` asks the same in SQL."""
        access = self.access
        return access.listed or (
            player_id is not None and (player_id in self.standing.players or self.expects(player_id))
        )

    def expects(self, player_id: UUID) -> bool:
        """Whether a player may sit down without a code where others need one: who opened it, and who is invited."""
        return player_id == self.opened_by or player_id in self.access.invited

    @property
    def asks_for_bots(self) -> tuple[int, ...]:
        """The free seats that it asks for bots on; none once it has begun."""
        if not self.access.bots or self.standing.status != "open":
            return ()
        players = self.standing.players
        asked = range(max(0, len(players) - self.access.bots), len(players))
        return tuple(seat for seat in asked if players[seat] is None)

    @property
    def status(self) -> Status:
        """``open``, ``running`` or ``finished``."""
        return self.standing.status

    @property
    def deadline(self) -> datetime | None:
        """When the game goes on without those it waits for; None if it waits as long as it takes."""
        return self.standing.deadline or None

    def mark(self, order: ListOrder = "opened") -> Bookmark:
        """Where a list in this order stands behind the game."""
        return Bookmark(self.created_at if order == "opened" else self.moved_at, self.game_id)


class Sought(Struct, frozen=True):
    """What somebody looks for by a text: games at which one of these players sits, or whose id begins so.

    `begins`: hexadecimal digits of an id, without its hyphens; "" if the text is no part of one.
    """

    players: tuple[UUID, ...] = ()
    begins: str = ""

    def fits(self, game: "Game") -> bool:
        """Whether either is true of a game."""
        of_id = bool(self.begins) and game.game_id.hex.startswith(self.begins)
        return of_id or not set(self.players).isdisjoint(game.standing.players)


class GamesWanted(Struct, frozen=True):
    """Which games are listed: those that everything given is true of.

    `game_ids`: it is one of these. `player_ids`: all of them sit there. `free`: it has not begun, and a seat is free.
    `asks`: it waits for this player, and runs. `invited`: this player is invited by name, does not sit there, and
    `free`. `seen_by`: it stands in the lists of this player, or in those of everybody (None); unset, whoever may see
    it. `left`: it runs, and has an empty seat, of which the table agreed that this becomes of it. `named`: it is
    found so. `bots`: it has not begun, and asks for a bot on a free seat.
    """

    status: Status | None = None
    ruleset: str | None = None
    player_ids: tuple[UUID, ...] = ()
    free: bool = False
    asks: UUID | None = None
    invited: UUID | None = None
    seen_by: UUID | UnsetType | None = UNSET
    left: IfLeft | None = None
    game_ids: tuple[UUID, ...] | None = None
    named: Sought | None = None
    bots: bool = False

    def fits(self, game: Game) -> bool:
        """Whether all of it is true of a game."""
        stands = game.standing
        return (
            (self.game_ids is None or game.game_id in self.game_ids)
            and self.status in (None, stands.status)
            and self.ruleset in (None, game.ruleset)
            and (self.named is None or self.named.fits(game))
            and (not self.bots or bool(game.asks_for_bots))
            and set(stands.players).issuperset(self.player_ids)
            and (not (self.free or self.invited) or (stands.status == "open" and None in stands.players))
            and (self.invited is None or (self.invited in game.access.invited and self.invited not in stands.players))
            and (isinstance(self.seen_by, UnsetType) or game.is_seen_by(self.seen_by))
            and (
                self.left is None
                or ((stands.status, stands.if_left) == ("running", self.left) and None in stands.players)
            )
            and (
                self.asks is None
                or (stands.status == "running" and self.asks in [stands.players[seat] for seat in stands.to_move])
            )
        )


ALL_GAMES = GamesWanted()


class Ended(NamedTuple):
    """When a game ended, by the log's own clock, or by the last event of a game that was played elsewhere."""

    at: datetime
    game_id: UUID


class RatedGame(NamedTuple):
    """What ratings take of a game that was opened as rated and is over; `ended` puts it into its order.

    `starters`: who the game began with, by seat. `leavers`: who of them left, by seat, or empty. `winners`: the seats
    that won. `decisions`: how many commands each starter sent on its seat, but for those that decide
    nothing; by post, for how many rounds its orders were in.
    """

    ended: Ended
    ruleset: str
    starters: tuple[UUID | None, ...]
    leavers: tuple[UUID | None, ...]
    winners: tuple[int, ...]
    decisions: tuple[int, ...]


def starters_of(players: tuple[UUID | None, ...], leavers: tuple[UUID | None, ...]) -> tuple[UUID | None, ...]:
    """Who a game began with, by seat, of who sits there now and who left."""
    left = leavers or (None,) * len(players)
    return tuple(gone or there for gone, there in zip(left, players, strict=True))


GameResult = Literal["won", "shared", "lost", "left", "off"]
"""What a game came to for who played it: ``shared`` is won with others, ``off`` is called off."""


class TenureRow(Struct, frozen=True):
    """That a player played a game: kept beside the events, and made of them.

    `against` is who else has played it by then. `began_at`: when the game started, or the player came as a
    `substitute`. `result` is None while it sits at a game that runs. `missed` counts deadlines that it let pass,
    `resigned` and `vacated` how often it left, of itself or for having missed too many.

    In an append, what changes: then `began_at` is None for who played before, and what is counted comes to what was.
    """

    player_id: UUID
    ruleset: str
    against: tuple[UUID, ...] = ()
    began_at: datetime | None = None
    substitute: bool = False
    result: GameResult | None = None
    missed: int = 0
    resigned: int = 0
    vacated: int = 0

    def then(self, later: "TenureRow") -> "TenureRow":
        """What is so when this changes."""
        return replace(
            later,
            began_at=self.began_at or later.began_at,
            substitute=self.substitute or later.substitute,
            missed=self.missed + later.missed,
            resigned=self.resigned + later.resigned,
            vacated=self.vacated + later.vacated,
        )


class Question(NamedTuple):
    """When a question to a seat in another's turn is answered, and whether an instruction may still answer it."""

    answer_at: datetime
    open: bool


class DueGame(NamedTuple):
    """A game whose deadline has come, and when."""

    at: datetime
    game_id: UUID


class Pool(NamedTuple):
    """How many connections a log has and does not use, how many it uses, and how many calls wait for one."""

    idle: int
    used: int
    waiting: int


Kind = Literal["human", "bot"]
"""What a player says it is."""


class Player(NamedTuple):
    """Somebody who may sit down at games; one with an empty `name` was erased.

    `origin`: the same for all players who registered at one address, None if that is not known. Only `players` has it.
    """

    player_id: UUID
    name: str
    kind: Kind = "human"
    origin: bytes | None = None


Scope = Literal["read", "play", "account"]
"""What a token allows: to read as its player, to play, to make and revoke tokens."""


class Token(NamedTuple):
    """What a player's token allows. It is valid until `expires_at`, or forever; `used_at` is true to the hour.

    `parent_id`: the token that made it, with which it is revoked; None for one that no token made.
    """

    token_id: UUID
    name: str
    scopes: tuple[Scope, ...]
    created_at: datetime
    expires_at: datetime | None = None
    used_at: datetime | None = None
    parent_id: UUID | None = None

    def covers(self, other: "Token") -> bool:
        """Whether it allows all that another one allows, for as long."""
        lasts = self.expires_at is None or (other.expires_at is not None and other.expires_at <= self.expires_at)
        return lasts and set(other.scopes) <= set(self.scopes)


Action = Literal["erase", "replace_owner_token"]
"""What takes two steps, because nothing brings it back."""


class Pending(NamedTuple):
    """What a player announced: it can be done from `due` on, and with this token only."""

    action: Action
    token_id: UUID
    due: datetime


class Holder(NamedTuple):
    """Who holds a token, and what the player announced."""

    player: Player
    token: Token
    pending: Pending | None = None


class Receipt(NamedTuple):
    """That a request was answered, kept under the client's idempotency key with the events it led to.

    ``request_hash`` is SHA-256 over the request. Its events are those behind ``after``, up to ``seq``: where the game
    stood when the answer was given, so that it can be told again.
    """

    player_id: UUID
    key: str
    request_hash: bytes
    after: int
    seq: int


class Log(Protocol):
    """Append-only and ordered within a game. Every method that waits may raise `LogUnavailable`.

    Games may live on several nodes, each of which may be away while the others answer. What asks all of them for games
    raises `LogUnavailable` then; given a set as `away`, it puts the names of those nodes there and tells of the others.
    """

    async def create(
        self,
        game_id: UUID,
        ruleset: str,
        version: int,
        standing: TableRow,
        secret: bytes,
        events: Sequence[Recorded],
        opened_by: UUID | None = None,
        access: Access = FOR_ALL,
        *,
        tenures: Sequence[TenureRow] = (),
    ) -> None:
        """Open a game: its first events, at least one, and the secret (32 bytes) that its dice come from.

        A game that was played elsewhere comes with all its events, and who played it; nobody opened it here.
        The game's ``created_at`` is the moment of its first event. Raises `Conflict` if the id is taken.
        """

    async def append(
        self,
        game_id: UUID,
        expected: Head,
        events: Sequence[Recorded],
        standing: TableRow,
        receipt: Receipt | None = None,
        *,
        reseated: bool = False,
        tenures: Sequence[TenureRow] = (),
    ) -> None:
        """Put events behind `expected`, with where the game stands then and the receipt, all or nothing.

        `reseated`: whether others sit there than before. `tenures`: what changes in who plays; without events, and
        `reseated`, they are all there is.
        Raises `Conflict` if the head is elsewhere or the receipt's key was used meanwhile, and `UnknownGame`.
        After `LogUnavailable`, and where the call was cancelled, the outcome may be unknown: read the head or the
        receipt before trying again.
        """

    async def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> list[Recorded]:
        """The events with a seq above `after`, in order. Empty for an unknown game."""

    async def size(self) -> int:
        """How many events the log holds."""

    def node_of(self, game_id: UUID) -> int:
        """The node that a game lives on; 0 where there is one only."""

    def nodes_away(self) -> Sequence[str]:
        """The names of nodes that are known not to answer, where there are several."""

    async def game(self, game_id: UUID) -> Game:
        """One game; raises `UnknownGame`."""

    async def heads(self, game_ids: Sequence[UUID]) -> dict[UUID, Head]:
        """Where these games stand, in one query; a game that is not there is missing."""

    async def games(
        self,
        limit: int,
        before: Bookmark | None = None,
        wanted: GamesWanted = ALL_GAMES,
        away: set[str] | None = None,
        order: ListOrder = "opened",
    ) -> list[Game]:
        """Games in an order, the latest first, at most `limit`, from behind `before` on."""

    async def change_access(self, game_id: UUID, before: Access, after: Access) -> None:
        """Let others be invited to a game, and another code do, if `before` is what there is now.

        Raises `Conflict` if it is not, or there is no such game.
        """

    async def open_games(self, player_id: UUID) -> set[UUID]:
        """The games that are not over and that a player opened or sits at.

        Those that were opened longer than `ABANDONED` ago do not count, and of seats the latest `SEATS` are looked at.
        """

    async def unfinished(self, game_ids: Sequence[UUID]) -> set[UUID]:
        """Which of these games are not over, and were opened no longer than `ABANDONED` ago."""

    async def due(self, now: datetime, limit: int, away: set[str] | None = None) -> list[DueGame]:
        """Games whose deadline has come by `now`, the earliest first, at most `limit`."""

    async def ask(self, game_id: UUID, question: Question) -> None:
        """Note when a question is answered that a game is about to ask of a seat in another's turn."""

    async def question(self, game_id: UUID) -> Question | None:
        """When the last question is answered that a game asked of a seat in another's turn."""

    async def unanswered(self, until: datetime, limit: int) -> list[DueGame]:
        """Games whose question is to be answered by `until`, and is open, the earliest first, at most `limit`."""

    async def close_question(self, game_id: UUID, question: Question) -> None:
        """No instruction answers this question any more, if it is still the last one of the game."""

    async def keep_time(self) -> timedelta:
        """Note that somebody keeps time; gives back what nobody did, longer than `OUTAGE`, and says how long that was.

        Every deadline that was still to come then moves by it, once, however many servers come back together.
        """

    async def ended(self, player_id: UUID, after: Ended, limit: int, away: set[str] | None = None) -> list[Ended]:
        """Games of a player that ended behind `after`, the earliest first, at most `limit`.

        A game may come to be seen later than it ended: as long as its append took.
        """

    async def rated(self, after: Ended, limit: int) -> list[RatedGame]:
        """Rated games that ended behind `after`, the earliest first, at most `limit`; seen as late as by `ended`."""

    async def tenures_of(self, player_id: UUID, limit: int, away: set[str] | None = None) -> list[TenureRow]:
        """What a player played, the latest first, at most `limit` games; nothing of one that was erased."""

    async def tenures_at(self, game_id: UUID) -> list[TenureRow]:
        """Who played a game, in any order; those who were erased are missing."""

    async def now(self) -> datetime:
        """What time it is by the log's own clock."""

    async def secret(self, game_id: UUID) -> bytes:
        """The 32 bytes the game's dice come from; raises `UnknownGame`."""

    async def signing_key(self, new: bytes) -> bytes:
        """The seed (32 bytes) of the key that signs heads now: `new` if there was none yet."""

    async def signer(self, new: bytes) -> SigningKey:
        """The key that signs heads now, with the statements of all keys there were; as `signing_key`."""

    async def receipt(self, game_id: UUID, player_id: UUID, key: str) -> Receipt | None:
        """What was answered to this player under this key."""

    async def snapshot(self, game_id: UUID, until: int, shape: bytes) -> Snapshot | None:
        """The latest snapshot of this shape, of event `until` at most; None if there is none."""

    async def keep_snapshots(self, game_id: UUID, snapshots: Sequence[Snapshot]) -> None:
        """Keep snapshots; nothing happens where there is one already. The log may lose them at any time."""

    async def drop_snapshots(self, game_id: UUID) -> None:
        """Throw away all snapshots of a game."""

    async def add_player(self, player: Player, token: Token, token_hash: bytes) -> None:
        """Register a player with a first token, kept under its hash; raises `NameTaken`."""

    async def player(self, player_id: UUID) -> Player | None:
        """The player of this id, erased or not."""

    async def players_called(self, names: Sequence[str]) -> dict[str, Player]:
        """The players of these names, whatever their case, in one query; one that nobody bears is missing."""

    async def players_found(self, text: str, limit: int) -> list[UUID]:
        """Players of whose names each word of a text begins a word, visitors too, those of the shortest names first.

        Words are compared as names are: look-alikes are the same. A text without a word finds nobody.
        """

    async def names(self, player_ids: Sequence[UUID]) -> dict[UUID, str]:
        """What these are called, in one query; who has no name, or is not known here, is missing.

        Of those that never registered here it is what `keep_names` said last.
        """

    async def rename(self, player_id: UUID, name: str) -> None:
        """Give a player another name; the old one is free. Raises `NameTaken` and `UnknownPlayer`."""

    async def erase(self, player_id: UUID, announced: Pending | None = None) -> list[bytes]:
        """Forget a player's name, which is free then, and what it played, and revoke all tokens; the hashes of these.

        The id stays known, and nobody can be registered under it. Nothing happens to whom was erased before. Raises
        `Conflict` if something was `announced` and is not pending any more.
        """

    async def announce(self, player_id: UUID, pending: Pending | None) -> None:
        """Keep what a player announced, in place of what was pending; None cancels it. Raises `UnknownPlayer`, and
        `UnknownToken` if its token was revoked."""

    async def keep_names(self, names: Mapping[UUID, str]) -> None:
        """What players are called who sat at games that were played elsewhere, for those who never registered here."""

    async def players(self, player_ids: Sequence[UUID]) -> dict[UUID, Player]:
        """These players, in one query; one that is not registered is missing."""

    async def add_token(self, player_id: UUID, token: Token, token_hash: bytes) -> None:
        """Give a player a further token; raises `Conflict` if there is one of this hash already, and `UnknownToken` if
        the one that made it was revoked."""

    async def holder(self, token_hash: bytes) -> Holder | None:
        """Who holds the token with this hash, be it expired or not; None if nobody does, or if it was revoked."""

    async def tokens(self, player_id: UUID) -> list[Token]:
        """The tokens of a player that were not revoked, in the order in which they were made."""

    async def revoke_tokens(self, player_id: UUID, token_ids: Collection[UUID]) -> list[bytes]:
        """Revoke these of a player's tokens, all that they made, and what was announced with them; the hashes.

        Raises `LastToken`, see `doomed`.
        """

    async def replace_owner(self, player_id: UUID, announced: Pending) -> list[bytes]:
        """Revoke all tokens of a player but the one of this announcement, which no token made from now on; the hashes.

        Raises `Conflict` if it is not pending any more.
        """

    async def use_token(self, token_id: UUID, at: datetime) -> None:
        """A token was used."""

    def revocations(self) -> AsyncGenerator[bytes | UUID | None, None]:
        """What is not true any more from now on: the hash of a token that is revoked, or the id of a player who is
        called otherwise; and None at least once a second while there is nothing.

        The first item is None: from there on none is missed. Raises `LogUnavailable`, also where none can be told.
        """

    def pool(self) -> Pool:
        """What the connections to the database are doing."""

    async def ready(self) -> None:
        """Return when the log answers; raise `LogUnavailable` when it does not."""


def doomed(tokens: Iterable[Token], token_ids: Collection[UUID]) -> set[UUID]:
    """Which of a player's tokens are revoked with these: those among them, and all that they made.

    Raises `LastToken` if the player would keep none that makes tokens forever, and has one.
    """
    known = {token.token_id: token for token in tokens}
    found = known.keys() & set(token_ids)
    while more := {one.token_id for one in known.values() if one.parent_id in found} - found:
        found |= more
    lasting = {token.token_id for token in known.values() if token.expires_at is None and "account" in token.scopes}
    if found & lasting == lasting != set():
        raise LastToken("no other token of the player makes tokens forever")
    return found


def first_token(now: datetime) -> Token:
    """What a player registers with: it allows everything, for ever."""
    return Token(uuid4(), "first", ("read", "play", "account"), now)


async def called(log: Log, players: Iterable[str]) -> dict[str, str]:
    """What players are called, by id, as far as the log knows; a game from elsewhere may have ids that are none."""
    ids = set()
    for player in players:
        with suppress(ValueError):
            ids.add(UUID(player))
    return {str(player): name for player, name in (await log.names(list(ids))).items()} if ids else {}
