"""Rating: keeps track of what players played, their results, and how reliable they were, except in practice games."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from mcmulti.domain.core.capabilities import leaving
from mcmulti.domain.core.capabilities.capability import Capability
from mcmulti.domain.core.capabilities.rating.tenures import TELLING, tenures
from mcmulti.domain.core.course.standing import NOTHING, Reaction, Standing
from mcmulti.domain.core.course.terms import SETUPS
from mcmulti.domain.core.event import Event

PracticeOption = Annotated[
    bool,
    Meta(
        description="Whether the game is for practice (`table/practice`): it counts for no rating and no record, and "
        "the opener may play several seats."
    ),
]
"""The field of a setup."""


@lru_cache(maxsize=SETUPS)
def for_practice(setup: Any) -> bool:
    """Whether a table with this setup is for practice; never in a game without ratings."""
    practice: bool = getattr(setup, "practice", False)
    return practice


class Rating(Capability, frozen=True, kw_only=True):
    """Who played a game, with what result: the data of ratings and player records."""

    room: ClassVar[str] = __name__
    option: ClassVar[str | None] = "practice"
    needs: ClassVar[tuple[str, ...]] = (leaving.__name__,)

    def concerns(self, setup: Any) -> bool:
        """Practice games are not recorded (`table/practice`)."""
        return not setup.practice

    def react(self, before: Standing | None, after: Standing, events: Sequence[Event]) -> Reaction:
        """Most events change nothing here. Those are not folded."""
        if before is not None and before.status == after.status:
            deadlines = after.ruleset.deadlines
            misses = () if deadlines is None else deadlines.misses
            if not [event for event in events if isinstance(event, TELLING) or type(event) in misses]:
                return NOTHING
        return Reaction(tenures=tenures(after.ruleset, None if before is None else before.state, events))
