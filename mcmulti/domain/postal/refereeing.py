"""A round: sheets come in, and when it is complete or closed it is refereed, player by player, phase by phase."""

from mcmulti.domain.core.offers import FlagChoice, Form, NumberChoice, Offer
from mcmulti.domain.oil.events import SeedRevealed, TurnBegan
from mcmulti.domain.postal import assets, trading
from mcmulti.domain.postal.carrying_out import carry_out, open_lines
from mcmulti.domain.postal.commands import CloseRound, HoldRound, SubmitOrders, WithdrawOrders
from mcmulti.domain.postal.defaults import without_orders
from mcmulti.domain.postal.ending import finish_if_still, over
from mcmulti.domain.postal.events import HoldChanged, OrdersSubmitted, OrdersWithdrawn, RoundBegan, RoundClosed
from mcmulti.domain.postal.play import Play
from mcmulti.domain.postal.production import operate_all, roll
from mcmulti.domain.postal.sheet import LIMIT_CODES, OrderSheet
from mcmulti.domain.postal.state import State
from mcmulti.domain.postal.tracing import reached


def offers(state: State, seat: int) -> tuple[Offer, ...]:
    """Send a sheet, also in the place of one sent before; take it back; hold the round, or no more."""
    holds, sent = state.holds[seat], state.sheets[seat] is not None
    this = NumberChoice((state.round,), "other_round")
    return (
        Offer(
            "SubmitOrders",
            "postal/orders",
            f"Send {'another' if sent else 'an'} order sheet for round {state.round}.",
            {"round": this, "sheet": Form("OrderSheet", LIMIT_CODES)},
        ),
        Offer(
            "WithdrawOrders",
            "postal/orders",
            f"Take back your order sheet for round {state.round}.",
            {"round": this},
            blocked_by=None if sent else "no_sheet",
        ),
        Offer(
            "HoldRound",
            "postal/orders",
            "Hold the round no more." if holds else "Hold the round until its deadline.",
            {"round": this, "hold": FlagChoice((not holds,), "hold")},
        ),
    )


def offers_closing(state: State) -> tuple[Offer, ...]:
    """The server closes the round when its deadline has passed."""
    this = NumberChoice((state.round,), "other_round")
    return (Offer("CloseRound", "postal/orders", f"Referee round {state.round}.", {"round": this}),)


def submit_orders(play: Play, seat: int, command: SubmitOrders) -> None:
    salt = play.chance.salt(play.state.salts + 1)
    play.record(OrdersSubmitted(seat, play.state.round, command.sheet, salt), "postal/orders")
    _referee_if_complete(play)


def withdraw_orders(play: Play, seat: int, command: WithdrawOrders) -> None:
    play.record(OrdersWithdrawn(seat, play.state.round), "postal/orders")


def hold_round(play: Play, seat: int, command: HoldRound) -> None:
    play.record(HoldChanged(seat, play.state.round, command.hold), "postal/orders")
    _referee_if_complete(play)


def close_round(play: Play, seat: int | None, command: CloseRound) -> None:
    referee(play)


def _referee_if_complete(play: Play) -> None:
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
    play.record(RoundClosed(play.state.round, play.state.missing), "postal/orders")
    for seat in play.state.order:
        _play_turn(play, seat)
        if over(play):
            break
    finish_if_still(play)
    if over(play):
        play.record(SeedRevealed(play.chance.reveal()), "chance/reveal")
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
