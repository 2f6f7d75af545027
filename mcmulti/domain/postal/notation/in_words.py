"""Orders in the notation: sending them as text, and listing those that were sent."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from mcmulti.domain.core.capabilities.rounds.reports import Round
from mcmulti.domain.core.commands import Worded
from mcmulti.domain.postal.commands import SetStanding, SubmitOrders
from mcmulti.domain.postal.notation.reading import read_sheet
from mcmulti.domain.postal.notation.tokens import LONGEST
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
