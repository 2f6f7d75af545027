"""What a game that runs remembers of who left it, who came, and who wants to end it."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from mcmulti.domain.core.figures import Seat

How = Annotated[
    Literal["rank", "call_off"],
    Meta(
        description="How players end a game: now, by the final sale and ranking that it would come to in the end"
        " (`rank`), or without any winner (`call_off`)."
    ),
]
EndedBy = Literal["left", "agreed", "called_off"]
"""How people ended a game before its rules did: all others left it, all agreed, all agreed that nobody wins."""


class Proposal(Struct, frozen=True, gc=False):
    """A proposal to end the game: how, in which `turn` it was made, and the seats that agree, who made it first."""

    how: How
    turn: int
    agreed: tuple[Seat, ...]


class Departures(Struct, frozen=True, gc=False):
    """Who left, who came, and who wants an end.

    `tenants` is who played each seat since the start, in order, empty as long as nobody has left. `proposal` waits for
    answers. `proposed` are the seats that made one in `turn`. `ended` is how people ended the game, None if they did
    not.
    """

    tenants: tuple[tuple[str, ...], ...] = ()
    proposal: Proposal | None = None
    turn: int = -1
    proposed: tuple[Seat, ...] = ()
    ended: EndedBy | None = None


NO_DEPARTURES = Departures()
