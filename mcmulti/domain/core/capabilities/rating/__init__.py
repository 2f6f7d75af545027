"""Rating: keeps track of what players played, their results, and how reliable they were, except in practice games."""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
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


MOST = 5
"""The most companions of a player at a table."""
_CUSTOM = "8"
"""Version 8 of RFC 9562: ids of an application's own making. Nobody registers under one."""
COMPANION = f"^.{{14}}{_CUSTOM}.*[1-{MOST}]$"
"""A regular expression for the ids of companions, and no other."""


def companion(opener: str, game: str, number: int) -> str:
    """The id of a companion at a game, from the opener's id and a number from 1, with which it ends."""
    digits = sha256(f"companion {number} of {opener} at {game}".encode()).hexdigest()
    return f"{digits[:8]}-{digits[8:12]}-{_CUSTOM}{digits[13:16]}-8{digits[17:20]}-{digits[20:31]}{number}"


def companion_number(player: str) -> int | None:
    """The number of a companion, from its id; None for any other id."""
    return int(player[-1]) if player[14] == _CUSTOM and "1" <= player[-1] <= f"{MOST}" else None
