"""Sheets for later rounds, and standing orders: which one counts, and what others may know about it."""

import msgspec
import pytest

from mcmulti.domain.core.capabilities.leaving import Resign
from mcmulti.domain.core.offers import NumberChoice, Range, Rejection
from mcmulti.domain.postal import RULESET
from mcmulti.domain.postal.commands import CloseRound, EndStanding, HoldRound, SetStanding, SubmitOrders, WithdrawOrders
from mcmulti.domain.postal.refereeing.refereeing import OrdersSubmitted, OrdersWithdrawn, RoundBegan, RoundClosed
from mcmulti.domain.postal.rounds import stand_in
from mcmulti.domain.postal.sheets.sheet import BuyAssetOrder, HoldPumps, LaterSheet, OrderSheet
from mcmulti.domain.postal.shown.picture import picture
from mcmulti.domain.postal.shown.view import view
from mcmulti.domain.postal.state import State
from tests.pure.postal.situations import HARMLESS, NOTHING, A, B, C, D, after, events, plot, refused, situation, started
from tests.scripted_chance import ScriptedChance

ONE = OrderSheet((BuyAssetOrder("rig", plot("1-1")),))
TWO = OrderSheet((BuyAssetOrder("rig", plot("2-2")),))
OTHER = OrderSheet(pumps=HoldPumps())
SALT = "00" * 16


def sends(state: State, seat: int, *commands: object) -> State:
    """The state after the seat sent these, one after the other."""
    for command in commands:
        state = after(state, seat, command)  # type: ignore[arg-type]
    return state


def next_round(state: State, dice: tuple[int, ...] = HARMLESS) -> State:
    """The deadline passes."""
    return after(state, None, CloseRound(state.round), dice)


# Which sheet counts


def test_postal_later__a_sheet_counts_in_its_round_and_in_no_other() -> None:
    state = sends(started(), A, SubmitOrders(1, NOTHING), SubmitOrders(3, ONE))
    assert state.later[A] == (LaterSheet(3, ONE, standing=False),)
    seen = []
    for _ in range(3):
        state = next_round(state)
        seen.append((state.round, state.sheets[A]))
    assert seen == [(2, None), (3, ONE), (4, None)]
    assert state.later[A] == ()


def test_postal_later__the_last_one_for_a_round_counts() -> None:
    state = sends(started(), A, SubmitOrders(1, NOTHING), SubmitOrders(2, ONE), SubmitOrders(2, TWO))
    assert state.later[A] == (LaterSheet(2, TWO, standing=False),)
    assert next_round(state).sheets == (TWO, None, None, None)


def test_postal_later__it_can_be_replaced_and_taken_back_when_its_round_has_begun() -> None:
    state = next_round(sends(started(), A, SubmitOrders(1, NOTHING), SubmitOrders(2, ONE)))
    assert sends(state, A, SubmitOrders(2, TWO)).sheets[A] == TWO
    assert events(state, A, WithdrawOrders(2)) == [OrdersWithdrawn(A, 2)]
    assert sends(state, A, WithdrawOrders(2)).to_move == (A, B, C, D)


def test_postal_later__one_for_a_later_round_can_be_taken_back() -> None:
    state = sends(started(), A, SubmitOrders(1, NOTHING), SubmitOrders(4, ONE), SubmitOrders(2, TWO))
    withdraw = next(offer for offer in RULESET.offers(state, A) if offer.command == "WithdrawOrders")
    assert withdraw.fields == {"round": NumberChoice((1, 2, 4), "other_round")}
    state = sends(state, A, WithdrawOrders(2))
    assert state.later[A] == (LaterSheet(4, ONE, standing=False),)
    assert refused(state, A, WithdrawOrders(2)).code == "other_round"


def test_postal_later__twenty_rounds_ahead_and_not_more() -> None:
    """Round 5 waits: 25 is the last."""
    state = sends(situation(), A, SubmitOrders(5, NOTHING))
    _, ahead = [offer for offer in RULESET.offers(state, A) if offer.command == "SubmitOrders"]
    field = ahead.fields["round"]
    assert isinstance(field, Range)
    assert (field.min, field.max) == (6, 25)
    assert sends(state, A, SubmitOrders(25, ONE)).later[A][0].round == 25
    assert refused(state, A, SubmitOrders(26, ONE)).code == "other_round"
    assert refused(state, A, SubmitOrders(4, ONE)).code == "other_round"


def test_postal_standing__holds_for_all_rounds_until_another_takes_its_place() -> None:
    state = sends(started(), A, SetStanding(1, ONE))
    for _ in range(3):
        assert (state.sheets[A], state.standing[A]) == (ONE, ONE)
        state = next_round(state)
    state = next_round(sends(state, A, SetStanding(4, TWO)))
    assert (state.sheets[A], state.standing[A]) == (TWO, TWO)


