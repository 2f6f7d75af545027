"""What sentences of the postal game are put together from besides: why lines are skipped."""

from collections.abc import Sequence

from mcmulti.domain.core.rounds import Round
from mcmulti.domain.oil import phrases as common
from mcmulti.domain.postal.components import COMPONENTS
from mcmulti.domain.postal.places import Line
from mcmulti.domain.postal.sheet import OpenedLine

_REASONS = {"cash": "cash_short", "barrels": "barrels_short"}
"""Words for reasons whose codes mean something else besides."""


class Phrases(common.Phrases, room=__package__):
    """Phrases in one language, said at a moment of the game."""

    __slots__ = ()

    QUADRANTS = COMPONENTS["board"]["quadrants"]
    SAID = (*common.Phrases.SAID, (Round, "number"), (Line, "number"))

    def reason(self, code: str) -> str:
        """Why a line could not be carried out."""
        return self.word(_REASONS.get(code, code))

    def numbers(self, opened: Sequence[OpenedLine]) -> str:
        """The numbers of several lines."""
        return self.listing([self.number(each.line) for each in opened])
