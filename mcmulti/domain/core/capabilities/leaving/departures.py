"""What a game that runs remembers of who left it and who came, and how it ended."""

from typing import Any, Literal

from mcmulti.domain.core.capabilities.capability import Slot

EndedBy = Literal["left", "agreed", "called_off", "too_long"]
"""How a game ended before its own rules ended it: all others left it, all agreed, all agreed that nobody wins, or its
log was as long as it may get."""


class Departures(Slot, frozen=True, gc=False):
    """Who left, and who came.

    `tenants` is who played each seat since the start, in order, empty as long as nobody has left. `ended` is how the
    game ended before its own rules ended it, None if it did not.
    """

    tenants: tuple[tuple[str, ...], ...] = ()
    ended: EndedBy | None = None


NO_DEPARTURES = Departures()


def departures_of(state: Any) -> Departures:
    """Who left a game, and who came; nobody where people cannot leave."""
    departures: Departures = getattr(state, "departures", NO_DEPARTURES)
    return departures
