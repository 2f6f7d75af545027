"""What a game that runs remembers of who left it and who came, and how people ended it."""

from typing import Any, Literal

from mcmulti.domain.core.capabilities.capability import Slot

EndedBy = Literal["left", "agreed", "called_off"]
"""How people ended a game before its rules did: all others left it, all agreed, all agreed that nobody wins."""


class Departures(Slot, frozen=True, gc=False):
    """Who left, and who came.

    `tenants` is who played each seat since the start, in order, empty as long as nobody has left. `ended` is how people
    ended the game, None if they did not.
    """

    tenants: tuple[tuple[str, ...], ...] = ()
    ended: EndedBy | None = None


NO_DEPARTURES = Departures()


def departures_of(state: Any) -> Departures:
    """Who left a game, and who came; nobody where people cannot leave."""
    departures: Departures = getattr(state, "departures", NO_DEPARTURES)
    return departures
