"""Rounds: the order, sheets coming in, holding, deadlines, seals."""

import pytest

from mcmulti.domain.core.course.standing import Pace
from mcmulti.domain.core.offers import FlagChoice, Form, NumberChoice
from mcmulti.domain.postal import RULESET, rounds
from mcmulti.domain.postal.commands import CloseRound, HoldRound, SubmitOrders, WithdrawOrders
from mcmulti.domain.postal.refereeing.refereeing import (
    HoldChanged,
    OrdersSubmitted,
    OrdersWithdrawn,
    RoundBegan,
    RoundClosed,
    TurnBegan,
)
from mcmulti.domain.postal.sheets.sheet import ConvertRigOrder, HoldPumps, OrderSheet
from mcmulti.domain.postal.shown.view import view
from mcmulti.domain.postal.state import PostalSetup
from tests.pure.postal.situations import (
    HARMLESS,
    NOTHING,
    A,
    B,
    C,
    D,
    after,
    events,
    refereed,
    refused,
    situation,
    started,
    table,
    won,
)

ALL = dict.fromkeys(range(4), NOTHING)
OTHER = OrderSheet(pumps=HoldPumps())


def test_postal_order__the_second_player_starts_the_next_round() -> None:
    state, seen = started(), []
    for _ in range(5):
        happened, state = refereed(state, ALL)
        seen.append([event.seat for event in happened if isinstance(event, TurnBegan)])
    assert seen == [[A, B, C, D], [B, C, D, A], [C, D, A, B], [D, A, B, C], [A, B, C, D]]
    assert (state.round, state.order) == (6, (B, C, D, A))


def test_postal_order__turns_are_counted_through_the_game() -> None:
    _, state = refereed(started(), ALL)
    happened, _ = refereed(state, ALL)
    assert [event.turn for event in happened if isinstance(event, TurnBegan)] == [5, 6, 7, 8]
    assert happened[-1] == RoundBegan(3, (C, D, A, B), ())


def test_postal_orders__the_last_sheet_completes_the_round() -> None:
    state = started()
    for seat in (C, A, D):
        (sent,) = events(state, seat, SubmitOrders(1, NOTHING))
        assert isinstance(sent, OrdersSubmitted)
        state = after(state, seat, SubmitOrders(1, NOTHING))
    assert RULESET.to_move(state) == (B,)
    happened = events(state, B, SubmitOrders(1, NOTHING), HARMLESS)
    assert happened[1] == RoundClosed(1, ())
    assert happened[-1] == RoundBegan(2, (B, C, D, A), ())


def test_postal_orders__the_last_one_submitted_counts() -> None:
    state = after(started(), A, SubmitOrders(1, NOTHING))
    state = after(state, A, SubmitOrders(1, OTHER))
    assert state.sheets == (OTHER, None, None, None)
    assert RULESET.to_move(state) == (B, C, D)


def test_postal_orders__while_anybody_holds_the_round_is_not_refereed_early() -> None:
    state = after(started(), B, HoldRound(1, hold=True))
    for seat in range(4):
        state = after(state, seat, SubmitOrders(1, NOTHING))
    assert (state.phase, state.round, RULESET.to_move(state)) == ("orders", 1, (B,))
    happened = events(state, B, HoldRound(1, hold=False), HARMLESS)
    assert happened[:2] == [HoldChanged(B, 1, hold=False), RoundClosed(1, ())]


def test_postal_orders__holding_lasts_for_one_round() -> None:
    state = after(started(), B, HoldRound(1, hold=True))
    assert state.holds == (False, True, False, False)
    assert refused(state, B, HoldRound(1, hold=True)).code == "held"
    _, state = refereed(state, {})
    assert state.holds == (False,) * 4


def test_postal_orders__what_is_offered() -> None:
    this = NumberChoice((1,), "other_round")
    sheet, standing, hold = RULESET.offers(started(), A)
    limits = {"sheet_lines": 200, "sheet_depth": 8, "sheet_nodes": 1000}
    wanted = {"round": this, "sheet": Form("OrderSheet", limits)}
    assert (sheet.command, sheet.fields) == ("SubmitOrders", wanted)
    assert (standing.command, standing.fields) == ("SetStanding", wanted)
    assert (hold.command, hold.fields) == ("HoldRound", {"round": this, "hold": FlagChoice((True,), "not_held")})


@pytest.mark.parametrize("number", [0, 4, 26])
def test_postal_orders__what_names_another_round_is_refused(number: int) -> None:
    """Round 5 waits for orders. Sheets may also be for rounds 6 to 25."""
    state = after(situation(), A, SubmitOrders(5, OTHER))
    for command in (SubmitOrders(number, NOTHING), HoldRound(number, hold=True), WithdrawOrders(number)):
        refusal = refused(state, A, command)
        assert (refusal.code, refusal.rule, refusal.field) == ("other_round", "postal/orders", "round")
    large = OrderSheet((ConvertRigOrder(),) * 200)
    assert refused(state, A, SubmitOrders(number, large)).code == "other_round"


def test_postal_orders__a_sheet_can_be_taken_back() -> None:
    """As if it had never been sent: the round waits for it again, and at its deadline it is missing."""
    state = after(after(started(), A, SubmitOrders(1, OTHER)), B, SubmitOrders(1, NOTHING))
    assert events(state, A, WithdrawOrders(1)) == [OrdersWithdrawn(A, 1)]
    state = after(state, A, WithdrawOrders(1))
    assert (view(state, A).sheet, view(state, B).sheet) == (None, NOTHING)
    assert [orders.submitted for orders in view(state, None).orders] == [False, True, False, False]
    assert RULESET.to_move(state) == (A, C, D)
    assert events(state, None, CloseRound(1), HARMLESS)[0] == RoundClosed(1, (A, C, D))
    for seat in (C, D):
        state = after(state, seat, SubmitOrders(1, NOTHING))
    assert events(state, A, SubmitOrders(1, NOTHING), HARMLESS)[1] == RoundClosed(1, ())


