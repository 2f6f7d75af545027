"""The rounds of a game by post: their sheets, their deadlines, and who can read the sheets."""

from collections.abc import Sequence

from msgspec.structs import replace

from mcmulti.domain.core.capabilities.rounds import Rounds
from mcmulti.domain.core.capabilities.rounds.orders import Orders
from mcmulti.domain.core.course.deadlines import Deadlines
from mcmulti.domain.core.course.standing import Pace
from mcmulti.domain.postal.commands import CloseRound
from mcmulti.domain.postal.limits import DEADLINE_PASSED
from mcmulti.domain.postal.notation.in_words import sending, sent
from mcmulti.domain.postal.notation.reading import read_sheet
from mcmulti.domain.postal.notation.writing import sheet_text
from mcmulti.domain.postal.refereeing.refereeing import SEALED, OrdersSubmitted, RoundClosed
from mcmulti.domain.postal.sheets.checking import check, forecast
from mcmulti.domain.postal.sheets.sheet import OrderSheet
from mcmulti.domain.postal.state import State

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
