"""Another game, a fair with another name and a `Wait` of its own."""

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.figures import Seat, Seats
from mcmulti.domain.core.ruleset import Commands, Ruleset
from tests.toy import fair
from tests.toy.fair.flow import FLOW as FAIR
from tests.toy.fair.state import Fair
from tests.toy.fair.trading import Wait as FairWait
from tests.toy.fair.view import TraderView
from tests.toy.fair.view import view as fair_view


class Wait(Command, frozen=True):
    """Let the others go first."""


class StrangerView(Struct, frozen=True, tag="stranger", tag_field="ruleset"):
    """The view of a stranger's game."""

    status: Literal["open", "running", "finished"]
    you: Seat | None
    to_move: Seats
    seats: Annotated[tuple[TraderView, ...], Meta(max_length=5)]
    winners: Seats


def view(state: Fair, seat: int | None) -> StrangerView:
    """The same view for everybody."""
    seen = fair_view(state, seat)
    return StrangerView(seen.status, seat, seen.to_move, seen.seats, seen.winners)


FLOW = replace(
    FAIR,
    carriers={Wait if kind is FairWait else kind: carrier for kind, carrier in FAIR.carriers.items()},
    defaults={"trading": lambda state, seat: Wait()},
)

RULESET: Ruleset[Fair] = replace(
    fair.RULESET,
    name="stranger",
    title="The stranger",
    view_type=StrangerView,
    view=view,
    commands=Commands(moves=FLOW.moves),
    flow=FLOW,
)
