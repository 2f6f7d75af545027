"""Rules that are the same at the tables of all games."""

from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any

from mcmulti.domain.core import table
from mcmulti.domain.core.capabilities.capability import Capability
from mcmulti.domain.core.commands import Command, LeaveSeat, StartGame, TakeSeat
from mcmulti.domain.core.course import starting, unasked
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.offers import Limit, Offer, by_code

LIMITS = (*table.LIMITS, *starting.LIMITS)
"""The limits at every table."""

UNDECIDED: tuple[type[Command], ...] = (TakeSeat, LeaveSeat, StartGame, starting.AgreeToStart)
"""Commands that count as no decision of a player, in every rule set."""

CARRIERS: Mapping[type[Command], Callable[[Any, Any, Any, Offer], None]] = {
    TakeSeat: table.take_seat,
    LeaveSeat: table.leave_seat,
}
"""The handlers of commands at a table before the start."""


def limits_of(capabilities: Iterable[Capability], own: Iterable[Limit]) -> dict[str, Limit]:
    """Every rejection code of a game: of every table, of its capabilities, and its own, which take precedence."""
    shared = (limit for capability in capabilities for limit in capability.limits)
    return by_code(*LIMITS, *shared, *own)


def events_at(capabilities: Iterable[Capability]) -> tuple[ModuleType | type[Event], ...]:
    """The modules that define the events of every table, and the events of these capabilities."""
    return (table, starting, unasked, *(event for capability in capabilities for event in capability.events))
