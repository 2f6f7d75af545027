"""What is the same at the tables of all games."""

from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any

from mcmulti.domain.core import table
from mcmulti.domain.core.capabilities.capability import Capability
from mcmulti.domain.core.commands import Command, LeaveSeat, StartGame, TakeSeat
from mcmulti.domain.core.course import starting, unasked
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.offers import Limit, Offer

LIMITS = (*table.LIMITS, *starting.LIMITS)
"""What keeps people from something at every table."""

UNDECIDED: tuple[type[Command], ...] = (TakeSeat, LeaveSeat, StartGame, starting.AgreeToStart)
"""Commands that decide nothing in a game that is played, in every rule set."""

CARRIERS: Mapping[type[Command], Callable[[Any, Any, Any, Offer], None]] = {
    TakeSeat: table.take_seat,
    LeaveSeat: table.leave_seat,
}
"""What carries out the commands at a table that has not begun to play."""


def limits_of(capabilities: Iterable[Capability], own: Iterable[Limit]) -> dict[str, Limit]:
    """Every code a rejection can have in a game: of every table, of its capabilities, and its own, which prevail."""
    shared = (limit for capability in capabilities for limit in capability.limits)
    return {limit.code: limit for limit in (*LIMITS, *shared, *own)}


def events_at(capabilities: Iterable[Capability]) -> tuple[ModuleType | type[Event], ...]:
    """The modules that define the events of every table, and the events of these capabilities."""
    return (table, starting, unasked, *(event for capability in capabilities for event in capability.events))