def test_postal_standing__a_sheet_for_one_round_goes_before_it() -> None:
    """Sent in its round, or in advance."""
    state = sends(started(), A, SetStanding(1, ONE), SubmitOrders(1, TWO), SubmitOrders(3, OTHER))
    seen = [state.sheets[A]]
    for _ in range(3):
        state = next_round(state)
        seen.append(state.sheets[A])
    assert seen == [TWO, ONE, OTHER, ONE]


def test_postal_standing__from_a_later_round_on() -> None:
    state = sends(started(), A, SetStanding(1, ONE), SetStanding(3, TWO))
    seen = []
    for _ in range(4):
        seen.append(state.sheets[A])
        state = next_round(state)
    assert seen == [ONE, ONE, TWO, TWO]


def test_postal_standing__when_it_ends_the_sheet_for_this_round_stays() -> None:
    state = sends(started(), A, SetStanding(1, ONE))
    assert events(state, A, EndStanding(1)) == [OrdersSubmitted(A, 1, None, SALT, standing=True)]
    state = sends(state, A, EndStanding(1))
    assert (state.sheets[A], state.standing[A]) == (ONE, None)
    assert next_round(state).sheets[A] is None


def test_postal_standing__without_a_sheet_for_one_round() -> None:
    """It was withdrawn for round 1, which has none now. In round 2, the standing one counts again."""
    state = sends(started(), A, SetStanding(1, ONE), WithdrawOrders(1))
    assert (state.sheets[A], state.to_move) == (None, (A, B, C, D))
    assert next_round(state).sheets[A] == ONE


def test_postal_standing__what_is_not_there_cannot_end() -> None:
    state = sends(started(), A, SubmitOrders(1, ONE))
    assert "EndStanding" not in [offer.command for offer in RULESET.offers(state, A)]
    assert refused(state, A, EndStanding(1)).code == "no_standing"
    standing = sends(state, A, SetStanding(1, ONE))
    assert refused(standing, A, EndStanding(2)).code == "other_round"


def test_postal_standing__is_carried_out_round_after_round() -> None:
    """A buys a rig at 1-1 in round 1 for 5. In round 2, the site is taken, and the line is skipped."""
    state = sends(started(), A, SetStanding(1, ONE))
    names = [type(event).__name__ for event in events(state, None, CloseRound(1), HARMLESS)]
    assert ("AssetBought" in names, "OrderSkipped" in names) == (True, False)
    state = next_round(state)
    names = [type(event).__name__ for event in events(state, None, CloseRound(2), HARMLESS)]
    assert ("AssetBought" in names, "OrderSkipped" in names) == (False, True)


def test_table_resign__all_sheets_of_the_seat_end() -> None:
    state = sends(started(), D, SetStanding(1, ONE), SubmitOrders(2, TWO), Resign())
    assert (state.sheets[D], state.later[D], state.standing[D]) == (None, (), None)
    assert next_round(state).sheets[D] is None


# When a round is refereed


def test_postal_later__a_sheet_sent_in_advance_is_not_waited_for() -> None:
    state = next_round(sends(started(), A, SubmitOrders(1, NOTHING), SubmitOrders(2, ONE)))
    assert state.to_move == (B, C, D)
    state = sends(sends(state, B, SubmitOrders(2, NOTHING)), C, SubmitOrders(2, NOTHING))
    assert events(state, D, SubmitOrders(2, NOTHING), HARMLESS)[1] == RoundClosed(2, ())


def standing_for_all() -> State:
    """Round 2, and everybody has standing orders."""
    state = started()
    for seat in (A, B, C):
        state = sends(state, seat, SetStanding(1, OTHER))
    return after(state, D, SetStanding(1, OTHER), HARMLESS)


def test_postal_later__a_round_for_which_all_came_in_advance_waits() -> None:
    """One round is refereed when the last sheet comes, and not one after another until somebody wins."""
    state = standing_for_all()
    assert (state.round, state.phase, state.missing) == (2, "orders", ())
    assert state.to_move == (A, B, C, D)
    assert events(state, B, SubmitOrders(2, ONE), HARMLESS)[1] == RoundClosed(2, ())
    assert events(state, None, CloseRound(2), HARMLESS)[0] == RoundClosed(2, ())
    held = sends(state, C, HoldRound(2, hold=True))
    assert held.to_move == (C,)
    assert events(held, C, HoldRound(2, hold=False), HARMLESS)[1] == RoundClosed(2, ())


def test_postal_later__whatever_is_sent_lets_such_a_round_go_on() -> None:
    """Otherwise, others could see that it was for a later round."""
    for command in (SubmitOrders(2, ONE), SubmitOrders(9, ONE), EndStanding(2)):
        assert RoundClosed(2, ()) in events(standing_for_all(), A, command, HARMLESS)


# What others may know


