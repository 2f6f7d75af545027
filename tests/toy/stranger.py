"""Another game, a fair by another name, with a `StartGame` of its own."""

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.commands import StartGame as AnyStart
from mcmulti.domain.core.figures import Seat, Seats
from mcmulti.domain.core.ruleset import Commands, Ruleset
from tests.toy import fair
from tests.toy.fair.flow import FLOW as FAIR
from tests.toy.fair.state import Fair
from tests.toy.fair.view import TraderView
from tests.toy.fair.view import view as fair_view


class StartGame(Command, frozen=True):
    """Open the gates."""


class StrangerView(Struct, frozen=True, tag="stranger", tag_field="ruleset"):
    """What there is to see of a stranger's game."""

    status: Literal["open", "running", "finished"]
    you: Seat | None
    to_move: Seats
    seats: Annotated[tuple[TraderView, ...], Meta(max_length=5)]
    winners: Seats


def view(state: Fair, seat: int | None) -> StrangerView:
    """The same to everybody."""
    seen = fair_view(state, seat)
    return StrangerView(seen.status, seat, seen.to_move, seen.seats, seen.winners)


FLOW = replace(
    FAIR, carriers={StartGame if kind is AnyStart else kind: carrier for kind, carrier in FAIR.carriers.items()}
)

RULESET: Ruleset[Fair] = replace(
    fair.RULESET,
    name="stranger",
    title="The stranger",
    view_type=StrangerView,
    view=view,
    commands=Commands(moves=FLOW.moves, starting=StartGame),
    flow=FLOW,
)
