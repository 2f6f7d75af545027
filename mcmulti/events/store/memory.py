"""A log in memory, for simulation and tests. It is gone with the process."""

import asyncio
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import UUID

from msgspec import json

from mcmulti.domain.rulesets import DECIDE_NOTHING, ROUNDS_OF_ORDERS
from mcmulti.events.log.envelope import START, Head, Recorded, head_after
from mcmulti.events.log.signing import KeyStatement, SigningKey, to_the_second
from mcmulti.events.log.snapshot import Snapshot
from mcmulti.events.store.names import name_key, name_skeleton, name_words
from mcmulti.events.store.ports import (
    ABANDONED,
    ALL_GAMES,
    FOR_ALL,
    Access,
    Bookmark,
    Conflict,
    DueGame,
    Ended,
    Game,
    GamesWanted,
    Holder,
    ListOrder,
    NameTaken,
    Pending,
    Player,
    Pool,
    Question,
    RatedGame,
    Receipt,
    TableRow,
    TenureRow,
    Token,
    UnknownGame,
    UnknownPlayer,
    UnknownToken,
    doomed,
    starters_of,
)

_NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass
class _Entry:
    game: Game
    secret: bytes
    events: list[Recorded]
    players: frozenset[UUID | None] = frozenset()
    ended_at: datetime | None = None
    receipts: dict[tuple[UUID, str], Receipt] = field(default_factory=dict)
    tenures: dict[UUID, TenureRow] = field(default_factory=dict)
    snapshots: dict[tuple[bytes, int], Snapshot] = field(default_factory=dict)


