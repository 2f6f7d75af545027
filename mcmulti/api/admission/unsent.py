"""Memory of responses: bytes of bodies that are being made, or wait for their client, limited by address and in all.

A large response needs room before anything is read for it. Until its size is known, it takes a fixed amount. If there
is no room, it waits behind others, and is refused if that takes too long: 429 if its own address is the reason, and
otherwise 503. So slow readers wait for themselves, and delay others only if many addresses fill the memory together.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable

from mcmulti.api.admission.quotas import here, refused
from mcmulti.api.http.answers import Answer
from mcmulti.api.http.problems import ApiError

MOST = 64 * 2**20
"""Bytes for all responses of a worker."""
EACH = 16 * 2**20
"""Bytes for all responses to an address. Loopback addresses are limited only by `MOST`."""
UNKNOWN = 2 * 2**20
"""Bytes that a response counts as until it is made."""
SMALL = 128 * 2**10
"""Bytes of a body that is not counted: the number of connections limits these."""
PATIENCE = 5.0
"""Seconds that a request waits for room."""
RETRY = 5
"""Seconds after which a refused client should try again."""


class Unsent:
    """The bytes of unsent responses. A response larger than a limit gets room once nothing else counts against it."""

    def __init__(self, most: int = MOST, each: int = EACH, patience: float = PATIENCE) -> None:
        self._most, self._each, self._patience = most, each, patience
        self._held: Counter[str] = Counter()
        self._waiting: list[tuple[str, asyncio.Future[None]]] = []
        self.bytes = 0
        """Of all responses."""

    async def answered(self, address: str, make: Callable[[], Awaitable[Answer]]) -> Answer:
        """Make a response when there is room for it, which it keeps until it is sent.

        Raises a problem if there is no room for too long, and what `make` raises.
        """
        if self._waiting or not self._free(address):
            await self._room(address)
        else:
            self.change(address, UNKNOWN)
        room = Room(self, address)
        try:
            answer = await make()
        except BaseException:
            room.takes(0)
            raise
        answer.sized = room.takes
        return answer

    def change(self, address: str, more: int) -> None:
        """Responses to an address take more bytes, or fewer."""
        self.bytes += more
        self._held[address] += more
        if not self._held[address]:
            del self._held[address]
        if self._waiting and more < 0:
            self._admit()

    async def _room(self, address: str) -> None:
        """Wait for room, and take it."""
        mine = asyncio.get_running_loop().create_future()
        self._waiting.append((address, mine))
        self._admit()
        try:
            async with asyncio.timeout(self._patience):
                await mine
        except BaseException as error:
            if mine.done() and not mine.cancelled():  # there was room at the same moment
                self.change(address, -UNKNOWN)
            if isinstance(error, TimeoutError):
                raise self._refusal(address) from None
            raise

    def _refusal(self, address: str) -> ApiError:
        """The problem for an address that waited too long: its own share is used up, or that of all."""
        if self._full(address):
            detail = "Too many large responses to your address are being made or sent. Read them, and try again."
            return refused("unsent_bytes", detail, RETRY, {})
        detail = "Too many large responses are being made, or wait for clients that read slowly. Try again."
        return ApiError("busy", detail, {"Retry-After": str(RETRY)})

    def _admit(self) -> None:
        """Admit those who wait, as far as there is room; the address with the least is next."""
        self._waiting = [each for each in self._waiting if not each[1].done()]  # without those that gave up
        while fits := [each for each in self._waiting if self._free(each[0])]:
            following = min(fits, key=lambda each: self._held[each[0]])
            self._waiting.remove(following)
            self.change(following[0], UNKNOWN)
            following[1].set_result(None)

    def _free(self, address: str) -> bool:
        """Whether there is room for one more response."""
        return not self._full(address) and (not self.bytes or self.bytes + UNKNOWN <= self._most)

    def _full(self, address: str) -> bool:
        """Whether an address has no room left in its own share."""
        held = self._held[address]
        return held > 0 and held + UNKNOWN > self._each and not here(address)


class Room:
    """The room of a response."""

    __slots__ = ("_address", "_takes", "_unsent")

    def __init__(self, unsent: Unsent, address: str) -> None:
        self._unsent, self._address, self._takes = unsent, address, UNKNOWN

    def takes(self, size: int) -> None:
        """Its body, or the piece of it that is being sent, has this many bytes; 0 when all is sent."""
        counted = size if size > SMALL else 0
        more, self._takes = counted - self._takes, counted
        if more:
            self._unsent.change(self._address, more)
