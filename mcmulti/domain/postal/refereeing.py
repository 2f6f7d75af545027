"""A round: sheets come in, and when it is complete or closed it is refereed, player by player, phase by phase."""

from typing import Literal

from msgspec.structs import replace

from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Salt
from mcmulti.domain.core.offers import FlagChoice, Form, NumberChoice, Offer
from mcmulti.domain.core.rounds import Round
from mcmulti.domain.core.table import reveal_seed
from mcmulti.domain.core.tuples import put
from mcmulti.domain.oil import turn
from mcmulti.domain.oil.figures import Seat, Seats
from mcmulti.domain.oil.state import Turn
from mcmulti.domain.postal import assets, trading
from mcmulti.domain.postal.carrying_out import carry_out, open_lines
from mcmulti.domain.postal.commands import CloseRound, HoldRound, SubmitOrders, WithdrawOrders
from mcmulti.domain.postal.defaults import without_orders
from mcmulti.domain.postal.dice import roll
from mcmulti.domain.postal.ending import finish_if_still, over
from mcmulti.domain.postal.phrases import Phrases
from mcmulti.domain.postal.play import Play
from mcmulti.domain.postal.production import operate_all
from mcmulti.domain.postal.sheet import LIMIT_CODES, OrderSheet
from mcmulti.domain.postal.state import State
from mcmulti.domain.postal.tracing import reached


class RoundBegan(Event, frozen=True):
    """The game waits for order sheets. `round` counts from 1; `order` is that of the turns."""

    round: Round
    order: Seats

    def evolve(self, state: State) -> State:
        return replace(
            state,
            phase="orders",
            round=self.round,
            order=self.order,
            sheets=(None,) * len(self.order),
            holds=(False,) * len(self.order),
            climate_changes=0,
            conversions_in_round=0,
        )

    def about(self, actor: int | None) -> int | None:
        return None


class OrdersSubmitted(Event, frozen=True):
    """A seat sent its sheet for the round, in the place of one sent before.

    Only the seat may read it until the game is over. `round`: the one it is for. `sheet`: the orders. `salt` keeps
    others from guessing the sheet from its digest.
    """

    seat: Seat
    round: Round
    sheet: OrderSheet
    salt: Salt

    def evolve(self, state: State) -> State:
        return replace(state, sheets=put(state.sheets, self.seat, self.sheet), salts=state.salts + 1)


class OrdersWithdrawn(Event, frozen=True):
    """A seat took its sheet for the `round` back: it has sent none."""

    seat: Seat
    round: Round

    def evolve(self, state: State) -> State:
        return replace(state, sheets=put(state.sheets, self.seat, None))


class HoldChanged(Event, frozen=True):
    """A seat holds the round, or holds it no more. `round`: which one. `hold`: whether it does."""

    seat: Seat
    round: Round
    hold: bool

    def evolve(self, state: State) -> State:
        return replace(state, holds=put(state.holds, self.seat, self.hold))

    def form(self, say: Phrases) -> Literal["on", "off"]:
        return "on" if self.hold else "off"


class RoundClosed(Event, frozen=True):
    """The `round` is refereed. `missing` are the seats that sent no sheet."""

    round: Round
    missing: Seats

    def evolve(self, state: State) -> State:
        return replace(state, phase="refereeing")

    def about(self, actor: int | None) -> int | None:
        return None

    def form(self, say: Phrases) -> Literal["all", "missing"]:
        return "missing" if self.missing else "all"


class TurnBegan(turn.TurnBegan, frozen=True):
    """The turn of a player began in the round."""

    def evolve(self, state: State) -> State:
        return replace(state, turn=Turn(self.turn, self.quadrant, self.seat), still=state.still + 1)


def offers(state: State, seat: int) -> tuple[Offer, ...]:
    """Send a sheet, also in the place of one sent before; take it back; hold the round, or no more."""
    holds, sent = state.holds[seat], state.sheets[seat] is not None
    this = NumberChoice((state.round,), "other_round")
    return (
        Offer(
            "SubmitOrders",
            "postal/orders",
            {"round": this, "sheet": Form("OrderSheet", LIMIT_CODES)},
        ),
        Offer(
            "WithdrawOrders",
            "postal/orders",
            {"round": this},
            blocked_by=None if sent else "no_sheet",
        ),
        Offer(
            "HoldRound",
            "postal/orders",
            {"round": this, "hold": FlagChoice((not holds,), "hold")},
        ),
    )


def offers_closing(state: State) -> tuple[Offer, ...]:
    """The server closes the round when its deadline has passed."""
    this = NumberChoice((state.round,), "other_round")
    return (Offer("CloseRound", "postal/orders", {"round": this}),)


def submit_orders(play: Play, seat: int, command: SubmitOrders, offer: Offer) -> None:
    salt = play.chance.salt(play.state.salts + 1)
    play.record(OrdersSubmitted(seat, play.state.round, command.sheet, salt), offer.rule)


def withdraw_orders(play: Play, seat: int, command: WithdrawOrders, offer: Offer) -> None:
    play.record(OrdersWithdrawn(seat, play.state.round), offer.rule)


def hold_round(play: Play, seat: int, command: HoldRound, offer: Offer) -> None:
    play.record(HoldChanged(seat, play.state.round, command.hold), offer.rule)


def close_round(play: Play, seat: int | None, command: CloseRound, offer: Offer) -> None:
    referee(play)


def referee_if_complete(play: Play) -> None:
    """Play the round if all sheets are in that it waits for, and nobody holds it (`postal/orders`)."""
    if not play.state.missing and not any(play.state.holds):
        referee(play)


def begin_round(play: Play, number: int) -> None:
    """Each round the one who was second starts (`postal/order`)."""
    players = len(play.state.players)
    order = tuple((number - 1 + place) % players for place in range(players))
    play.record(RoundBegan(number, order), "postal/order")


def referee(play: Play) -> None:
    """Play the round with the sheets that are in, until somebody wins; the game may stand still after it."""
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
    """The player's turn in the round."""
    before = play.state.turn
    play.record(TurnBegan(1 + (before.number if before else 0), seat, seat), "postal/order")


def deal(play: Play, seat: int, sheet: OrderSheet) -> None:
    """Phases 1 and 2, until the player has won (`postal/target`)."""
    line = carry_out(play, seat, sheet.orders, 1, assets.ACTIONS)
    carry_out(play, seat, sheet.trades, line, trading.ACTIONS)


def _play_turn(play: Play, seat: int) -> None:
    """A turn, until it wins the game for somebody (`postal/target`)."""
    begin_turn(play, seat)
    sheet = play.state.sheets[seat]
    if sheet is None:
        without_orders(play, seat)
    else:
        first = len(play.facts)
        deal(play, seat, sheet)
        open_lines(play, seat, first, reached(sheet, [fact.event for fact in play.facts[first:]]))
    if not over(play):
        operate_all(play, seat, *roll(play, seat))
