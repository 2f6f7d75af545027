"""What of a rule set an environment needs: its actions, and what a seat sees."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.training.actions import ActionFamily
from mcmulti.training.layout import Part


class Subject(Struct, frozen=True, kw_only=True):
    """A rule set to be learned.

    `parts`: what a seat sees, by how many play. `home`: the number of the part of the board from which a seat counts
    the others, where every seat has parts of its own. `lost`: which legal commands no action comes to, in a sentence
    for the documentation.
    """

    ruleset: Ruleset[Any]
    families: Sequence[ActionFamily]
    parts: Callable[[int], Sequence[Part]]
    home: Callable[[Any, int], int] = lambda state, seat: 0
    lost: str
