"""A round: sheets come in. When it is complete or closed, it is refereed player by player, phase by phase."""

from typing import Literal

from msgspec.structs import replace

from mcmulti.domain.core.capabilities.rounds import Round
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Salt
from mcmulti.domain.core.offers import FlagChoice, Form, NumberChoice, Offer, Range
from mcmulti.domain.core.table import reveal_seed
from mcmulti.domain.core.tuples import put
from mcmulti.domain.oil import turn
from mcmulti.domain.oil.names import Seat, Seats
from mcmulti.domain.oil.state import Turn
from mcmulti.domain.postal.commands import CloseRound, EndStanding, HoldRound, SetStanding, SubmitOrders, WithdrawOrders
from mcmulti.domain.postal.names import Outcome
from mcmulti.domain.postal.phrases import Phrases
from mcmulti.domain.postal.refereeing import assets, trading
from mcmulti.domain.postal.refereeing.carrying_out import carry_out, open_lines
from mcmulti.domain.postal.refereeing.dice import roll
from mcmulti.domain.postal.refereeing.ending import finish_if_still, over
from mcmulti.domain.postal.refereeing.production import operate_all
from mcmulti.domain.postal.sheets.defaults import without_orders
from mcmulti.domain.postal.sheets.sheet import LIMIT_CODES, LaterSheet, OrderSheet
from mcmulti.domain.postal.sheets.tracing import reached
from mcmulti.domain.postal.state import Play, State

AHEAD = 20
"""A sheet can be for a round up to this many after the current one (`postal/later`)."""
SEALED = 0
"""Stands in for a sealed round number."""


class RoundBegan(Event, frozen=True):
    """The game waits for order sheets. `round`: counts from 1. `order`: the order of the turns.

    `in_advance`: the seats whose sheet for it is already in; the sheet itself stays sealed.
    """

    round: Round
    order: Seats
    in_advance: Seats

    def evolve(self, state: State) -> State:
        seats = range(len(self.order))
        due = [state.due(seat, self.round) for seat in seats]
        sheets = [each.sheet if each else standing for each, standing in zip(due, state.standing, strict=True)]
        return replace(
            state,
            phase="orders",
            round=self.round,
            order=self.order,
            sheets=tuple((sheets[seat] or OrderSheet()) if seat in self.in_advance else None for seat in seats),
            later=tuple(tuple(each for each in later if each.round > self.round) for later in state.later),
            standing=tuple(
                each.sheet if each and each.standing else standing
                for each, standing in zip(due, state.standing, strict=True)
            ),
            holds=(False,) * len(self.order),
            stirred=False,
            climate_changes=0,
        )

    def about(self, actor: int | None) -> int | None:
        return None

    def form(self, say: Phrases) -> Literal["plain", "in_advance"]:
        return "in_advance" if self.in_advance else "plain"


class OrdersSubmitted(Event, frozen=True):
    """A seat sent a sheet, replacing an earlier one; or ended later orders.

    Only the seat can read it until the game is over, so nobody else learns which it was. `round`: the one it is for.
    `sheet`: the orders; null removes them. `salt`: keeps others from guessing the sheet from its digest. `standing`:
    whether it also applies to all rounds after that or, without a sheet, the standing orders end.
    """

    seat: Seat
    round: Round
    sheet: OrderSheet | None
    salt: Salt
    standing: bool = False

    def evolve(self, state: State) -> State:
        state = replace(state, salts=state.salts + 1, stirred=True)
        if self.round > state.round:
            others = tuple(each for each in state.later[self.seat] if each.round != self.round)
            new = () if self.sheet is None else (LaterSheet(self.round, self.sheet, self.standing),)
            later = tuple(sorted((*others, *new), key=lambda each: each.round))
            return replace(state, later=put(state.later, self.seat, later))
        if self.standing:
            state = replace(state, standing=put(state.standing, self.seat, self.sheet))
        return state if self.sheet is None else replace(state, sheets=put(state.sheets, self.seat, self.sheet))

    def form(self, say: Phrases) -> Literal["sealed", "sheet", "standing", "withdrawn", "ended"]:
        if self.round == SEALED:
            return "sealed"
        if self.sheet is None:
            return "ended" if self.standing else "withdrawn"
        return "standing" if self.standing else "sheet"


class OrdersWithdrawn(Event, frozen=True):
    """A seat took back its sheet for the `round`, and has none now."""

    seat: Seat
    round: Round

    def evolve(self, state: State) -> State:
        return replace(state, sheets=put(state.sheets, self.seat, None))


class HoldChanged(Event, frozen=True):
    """A seat holds or releases the round. `round`: which one. `hold`: whether it holds it."""

    seat: Seat
    round: Round
    hold: bool

    def evolve(self, state: State) -> State:
        return replace(state, holds=put(state.holds, self.seat, self.hold), stirred=state.stirred or not self.hold)

    def form(self, say: Phrases) -> Literal["on", "off"]:
        return "on" if self.hold else "off"


class RoundClosed(Event, frozen=True):
    """The `round` is refereed. `missing`: the seats that sent no sheet."""

    round: Round
    missing: Seats

    def evolve(self, state: State) -> State:
        return replace(state, phase="refereeing")

    def about(self, actor: int | None) -> int | None:
        return None

    def form(self, say: Phrases) -> Literal["all", "missing"]:
        return "missing" if self.missing else "all"


class TurnBegan(turn.TurnBegan, frozen=True):
    """The turn of a player in the round began."""

    def evolve(self, state: State) -> State:
        return replace(state, turn=Turn(self.turn, self.quadrant, self.seat), still=state.still + 1)


