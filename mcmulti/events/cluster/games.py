"""The index of games in a cluster."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from operator import attrgetter
from uuid import UUID

from mcmulti.domain.rulesets import DECIDE_NOTHING, ROUNDS_OF_ORDERS
from mcmulti.events.cluster.answers import GameMoment, OfGame, SpreadAnswers
from mcmulti.events.cluster.nodes import ClusterNode
from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.ports.game_index import (
    ABANDONED,
    ALL_GAMES,
    SEATS,
    Bookmark,
    Ended,
    FinishedGame,
    Game,
    GamesWanted,
    ListOrder,
    RatedGame,
    TenureRow,
)
from mcmulti.events.postgres.stores.game_index import (
    ENDED,
    OPEN_GAMES,
    OVER,
    PUBLISHED,
    RATED,
    TENURES_OF,
    FinishedRow,
    GameRow,
    PostgresGames,
    RatedRow,
    listing,
    narrowed,
    publishing,
)
from mcmulti.events.postgres.tables import composed

_MOMENT = {"opened": "created_at", "moved": "moved_at"}


class SpreadGames(SpreadAnswers, PostgresGames):
    """Implements the `GameIndex` protocol."""

    async def games(
        self,
        limit: int,
        before: Bookmark | None = None,
        wanted: GamesWanted = ALL_GAMES,
        away: set[str] | None = None,
        order: ListOrder = "opened",
    ) -> list[Game]:
        narrowing, asked = narrowed(limit, before, wanted, order)

        async def listed(node: ClusterNode) -> list[GameRow]:
            query = partial(listing, narrowing, order)
            return await self._rows(node, GameRow, query, asked, f"{_MOMENT[order]} DESC, id DESC", limit)

        games = [row.game() for row in await self._each(listed, away)]
        return sorted(games, key=lambda game: game.mark(order), reverse=True)[:limit]

    async def open_games(self, player_id: UUID) -> set[UUID]:
        """See `GameIndex.open_games`. Games on nodes that are down do not count, so that players can join
        other games.
        """

        async def open_(node: ClusterNode) -> list[OfGame]:
            asked = {"player": player_id, "abandoned": ABANDONED, "seats": SEATS}
            return await self._rows(node, OfGame, partial(composed, OPEN_GAMES), asked, "game_id", SEATS)

        return {row.game_id for row in await self._each(open_, set())}

    async def unfinished(self, game_ids: Sequence[UUID]) -> set[UUID]:
        """See `GameIndex.unfinished`. Games on nodes that are down do not count."""
        found: set[UUID] = set()
        for some in self._by_node(game_ids):
            with suppress(LogUnavailable):
                found |= await super().unfinished(some)
        return found

    async def ended(self, player_id: UUID, after: Ended, limit: int, away: set[str] | None = None) -> list[Ended]:
        async def ended(node: ClusterNode) -> list[GameMoment]:
            asked = (*after, player_id, limit)
            return await self._rows(node, GameMoment, partial(composed, ENDED), asked, "at, game_id", limit)

        return sorted(Ended(row.at, row.game_id) for row in await self._each(ended, away))[:limit]

    async def over(self, after: Ended, until: datetime, limit: int) -> list[Ended]:
        async def over(node: ClusterNode) -> list[GameMoment]:
            asked = (*after, until, limit)
            return await self._rows(node, GameMoment, partial(composed, OVER), asked, "at, game_id", limit)

        return sorted(Ended(row.at, row.game_id) for row in await self._each(over, None))[:limit]

    async def published(self, rulesets: Sequence[str], after: Ended, until: datetime, limit: int) -> list[FinishedGame]:
        async def published(node: ClusterNode) -> list[FinishedRow]:
            query = partial(composed, PUBLISHED, row=FinishedRow)
            asked = publishing(rulesets, after, until, limit)
            return await self._rows(node, FinishedRow, query, asked, "ended_at, id", limit)

        return sorted(row.game() for row in await self._each(published, None))[:limit]

    async def rated(self, after: Ended, limit: int) -> list[RatedGame]:
        async def rated(node: ClusterNode) -> list[RatedRow]:
            query = partial(composed, RATED, row=RatedRow)
            asked = (list(ROUNDS_OF_ORDERS), list(DECIDE_NOTHING), *after, limit)
            return await self._rows(node, RatedRow, query, asked, "ended_at, id", limit)

        return sorted(row.game() for row in await self._each(rated, None))[:limit]

    async def tenures_of(self, player_id: UUID, limit: int, away: set[str] | None = None) -> list[TenureRow]:
        async def played(node: ClusterNode) -> list[TenureRow]:
            query = partial(composed, TENURES_OF, row=TenureRow)
            return await self._rows(node, TenureRow, query, (player_id, limit), "began_at DESC", limit)

        return sorted(await self._each(played, away), key=attrgetter("began_at"), reverse=True)[:limit]
