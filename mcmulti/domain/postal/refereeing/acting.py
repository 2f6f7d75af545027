"""The results of carrying out a line of a sheet. A line that cannot be carried out is skipped, with the reason."""

from collections.abc import Callable, Mapping
from typing import Any

from mcmulti.domain.core.event import Notice
from mcmulti.domain.core.figures import Code, Count
from mcmulti.domain.oil.names import Seat
from mcmulti.domain.postal.limits import LIMITS
from mcmulti.domain.postal.names import Line, Outcome
from mcmulti.domain.postal.phrases import Phrases
from mcmulti.domain.postal.sheets.sheet import OrderBase
from mcmulti.domain.postal.state import Play


class OrderSkipped(Notice, frozen=True):
    """A `line` of a sheet could not be carried out. `code`: why. `have` and `need`: the numbers, if there are any."""

    seat: Seat
    line: Line
    code: Code
    have: Count | None
    need: Count | None

    def figures(self, say: Phrases) -> str:
        """What there was and what it took, if numbers explain it."""
        return say.figures(self.code, self.have, self.need)


Actions = Mapping[type[OrderBase], Callable[[Play, int, int, Any], Outcome]]
"""The handler of each kind of order, given a play, a seat, the number of the line, and the order."""


def skip(play: Play, seat: int, line: int, code: str, have: int | None = None, need: int | None = None) -> Outcome:
    """Record why a line is not carried out (`postal/sheet`)."""
    play.record(OrderSkipped(seat, line, code, have, need), LIMITS[code].rule)
    return "skipped"
