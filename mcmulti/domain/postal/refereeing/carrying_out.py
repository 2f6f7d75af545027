"""Carry out a sheet line by line. A line that cannot be carried out is skipped; only victory stops the sheet."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta

from mcmulti.domain.core.capabilities.rounds import Round
from mcmulti.domain.core.course.course import Fact
from mcmulti.domain.core.event import Notice
from mcmulti.domain.oil.names import Seat
from mcmulti.domain.oil.phrases import one_or_several
from mcmulti.domain.postal.conditions.conditions import Condition
from mcmulti.domain.postal.conditions.findings import Circumstances, Finding, examine
from mcmulti.domain.postal.names import LINES, Line, Outcome
from mcmulti.domain.postal.phrases import Phrases
from mcmulti.domain.postal.refereeing.acting import Actions
from mcmulti.domain.postal.refereeing.ending import finish_if_won, over
from mcmulti.domain.postal.sheets.sheet import NODES, IfOrder, IfTrade, OpenedLine, lines
from mcmulti.domain.postal.state import Play


class OrdersOpened(Notice, frozen=True):
    """Lines of a seat's sheet for the `round` were reached: those of phases 1 and 2 in its turn, or those for pumps.

    `lines`: their content, in reading order; their results follow. Other lines stay sealed.
    """

    seat: Seat
    round: Round
    lines: Annotated[tuple[OpenedLine, ...], Meta(min_length=1, max_length=LINES)]

    def form(self, say: Phrases) -> Literal["one", "several"]:
        return one_or_several(len(self.lines))


class ConditionChecked(Notice, frozen=True):
    """A condition in a sheet was evaluated. `line`: its line. `holds`: which branch was taken, `then` if true.

    `findings`: the result of each of its parts, in reading order.
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
    """Carry out orders, the first of which is in `line`, until the player has won.

    Returns the number of the line after those that were reached. `came_to`: collects the outcome of each line that was
    reached.
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
    """Evaluate the condition of a line, and record the result (`postal/conditions`)."""
    happened = [fact.event for fact in play.facts]
    held, findings = examine(Circumstances(play.state, seat, happened, came_to), condition)
    play.record(ConditionChecked(seat, line, held, findings), "postal/conditions")
    return held


def open_lines(play: Play, seat: int, first: int, opened: tuple[OpenedLine, ...]) -> None:
    """Record the content of lines that were reached, before their results, which begin at fact `first`
    (`postal/orders`).
    """
    if opened:  # known only after them, but it changes nothing, so it can be inserted before them
        play.facts.insert(first, Fact(OrdersOpened(seat, play.state.round, opened), "postal/orders"))
