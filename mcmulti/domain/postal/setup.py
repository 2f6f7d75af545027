"""The setup of a game."""

from typing import Annotated, Literal

from msgspec import Meta

from mcmulti.domain.core.capabilities.leaving import IfLeftOption
from mcmulti.domain.core.capabilities.rating import PracticeOption
from mcmulti.domain.core.setup import TableSetup


class PostalSetup(TableSetup, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """The setup of a game of McMulti by post.

    `seats`: always four. `round_hours`: how long players have for their order sheets each round, in hours.
    `grace_hours`: how many hours longer the referee waits for late players.
    """

    if_left: IfLeftOption = "substitute"
    practice: PracticeOption = False
    seats: Literal[4] = 4
    round_hours: Annotated[int, Meta(ge=1, le=720)] = 72
    grace_hours: Annotated[int, Meta(ge=0, le=168)] = 0
    third_double: Annotated[
        Literal["again", "stands"],
        Meta(
            description="What happens to a double that would change the climate a third time in a round"
            " (`postal/two-changes`): it is rolled `again`, or it `stands` and changes nothing."
        ),
    ] = "again"
