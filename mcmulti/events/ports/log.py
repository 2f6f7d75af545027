"""The log: everything a server stores. `postgres.log` is for play, `memory.log` for simulation."""

from typing import NamedTuple, Protocol

from mcmulti.events.ports.accounts import PlayerStore, TokenStore
from mcmulti.events.ports.chat import Chats
from mcmulti.events.ports.computed import RatingStore, ReviewStore
from mcmulti.events.ports.event_store import EventStore
from mcmulti.events.ports.game_index import GameIndex
from mcmulti.events.ports.integrity import Integrity, SigningKeys
from mcmulti.events.ports.notices import Mailing, Outbox, PreferenceStore, Webhooks
from mcmulti.events.ports.timekeeping import Timekeeping


class Pool(NamedTuple):
    """The numbers of idle and busy connections of a log, and of calls that wait for one."""

    idle: int
    used: int
    waiting: int


class Log(
    EventStore,
    GameIndex,
    Timekeeping,
    PlayerStore,
    TokenStore,
    SigningKeys,
    Integrity,
    Webhooks,
    Mailing,
    Outbox,
    PreferenceStore,
    RatingStore,
    ReviewStore,
    Chats,
    Protocol,
):
    """All ports, and the health of the store behind them. Code that needs only one port should ask for that one."""

    def pool(self) -> Pool:
        """The state of the connection pool."""

    async def ready(self) -> None:
        """Return when the log answers. Raises `LogUnavailable` if it does not."""

    async def writable(self) -> None:
        """Return when the log accepts the kind of write that every command needs. Raises `LogError` if it does not."""