def test_postal_orders__only_a_sheet_that_is_in_can_be_taken_back() -> None:
    state = started()
    assert "WithdrawOrders" not in [offer.command for offer in RULESET.offers(state, A)]
    assert refused(state, A, WithdrawOrders(1)).code == "no_sheet"
    state = after(state, A, SubmitOrders(1, NOTHING))
    assert "WithdrawOrders" in [offer.command for offer in RULESET.offers(state, A)]
    assert refused(after(state, A, WithdrawOrders(1)), A, WithdrawOrders(1)).code == "no_sheet"
    assert refused(won()[1], A, WithdrawOrders(5)).code == "game_over"


def test_postal_orders__before_and_after_the_game_no_sheets_are_taken() -> None:
    assert refused(table(), A, SubmitOrders(1, NOTHING)).code == "not_started"
    assert refused(started(), None, SubmitOrders(1, NOTHING)).code == "no_seat"
    _, over = won()
    assert refused(over, A, SubmitOrders(1, NOTHING)).code == "game_over"
    assert not RULESET.to_move(over)
    assert not RULESET.offers(over, A)


def test_postal_orders__a_sheet_is_sealed_until_the_game_is_over() -> None:
    state = after(started(), A, SubmitOrders(1, OTHER))
    sent = OrdersSubmitted(A, 1, OTHER, "00" * 16)
    assert [rounds.sealed(state, sent, reader) for reader in (A, B, C, D, None)] == [False, True, True, True, True]
    assert RULESET.redaction("HoldChanged") is None
    assert view(state, A).sheet == OTHER
    assert view(state, B).sheet is None
    assert view(state, None).sheet is None
    assert [each.submitted for each in view(state, B).orders] == [True, False, False, False]
    _, later = refereed(state, {})
    assert [rounds.sealed(later, sent, reader) for reader in (A, B, C, D, None)] == [False, True, True, True, True]
    assert later.sheets == (None,) * 4


def test_postal_orders__a_sheet_that_was_replaced_is_sealed_as_long() -> None:
    state = after(after(started(), A, SubmitOrders(1, OTHER)), A, SubmitOrders(1, NOTHING))
    assert rounds.sealed(state, OrdersSubmitted(A, 1, OTHER, "00" * 16), B)


def test_postal_orders__a_sheet_that_was_taken_back_is_sealed_as_long() -> None:
    state = after(after(started(), A, SubmitOrders(1, OTHER)), A, WithdrawOrders(1))
    assert rounds.sealed(state, OrdersSubmitted(A, 1, OTHER, "00" * 16), B)
    _, later = refereed(state, {})
    assert rounds.sealed(later, OrdersSubmitted(A, 1, OTHER, "00" * 16), B)


def test_postal_orders__all_sheets_of_the_game_are_open_when_somebody_won() -> None:
    _, over = won()
    for round in (1, 5):
        assert not rounds.sealed(over, OrdersSubmitted(A, round, NOTHING, "00" * 16), B)


def test_postal_deadline__when_it_passes_the_round_is_refereed_without_the_missing() -> None:
    state = after(started(), C, SubmitOrders(1, NOTHING))
    assert rounds.timeout(state) == CloseRound(1)
    happened = events(state, None, CloseRound(1), HARMLESS)
    assert happened[0] == RoundClosed(1, (A, B, D))
    assert happened[-1] == RoundBegan(2, (B, C, D, A), ())


def test_postal_deadline__it_passes_a_hold_too() -> None:
    state = after(started(), C, HoldRound(1, hold=True))
    assert events(state, None, CloseRound(1), HARMLESS)[0] == RoundClosed(1, (A, B, C, D))


def test_postal_deadline__a_round_is_closed_once_and_by_no_seat() -> None:
    _, state = refereed(started(), {})
    assert refused(state, None, CloseRound(1)).code == "other_round"
    assert refused(state, None, CloseRound(3)).code == "other_round"
    assert refused(state, A, CloseRound(2)).code == "not_for_seats"
    assert refused(table(), None, CloseRound(0)).code == "not_started"


def test_postal_deadline__hours_a_round_and_hours_of_grace() -> None:
    """72 hours are 259,200 seconds. Two of grace are 7,200 more."""
    assert rounds.pace(started()) == Pace((1,), 259_200, 259_200)
    assert rounds.pace(started(PostalSetup(grace_hours=2))) == Pace((1,), 259_200, 266_400)
    assert rounds.pace(started(PostalSetup(round_hours=1))) == Pace((1,), 3600, 3600)
    assert rounds.pace(table()) is None
    _, over = won()
    assert rounds.pace(over) is None


def test_postal_orders__nobody_is_asked_twice() -> None:
    """A sheet of a player is only carried out in its own turn of the round."""
    sheets = {**ALL, B: OrderSheet(orders=(ConvertRigOrder(),))}
    happened, _ = refereed(started(), sheets)
    skipped = [index for index, event in enumerate(happened) if type(event).__name__ == "OrderSkipped"]
    turns = [index for index, event in enumerate(happened) if isinstance(event, TurnBegan)]
    assert len(skipped) == 1
    assert turns[1] < skipped[0] < turns[2]
