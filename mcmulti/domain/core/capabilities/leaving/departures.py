"""Departures and arrivals in a running game, and how it ended."""

from typing import Any, Literal

from mcmulti.domain.core.capabilities.capability import Slot

EndedBy = Literal["left", "agreed", "called_off", "too_long"]
"""How a game ended before its own rules ended it: all others left, all agreed, all agreed to call it off without a
winner, or its log reached its greatest length.
"""


class Departures(Slot, frozen=True, gc=False):
    """Departures and arrivals.

    `tenants`: who played each seat since the start, in order; empty as long as nobody has left. `ended`: how the game
    ended before its own rules ended it, None if it did not.
    """

    tenants: tuple[tuple[str, ...], ...] = ()
    ended: EndedBy | None = None


NO_DEPARTURES = Departures()


def departures_of(state: Any) -> Departures:
    """The departures of a game; empty if players cannot leave."""
    departures: Departures = getattr(state, "departures", NO_DEPARTURES)
    return departures
