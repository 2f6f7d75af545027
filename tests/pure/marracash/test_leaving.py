"""Leaving a running game of MarraCash: an empty seat no longer bids, and wins nothing."""

from msgspec.structs import replace

from mcmulti.domain.core.capabilities.leaving import IfLeft, LastRemained, Resign, SeatVacated, SubstituteSatDown
from mcmulti.domain.core.capabilities.votes import AnswerEnd, EndProposalFell, EndProposed, ProposeEnd
from mcmulti.domain.core.course.unasked import MovedUnasked
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.table import SeedRevealed
from mcmulti.domain.marracash import RULESET
from mcmulti.domain.marracash.commands import MoveGroup, PutUp
from mcmulti.domain.marracash.phases.auction import BidPassed, ShopSold
from mcmulti.domain.marracash.phases.turns import BazaarClosed
from mcmulti.domain.marracash.state import Crowd, MarraCashSetup
from tests.leaving import STRANGER, agreed_on, players, sits_down
from tests.pure.marracash.situations import ADA, BEN, CLEO, after, empty_town, happened, refused, situation
from tests.scripted_chance import ScriptedChance


def test_table_resign__at_any_time_and_the_seat_is_empty() -> None:
    state, events = happened(situation(shops={"R1": (CLEO, 2)}), CLEO, Resign())
    assert events == [SeatVacated(CLEO, "resigned")]
    assert (players(state), state.to_move) == (["0", "1", None], (ADA,))
    assert (state.cash[CLEO], state.owned(CLEO)) == (1000, 1)


def test_table_resign__nothing_can_be_sold_here() -> None:
    refusal = RULESET.open("game", replace(MarraCashSetup(), if_left="sold"), ScriptedChance())
    assert isinstance(refusal, Rejection)
    assert (refusal.code, refusal.field) == ("not_sold", "if_left")


def test_table_vacant__passes_in_an_auction() -> None:
    """Ada puts up a shop for 100. Ben, who is asked next, has left: Cleo is asked."""
    state, events = happened(after(situation(), BEN, Resign()), ADA, PutUp("R1", 100))
    assert events[1:] == [MovedUnasked(BEN, "vacant", "PassBid", 0, 4), BidPassed(BEN, CLEO)]
    assert state.to_move == (CLEO,)


def test_table_vacant__who_leaves_while_it_is_asked_passes() -> None:
    """Cleo is the last who could raise: Ada has the shop for her 100."""
    state = after(after(situation(), BEN, Resign()), ADA, PutUp("R1", 100))
    _, events = happened(state, CLEO, Resign())
    assert events == [SeatVacated(CLEO, "resigned"), LastRemained(ADA), *events[2:]]
    four = after(situation(4), ADA, PutUp("R1", 100))
    for seat in (BEN, CLEO):
        four = after(four, seat, Resign())
    assert four.to_move == (3,)
    four = after(after(situation(4, cash={3: 0}), BEN, Resign()), ADA, PutUp("R1", 100))
    assert [event for event in happened(four, CLEO, Resign())[1] if isinstance(event, ShopSold)] == [
        ShopSold("R1", ADA, 100, ADA, 0)
    ]


def test_table_vacant__does_in_its_turn_what_the_rules_leave_it() -> None:
    """The last turns: Ada leads nobody anymore, Ben has left, and it is Cleo's turn. Only one group stands there."""
    state = empty_town(groups={10: Crowd(red=1)}, left=1, last_turns=2)
    state = after(state, BEN, Resign())
    state, events = happened(state, ADA, MoveGroup(10, 9))
    assert MovedUnasked(BEN, "vacant", "MoveGroup", 0, 5) in events
    assert state.to_move == (CLEO,)


def test_table_substitute__plays_on_with_what_is_there() -> None:
    state, events = happened(after(situation(), BEN, Resign()), None, sits_down())
    assert events == [SubstituteSatDown(BEN, STRANGER)]
    assert players(state) == ["0", "9", "2"]


def test_table_substitute__not_where_the_seat_passes() -> None:
    passes: IfLeft = "passes"
    refusal = refused(after(agreed_on(situation(), passes), BEN, Resign()), None, sits_down())
    assert refusal == ("no_substitutes", "table/substitute")


def test_table_last__wins_however_poor() -> None:
    state = after(situation(cash={ADA: 900, BEN: 10}), CLEO, Resign())
    state, events = happened(state, ADA, Resign())
    assert events[1:3] == [LastRemained(BEN), BazaarClosed((BEN,), left=True)]
    assert isinstance(events[3], SeedRevealed)
    assert (state.status, state.winners, RULESET.outcome(state).decided_by) == ("finished", (BEN,), "left")


def test_table_propose_end__a_ranking_after_four_rounds_of_turns_and_not_before() -> None:
    """Three players have twelve turns in four rounds, the first of them the auctions of the first round."""
    assert refused(situation(turn=12), BEN, ProposeEnd("rank")) == ("ranked_too_early", "table/propose-end")
    assert happened(situation(turn=13), BEN, ProposeEnd("rank"))[1] == [EndProposed(BEN, "rank", 13)]


def test_table_propose_end__most_cash_wins_of_those_who_stay() -> None:
    state = after(situation(cash={ADA: 300, BEN: 200, CLEO: 900}, turn=13), CLEO, Resign())
    state, events = happened(after(state, BEN, ProposeEnd("rank")), ADA, AnswerEnd("rank", True))
    assert BazaarClosed((ADA,), left=False) in events
    assert RULESET.outcome(state).decided_by == "agreed"


def test_table_propose_end__called_off_in_the_middle_of_an_auction() -> None:
    state = after(after(situation(), ADA, PutUp("R1", 100)), BEN, ProposeEnd("call_off"))
    state = after(state, ADA, AnswerEnd("call_off", True))
    state, events = happened(state, CLEO, AnswerEnd("call_off", True))
    assert isinstance(events[-1], SeedRevealed)
    assert (state.status, state.to_move, state.winners) == ("finished", (), ())
    assert RULESET.outcome(state).decided_by == "called_off"
    assert refused(state, BEN, Resign()) == ("game_over", "end/winner")


def test_table_propose_end__falls_with_the_turn() -> None:
    state = after(empty_town(groups={10: Crowd(red=1)}, left=1), CLEO, ProposeEnd("call_off"))
    assert happened(state, ADA, MoveGroup(10, 9))[1][-1] == EndProposalFell("turn")
