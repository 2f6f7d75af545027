"""Run the work of a command to its end, or until a signal. This module imports nothing of the server."""

import asyncio
import signal
from collections.abc import Callable, Coroutine
from importlib.util import find_spec
from typing import Any, TypeVar

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

T = TypeVar("T")


class ServerError(Exception):
    """Why there is no server, in a sentence for the user."""


class Interrupted(Exception):
    """The work was ended by a signal and cleaned up; `number` is the signal's."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run it to its end.

    The first SIGINT, SIGTERM, or SIGHUP that is not ignored cancels it, and `Interrupted` is raised once it has cleaned
    up.
    """
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    try:
        with asyncio.Runner(loop_factory=_new_event_loop()) as runner:
            return runner.run(_interruptible(work))
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _new_event_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """What makes the event loop. None is asyncio's own, for `mcmulti-client`, which comes without uvloop."""
    if find_spec("uvloop") is None:
        return None
    import uvloop

    return uvloop.new_event_loop


async def _interruptible(work: Coroutine[Any, Any, T]) -> T:
    task = asyncio.ensure_future(work)
    signals: list[int] = []

    def interrupt(number: int) -> None:
        signals.append(number)
        if len(signals) == 1:
            task.cancel()

    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            asyncio.get_running_loop().add_signal_handler(number, interrupt, number)
    try:
        return await task
    except asyncio.CancelledError:
        if signals:
            raise Interrupted(signals[0]) from None
        raise
