"""Room for large responses: each address has a limit, all have one together, and sent responses free their room."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable

import pytest
from litestar.types import Message

from mcmulti.api.admission.unsent import EACH, MOST, SMALL, UNKNOWN, Unsent
from mcmulti.api.http.answers import PIECE, Answer, StreamAnswer
from mcmulti.api.http.problems import ApiError

EVE, ADA, BEN = "192.0.2.6", "192.0.2.1", "192.0.2.2"
HERE = "127.0.0.1"


async def _empty() -> Answer:
    return Answer()


def _of(size: int) -> Callable[[], Awaitable[Answer]]:
    async def make() -> Answer:
        return Answer(bytes(size))

    return make


async def _taken(unsent: Unsent, address: str, size: int) -> Callable[[int], None]:
    """A response of this size is being sent. Returns a function that shows how much of it is still held."""
    answer = await unsent.answered(address, _of(size))
    assert answer.sized is not None
    answer.sized(size)
    return answer.sized


async def _refused(unsent: Unsent, address: str) -> ApiError:
    with pytest.raises(ApiError) as refusal:
        await unsent.answered(address, _empty)
    return refusal.value


async def test_an_address_with_much_to_be_sent_is_refused_and_another_is_not() -> None:
    unsent = Unsent(patience=0)
    held = [await _taken(unsent, EVE, 4 * 2**20) for _ in range(4)]
    refused = await _refused(unsent, EVE)
    assert (refused.problem.status, refused.problem.quota) == (429, "unsent_bytes")
    assert refused.headers["Retry-After"].isdigit()
    await unsent.answered(ADA, _empty)
    held[0](0)
    await unsent.answered(EVE, _empty)


async def test_many_addresses_share_what_a_worker_has() -> None:
    """A client that holds nothing is not at fault: 503. A client that has used its own share gets 429."""
    unsent = Unsent(patience=0)
    for number in range(MOST // EACH):
        for _ in range(4):
            await _taken(unsent, f"192.0.2.{number}", EACH // 4)
    assert unsent.bytes == MOST
    refused = (await _refused(unsent, "198.51.100.1")).problem
    assert (refused.status, refused.code, refused.quota) == (503, "busy", None)
    assert (await _refused(unsent, "192.0.2.0")).problem.status == 429


async def test_an_address_of_the_machine_itself_may_use_all_of_it() -> None:
    unsent = Unsent(patience=0)
    held = [await _taken(unsent, HERE, UNKNOWN) for _ in range(MOST // UNKNOWN)]
    assert len(held) > EACH // UNKNOWN
    assert (await _refused(unsent, HERE)).problem.code == "busy"


async def test_what_is_small_and_what_is_sent_takes_nothing() -> None:
    unsent = Unsent()
    await _taken(unsent, EVE, SMALL)
    assert unsent.bytes == 0
    sized = await _taken(unsent, EVE, SMALL + 1)
    assert unsent.bytes == SMALL + 1
    sized(0)
    sized(0)
    assert unsent.bytes == 0


async def test_what_is_larger_than_the_limit_is_sent_when_nothing_else_is() -> None:
    unsent = Unsent(most=UNKNOWN // 2, each=UNKNOWN // 2, patience=0)
    sized = await _taken(unsent, EVE, 10 * UNKNOWN)
    assert (await _refused(unsent, EVE)).problem.status == 429
    assert (await _refused(unsent, ADA)).problem.code == "busy"
    sized(0)
    await unsent.answered(EVE, _empty)


async def test_the_address_with_the_least_is_next() -> None:
    """Eve has two responses, and Ada has one. Ben, who has none, waits behind both."""
    unsent, order = Unsent(most=3 * UNKNOWN), list[str]()
    eves = [await _taken(unsent, EVE, UNKNOWN), await _taken(unsent, EVE, UNKNOWN)]
    adas = await _taken(unsent, ADA, UNKNOWN)

    async def asks(address: str) -> None:
        await unsent.answered(address, _empty)
        order.append(address)

    tasks = [asyncio.create_task(asks(address)) for address in (EVE, ADA, BEN)]
    await asyncio.sleep(0)
    assert not order
    for sized in (*eves, adas):
        sized(0)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    assert order == [BEN, EVE, ADA], "Eve has nothing left when the second one is sent, and Ada still has one"


async def test_a_request_that_fails_or_is_canceled_leaves_nothing_behind() -> None:
    unsent = Unsent(most=UNKNOWN)

    async def fails() -> Answer:
        raise ApiError("unknown_game", "There is none.")

    with pytest.raises(ApiError):
        await unsent.answered(EVE, fails)
    assert unsent.bytes == 0
    sized = await _taken(unsent, EVE, UNKNOWN)
    waiting = [asyncio.create_task(unsent.answered(ADA, _empty)) for _ in range(2)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    sized(0)  # the first in the queue has left and cannot take it
    answer = await waiting[1]
    assert answer.sized is not None
    late = asyncio.create_task(unsent.answered(ADA, _empty))
    await asyncio.sleep(0)
    answer.sized(0)
    late.cancel()  # just when there is room
    await asyncio.gather(waiting[0], late, return_exceptions=True)
    assert (waiting[0].cancelled(), late.cancelled(), unsent.bytes) == (True, True, 0)


async def _nothing() -> Message:
    await asyncio.Event().wait()
    raise AssertionError


@pytest.mark.parametrize("streamed", [False, True])
async def test_a_large_body_is_sent_in_pieces_and_counts_until_the_last(streamed: bool) -> None:
    unsent, pieces, counted = Unsent(), list[bytes](), list[int]()
    body = bytes(range(256)) * 1000

    async def chunks() -> AsyncGenerator[bytes, None]:
        yield body

    async def make() -> Answer:
        return StreamAnswer(chunks(), "text/plain", whole=True) if streamed else Answer(body)

    async def send(message: Message) -> None:
        if message["type"] == "http.response.body":
            pieces.append(message["body"])
            counted.append(unsent.bytes)

    answer = await unsent.answered(EVE, make)
    await answer({"type": "http", "method": "GET", "headers": []}, _nothing, send)  # type: ignore[arg-type]
    assert b"".join(pieces) == body
    assert max(map(len, pieces)) == PIECE
    assert {*counted} == {len(body)}
    assert unsent.bytes == 0
