"""Leaving a running game by post: no round waits for a player who left, and the substitute sends the sheets."""

from msgspec.structs import replace

from mcmulti.domain.core.capabilities.leaving import IfLeft, LastRemained, Resign, SeatVacated, SubstituteSatDown
from mcmulti.domain.core.capabilities.votes import (
    AnswerEnd,
    EndAgreed,
    EndAgreedTo,
    EndProposalFell,
    EndProposed,
    ProposeEnd,
    VoteCast,
)
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.table import SeedRevealed
from mcmulti.domain.oil.rules.ending import AssetsLiquidated
from mcmulti.domain.oil.state import Standing
from mcmulti.domain.postal import RULESET
from mcmulti.domain.postal.commands import HoldRound, SubmitOrders
from mcmulti.domain.postal.refereeing.ending import GameFinished
from mcmulti.domain.postal.refereeing.refereeing import RoundBegan, RoundClosed
from mcmulti.domain.postal.sheets.defaults import OrdersMissing
from mcmulti.domain.postal.state import PostalSetup, State
from tests.leaving import STRANGER, agreed_on, players, sits_down
from tests.pure.postal.situations import HARMLESS, NOTHING, A, B, C, D, after, events, refused, situation, turn_of
from tests.scripted_chance import ScriptedChance

SHEET = SubmitOrders(5, NOTHING)


def sent(state: State, *seats: int) -> State:
    """These seats have sent an empty sheet for round 5."""
    for seat in seats:
        state = after(state, seat, SHEET)
    return state


def test_table_resign__at_any_time_and_the_sheet_counts_no_more() -> None:
    state = sent(situation(), A, D)
    assert events(state, D, Resign()) == [SeatVacated(D, "resigned")]
    left = after(state, D, Resign())
    assert players(left) == ["0", "1", "2", None]
    assert (left.sheets[D], left.to_move) == (None, (B, C))


def test_table_resign__who_held_the_round_holds_it_no_more() -> None:
    """All sheets are in, and only D holds the round. When D leaves, it is played at once."""
    state = sent(after(situation(), D, HoldRound(5, hold=True)), A, B, C, D)
    assert state.to_move == (D,)
    assert RoundClosed(5, (D,)) in events(state, D, Resign(), HARMLESS)


def test_table_resign__nothing_can_be_sold_here() -> None:
    setup = replace(PostalSetup(), if_left="sold")
    refusal = RULESET.open("game", setup, ScriptedChance())
    assert isinstance(refusal, Rejection)
    assert (refusal.code, refusal.field, refusal.rule) == ("not_sold", "if_left", "table/resign")


def test_table_vacant__no_round_waits_for_it_and_its_sheet_is_missing() -> None:
    state = sent(after(situation(), D, Resign()), A, B)
    happened = events(state, C, SHEET, HARMLESS)
    assert happened[1] == RoundClosed(5, (D,))
    assert turn_of(D, happened)[0] == OrdersMissing(D, 5)
    assert isinstance(happened[-1], RoundBegan)
    assert after(state, C, SHEET, HARMLESS).to_move == (A, B, C)


def test_table_vacant__the_last_that_was_waited_for_leaves_and_the_round_is_played() -> None:
    state = sent(situation(), A, B, C)
    assert events(state, D, Resign(), HARMLESS)[:2] == [SeatVacated(D, "resigned"), RoundClosed(5, (D,))]


def test_table_vacant__cannot_win_by_the_target() -> None:
    """D has left with 999. Red 1 hits its pump in row 1, which sells for 26: 1025, and the game goes on."""
    state = situation(cash={D: 999}, gasoline={D: 1}, assets={3: "station 1-5"})
    state = after(sent(after(state, D, Resign()), A, B), C, SHEET, HARMLESS)
    assert (state.status, state.players[D].cash) == ("running", 999 + 26)


def test_table_substitute__is_waited_for_and_sees_what_the_seat_had_sent() -> None:
    """The sheets belong to the seat: the substitute can read them, and the player who left no longer can."""
    left = after(sent(situation(), D), D, Resign())
    assert events(left, None, sits_down(D)) == [SubstituteSatDown(D, STRANGER)]
    state = after(left, None, sits_down())
    assert (players(state), state.to_move) == (["0", "1", "2", "9"], (A, B, C, D))
    sheet = events(situation(), D, SHEET)[0]
    redaction = RULESET.redaction("OrdersSubmitted")
    assert redaction is not None
    assert not redaction.sealed(state, sheet, D)
    assert redaction.sealed(state, sheet, None)
    assert redaction.sealed(left, sheet, None)


def test_table_substitute__not_where_the_seat_passes() -> None:
    passes: IfLeft = "passes"
    assert refused(after(agreed_on(situation(), passes), D, Resign()), None, sits_down()).code == "no_substitutes"


def test_table_last__wins_by_the_final_sale_however_poor() -> None:
    """A has 10, and a well that brings 20 in the Depression."""
    state = situation(cash={A: 10, B: 100, C: 100, D: 100}, assets={0: "well 1-1"})
    state = after(after(state, B, Resign()), C, Resign())
    happened = events(state, D, Resign())
    assert happened[:3] == [
        SeatVacated(D, "resigned"),
        LastRemained(A),
        AssetsLiquidated(A, rigs=0, wells=1, stations=0, refineries=0, proceeds=20),
    ]
    finished = happened[3]
    assert isinstance(finished, GameFinished)
    assert (finished.standings[0], finished.winners, finished.decided_by) == (Standing(A, 1, 30, 0), (A,), "left")
    assert isinstance(happened[4], SeedRevealed)


def test_table_propose_end__a_ranking_after_three_rounds_and_not_before() -> None:
    assert refused(situation(round=3), C, ProposeEnd("rank")).code == "ranked_too_early"
    assert events(situation(round=4), C, ProposeEnd("rank")) == [EndProposed(C, "rank", 4)]


def test_table_propose_end__all_agree_to_the_final_sale_below_the_target() -> None:
    state = after(situation(cash={A: 100, B: 300, C: 200, D: 0}), C, ProposeEnd("rank"))
    assert events(situation(), C, ProposeEnd("rank")) == [EndProposed(C, "rank", 5)]
    for seat in (A, B):
        state = after(state, seat, AnswerEnd("rank", True))
    happened = events(state, D, AnswerEnd("rank", True))
    assert [type(event) for event in happened] == [VoteCast, EndAgreedTo, EndAgreed, GameFinished, SeedRevealed]
    over = after(state, D, AnswerEnd("rank", True))
    outcome = RULESET.outcome(over)
    assert (outcome.winners, outcome.declared_by, outcome.decided_by) == ((B,), None, "agreed")


def test_table_propose_end__falls_with_the_round() -> None:
    state = sent(after(situation(), A, ProposeEnd("call_off")), A, B, C)
    assert events(state, D, SHEET, HARMLESS)[-1] == EndProposalFell("turn")


def test_table_propose_end__called_off_opens_all_sheets_and_the_seed() -> None:
    state = after(sent(situation(), A), A, ProposeEnd("call_off"))
    for seat in (B, C, D):
        state = after(state, seat, AnswerEnd("call_off", True))
    assert (state.status, state.winners, RULESET.outcome(state).decided_by) == ("finished", (), "called_off")
    sheet = events(situation(), A, SHEET)[0]
    redaction = RULESET.redaction("OrdersSubmitted")
    assert redaction is not None
    assert not redaction.sealed(state, sheet, None)
