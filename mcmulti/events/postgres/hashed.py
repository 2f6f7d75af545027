"""Hash every event of a database again."""

from typing import NamedTuple

from mcmulti.events.ports.errors import DamagedGame
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.store.history import History

PAGE = 1000
"""Games listed at a time."""


class Hashed(NamedTuple):
    """How many games have an intact hash chain, and how many events these have; how many games do not."""

    games: int
    events: int
    damaged: int

    @property
    def sentence(self) -> str:
        """The result in a sentence or two."""
        whole = f"The {self.events:,} events of {self.games:,} games form intact chains."
        if self.damaged:
            return f"{whole} {self.damaged:,} games are damaged, as they were: mcmulti doctor names them."
        return whole


async def hashed(url: str) -> Hashed:
    """Hash every event of every game in a database. Raises `LogError`."""
    games = events = damaged = 0
    async with PostgresLog.open(url, pool_size=1) as log:
        before, history = None, History(log)
        while page := await log.games(PAGE, before):
            for game in page:
                try:
                    events += (await history.examine(game.game_id, game.head)).seq
                    games += 1
                except DamagedGame:
                    damaged += 1
            before = page[-1].mark()
    return Hashed(games, events, damaged)
