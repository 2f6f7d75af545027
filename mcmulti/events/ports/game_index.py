"""The index of games: their standings, access, results, and players."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal, NamedTuple, Protocol
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.leaving import IfLeft
from mcmulti.domain.core.capabilities.rating import companion_number
from mcmulti.domain.core.course.standing import GameResult
from mcmulti.domain.core.table import Status
from mcmulti.events.log.envelope import Head
from mcmulti.events.ports.chat import ChatRoom
from mcmulti.events.ports.notices import Notification

ABANDONED = timedelta(days=30)
"""How long an unfinished game counts as open."""
SEATS = 1000
"""How many of a player's latest seats are searched for open games."""


class TableRow(Struct, frozen=True):
    """The queryable standing of a game, stored next to the events and derived from them.

    `players`: who sits where, by seat. `to_move`: the seats that the game waits for. `turn`: the number of its turn.
    `winners`, and the rule that it was `ended_by`, are None until it is over. `deadline`: when it goes on without those
    it waits for, None if it has no limit. It is unset if an append does not change it. `banks`: the seconds left in
    each seat's bank when the game began to wait; empty if there are none. `if_left`: what happens to vacated seats,
    which never changes. `leavers`: by seat, which of the first players left, None for those who stayed; empty if nobody
    did. Players who came back count as having left.
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
        """A copy with the current deadline; `before`: the previous standing."""
        if not isinstance(self.deadline, UnsetType):
            return self
        return replace(self, deadline=None if before is None else before.deadline)


NO_BOT = ""
"""The level of a seat among those of the server's bots that they leave free."""


class Access(Struct, frozen=True):
    """Who sees a table in lists, and who may sit down. Stored next to the events: no rule depends on it.

    `listed`: everybody sees it; otherwise only the opener, seated players, and `invited` ones. `closed`: only these,
    and anyone who knows its code, may sit down. `code_hash`: SHA-256 of the code, None if there is none. `asked_hash`:
    SHA-256 of what the opener asked for, None if that was nothing. `rematch_of`: the game that it repeats. `bots`: on
    how many of its seats it wants bots. `rated`: whether it counts for ratings, to which all who sit down agree.
    `house_bots`: the levels of the server's bots that it wants on the last seats, by seat, or `NO_BOT`; the seats for
    `bots` are those before them. `chat`: the rooms of its chat, if it has one.

    Only the invitations and the code can change later, by `Log.change_access`.
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
    chat: tuple[ChatRoom, ...] = ()


FOR_ALL = Access()


ListOrder = Literal["opened", "moved"]
"""The order of lists of games: by opening, or by last move; the latest first."""


class Bookmark(NamedTuple):
    """Where a list continues: after the game with this id, which was opened, or last moved, at this moment.

    If games move meanwhile, a list by last move still has every game that did not, exactly once: those that move come
    before the bookmark.
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
        """Whether a player sees it in lists; None for anonymous readers. `postgres` has the same condition in SQL."""
        access = self.access
        return access.listed or (
            player_id is not None and (player_id in self.standing.players or self.expects(player_id))
        )

    def expects(self, player_id: UUID) -> bool:
        """Whether a player needs no code to sit down: the opener, and invited players."""
        return player_id == self.opened_by or player_id in self.access.invited

    @property
    def asks_for_bots(self) -> tuple[int, ...]:
        """The free seats on which it wants bots; none once it has begun."""
        if not self.access.bots or self.standing.status != "open":
            return ()
        players = self.standing.players
        end = len(players) - len(self.access.house_bots)
        asked = range(max(0, end - self.access.bots), end)
        return tuple(seat for seat in asked if players[seat] is None)

    @property
    def asks_for_house_bots(self) -> tuple[tuple[int, str], ...]:
        """The free seats on which it wants bots of the server, with their levels; none once it has begun."""
        if self.standing.status != "open":
            return ()
        players, levels = self.standing.players, self.access.house_bots
        asked = enumerate(levels, len(players) - len(levels))
        return tuple((seat, level) for seat, level in asked if level != NO_BOT and players[seat] is None)

    @property
    def status(self) -> Status:
        """``open``, ``running`` or ``finished``."""
        return self.standing.status

    @property
    def deadline(self) -> datetime | None:
        """When the game goes on without those it waits for; None if there is no limit."""
        return self.standing.deadline or None

    def mark(self, order: ListOrder = "opened") -> Bookmark:
        """The bookmark after the game, in this order."""
        return Bookmark(self.created_at if order == "opened" else self.moved_at, self.game_id)


class Sought(Struct, frozen=True):
    """A text search for games: one of these players sits there, or the id begins with the text.

    `begins`: hexadecimal digits of an id, without its hyphens; "" if the text is not part of one.
    """

    players: tuple[UUID, ...] = ()
    begins: str = ""

    def fits(self, game: "Game") -> bool:
        """Whether either is true of a game."""
        of_id = bool(self.begins) and game.game_id.hex.startswith(self.begins)
        return of_id or not set(self.players).isdisjoint(game.standing.players)