class MemoryLog:
    """Keeps the `Log` protocol. No method waits for anything, so that each is one step of the event loop."""

    def __init__(self) -> None:
        self._games: dict[UUID, _Entry] = {}
        self._questions: dict[UUID, Question] = {}
        self._players: dict[UUID, Player] = {}
        self._visitors: dict[UUID, str] = {}
        self._holders: dict[bytes, Holder] = {}
        self._pending: dict[UUID, Pending] = {}
        self._listening: set[asyncio.Queue[bytes | UUID | None]] = set()
        self._signing_key: bytes | None = None
        self._since = to_the_second(datetime.now(UTC))

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
        if game_id in self._games:
            raise Conflict(f"there is a game {game_id} already")
        head = head_after(game_id, START, events)
        created_at, moved_at = events[0].recorded_at, events[-1].recorded_at
        game = Game(game_id, ruleset, version, standing.behind(None), head, created_at, moved_at, opened_by, access)
        ended_at = moved_at if standing.status == "finished" else None
        entry = self._games[game_id] = _Entry(game, secret, list(events), frozenset(standing.players), ended_at)
        entry.tenures = {tenure.player_id: tenure for tenure in tenures}

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
        entry = self._entry(game_id)
        head = head_after(game_id, expected, events)
        if entry.game.head != expected:
            raise Conflict(f"game {game_id} stands at event {entry.game.head.seq}, not at {expected.seq}")
        if receipt is not None:
            if (receipt.player_id, receipt.key) in entry.receipts:
                raise Conflict(f"the key {receipt.key!r} was used meanwhile")
            entry.receipts[receipt.player_id, receipt.key] = receipt
        entry.events += events
        moved_at = events[-1].recorded_at if events else entry.game.moved_at
        entry.game = entry.game._replace(head=head, standing=standing.behind(entry.game.standing), moved_at=moved_at)
        if standing.status == "finished":
            entry.ended_at = entry.ended_at or await self.now()
        if reseated:
            entry.players = frozenset(standing.players)
        if reseated and not events:
            entry.tenures = {}
        for told in tenures:
            if told.began_at is not None:
                entry.tenures[told.player_id] = told
            elif told.player_id in entry.tenures:
                entry.tenures[told.player_id] = entry.tenures[told.player_id].then(told)

    async def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> list[Recorded]:
        if game_id not in self._games:
            return []
        return self._games[game_id].events[after:][:limit]

    async def size(self) -> int:
        return sum(entry.game.head.seq for entry in self._games.values())

    def node_of(self, game_id: UUID) -> int:
        return 0

    def nodes_away(self) -> Sequence[str]:
        return ()

    async def game(self, game_id: UUID) -> Game:
        return self._entry(game_id).game

    async def heads(self, game_ids: Sequence[UUID]) -> dict[UUID, Head]:
        return {game_id: self._games[game_id].game.head for game_id in game_ids if game_id in self._games}

    async def games(
        self,
        limit: int,
        before: Bookmark | None = None,
        wanted: GamesWanted = ALL_GAMES,
        away: set[str] | None = None,
        order: ListOrder = "opened",
    ) -> list[Game]:
        games = [entry.game for entry in self._games.values()]
        chosen = [game for game in games if (before is None or game.mark(order) < before) and wanted.fits(game)]
        return sorted(chosen, key=lambda game: game.mark(order), reverse=True)[:limit]

    async def change_access(self, game_id: UUID, before: Access, after: Access) -> None:
        entry = self._games.get(game_id)
        if entry is None or entry.game.access != before:
            raise Conflict(f"others may sit down at game {game_id} by now")
        entry.game = entry.game._replace(access=after)

    async def open_games(self, player_id: UUID) -> set[UUID]:
        return {
            game_id
            for game_id, entry in self._games.items()
            if self._is_open(entry) and (player_id == entry.game.opened_by or player_id in entry.players)
        }

    async def unfinished(self, game_ids: Sequence[UUID]) -> set[UUID]:
        return {game_id for game_id in game_ids if game_id in self._games and self._is_open(self._games[game_id])}

    async def due(self, now: datetime, limit: int, away: set[str] | None = None) -> list[DueGame]:
        games = [entry.game for entry in self._games.values()]
        due = [DueGame(game.deadline, game.game_id) for game in games if game.deadline and game.deadline <= now]
        return sorted(due)[:limit]

    async def ask(self, game_id: UUID, question: Question) -> None:
        self._questions[game_id] = question

    async def question(self, game_id: UUID) -> Question | None:
        return self._questions.get(game_id)

    async def unanswered(self, until: datetime, limit: int) -> list[DueGame]:
        asked = self._questions.items()
        return sorted(DueGame(each.answer_at, id_) for id_, each in asked if each.open and each.answer_at <= until)[
            :limit
        ]

    async def close_question(self, game_id: UUID, question: Question) -> None:
        if self._questions.get(game_id) == question:
            self._questions[game_id] = question._replace(open=False)

    async def keep_time(self) -> timedelta:
        return timedelta()  # who could keep it went with it

    async def ended(self, player_id: UUID, after: Ended, limit: int, away: set[str] | None = None) -> list[Ended]:
        ended = [
            Ended(entry.ended_at, game_id)
            for game_id, entry in self._games.items()
            if entry.ended_at is not None and player_id in entry.players
        ]
        return sorted(one for one in ended if one > after)[:limit]

    async def rated(self, after: Ended, limit: int) -> list[RatedGame]:
        found = [
            RatedGame(
                Ended(entry.ended_at, game_id),
                entry.game.ruleset,
                starters_of(stands.players, stands.leavers),
                stands.leavers,
                stands.winners or (),
                tuple(_decisions(entry.events, seat) for seat in range(len(stands.players))),
            )
            for game_id, entry in self._games.items()
            if entry.ended_at is not None and entry.game.access.rated and (stands := entry.game.standing)
        ]
        return sorted(each for each in found if each.ended > after)[:limit]

    async def tenures_of(self, player_id: UUID, limit: int, away: set[str] | None = None) -> list[TenureRow]:
        played = [entry.tenures[player_id] for entry in self._games.values() if player_id in entry.tenures]
        return sorted(played, key=lambda tenure: tenure.began_at or _NEVER, reverse=True)[:limit]

    async def tenures_at(self, game_id: UUID) -> list[TenureRow]:
        return list(self._entry(game_id).tenures.values())

    async def now(self) -> datetime:
        return datetime.now(UTC)

    async def secret(self, game_id: UUID) -> bytes:
        return self._entry(game_id).secret

    async def signing_key(self, new: bytes) -> bytes:
        self._signing_key = self._signing_key or new
        return self._signing_key

    async def signer(self, new: bytes) -> SigningKey:
        seed = await self.signing_key(new)
        return SigningKey(seed, (KeyStatement(SigningKey(seed).public, self._since),))

    async def receipt(self, game_id: UUID, player_id: UUID, key: str) -> Receipt | None:
        entry = self._games.get(game_id)
        return None if entry is None else entry.receipts.get((player_id, key))

    async def snapshot(self, game_id: UUID, until: int, shape: bytes) -> Snapshot | None:
        kept = self._games[game_id].snapshots.values() if game_id in self._games else ()
        fitting = [snapshot for snapshot in kept if snapshot.shape == shape and snapshot.head.seq <= until]
        return max(fitting, key=lambda snapshot: snapshot.head.seq, default=None)

    async def keep_snapshots(self, game_id: UUID, snapshots: Sequence[Snapshot]) -> None:
        kept = self._entry(game_id).snapshots
        for snapshot in snapshots:
            kept.setdefault((snapshot.shape, snapshot.head.seq), snapshot)

    async def drop_snapshots(self, game_id: UUID) -> None:
        self._entry(game_id).snapshots.clear()

    async def add_player(self, player: Player, token: Token, token_hash: bytes) -> None:
        if player.player_id in self._players:
            raise NameTaken(f"player {player.player_id} bears a name already")
        self._keep(player)
        self._holders[token_hash] = Holder(player, token)

    def _keep(self, player: Player) -> None:
        """Keep a player under a name that nobody else has."""
        key, look = name_key(player.name), name_skeleton(player.name)
        for other in self._players.values():
            alike = name_key(other.name) == key or name_skeleton(other.name) == look
            if alike and other.player_id != player.player_id:
                raise NameTaken(f"the name {player.name!r} is taken")
        self._players[player.player_id] = player

    async def player(self, player_id: UUID) -> Player | None:
        return self._players.get(player_id)

    async def players_called(self, names: Sequence[str]) -> dict[str, Player]:
        by_key = {name_key(player.name): player for player in self._players.values() if player.name}
        return {name: by_key[key] for name in names if (key := name_key(name)) in by_key}

    async def players_found(self, text: str, limit: int) -> list[UUID]:
        sought = name_words(name_key(text))
        keys = {player_id: name_key(name) for player_id, name in self._names().items()}
        found = [
            (len(key), player_id)
            for player_id, key in keys.items()
            if sought and all(any(word.startswith(begins) for word in name_words(key)) for begins in sought)
        ]
        return [player_id for _, player_id in sorted(found)[:limit]]

    def _names(self) -> dict[UUID, str]:
        """What all are called; "" for who was erased."""
        return {**self._visitors, **{player_id: player.name for player_id, player in self._players.items()}}

    async def names(self, player_ids: Sequence[UUID]) -> dict[UUID, str]:
        names = self._names()
        return {player_id: names[player_id] for player_id in player_ids if names.get(player_id)}

    async def rename(self, player_id: UUID, name: str) -> None:
        player = self._players.get(player_id)
        if player is None or not player.name:
            raise UnknownPlayer(f"there is no player {player_id}")
        self._keep(player._replace(name=name))
        for token_hash, holder in self._holders.items():
            if holder.player.player_id == player_id:
                self._holders[token_hash] = holder._replace(player=self._players[player_id])
        self._tell(player_id)

    async def erase(self, player_id: UUID, announced: Pending | None = None) -> list[bytes]:
        if player_id not in self._players:
            return []
        if announced is not None:
            self._confirm(player_id, announced)
        self._pending.pop(player_id, None)
        self._players[player_id] = self._players[player_id]._replace(name="")
        for entry in self._games.values():
            entry.tenures.pop(player_id, None)
        revoked = self._revoke(player_id, {token.token_id for token in await self.tokens(player_id)})
        self._tell(player_id)
        return revoked

    async def keep_names(self, names: Mapping[UUID, str]) -> None:
        self._visitors.update(names)
        for player_id in names:
            self._tell(player_id)

    def _tell(self, what: bytes | UUID) -> None:
        for told in self._listening:
            told.put_nowait(what)

    async def players(self, player_ids: Sequence[UUID]) -> dict[UUID, Player]:
        return {player_id: self._players[player_id] for player_id in player_ids if player_id in self._players}

    async def add_token(self, player_id: UUID, token: Token, token_hash: bytes) -> None:
        if token_hash in self._holders:
            raise Conflict("there is such a token")
        if token.parent_id is not None:
            await self._there(player_id, token.parent_id)
        self._holders[token_hash] = Holder(self._players[player_id], token)

    async def holder(self, token_hash: bytes) -> Holder | None:
        holder = self._holders.get(token_hash)
        if holder is None or not holder.player.name:
            return None
        return holder._replace(pending=self._pending.get(holder.player.player_id))

    async def tokens(self, player_id: UUID) -> list[Token]:
        return [holder.token for holder in self._holders.values() if holder.player.player_id == player_id]

    async def revoke_tokens(self, player_id: UUID, token_ids: Collection[UUID]) -> list[bytes]:
        return self._revoke(player_id, doomed(await self.tokens(player_id), token_ids))

    async def replace_owner(self, player_id: UUID, announced: Pending) -> list[bytes]:
        self._confirm(player_id, announced)
        others = {token.token_id for token in await self.tokens(player_id)} - {announced.token_id}
        revoked = self._revoke(player_id, others)
        for token_hash, holder in self._holders.items():
            if holder.token.token_id == announced.token_id:
                self._holders[token_hash] = holder._replace(token=holder.token._replace(parent_id=None))
        self._tell(player_id)
        return revoked

    def _revoke(self, player_id: UUID, token_ids: Collection[UUID]) -> list[bytes]:
        revoked = [
            token_hash
            for token_hash, (player, token, _) in self._holders.items()
            if player.player_id == player_id and token.token_id in token_ids
        ]
        for token_hash in revoked:
            del self._holders[token_hash]
            self._tell(token_hash)
        pending = self._pending.get(player_id)
        if pending is not None and pending.token_id in token_ids:
            del self._pending[player_id]
            self._tell(player_id)
        return revoked

    async def announce(self, player_id: UUID, pending: Pending | None) -> None:
        player = self._players.get(player_id)
        if player is None or not player.name:
            raise UnknownPlayer(f"there is no player {player_id}")
        if pending is None:
            self._pending.pop(player_id, None)
        else:
            await self._there(player_id, pending.token_id)
            self._pending[player_id] = pending
        self._tell(player_id)

    async def _there(self, player_id: UUID, token_id: UUID) -> None:
        if token_id not in {token.token_id for token in await self.tokens(player_id)}:
            raise UnknownToken("the token was revoked")

    def _confirm(self, player_id: UUID, announced: Pending) -> None:
        if self._pending.get(player_id) != announced:
            raise Conflict("what was announced is not pending any more")
        del self._pending[player_id]

    async def use_token(self, token_id: UUID, at: datetime) -> None:
        for token_hash, holder in self._holders.items():
            if holder.token.token_id == token_id:
                self._holders[token_hash] = holder._replace(token=holder.token._replace(used_at=at))

    async def revocations(self) -> AsyncGenerator[bytes | UUID | None, None]:
        told: asyncio.Queue[bytes | UUID | None] = asyncio.Queue()
        self._listening.add(told)
        try:
            yield None
            while True:
                yield await told.get()
        finally:
            self._listening.discard(told)

    def pool(self) -> Pool:
        return Pool(0, 0, 0)

    async def ready(self) -> None:
        return

    def _is_open(self, entry: _Entry) -> bool:
        return entry.game.status != "finished" and entry.game.created_at > datetime.now(UTC) - ABANDONED

    def _entry(self, game_id: UUID) -> _Entry:
        try:
            return self._games[game_id]
        except KeyError:
            raise UnknownGame(f"there is no game {game_id}") from None


def _decisions(events: Sequence[Recorded], seat: int) -> int:
    """What a seat decided before it was vacated: commands, or by post rounds for which its orders were in."""
    count = 0
    for event in events:
        if event.type == "SeatVacated" and json.decode(event.data)["seat"] == seat:
            break
        if event.type in ROUNDS_OF_ORDERS:
            count += seat not in json.decode(event.data)["missing"]
        elif event.actor == seat and event.command:
            count += json.decode(event.command)["type"] not in DECIDE_NOTHING
    return count
