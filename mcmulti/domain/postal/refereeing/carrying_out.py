"""Carrying out a sheet line by line. A line that cannot be carried out is skipped; only victory stops the sheet."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta

from mcmulti.domain.core.capabilities.rounds.reports import Round
from mcmulti.domain.core.course.course import Fact
from mcmulti.domain.core.event import Notice
from mcmulti.domain.oil.figures import Seat
from mcmulti.domain.oil.phrases import one_or_several
from mcmulti.domain.postal.conditions.conditions import Condition
from mcmulti.domain.postal.conditions.findings import Circumstances, Finding, examine
from mcmulti.domain.postal.names import Outcome
from mcmulti.domain.postal.phrases import Phrases
from mcmulti.domain.postal.refereeing.acting import Actions
from mcmulti.domain.postal.refereeing.ending import finish_if_won, over
from mcmulti.domain.postal.refereeing.play import Play
from mcmulti.domain.postal.sheets.places import LINES, Line
from mcmulti.domain.postal.sheets.sheet import NODES, IfOrder, IfTrade, OpenedLine, lines


class OrdersOpened(Notice, frozen=True):
    """Lines of a seat's sheet for the `round` were reached: those of phases 1 and 2 in its turn, or those for pumps.

    `lines`: what stands in them, in reading order; what came of it follows. Other lines stay sealed.
    """

    seat: Seat
    round: Round
    lines: Annotated[tuple[OpenedLine, ...], Meta(min_length=1, max_length=LINES)]

    def form(self, say: Phrases) -> Literal["one", "several"]:
        return one_or_several(len(self.lines))


class ConditionChecked(Notice, frozen=True):
    """A condition in a sheet was looked into. `line`: where it stands. `holds`: which branch was taken, `then` if true.

    `findings`: what each of its parts came to, in reading order.
    """

    seat: Seat
    line: Line
    holds: bool
    findings: Annotated[tuple[Finding, ...], Meta(max_length=NODES)]

    def form(self, say: Phrases) -> Literal["yes", "no"]:
        return "yes" if self.holds else "no"


def carry_out(
    play: Play, seat: int, orders: tuple[Any, ...], line: int, actions: Actions, came_to: dict[int, Outcome]
) -> int:
    """Carry out orders, the first of which stands in `line`, until the player has won.

    Returns the number of the line behind those that were looked at. `came_to`: what became of each line that was
    reached, which is added to.
    """
    for order in orders:
        if over(play):
            break
        if isinstance(order, IfOrder | IfTrade):
            then, otherwise = line + 1, line + 1 + lines(order.then)
            held = holds(play, seat, line, order.condition, came_to)
            came_to[line] = "in_full" if held else "skipped"
            if held:
                carry_out(play, seat, order.then, then, actions, came_to)
            else:
                carry_out(play, seat, order.otherwise, otherwise, actions, came_to)
        else:
            came_to[line] = actions[type(order)](play, seat, line, order)
            finish_if_won(play, seat)
        line += lines((order,))
    return line


def holds(play: Play, seat: int, line: int, condition: Condition, came_to: Mapping[int, Outcome]) -> bool:
    """Look into the condition of a line, and tell what was found (`postal/conditions`)."""
    happened = [fact.event for fact in play.facts]
    held, findings = examine(Circumstances(play.state, seat, happened, came_to), condition)
    play.record(ConditionChecked(seat, line, held, findings), "postal/conditions")
    return held


def open_lines(play: Play, seat: int, first: int, opened: tuple[OpenedLine, ...]) -> None:
    """Tell what stands in lines that were reached, before what came of them: fact `first` on (`postal/orders`)."""
    if opened:  # which is known only behind them; as it changes nothing, it can be put before them all the same
        play.facts.insert(first, Fact(OrdersOpened(seat, play.state.round, opened), "postal/orders"))
