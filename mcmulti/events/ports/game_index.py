"""The index of games: where each stands, who may sit down, how it ended, and who played it."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal, NamedTuple, Protocol
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.leaving import IfLeft
from mcmulti.domain.core.course.tenure import GameResult
from mcmulti.domain.core.table import Status
from mcmulti.events.log.envelope import Head

ABANDONED = timedelta(days=30)
"""How long a game that is not over counts as open."""
SEATS = 1000
"""How many of a player's seats are looked at to find open games, the latest first."""


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
    `practice`: whether the game counts for no rating and no record, which never changes.
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
    practice: bool = False

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
    many of its seats it asks for bots. `rated`: whether it counts for ratings, to which whoever sits down agrees.
    `house_bots`: the levels of bots of the server that it asks for on the last seats, by seat; the seats for `bots` are
    those before them.

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
    house_bots: tuple[str, ...] = ()


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
        end = len(players) - len(self.access.house_bots)
        asked = range(max(0, end - self.access.bots), end)
        return tuple(seat for seat in asked if players[seat] is None)

    @property
    def asks_for_house_bots(self) -> tuple[tuple[int, str], ...]:
        """The free seats that it asks for bots of the server on, with their levels; none once it has begun."""
        if self.standing.status != "open":
            return ()
        players, levels = self.standing.players, self.access.house_bots
        asked = enumerate(levels, len(players) - len(levels))
        return tuple((seat, level) for seat, level in asked if players[seat] is None)

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
    found so. `bots`: it has not begun, and asks for a bot on a free seat. `house_bots`: it is not over, and asked for
    bots of the server.
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
    house_bots: bool = False

    def fits(self, game: Game) -> bool:
        """Whether all of it is true of a game."""
        stands = game.standing
        return (
            (self.game_ids is None or game.game_id in self.game_ids)
            and self.status in (None, stands.status)
            and self.ruleset in (None, game.ruleset)
            and (self.named is None or self.named.fits(game))
            and (not self.bots or bool(game.asks_for_bots))
            and (not self.house_bots or (stands.status != "finished" and bool(game.access.house_bots)))
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


class GameIndex(Protocol):
    """What is asked of many games at once, kept beside their events. Any method may raise `LogUnavailable`.

    Games may live on several nodes, each of which may be away while the others answer. What asks all of them for games
    raises `LogUnavailable` then; given a set as `away`, it puts the names of those nodes there and tells of the others.
    """

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

    async def ended(self, player_id: UUID, after: Ended, limit: int, away: set[str] | None = None) -> list[Ended]:
        """Games of a player that ended behind `after`, the earliest first, at most `limit`.

        A game may come to be seen later than it ended: as long as its append took.
        """

    async def over(self, after: Ended, until: datetime, limit: int) -> list[Ended]:
        """Games that ended behind `after` and by `until`, the earliest first, at most `limit`."""

    async def rated(self, after: Ended, limit: int) -> list[RatedGame]:
        """Rated games that ended behind `after`, the earliest first, at most `limit`; seen as late as by `ended`."""

    async def tenures_of(self, player_id: UUID, limit: int, away: set[str] | None = None) -> list[TenureRow]:
        """What a player played, the latest first, at most `limit` games; nothing of one that was erased."""

    async def tenures_at(self, game_id: UUID) -> list[TenureRow]:
        """Who played a game, in any order; those who were erased are missing."""

    async def size(self) -> int:
        """How many events the log holds."""

    def node_of(self, game_id: UUID) -> int:
        """The node that a game lives on; 0 where there is one only."""

    def nodes_away(self) -> Sequence[str]:
        """The names of nodes that are known not to answer, where there are several."""
