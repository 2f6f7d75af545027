"""The rounds of a game by post: their sheets, their deadlines, and who can read the sheets."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.rounds import Orders, Round, Rounds
from mcmulti.domain.core.commands import Worded
from mcmulti.domain.core.course.deadlines import Deadlines
from mcmulti.domain.core.course.standing import Pace
from mcmulti.domain.postal.commands import CloseRound, SetStanding, SubmitOrders
from mcmulti.domain.postal.limits import DEADLINE_PASSED
from mcmulti.domain.postal.notation.reading import read_sheet
from mcmulti.domain.postal.notation.tokens import LONGEST
from mcmulti.domain.postal.notation.writing import sheet_text
from mcmulti.domain.postal.refereeing.refereeing import SEALED, OrdersSubmitted, RoundClosed
from mcmulti.domain.postal.sheets.checking import check, forecast
from mcmulti.domain.postal.sheets.sheet import OrderSheet
from mcmulti.domain.postal.state import State


class WriteOrders(Worded, frozen=True):
    """Send an order sheet as text in the notation. It is stored as the `SubmitOrders` or `SetStanding` that it means.

    `round`: the one it is for. `text`: the orders. `standing`: whether they also apply to all rounds after that.
    """

    round: Round
    text: Annotated[str, Meta(max_length=LONGEST, extra_json_schema={"x-problems": ["unread_orders"]})]
    standing: bool = False

    def move(self, seat: int | None, names: Sequence[str | None]) -> SubmitOrders | SetStanding:
        return (SetStanding if self.standing else SubmitOrders)(self.round, read_sheet(self.text, seat, names).sheet)


def sending(state: State, sheet: OrderSheet) -> SubmitOrders:
    """The command that sends a sheet for this round."""
    return SubmitOrders(state.round, sheet)


def sent(state: State, seat: int) -> tuple[SubmitOrders | SetStanding, ...]:
    """The pending sheets of a seat: for this round, for later ones, and the standing one."""
    sheet, standing = state.sheets[seat], state.standing[seat]
    this = () if sheet is None else (SubmitOrders(state.round, sheet),)
    later = tuple(
        (SetStanding if each.standing else SubmitOrders)(each.round, each.sheet) for each in state.later[seat]
    )
    always = () if standing is None else (SetStanding(state.round, standing),)
    return (*this, *later, *always)


HOUR = 3600
"""Seconds."""


def pace(state: State) -> Pace | None:
    """How long the game waits for the sheets of this round (`postal/deadline`)."""
    if state.phase != "orders":
        return None
    hours = state.setup.round_hours
    return Pace((state.round,), hours * HOUR, (hours + state.setup.grace_hours) * HOUR)


def timeout(state: State) -> CloseRound:
    """The command that closes the round."""
    return CloseRound(state.round)


def sealed(state: State, event: OrdersSubmitted, seat: int | None) -> bool:
    """Whether a sheet is sealed: until the game is over only its owner can read it (`postal/orders`)."""
    return state.phase != "over" and event.seat != seat


def stand_in(types: Sequence[str], seat: int | None) -> OrdersSubmitted | None:
    """The stand-in to fold for a sealed event: a sheet is in, without its content. None if it has no owner."""
    return None if seat is None else OrdersSubmitted(seat, SEALED, OrderSheet(), "0" * 32)


def unsealed(state: State) -> State:
    """The state without any order sheet, as when a round begins: nobody has sent anything, or holds it."""
    none = (None,) * len(state.sheets)
    return replace(
        state, sheets=none, standing=none, later=((),) * len(none), holds=(False,) * len(none), stirred=False
    )


ROUNDS: Rounds[State] = Rounds(
    number=lambda state: state.round,
    orders=Orders(
        sheet=OrderSheet,
        forecast=forecast,
        check=check,
        read=read_sheet,
        write=sheet_text,
        sending=sending,
        sent=sent,
        closes=RoundClosed,
    ),
    waits=Deadlines(
        pace=pace,
        timeout=timeout,
        late=DEADLINE_PASSED,
        misses={RoundClosed: lambda state, closed: state.missing},
    ),
)