class GamesWanted(Struct, frozen=True):
    """Filters for games, combined with AND.

    `game_ids`: it is one of these. `player_ids`: all of them sit there. `free`: it has not begun, and a seat is free.
    `asks`: it is running and waits for this player. `invited`: this player is invited by name, does not sit there, and
    `free`. `seen_by`: it is visible in lists to this player, or to everybody (None); unset for no filter. `left`: it is
    running, and has a vacant seat, with this agreement about such seats. `named`: it matches this search. `bots`: it
    has not begun, and wants a bot on a free seat. `house_bots`: it is not over, and wanted bots of the server.
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
        """Whether a game passes all filters."""
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
                or (stands.status == "running" and any(_acts(self.asks, game, seat) for seat in stands.to_move))
            )
        )


def _acts(player: UUID, game: Game, seat: int) -> bool:
    """Whether a player acts for a seat: its own, or that of a companion."""
    sits = game.standing.players
    if sits[seat] == player:
        return True
    brought = game.standing.practice and game.opened_by == player and player in sits
    return brought and companion_number(str(sits[seat])) is not None


ALL_GAMES = GamesWanted()


class Ended(NamedTuple):
    """When a game ended, by the log's own clock, or by the last event of a game that was played elsewhere."""

    at: datetime
    game_id: UUID


class FinishedGame(NamedTuple):
    """A finished game that everybody may download; `ended` defines its order."""

    ended: Ended
    ruleset: str
    version: int
    head: Head


class RatedGame(NamedTuple):
    """The rating data of a finished rated game; `ended` defines its order.

    `starters`: the first players, by seat. `leavers`: which of them left, by seat, or empty. `winners`: the seats that
    won. `decisions`: how many commands each starter sent on its seat, without those that decide nothing; by post, for
    how many rounds its orders were in.
    """

    ended: Ended
    ruleset: str
    starters: tuple[UUID | None, ...]
    leavers: tuple[UUID | None, ...]
    winners: tuple[int, ...]
    decisions: tuple[int, ...]


def starters_of(players: tuple[UUID | None, ...], leavers: tuple[UUID | None, ...]) -> tuple[UUID | None, ...]:
    """The first players of a game, by seat, given the current players and those who left."""
    left = leavers or (None,) * len(players)
    return tuple(gone or there for gone, there in zip(left, players, strict=True))


class TenureRow(Struct, frozen=True):
    """That a player played a game: stored next to the events, and derived from them.

    `against`: who else has played it by then. `began_at`: when the game started, or the player came in as a
    `substitute`. `result`: None while the player sits at a running game. `missed`: how many deadlines the player
    missed. `resigned` and `vacated`: how often the player left, by choice or for too many misses.

    In an append, it is a change: `began_at` is None for earlier players, and counts are added.
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
        """The combination of this change and a later one."""
        return replace(
            later,
            began_at=self.began_at or later.began_at,
            substitute=self.substitute or later.substitute,
            missed=self.missed + later.missed,
            resigned=self.resigned + later.resigned,
            vacated=self.vacated + later.vacated,
        )


class GameIndex(Protocol):
    """Queries over many games, stored next to their events. Any method can raise `LogUnavailable`.

    Games may live on several nodes, each of which may be down while the others answer. Queries over all of them then
    raise `LogUnavailable`. If given a set as `away`, they add the names of those nodes to it and return the other
    games.
    """

    async def game(self, game_id: UUID) -> Game:
        """One game. Raises `UnknownGame`."""

    async def heads(self, game_ids: Sequence[UUID]) -> dict[UUID, Head]:
        """The heads of these games, in one query; unknown games are missing."""

    async def games(
        self,
        limit: int,
        before: Bookmark | None = None,
        wanted: GamesWanted = ALL_GAMES,
        away: set[str] | None = None,
        order: ListOrder = "opened",
    ) -> list[Game]:
        """Games in an order, the latest first, at most `limit`, from after `before` on."""

    async def change_access(
        self, game_id: UUID, before: Access, after: Access, notices: Sequence[Notification] = ()
    ) -> None:
        """Change the invitations and the code of a game, if `before` is the current access. `notices`: messages about
        it, posted in the same transaction, as by `Outbox.post_notices`.

        Raises `Conflict` if it is not, or there is no such game.
        """

    async def open_games(self, player_id: UUID) -> set[UUID]:
        """The unfinished games that a player opened or sits at.

        Those opened longer than `ABANDONED` ago do not count, and only the latest `SEATS` seats are searched.
        """

    async def unfinished(self, game_ids: Sequence[UUID]) -> set[UUID]:
        """Which of these games are not over, and were opened no longer than `ABANDONED` ago."""

    async def ended(self, player_id: UUID, after: Ended, limit: int, away: set[str] | None = None) -> list[Ended]:
        """Games of a player that ended after `after`, the earliest first, at most `limit`.

        A game can become visible later than it ended, by as long as its append took.
        """

    async def over(self, after: Ended, until: datetime, limit: int) -> list[Ended]:
        """Games that ended after `after` and by `until`, the earliest first, at most `limit`."""

    async def published(self, rulesets: Sequence[str], after: Ended, until: datetime, limit: int) -> list[FinishedGame]:
        """Listed games of these rule sets, except those for practice, that ended after `after` and before `until`, the
        earliest first, at most `limit`; visible as late as in `ended`.
        """

    async def rated(self, after: Ended, limit: int) -> list[RatedGame]:
        """Rated games that ended after `after`, the earliest first, at most `limit`; visible as late as in `ended`."""

    async def tenures_of(self, player_id: UUID, limit: int, away: set[str] | None = None) -> list[TenureRow]:
        """The tenures of a player, the latest first, at most `limit` games; none for an erased player."""

    async def tenures_at(self, game_id: UUID) -> list[TenureRow]:
        """The tenures at a game, in any order; erased players are missing."""

    async def size(self) -> int:
        """The number of events in the log."""

    def node_of(self, game_id: UUID) -> int:
        """The node on which a game lives; 0 if there is only one."""

    def nodes_away(self) -> Sequence[str]:
        """The names of nodes that are known to be down, if there are several."""
