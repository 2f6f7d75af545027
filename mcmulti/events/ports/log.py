"""The log: all that a server keeps. `postgres.log` keeps it for play, `memory.log` for simulation."""

from typing import NamedTuple, Protocol

from mcmulti.events.ports.accounts import PlayerStore, TokenStore
from mcmulti.events.ports.event_store import EventStore
from mcmulti.events.ports.game_index import GameIndex
from mcmulti.events.ports.integrity import Integrity
from mcmulti.events.ports.keys import SigningKeys
from mcmulti.events.ports.notices import Outbox, Webhooks
from mcmulti.events.ports.timekeeping import Timekeeping


class Pool(NamedTuple):
    """How many connections a log has and does not use, how many it uses, and how many calls wait for one."""

    idle: int
    used: int
    waiting: int


class Log(
    EventStore, GameIndex, Timekeeping, PlayerStore, TokenStore, SigningKeys, Integrity, Webhooks, Outbox, Protocol
):
    """All ports, and how what is behind them fares. Whoever needs one of them asks for that one."""

    def pool(self) -> Pool:
        """What the connections to the database are doing."""

    async def ready(self) -> None:
        """Return when the log answers; raise `LogUnavailable` when it does not."""

    async def writable(self) -> None:
        """Return when the log takes what every command writes; raise `LogError` when it does not."""
