"""Spans of what a server does: none, unless somebody collects them (`mcmulti.server.spans`).

They name operations, games and events, and never what a client sent or what is sealed.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from uuid import UUID

SpanFact = str | int | UUID
Begin = Callable[[str, dict[str, SpanFact]], AbstractContextManager["WorkSpan"]]
"""Begins a span of this name, with these facts; it lasts as long as the block."""


class WorkSpan:
    """A span that nobody collects. `trace_id`: which trace it is a part of, in hexadecimal; empty if none."""

    trace_id: str = ""

    def tell(self, **facts: SpanFact) -> None:
        """Add facts to it."""


_nothing = nullcontext(WorkSpan())
_collector: list[Begin] = []


def collect(begin: Begin) -> None:
    """Have spans collected from now on."""
    _collector[:] = [begin]


def stop() -> None:
    """Have none collected any more."""
    _collector.clear()


def collected() -> bool:
    """Whether somebody collects spans."""
    return bool(_collector)


def span(name: str, **facts: SpanFact) -> AbstractContextManager[WorkSpan]:
    """What happens in the block, as a part of what happens around it."""
    return _collector[0](name, facts) if _collector else _nothing
