"""Leaving a running Millionenspiel: an empty seat stakes nothing, and wins nothing."""

from msgspec.structs import replace

from mcmulti.domain.core.capabilities.leaving import IfLeft, LastRemained, Resign, SeatVacated, SubstituteSatDown
from mcmulti.domain.core.capabilities.votes import AnswerEnd, EndProposalFell, EndProposed, ProposeEnd
from mcmulti.domain.core.course.unasked import MovedUnasked
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.table import SeedRevealed
from mcmulti.domain.millionenspiel import RULESET
from mcmulti.domain.millionenspiel.phases.ending import GameEnded
from mcmulti.domain.millionenspiel.phases.staking import Stake, StakePlaced
from mcmulti.domain.millionenspiel.phases.throwing import FirstThrown, ThrowAccepted
from mcmulti.domain.millionenspiel.pieces import NOTHING, Pieces
from mcmulti.domain.millionenspiel.state import Millionenspiel, Setup
from tests.leaving import STRANGER, agreed_on, players, sits_down
from tests.pure.millionenspiel.situations import GREEN, after, happened, landing, of, refused, settled, situation, throw
from tests.scripted_chance import ScriptedChance

ADA, BEN, CLEO = range(3)
FIVE = Pieces(ones=5)


def staking(**changes: Pieces) -> Millionenspiel:
    """All have five chips. Ben must stake, then Cleo, then Ada, who has the dice."""
    return situation({ADA: FIVE, BEN: FIVE, CLEO: FIVE}, waiting=(BEN, CLEO, ADA))


def test_table_resign__at_any_time_and_the_seat_is_empty() -> None:
    state, events = happened(staking(), CLEO, Resign())
    assert events == [SeatVacated(CLEO, "resigned")]
    assert (players(state), state.to_move, state.players[CLEO].money) == (["0", "1", None], (BEN,), 5)


def test_table_resign__nothing_can_be_sold_here() -> None:
    refusal = RULESET.open("game", replace(Setup(), if_left="sold"), ScriptedChance())
    assert isinstance(refusal, Rejection)
    assert (refusal.code, refusal.field) == ("not_sold", "if_left")


def test_table_vacant__stakes_nothing() -> None:
    """Cleo has left. When Ben has staked a chip, she passes, and Ada is asked."""
    state, events = happened(after(staking(), CLEO, Resign()), BEN, Stake(ones=1))
    assert events[1:] == [MovedUnasked(CLEO, "vacant", "Stake", 0, 1), StakePlaced(CLEO, NOTHING)]
    assert state.to_move == (ADA,)


def test_table_vacant__accepts_the_first_throw() -> None:
    """Ada, who has the dice, has left. Ben and Cleo stake. She stakes nothing, throws a 1 and a 2, and accepts."""
    state = after(after(staking(), ADA, Resign()), BEN, Stake(ones=1))
    _, events = happened(state, CLEO, Stake(ones=1), (1, 2))
    assert [event.seat for event in of(events, FirstThrown)] == [ADA]
    assert of(events, ThrowAccepted) == [ThrowAccepted(ADA)]
    assert [event.move for event in of(events, MovedUnasked)] == ["Stake", "AcceptThrow"]


def test_table_vacant__cannot_win_by_a_million() -> None:
    """Ben has left with more than a million: the round ends on green, and the next begins."""
    state = landing(GREEN, {ADA: FIVE, BEN: Pieces(hundred_thousands=11), CLEO: FIVE}, {})
    state, events = settled(after(state, BEN, Resign()))
    assert (state.status, of(events, GameEnded)) == ("running", [])


def test_table_substitute__plays_on_with_what_is_there() -> None:
    left = after(staking(), BEN, Resign())
    state, events = happened(left, None, sits_down(BEN))
    assert events == [SubstituteSatDown(BEN, STRANGER)]
    assert (players(state), state.players[BEN].money) == (["0", "9", "2"], left.players[BEN].money)


def test_table_substitute__not_where_the_seat_passes() -> None:
    passes: IfLeft = "passes"
    assert refused(after(agreed_on(staking(), passes), BEN, Resign()), None, sits_down()).code == "no_substitutes"


def test_table_last__wins_however_poor() -> None:
    state = situation({ADA: Pieces(tens=9), BEN: FIVE, CLEO: FIVE}, waiting=(BEN, CLEO, ADA))
    state, events = happened(after(state, CLEO, Resign()), ADA, Resign())
    assert events[1:3] == [LastRemained(BEN), GameEnded("left", (90, 5, 5), BEN)]
    assert isinstance(events[3], SeedRevealed)
    assert (state.status, state.winners, RULESET.outcome(state).decided_by) == ("finished", (BEN,), "left")


def test_table_propose_end__a_ranking_after_four_rounds_of_turns_and_not_before() -> None:
    """Three players have each thrown four times after twelve rounds of stakes."""
    early, settled = (replace(staking(), round=number) for number in (12, 13))
    assert refused(early, BEN, ProposeEnd("rank")).code == "ranked_too_early"
    assert happened(settled, BEN, ProposeEnd("rank"))[1] == [EndProposed(BEN, "rank", 13)]


def test_table_propose_end__most_money_wins_stakes_among_it() -> None:
    """Cleo has left with most. Ada has 5 in hand and 10 staked, Ben 12."""
    state = situation(
        {ADA: FIVE, BEN: Pieces(ones=2, tens=1), CLEO: Pieces(hundreds=1)},
        {ADA: Pieces(tens=1)},
        phase="declining",
        throws=(throw(1, 2),),
    )
    state = after(after(replace(state, round=13), CLEO, Resign()), ADA, ProposeEnd("rank"))
    state, events = happened(state, BEN, AnswerEnd("rank", True))
    assert of(events, GameEnded) == [GameEnded("agreed", (15, 12, 100), ADA)]
    assert (state.winners, RULESET.outcome(state).decided_by) == ((ADA,), "agreed")


def test_table_propose_end__called_off_nobody_wins() -> None:
    state = after(after(staking(), ADA, ProposeEnd("call_off")), BEN, AnswerEnd("call_off", True))
    state, events = happened(state, CLEO, AnswerEnd("call_off", True))
    assert isinstance(events[-1], SeedRevealed)
    assert (state.status, state.winners, RULESET.outcome(state).decided_by) == ("finished", (), "called_off")


def test_table_propose_end__falls_with_the_round() -> None:
    state = after(landing(GREEN, {ADA: FIVE, BEN: FIVE, CLEO: FIVE}, {}), BEN, ProposeEnd("call_off"))
    assert settled(state)[1][-1] == EndProposalFell("turn")
