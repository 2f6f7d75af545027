"""The log in PostgreSQL."""

from mcmulti.events.postgres.event_store import PostgresEvents
from mcmulti.events.postgres.game_index import PostgresGames
from mcmulti.events.postgres.integrity import PostgresIntegrity
from mcmulti.events.postgres.keys import PostgresKeys
from mcmulti.events.postgres.players import PostgresPlayers
from mcmulti.events.postgres.timekeeping import PostgresTimekeeping
from mcmulti.events.postgres.tokens import PostgresTokens


class PostgresLog(
    PostgresEvents,
    PostgresGames,
    PostgresTimekeeping,
    PostgresPlayers,
    PostgresTokens,
    PostgresKeys,
    PostgresIntegrity,
):
    """Keeps the `Log` protocol in a database that `migrate` has prepared, port by port, over one pool."""
