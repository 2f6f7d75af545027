"""The log in PostgreSQL."""

from mcmulti.events.postgres.stores.chat import PostgresChats
from mcmulti.events.postgres.stores.computed import PostgresRatings, PostgresReviews
from mcmulti.events.postgres.stores.event_store import PostgresEvents
from mcmulti.events.postgres.stores.game_index import PostgresGames
from mcmulti.events.postgres.stores.integrity import PostgresIntegrity
from mcmulti.events.postgres.stores.keys import PostgresKeys
from mcmulti.events.postgres.stores.notices import PostgresMail, PostgresNotices
from mcmulti.events.postgres.stores.players import PostgresPlayers
from mcmulti.events.postgres.stores.preferences import PostgresPreferences
from mcmulti.events.postgres.stores.timekeeping import PostgresTimekeeping
from mcmulti.events.postgres.stores.tokens import PostgresTokens


class PostgresLog(
    PostgresEvents,
    PostgresGames,
    PostgresTimekeeping,
    PostgresPlayers,
    PostgresTokens,
    PostgresKeys,
    PostgresIntegrity,
    PostgresNotices,
    PostgresRatings,
    PostgresReviews,
    PostgresChats,
    PostgresMail,
    PostgresPreferences,
):
    """Implements the `Log` protocol in a database that `migrate` has prepared, port by port, over one pool."""
