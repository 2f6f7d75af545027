"""Tracing spans of a server. Without a collector (`mcmulti.server.spans`) there are none.

Spans name operations, games, and events. They never contain what a client sent, or sealed data.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from uuid import UUID

SpanFact = str | int | UUID
Begin = Callable[[str, dict[str, SpanFact]], AbstractContextManager["WorkSpan"]]
"""Begins a span with this name and these attributes. It lasts for the block."""


class WorkSpan:
    """A span that nobody collects. `trace_id`: the trace it belongs to, in hexadecimal; empty if none."""

    trace_id: str = ""

    def set_attributes(self, **facts: SpanFact) -> None:
        """Add attributes to the span."""


_nothing = nullcontext(WorkSpan())
_collector: list[Begin] = []


def collect(begin: Begin) -> None:
    """Collect spans from now on."""
    _collector[:] = [begin]


def stop() -> None:
    """Stop collecting spans."""
    _collector.clear()


def collected() -> bool:
    """Whether spans are collected."""
    return bool(_collector)


def span(name: str, **facts: SpanFact) -> AbstractContextManager[WorkSpan]:
    """A span around the block, as a child of the current span."""
    return _collector[0](name, facts) if _collector else _nothing
