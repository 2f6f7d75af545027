"""The log in memory."""

from mcmulti.events.memory.accounts import MemoryAccounts
from mcmulti.events.memory.chat import MemoryChats
from mcmulti.events.memory.computed import MemoryRatings, MemoryReviews
from mcmulti.events.memory.event_store import MemoryEvents
from mcmulti.events.memory.game_index import MemoryGames
from mcmulti.events.memory.integrity import MemoryIntegrity, MemoryKeys
from mcmulti.events.memory.notices import MemoryMail, MemoryNotices
from mcmulti.events.memory.timekeeping import MemoryTimekeeping
from mcmulti.events.ports.log import Pool


class MemoryLog(
    MemoryEvents,
    MemoryGames,
    MemoryTimekeeping,
    MemoryAccounts,
    MemoryKeys,
    MemoryIntegrity,
    MemoryNotices,
    MemoryRatings,
    MemoryReviews,
    MemoryChats,
    MemoryMail,
):
    """Implements the `Log` protocol, port by port."""

    def pool(self) -> Pool:
        return Pool(0, 0, 0)

    async def ready(self) -> None:
        return

    async def writable(self) -> None:
        return
