"""The index of games in memory."""

from collections.abc import Sequence
from datetime import UTC, datetime
from operator import itemgetter
from uuid import UUID

from msgspec import json

from mcmulti.domain.rulesets import DECIDE_NOTHING, ROUNDS_OF_ORDERS
from mcmulti.events.log.envelope import Head, Recorded
from mcmulti.events.memory.kept import KeptGame, MemoryState
from mcmulti.events.ports.errors import Conflict
from mcmulti.events.ports.game_index import (
    ABANDONED,
    ALL_GAMES,
    Access,
    Bookmark,
    Ended,
    FinishedGame,
    Game,
    GamesWanted,
    ListOrder,
    RatedGame,
    TenureRow,
    starters_of,
)
from mcmulti.events.ports.notices import Notification

_NEVER = datetime.max.replace(tzinfo=UTC)


class MemoryGames(MemoryState):
    """Implements the `GameIndex` protocol."""

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

    async def change_access(
        self, game_id: UUID, before: Access, after: Access, notices: Sequence[Notification] = ()
    ) -> None:
        entry = self._games.get(game_id)
        if entry is None or entry.game.access != before:
            raise Conflict(f"others may sit down at game {game_id} by now")
        entry.game = entry.game._replace(access=after)
        self._keep_notices(notices)

    async def open_games(self, player_id: UUID) -> set[UUID]:
        return {
            game_id
            for game_id, entry in self._games.items()
            if self._is_open(entry) and (player_id == entry.game.opened_by or player_id in entry.players)
        }

    async def unfinished(self, game_ids: Sequence[UUID]) -> set[UUID]:
        return {game_id for game_id in game_ids if game_id in self._games and self._is_open(self._games[game_id])}

    async def ended(self, player_id: UUID, after: Ended, limit: int, away: set[str] | None = None) -> list[Ended]:
        return [ended for ended, entry in self._ended_after(after) if player_id in entry.players][:limit]

    async def over(self, after: Ended, until: datetime, limit: int) -> list[Ended]:
        return [ended for ended, _ in self._ended_after(after) if ended.at <= until][:limit]

    def _ended_after(self, after: Ended) -> list[tuple[Ended, KeptGame]]:
        ended = [(Ended(each.ended_at, id_), each) for id_, each in self._games.items() if each.ended_at is not None]
        return sorted((each for each in ended if each[0] > after), key=itemgetter(0))

    async def published(self, rulesets: Sequence[str], after: Ended, until: datetime, limit: int) -> list[FinishedGame]:
        found = [(ended, entry.game) for ended, entry in self._ended_after(after) if ended.at < until]
        return [
            FinishedGame(ended, game.ruleset, game.version, game.head)
            for ended, game in found
            if game.ruleset in rulesets and game.access.listed and not game.standing.practice
        ][:limit]

    async def rated(self, after: Ended, limit: int) -> list[RatedGame]:
        return [
            RatedGame(
                ended,
                entry.game.ruleset,
                starters_of(stands.players, stands.leavers),
                stands.leavers,
                stands.winners or (),
                tuple(_decisions(entry.events, seat) for seat in range(len(stands.players))),
            )
            for ended, entry in self._ended_after(after)
            if entry.game.access.rated and (stands := entry.game.standing)
        ][:limit]

    async def tenures_of(self, player_id: UUID, limit: int, away: set[str] | None = None) -> list[TenureRow]:
        played = [entry.tenures[player_id] for entry in self._games.values() if player_id in entry.tenures]
        return sorted(played, key=lambda tenure: tenure.began_at or _NEVER, reverse=True)[:limit]

    async def tenures_at(self, game_id: UUID) -> list[TenureRow]:
        return list(self._entry(game_id).tenures.values())

    async def size(self) -> int:
        return sum(entry.game.head.seq for entry in self._games.values())

    def node_of(self, game_id: UUID) -> int:
        return 0

    def nodes_away(self) -> Sequence[str]:
        return ()

    def _is_open(self, entry: KeptGame) -> bool:
        return entry.game.status != "finished" and entry.game.created_at > datetime.now(UTC) - ABANDONED


def _decisions(events: Sequence[Recorded], seat: int) -> int:
    """How many decisions a seat made before it was vacated: commands, or by post, rounds with its orders."""
    count = 0
    for event in events:
        if event.type == "SeatVacated" and json.decode(event.data)["seat"] == seat:
            break
        if event.type in ROUNDS_OF_ORDERS:
            count += seat not in json.decode(event.data)["missing"]
        elif event.actor == seat and event.command:
            count += json.decode(event.command)["type"] not in DECIDE_NOTHING
    return count