def offers(state: State, seat: int) -> tuple[Offer, ...]:
    """Send or replace a sheet or standing orders; take them back; hold or release the round.

    Changes for later rounds alone are allowed only while the sheet for this one is in: others see that something was
    sent, and must not see that it was not for this round (`postal/later`).
    """
    holds, sent = state.holds[seat], state.sheets[seat] is not None
    this = NumberChoice((state.round,), "other_round")
    later = Range(state.round + 1, state.round + AHEAD, "other_round")
    sheet = Form("OrderSheet", LIMIT_CODES)
    waiting = tuple(each.round for each in state.later[seat]) if sent else ()
    first = None if sent else "this_round_first"
    return (
        Offer("SubmitOrders", "postal/orders", {"round": this, "sheet": sheet}),
        Offer("SubmitOrders", "postal/later", {"round": later, "sheet": sheet}, blocked_by=first),
        Offer("SetStanding", "postal/standing", {"round": this, "sheet": sheet}),
        Offer("SetStanding", "postal/standing", {"round": later, "sheet": sheet}, blocked_by=first),
        Offer(
            "WithdrawOrders",
            "postal/orders",
            {"round": NumberChoice((state.round, *waiting), "other_round")},
            blocked_by=None if sent else "no_sheet",
        ),
        Offer(
            "EndStanding",
            "postal/standing",
            {"round": this},
            blocked_by="no_standing" if state.standing[seat] is None else first,
        ),
        Offer(
            "HoldRound",
            "postal/orders",
            {"round": this, "hold": FlagChoice((not holds,), "held" if holds else "not_held")},
        ),
    )


def offers_closing(state: State) -> tuple[Offer, ...]:
    """The server closes the round when its deadline has passed."""
    this = NumberChoice((state.round,), "other_round")
    return (Offer("CloseRound", "postal/orders", {"round": this}),)


def submit_orders(play: Play, seat: int, command: SubmitOrders, offer: Offer) -> None:
    _send(play, seat, command.round, command.sheet, standing=False)


def set_standing(play: Play, seat: int, command: SetStanding, offer: Offer) -> None:
    """Set standing orders. To others it looks like a sheet that was sent for this round alone (`postal/standing`)."""
    _send(play, seat, command.round, command.sheet, standing=True)


def withdraw_orders(play: Play, seat: int, command: WithdrawOrders, offer: Offer) -> None:
    """Withdraw a sheet. For this round everybody sees it; for a later one it looks like sending a sheet
    (`postal/later`).
    """
    if command.round == play.state.round:
        play.record(OrdersWithdrawn(seat, command.round), offer.rule)
    else:
        _send(play, seat, command.round, None, standing=False)


def end_standing(play: Play, seat: int, command: EndStanding, offer: Offer) -> None:
    """End the standing orders. To others it looks like sending a sheet (`postal/standing`)."""
    _send(play, seat, command.round, None, standing=True)


def _send(play: Play, seat: int, number: int, sheet: OrderSheet | None, *, standing: bool) -> None:
    """Record what nobody else can read, always under the same rule, since rules are not sealed."""
    salt = play.chance.salt(play.state.salts + 1)
    play.record(OrdersSubmitted(seat, number, sheet, salt, standing), "postal/orders")


def hold_round(play: Play, seat: int, command: HoldRound, offer: Offer) -> None:
    play.record(HoldChanged(seat, play.state.round, command.hold), offer.rule)


def close_round(play: Play, seat: int | None, command: CloseRound, offer: Offer) -> None:
    referee(play)


def referee_if_complete(play: Play) -> None:
    """Play the round if all required sheets are in and nobody holds it (`postal/orders`).

    If all came in advance, it waits until somebody sends anything, or for its deadline (`postal/later`).
    """
    if play.state.stirred and not play.state.missing and not any(play.state.holds):
        referee(play)


def begin_round(play: Play, number: int) -> None:
    """Begin a round. Each round, the seat that was second starts (`postal/order`)."""
    players = len(play.state.players)
    order = tuple((number - 1 + place) % players for place in range(players))
    state = play.state
    in_advance = tuple(seat for seat in range(players) if state.due(seat, number) or state.standing[seat] is not None)
    play.record(RoundBegan(number, order, in_advance), "postal/order")


def referee(play: Play) -> None:
    """Play the round with the sheets that are in, until somebody wins. It can end in a standstill."""
    play.chance.unseal()
    play.record(RoundClosed(play.state.round, play.state.without_sheet), "postal/orders")
    for seat in play.state.order:
        _play_turn(play, seat)
        if over(play):
            break
    finish_if_still(play)
    if over(play):
        reveal_seed(play)
    else:
        begin_round(play, play.state.round + 1)


def begin_turn(play: Play, seat: int) -> None:
    """Begin the player's turn in the round."""
    before = play.state.turn
    play.record(TurnBegan(1 + (before.number if before else 0), seat, seat), "postal/order")


def deal(play: Play, seat: int, sheet: OrderSheet) -> dict[int, Outcome]:
    """Play phases 1 and 2, until the player has won (`postal/target`). Returns the outcome of each line that was
    reached.
    """
    came_to: dict[int, Outcome] = {}
    line = carry_out(play, seat, sheet.orders, 1, assets.ACTIONS, came_to)
    carry_out(play, seat, sheet.trades, line, trading.ACTIONS, came_to)
    return came_to


def _play_turn(play: Play, seat: int) -> None:
    """Play a turn, until somebody wins the game (`postal/target`)."""
    begin_turn(play, seat)
    sheet = play.state.sheets[seat]
    if sheet is None:
        without_orders(play, seat)
    else:
        first = len(play.facts)
        open_lines(play, seat, first, reached(sheet, deal(play, seat, sheet)))
    if not over(play):
        operate_all(play, seat, *roll(play, seat))