def test_postal_later__it_is_sent_and_taken_back_only_while_the_sheet_for_this_round_is_in() -> None:
    """Otherwise, others would see that a sheet was sent, and that it was not for this round."""
    state = sends(started(), A, SetStanding(1, ONE), SubmitOrders(3, TWO), WithdrawOrders(1))
    refusal = refused(state, A, SubmitOrders(3, TWO))
    assert (refusal.code, refusal.rule) == ("this_round_first", "postal/later")
    assert refused(state, A, EndStanding(1)).code == "this_round_first"
    assert refused(state, A, WithdrawOrders(3)).code == "no_sheet"
    assert [offer.command for offer in RULESET.offers(state, A)] == ["SubmitOrders", "SetStanding", "HoldRound"]


SECRETLY = (
    SubmitOrders(1, TWO),
    SetStanding(1, TWO),
    SubmitOrders(2, TWO),
    SetStanding(7, TWO),
    WithdrawOrders(5),
    EndStanding(1),
)
"""What A may do once its sheet is in."""


def busy() -> State:
    """A sent standing orders, and a sheet for round 5."""
    return sends(started(), A, SetStanding(1, ONE), SubmitOrders(5, ONE))


@pytest.mark.parametrize("command", SECRETLY, ids=repr)
def test_postal_later__it_looks_the_same_whatever_it_is_for(command: SubmitOrders) -> None:
    """One event of one type under one rule, which others fold as an empty sheet. They see the same thing."""
    state = busy()
    decision = RULESET.decide(state, A, command, ScriptedChance())
    assert not isinstance(decision, Rejection)
    (fact,) = decision.facts
    assert (type(fact.event), fact.rule) == (OrdersSubmitted, "postal/orders")
    redaction = RULESET.redaction("OrdersSubmitted")
    assert redaction is not None
    now = fact.event.evolve(state)
    folded = stand_in((), A).evolve(state)  # type: ignore[union-attr]
    plain = after(state, A, SubmitOrders(1, ONE))
    for reader in (B, C, D, None):
        assert redaction.sealed(now, fact.event, reader)
        for same in (folded, plain):
            assert view(now, reader) == view(same, reader)
            assert RULESET.offers(now, reader) == RULESET.offers(same, reader)
        assert RULESET.to_move(now) == RULESET.to_move(plain) == (B, C, D)
        assert picture(now, "en") == picture(plain, "en")


def test_postal_later__others_see_it_when_its_round_begins() -> None:
    """They see that a sheet is in, but not which one it is. Those for other rounds are sealed, too."""
    state = sends(started(), A, SubmitOrders(1, NOTHING), SubmitOrders(2, ONE), SubmitOrders(4, TWO))
    began = events(state, None, CloseRound(1), HARMLESS)[-1]
    assert began == RoundBegan(2, (B, C, D, A), (A,))
    after_it = next_round(state)
    assert [orders.submitted for orders in view(after_it, B).orders] == [True, False, False, False]
    assert (view(after_it, B).sheet, view(after_it, B).later, view(after_it, B).standing) == (None, (), None)
    assert view(after_it, A).sheet == ONE
    assert view(after_it, A).later == (LaterSheet(4, TWO, standing=False),)
    assert b"BuyAssetOrder" not in msgspec.json.encode(view(after_it, B))


def test_postal_later__what_others_fold_has_a_sheet_that_says_nothing() -> None:
    """Readers who cannot see what A sent can still fold the next round."""
    state = sends(started(), A, SubmitOrders(1, NOTHING))
    known = sends(state, A, SubmitOrders(2, ONE))
    unknown = stand_in((), A).evolve(state)  # type: ignore[union-attr]
    began = RoundBegan(2, (B, C, D, A), (A,))
    assert (began.evolve(known).sheets[A], began.evolve(unknown).sheets[A]) == (ONE, OrderSheet())


@pytest.mark.parametrize(
    ("event", "english", "german"),
    [
        (stand_in((), A), "Ada sends a sealed order sheet.", "Ada schickt einen versiegelten Auftragsbogen."),
        (
            OrdersSubmitted(A, 3, ONE, SALT),
            "Ada sends an order sheet for round 3.",
            "Ada schickt einen Auftragsbogen für Runde 3.",
        ),
        (
            OrdersSubmitted(A, 3, ONE, SALT, standing=True),
            "Ada sends standing orders, from round 3 on.",
            "Ada schickt Daueraufträge, ab Runde 3.",
        ),
        (
            OrdersSubmitted(A, 3, None, SALT),
            "Ada takes back the order sheet for the later round 3.",
            "Ada zieht den Auftragsbogen für die spätere Runde 3 zurück.",
        ),
        (
            OrdersSubmitted(A, 1, None, SALT, standing=True),
            "Ada ends standing orders. The sheet for round 1 stays.",
            "Ada beendet Daueraufträge; der Bogen für Runde 1 bleibt.",
        ),
    ],
)
def test_what_was_sent_is_told(event: OrdersSubmitted, english: str, german: str) -> None:
    assert RULESET.texts.tell(started(), event, "en") == english
    assert RULESET.texts.tell(started(), event, "de") == german
