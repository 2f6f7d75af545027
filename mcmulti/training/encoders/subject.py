"""What an environment needs of a rule set: its actions and its observations."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.training.actions import ActionFamily
from mcmulti.training.layout import Part


class Subject(Struct, frozen=True, kw_only=True):
    """A rule set as something to learn.

    `parts`: the parts of an observation, by number of players. `home`: if every seat has its own part of the board, the
    number of the part from which a seat counts the others. `lost`: which legal commands no action maps to, in a
    sentence for the documentation.
    """

    ruleset: Ruleset[Any]
    families: Sequence[ActionFamily]
    parts: Callable[[int], Sequence[Part]]
    home: Callable[[Any, int], int] = lambda state, seat: 0
    lost: str
