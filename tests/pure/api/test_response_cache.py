"""Cached bodies are those of the requested head, seat, and kind."""

import asyncio
from collections.abc import Callable
from functools import partial
from uuid import UUID

from mcmulti.api.caching.bodies import APIECE, ResponseCache

GAME = UUID(int=7)


def body(cache: ResponseCache, game: UUID, kind: str, seat: int | None, head: int, write: Callable[[], bytes]) -> bytes:
    """The cached body, or one that is written and cached."""
    kept = cache.get(game, kind, seat, head)
    return cache.put(game, kind, seat, head, write()) if kept is None else kept


def test_a_body_is_written_once_for_each_moment_kind_and_reader() -> None:
    cache = ResponseCache()
    asked = [("view", None, 1), ("view", None, 1), ("view", 0, 1), ("offers", 0, 1), ("view", None, 2), ("view", 0, 1)]
    made: list[bytes] = []
    given = []
    for kind, seat, head in asked:
        said = f"{kind} of {seat} at {head}".encode()

        def write(said: bytes = said) -> bytes:
            made.append(said)
            return said

        given.append(body(cache, GAME, kind, seat, head, write))
    assert given == [f"{kind} of {seat} at {head}".encode() for kind, seat, head in asked]
    assert made == [b"view of None at 1", b"view of 0 at 1", b"offers of 0 at 1", b"view of None at 2"]


def test_what_was_asked_for_longest_ago_gives_way() -> None:
    """Room for three bodies of 100 bytes: the second is evicted, because the first was requested more recently."""
    cache = ResponseCache(3 * (APIECE + 100))
    made = []

    def write(number: int) -> bytes:
        made.append(number)
        return bytes(100)

    for number in (0, 1, 2, 0, 3, 0, 2, 1):
        body(cache, UUID(int=number), "view", None, 1, partial(write, number))
    assert made == [0, 1, 2, 3, 1]


def test_bodies_take_no_more_room_than_they_are_given() -> None:
    """However often they are rewritten. A large one evicts many, and one that is too large evicts none."""
    cache = ResponseCache(10 * (APIECE + 100))

    def kept() -> list[int]:
        return [number for number in range(12) if cache.get(UUID(int=number), "view", None, 7) is not None]

    for moment in range(8):
        for number in range(10):
            cache.put(UUID(int=number), "view", None, moment, bytes(100))
    assert cache.get(UUID(int=0), "view", None, 6) is None
    assert kept() == list(range(10))
    cache.put(UUID(int=10), "view", None, 7, bytes(3 * (APIECE + 100) - APIECE))
    assert kept() == [*range(3, 11)]
    assert cache.put(UUID(int=11), "view", None, 7, bytes(10 * (APIECE + 100))) == bytes(10 * (APIECE + 100))
    assert kept() == []
    cache.put(UUID(int=0), "view", None, 7, b"")
    assert kept() == [0]


async def test_what_takes_time_is_made_once_for_all_who_want_it_meanwhile() -> None:
    """The first client leaves before the body is there. The others, and later ones, still get it."""
    cache = ResponseCache()
    begun: list[bytes] = []
    ready = asyncio.Event()

    async def make() -> bytes:
        begun.append(b"picture")
        await ready.wait()
        return begun[-1]

    asking = [asyncio.create_task(cache.get_or_make(GAME, "picture", None, 7, make)) for _ in range(3)]
    await asyncio.sleep(0)
    asking[0].cancel()
    ready.set()
    assert await asyncio.gather(*asking[1:]) == [b"picture"] * 2
    assert await cache.get_or_make(GAME, "picture", None, 7, make) == b"picture"
    assert begun == [b"picture"]
    assert await cache.get_or_make(GAME, "picture", None, 8, make) == b"picture"
    assert len(begun) == 2


async def test_what_could_not_be_made_is_tried_again() -> None:
    cache = ResponseCache()

    async def fail() -> bytes:
        raise OSError

    async def make() -> bytes:
        return b"picture"

    asking = [cache.get_or_make(GAME, "picture", None, 7, fail) for _ in range(2)]
    failed = await asyncio.gather(*asking, return_exceptions=True)
    assert [type(each) for each in failed] == [OSError, OSError]
    assert await cache.get_or_make(GAME, "picture", None, 7, make) == b"picture"
