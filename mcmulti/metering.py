"""Cost of work, charged to the caller it is done for: processor time, events read, and bytes stored.

Each request starts a meter. Tasks and threads that work for the request inherit it, and what they do through `stepped`
or `metered` is counted there. Outside of requests nothing is counted.
"""

import time
from collections.abc import Callable, Coroutine, Generator
from contextvars import ContextVar, Token
from typing import Any, Generic, NamedTuple, ParamSpec, TypeVar

from msgspec import Struct

Passed = ParamSpec("Passed")
T = TypeVar("T")


class Payer(NamedTuple):
    """The caller that work is charged to: an address, and the player behind it, or the address again if no player is
    known.
    """

    address: str
    caller: str


NOBODY = Payer("", "")


class Meter(Struct, eq=False):
    """What a request has cost so far: `seconds` of processor time, the number of `events` read from the log, and the
    bytes `stored` in it.
    """

    payer: Payer
    seconds: float = 0.0
    events: int = 0
    stored: int = 0
    since: float | None = None
    """Processor time of the event loop when it began the current step of this request."""

    @property
    def taken(self) -> float:
        """Seconds of processor time, including the unfinished step. Call it on the event loop."""
        return self.seconds if self.since is None else self.seconds + time.thread_time() - self.since


_meter: ContextVar[Meter | None] = ContextVar("meter", default=None)


def begin(meter: Meter) -> Token[Meter | None]:
    """Count on this meter from now on. Pass the returned token to `end`."""
    return _meter.set(meter)


def end(begun: Token[Meter | None]) -> None:
    """Go back to the meter before `begin`."""
    _meter.reset(begun)


def payer() -> Payer:
    """The caller that the current work is charged to."""
    meter = _meter.get()
    return NOBODY if meter is None else meter.payer


def events_read(number: int) -> None:
    """Count N events read from the log."""
    meter = _meter.get()
    if meter is not None:
        meter.events += number


def bytes_stored(number: int) -> None:
    """Count N bytes that the log stores from now on."""
    meter = _meter.get()
    if meter is not None:
        meter.stored += number


def spent(seconds: float) -> None:
    """Count processor time that was used elsewhere, such as in another process."""
    meter = _meter.get()
    if meter is not None:
        meter.seconds += seconds


def metered(work: Callable[Passed, T], *args: Passed.args, **named: Passed.kwargs) -> T:
    """Call the function and return its result. Its processor time in this thread is counted."""
    meter = _meter.get()
    if meter is None:
        return work(*args, **named)
    since = time.thread_time()
    try:
        return work(*args, **named)
    finally:
        meter.seconds += time.thread_time() - since


async def stepped(coroutine: Coroutine[Any, Any, T]) -> T:
    """Await the coroutine and return its result. Counts the processor time of its steps on the event loop, not the time
    between.
    """
    meter = _meter.get()
    return await coroutine if meter is None else await _Steps(coroutine, meter)


class _Steps(Generic[T]):
    """Runs the steps of a coroutine one by one, as a task would."""

    __slots__ = ("_coroutine", "_meter")

    def __init__(self, coroutine: Coroutine[Any, Any, T], meter: Meter) -> None:
        self._coroutine = coroutine
        self._meter = meter

    def __await__(self) -> Generator[Any, Any, T]:
        meter, coroutine = self._meter, self._coroutine
        error: BaseException | None = None
        while True:
            since = meter.since = time.thread_time()
            try:
                awaited = coroutine.send(None) if error is None else coroutine.throw(error)
            except StopIteration as returned:
                result: T = returned.value
                return result
            finally:
                meter.seconds += time.thread_time() - since
                meter.since = None
            try:
                yield awaited
                error = None
            except BaseException as raised:  # a cancellation belongs to the coroutine
                error = raised
