"""Leaving a running game: who resigns, who comes instead, the ghost as heir, and ends by agreement."""

from functools import partial

import pytest
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
from mcmulti.domain.core.commands import TakeSeat
from mcmulti.domain.core.course.unasked import MovedUnasked
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.table import SeedRevealed
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import BuyAsset, DeclareVictory, EndProduction, EndPurchases, EndTurn, RollDice
from mcmulti.domain.mcmulti.news.taxes import TaxPaid
from mcmulti.domain.mcmulti.phases.assets import AssetPhaseBegan, AssetSold
from mcmulti.domain.mcmulti.phases.dice import DiceRolled, DifferenceAdvanced
from mcmulti.domain.mcmulti.phases.ending import GameFinished, TurnBegan, VictoryDeclared
from mcmulti.domain.mcmulti.phases.purchase import PurchasesEnded
from mcmulti.domain.mcmulti.phases.selling_out import HoldingsSold, QuadrantsGivenUp
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.oil.rules.ending import AssetsLiquidated
from mcmulti.domain.oil.state import Standing
from tests.leaving import STRANGER, agreed_on, players, sits_down
from tests.pure.mcmulti.situations import (
    after,
    assets_phase,
    events,
    offered,
    refused,
    rolled,
    rules,
    site,
    situation,
    started,
    table,
)
from tests.scripted_chance import ScriptedChance

ADA, BEN, CLEO, DAN = range(4)
RANK, OFF = ProposeEnd("rank"), ProposeEnd("call_off")

UNSALTED = "0" * 32
"""The salt of votes in a test."""


def besides(state: State, seat: int) -> set[str]:
    """What a seat may do at any time."""
    return {offer.command for offer in RULESET.besides(state, seat)}


def selling(state: State) -> State:
    """The same game, at a table that sells the assets of a player who leaves."""
    sold: State = agreed_on(state, "sold")
    return sold


# Resigning


def test_table_resign__at_any_time_and_the_seat_is_empty() -> None:
    """It is Ada's turn. Cleo resigns: her assets stay, and the game still waits for Ada."""
    state = situation(cash={CLEO: 70}, crude={CLEO: 3}, assets={2: "rig 1-1"})
    assert {seat for seat in range(4) if "Resign" in besides(state, seat)} == {0, 1, 2, 3}
    assert events(state, CLEO, Resign()) == [SeatVacated(CLEO, "resigned")]
    assert rules(state, CLEO, Resign()) == ["table/resign"]
    left = after(state, CLEO, Resign())
    assert players(left) == ["0", "1", None, "3"]
    assert (left.status, left.to_move) == ("running", (ADA,))
    assert (left.players, left.quadrants, left.owners) == (state.players, state.quadrants, state.owners)


def test_table_resign__who_has_left_may_do_nothing_more() -> None:
    """Only the referee still knows the seat. A player without one is refused like any spectator."""
    left = after(situation(), CLEO, Resign())
    assert (RULESET.offers(left, CLEO), RULESET.besides(left, CLEO)) == ((), ())
    assert refused(left, None, Resign()).code == "no_seat"


def test_table_resign__not_before_the_start_and_not_after_the_end() -> None:
    assert refused(table(), ADA, Resign()).code == "not_started"
    over = after(situation(2), ADA, Resign())
    assert refused(over, BEN, Resign()).code == "game_over"


def test_table_resign__who_played_which_seat_stays_known() -> None:
    state = after(after(situation(), CLEO, Resign()), None, sits_down())
    assert [len(tenants) for tenants in state.departures.tenants] == [1, 1, 2, 1]
    assert state.departures.tenants[CLEO] == ("player-2", STRANGER)


# Substitutes


def test_table_substitute__takes_the_seat_as_it_stands() -> None:
    left = after(situation(cash={CLEO: 70}, assets={2: "rig 1-1"}), CLEO, Resign())
    assert events(left, None, sits_down(CLEO)) == [SubstituteSatDown(CLEO, STRANGER)]
    assert rules(left, None, sits_down()) == ["table/substitute"]
    state = after(left, None, sits_down())
    assert players(state) == ["0", "1", "9", "3"]
    assert (state.players[CLEO].cash, state.pieces(CLEO)["rig"]) == (70, 1)
    assert "Resign" in besides(state, CLEO)


def test_table_substitute__plays_on_from_there() -> None:
    """In Ada's turn, a substitute takes the seat of Ben, who is next. The game waits for the substitute."""
    state = after(after(assets_phase(situation()), BEN, Resign()), None, sits_down())
    state = after(state, ADA, EndTurn())
    assert (state.phase, state.to_move) == ("market", (BEN,))


def test_table_substitute__may_be_who_left() -> None:
    left = after(situation(), CLEO, Resign())
    assert players(after(left, None, sits_down(player="player-2"))) == ["0", "1", "2", "3"]


@pytest.mark.parametrize(
    ("if_left", "command", "code"),
    [
        ("substitute", sits_down(ADA), "seat_not_vacant"),
        ("substitute", sits_down(entropy="late"), "entropy_late"),
        ("bot", sits_down(player="player-0"), "already_seated"),
        ("passes", sits_down(CLEO), "no_substitutes"),
        ("sold", sits_down(CLEO), "no_substitutes"),
    ],
)
def test_table_substitute__only_on_a_seat_that_was_left_and_where_it_was_agreed_on(
    if_left: IfLeft, command: TakeSeat, code: str
) -> None:
    left = after(agreed_on(situation(), if_left), CLEO, Resign())
    assert refused(left, None, command).code == code


def test_table_substitute__not_while_nobody_has_left() -> None:
    assert refused(situation(), None, sits_down()).code == "game_started"
    assert offered(situation(), None, "TakeSeat") == []


# Empty seats


def test_table_vacant__the_turn_passes_with_the_default_answers() -> None:
    """Ben has left. Ada ends her turn. His dice show a double 2, which changes nothing. Then it is Cleo's turn."""
    state = after(assets_phase(situation()), BEN, Resign())
    happened = events(state, ADA, EndTurn(), (2, 2))
    assert [type(event) for event in happened] == [
        TurnBegan,
        MovedUnasked,
        DiceRolled,
        DifferenceAdvanced,
        AssetPhaseBegan,
        MovedUnasked,
        TurnBegan,
    ]
    assert happened[1] == MovedUnasked(BEN, "vacant", "RollDice", 0, 6)
    assert rules(state, ADA, EndTurn(), (2, 2))[1] == "table/vacant"
    assert happened[-1] == TurnBegan(7, 2, CLEO)


def test_table_vacant__who_leaves_in_its_own_turn_ends_it() -> None:
    """Ada leaves in her market phase. Her dice are still rolled."""
    happened = events(situation(), ADA, Resign(), (2, 2))
    assert [type(event) for event in happened[:3]] == [SeatVacated, MovedUnasked, DiceRolled]
    assert happened[-1] == TurnBegan(6, 1, BEN)


def test_table_vacant__buys_nothing_in_the_special_purchase_round() -> None:
    state = after(started(), BEN, Resign())
    state = after(after(state, ADA, EndPurchases()), CLEO, EndPurchases())
    assert PurchasesEnded(BEN, 1) in events(state, 3, EndPurchases())


def test_table_vacant__its_go_in_the_special_purchase_round_comes_last_so_that_a_substitute_buys() -> None:
    """Of four players, Ben leaves before his turn.

    Ada, Cleo, and Dan have theirs. Eve sits down before Dan is done, so she is asked after him, and buys a rig for 5.
    """
    state = after(started(4), BEN, Resign())
    state = after(state, ADA, EndPurchases())
    assert state.movers == (CLEO,)
    assert state.purchases == (2, 3, 1)
    state = after(after(state, CLEO, EndPurchases()), None, TakeSeat("eve", BEN))
    state = after(state, 3, EndPurchases())
    assert (state.phase, state.movers) == ("purchase", (BEN,))
    state = after(after(state, BEN, BuyAsset("rig", site("1-1", 1))), BEN, EndPurchases())
    assert (state.phase, state.players[BEN].cash) == ("market", 195)


def test_table_vacant__wells_pump_as_a_neighbors_and_nothing_else_is_operated() -> None:
    """Quadrants 0 and 1 share rows: red 1 hits Ben's well and station in row 1. He has left, and nobody is asked."""
    state = after(situation(assets={1: "well 1-5, station 1-1"}, gasoline={BEN: 1}), BEN, Resign())
    state = rolled(state, 1, 2)
    assert (state.phase, state.to_move) == ("assets", (ADA,))
    assert (state.players[BEN].crude, state.players[BEN].gasoline) == (2, 1)


def test_table_vacant__sells_what_a_tax_demands_and_pays_it() -> None:
    """Debt reduction: 2 for the rig, 15 for the station. In the Recovery the station brings 24: 7 stay, and the rig."""
    state = situation(cash={ADA: 100}, assets={1: "rig 1-1, station 2-2"}, likelier="debt_reduction_tax")
    happened = events(after(state, BEN, Resign()), ADA, RollDice(), (1, 1, 1))
    assert [event for event in happened if isinstance(event, AssetSold | TaxPaid)] == [
        AssetSold(BEN, "station", site("2-2", 1), 24),
        TaxPaid(BEN, 17, 17),
    ]
    assert after(after(state, BEN, Resign()), ADA, RollDice(), (1, 1, 1)).players[BEN].cash == 7


def test_table_vacant__a_player_who_is_asked_ends_it() -> None:
    """Ben and Cleo have left: their turns follow Ada's, and then Dan is asked."""
    state = after(after(assets_phase(situation()), BEN, Resign()), CLEO, Resign())
    assert after(state, ADA, EndTurn(), (2, 2, 4, 4)).to_move == (DAN,)


def test_table_vacant__what_it_brings_about_may_need_dice() -> None:
    """So a command before an empty seat's turn must be the last of its request, like one before the ghost's."""
    state = after(assets_phase(situation()), BEN, Resign())
    with pytest.raises(AssertionError, match="not in the script"):
        RULESET.decide(state, ADA, EndTurn(), ScriptedChance())


# The ghost as heir


def test_table_sold__at_the_sale_prices_of_the_card_and_the_quadrant_is_the_ghosts() -> None:
    """In the Recovery a rig brings 3, a station 24: 100 + 27 = 127."""
    state = selling(situation(assets={1: "rig 1-1, station 2-2"}))
    assert events(state, BEN, Resign()) == [
        SeatVacated(BEN, "resigned"),
        HoldingsSold(BEN, rigs=1, wells=0, stations=1, refineries=0, proceeds=27),
        QuadrantsGivenUp(BEN, (1,)),
    ]
    assert rules(state, BEN, Resign()) == ["table/resign", "table/sold", "table/sold"]
    left = after(state, BEN, Resign())
    assert (left.owners, left.players[BEN].cash, left.quadrants[1].occupied) == ((0, None, 2, 3), 127, 0)


def test_table_sold__the_ghost_has_its_turns_from_then_on() -> None:
    state = after(selling(assets_phase(situation())), BEN, Resign())
    happened = events(state, ADA, EndTurn(), (2, 2))
    assert happened[0] == TurnBegan(6, 1, None)
    assert [type(event) for event in happened] == [TurnBegan, DiceRolled, DifferenceAdvanced, TurnBegan]
    assert happened[-1] == TurnBegan(7, 2, CLEO)


def test_table_sold__in_its_own_market_phase_the_ghost_rolls() -> None:
    happened = events(selling(situation()), ADA, Resign(), (2, 2))
    assert [type(event) for event in happened[1:3]] == [QuadrantsGivenUp, DiceRolled]
    assert happened[-1] == TurnBegan(6, 1, BEN)


def test_table_sold__in_its_own_production_the_neighbors_go_on() -> None:
    """Red 1 hits a well in row 1 of Ada and one of Ben, her neighbor in the rows. She leaves before she pumps."""
    state = rolled(selling(situation(assets={0: "well 1-5", 1: "well 1-5"})), 1, 2)
    assert (state.phase, state.to_move) == ("production", (ADA,))
    left = after(state, ADA, Resign())
    assert (left.phase, left.to_move, left.now.operating) == ("neighbours", (BEN,), 1)
    assert after(left, BEN, EndProduction()).to_move == (BEN,), "the turn of the ghost is over, and Ben's begins"


def test_table_sold__as_a_neighbor_that_is_asked_it_holds_up_nobody() -> None:
    state = rolled(selling(situation(assets={1: "well 1-5"})), 1, 2)
    assert (state.phase, state.to_move) == ("neighbours", (BEN,))
    assert after(state, BEN, Resign()).to_move == (ADA,)


def test_table_sold__in_its_own_asset_phase_the_turn_ends() -> None:
    assert events(selling(assets_phase(situation())), ADA, Resign())[-1] == TurnBegan(6, 1, BEN)


def test_table_sold__buys_nothing_in_the_special_purchase_round() -> None:
    state = after(selling(started()), BEN, Resign())
    assert (state.purchases, state.to_move) == ((0, 2, 3), (ADA,))
    assert after(state, ADA, Resign()).purchases == (2, 3)


def test_table_sold__who_starts_may_be_the_ghost() -> None:
    """Ada starts, and leaves before anybody bought. The first turn is still her quadrant's."""
    state = after(selling(started()), ADA, Resign())
    for seat in (BEN, CLEO):
        state = after(state, seat, EndPurchases())
    assert events(state, DAN, EndPurchases(), (2, 2))[1] == TurnBegan(1, 0, None)


def test_table_sold__owes_no_tax_any_more() -> None:
    """Sales tax for Ada's and Ben's station. Ada, who has no cash, is asked to sell hers, and leaves instead."""
    state = situation(cash={BEN: 15}, assets={0: "station 1-1", 1: "station 1-1"}, likelier="state_sales_tax")
    state = after(selling(state), ADA, RollDice(), (1, 1))
    assert (state.phase, state.to_move) == ("news", (ADA,))
    happened = events(state, ADA, Resign(), (1,))
    assert [event for event in happened if isinstance(event, TaxPaid)] == [TaxPaid(BEN, 15, 15)]


def test_table_sold__no_refinery_of_it_stands_idle() -> None:
    """The only idle refinery is Ben's: when he leaves, the warming threat is over."""
    idle = situation(assets={1: "refinery 1-1"}, idle={1: "refinery 1-1"}, active=("global_warming_threat",))
    assert after(selling(idle), BEN, Resign()).news.active == ()


def test_table_sold__no_last_round_waits_for_it() -> None:
    """Ada declares.

    Ben, Cleo, and Dan have one more turn. Dan leaves: after Cleo's turn, nothing is rolled anymore.
    """
    state = after(selling(assets_phase(situation(cash={ADA: 750}))), ADA, DeclareVictory())
    state = after(state, DAN, Resign())
    assert state.last_turns == (2,)
    for seat in (BEN, CLEO):
        state = after(rolled(state, 2, 2), seat, EndTurn())
    assert (state.phase, state.winners) == ("over", (ADA,))


def test_table_sold__in_the_market_phase_of_the_last_turn_ends_the_game() -> None:
    state = after(selling(assets_phase(situation(cash={ADA: 750}))), ADA, DeclareVictory())
    for seat in (BEN, CLEO):
        state = after(rolled(state, 2, 2), seat, EndTurn())
    assert after(state, DAN, Resign()).phase == "over"


def test_table_sold__what_ends_the_last_round_ends_it_once() -> None:
    """It is Dan's last turn. All others agree to an end. He leaves, which ends the last round and the game."""
    state = after(selling(assets_phase(situation(cash={ADA: 750}))), ADA, DeclareVictory())
    for seat in (BEN, CLEO):
        state = after(rolled(state, 2, 2), seat, EndTurn())
    state = after(state, ADA, OFF)
    for seat in (BEN, CLEO):
        state = after(state, seat, AnswerEnd("call_off", True))
    happened = events(state, DAN, Resign())
    assert sum(isinstance(event, SeedRevealed) for event in happened) == 1
    assert after(state, DAN, Resign()).winners == (ADA,)


def test_table_sold__two_quadrants_may_be_the_ghosts() -> None:
    state = after(after(selling(assets_phase(situation())), BEN, Resign()), CLEO, Resign())
    assert state.owners == (0, None, None, 3)
    assert after(state, ADA, EndTurn(), (2, 2, 4, 4)).to_move == (DAN,)


# The last one


def test_table_last__who_stays_alone_wins_however_poor() -> None:
    """Ada has 500, Ben 10 and a station, which brings 18 at the end."""
    state = situation(2, cash={ADA: 500, BEN: 10}, assets={1: "station 1-1"})
    assert events(state, ADA, Resign())[:-1] == [
        SeatVacated(ADA, "resigned"),
        LastRemained(BEN),
        AssetsLiquidated(BEN, rigs=0, wells=0, stations=1, refineries=0, proceeds=18),
        GameFinished((Standing(BEN, 1, 28, 0), Standing(ADA, 2, 500, 0)), (BEN,), "left"),
    ]
    assert isinstance(events(state, ADA, Resign())[-1], SeedRevealed)
    assert rules(state, ADA, Resign())[1:4] == ["table/last", "final/liquidation", "table/last"]
    over = after(state, ADA, Resign())
    assert (over.status, over.to_move, RULESET.outcome(over).decided_by) == ("finished", (), "left")


def test_table_last__in_the_special_purchase_round() -> None:
    assert after(started(2), BEN, Resign()).winners == (ADA,)


def test_table_last__a_substitute_counts() -> None:
    state = after(after(situation(3), BEN, Resign()), None, sits_down())
    state = after(state, CLEO, Resign())
    assert state.status == "running"
    assert after(state, BEN, Resign()).winners == (ADA,)


# Ends by agreement


settled = partial(situation, turn=17)
"""The first turn after four rounds of turns, of four quadrants each."""


def test_table_propose_end__a_ranking_after_four_rounds_of_turns_and_not_before() -> None:
    """Four quadrants have 16 turns in four rounds. In turn 16, the game can only be called off."""
    early = situation(turn=16)
    assert refused(early, BEN, RANK) == Rejection("ranked_too_early", "table/propose-end", "how")
    hows = [
        offer.fields["how"].options  # type: ignore[attr-defined]
        for state in (early, settled())
        for offer in RULESET.besides(state, BEN)
        if offer.command == "ProposeEnd"
    ]
    assert hows == [("call_off",), ("rank", "call_off")]
    assert events(early, BEN, OFF) == [EndProposed(BEN, "call_off", 16)]
    assert events(settled(), BEN, RANK) == [EndProposed(BEN, "rank", 17)]


def test_table_propose_end__by_the_final_sale_when_all_agree() -> None:
    """Dan has 200, all others 100; a well of Cleo's brings 20 in the Depression: 120."""
    state = settled(cash={0: 100, 1: 100, 2: 100, 3: 200}, assets={2: "well 1-1"})
    assert events(state, CLEO, RANK) == [EndProposed(CLEO, "rank", 17)]
    state = after(state, CLEO, RANK)
    assert "AnswerEnd" not in besides(state, CLEO)
    assert events(state, ADA, AnswerEnd("rank", True)) == [VoteCast(ADA, True, UNSALTED), EndAgreedTo(2, 4)]
    for seat in (ADA, BEN):
        state = after(state, seat, AnswerEnd("rank", True))
    assert events(state, DAN, AnswerEnd("rank", True))[1:3] == [EndAgreedTo(4, 4), EndAgreed("rank")]
    over = after(state, DAN, AnswerEnd("rank", True))
    assert [(standing.seat, standing.cash) for standing in over.standings[:2]] == [(DAN, 200), (CLEO, 120)]
    assert (over.winners, over.status, RULESET.outcome(over).decided_by) == ((DAN,), "finished", "agreed")
    assert over.seed is not None


def test_table_propose_end__called_off_nobody_wins_and_the_seed_is_shown() -> None:
    state = after(settled(2), ADA, OFF)
    happened = events(state, BEN, AnswerEnd("call_off", True))
    assert [type(event) for event in happened] == [VoteCast, EndAgreedTo, EndAgreed, SeedRevealed]
    over = after(state, BEN, AnswerEnd("call_off", True))
    assert (over.winners, over.standings, over.status, over.to_move) == ((), (), "finished", ())
    assert RULESET.outcome(over).decided_by == "called_off"
    assert over.seed is not None


def test_table_propose_end__a_vote_is_seen_by_nobody_until_the_game_is_over() -> None:
    """Not even the voter may see it, so that no reader has a different log. What is folded instead counts nothing."""
    redaction = RULESET.redaction("VoteCast")
    assert redaction is not None
    state = after(after(settled(), ADA, RANK), BEN, AnswerEnd("rank", True))
    vote = VoteCast(BEN, True, UNSALTED)
    assert [redaction.sealed(state, vote, seat) for seat in (ADA, BEN, None)] == [True, True, True]
    over = after(after(settled(2), ADA, OFF), BEN, AnswerEnd("call_off", True))
    assert not redaction.sealed(over, vote, None)
    unseen = redaction.stand_in(["EndProposed", "VoteCast"], None)
    assert unseen == VoteCast(None, None, UNSALTED)
    assert RULESET.evolve(state, unseen).departures == state.departures


def test_table_propose_end__one_who_refuses_is_enough() -> None:
    state = after(after(settled(), ADA, RANK), BEN, AnswerEnd("rank", True))
    assert events(state, CLEO, AnswerEnd("rank", False)) == [
        VoteCast(CLEO, False, UNSALTED),
        EndProposalFell("refused"),
    ]
    assert (
        refused(after(state, CLEO, AnswerEnd("rank", False)), DAN, AnswerEnd("rank", True)).code == "nothing_proposed"
    )


def test_table_propose_end__falls_with_the_end_of_the_turn() -> None:
    state = after(assets_phase(settled()), BEN, RANK)
    assert events(state, ADA, EndTurn()) == [TurnBegan(18, 1, BEN), EndProposalFell("turn")]


def test_table_propose_end__once_a_turn_for_each() -> None:
    state = after(after(assets_phase(settled()), BEN, RANK), ADA, AnswerEnd("rank", False))
    assert refused(state, BEN, OFF).code == "proposed_before"
    assert events(state, CLEO, OFF) == [EndProposed(CLEO, "call_off", 17)]
    assert events(after(state, ADA, EndTurn()), BEN, OFF) == [EndProposed(BEN, "call_off", 18)]


def test_table_propose_end__one_at_a_time_and_answered_once() -> None:
    state = after(settled(), ADA, RANK)
    assert refused(state, BEN, OFF).code == "already_proposed"
    assert refused(state, BEN, AnswerEnd("call_off", True)).code == "nothing_proposed"
    assert refused(state, ADA, AnswerEnd("rank", True)).code == "already_agreed"
    assert refused(after(state, BEN, AnswerEnd("rank", True)), BEN, AnswerEnd("rank", False)).code == "already_agreed"


def test_table_propose_end__who_has_left_is_not_asked() -> None:
    """Cleo has left, and Dan leaves while he is asked. Ada and Ben agree, and they are all who play."""
    state = after(after(settled(), CLEO, Resign()), ADA, RANK)
    assert events(state, BEN, AnswerEnd("rank", True)) == [VoteCast(BEN, True, UNSALTED), EndAgreedTo(2, 3)]
    happened = events(after(state, BEN, AnswerEnd("rank", True)), DAN, Resign())
    assert happened[:2] == [SeatVacated(DAN, "resigned"), EndAgreed("rank")]


def test_table_propose_end__who_agreed_and_left_does_not_count() -> None:
    state = after(after(after(settled(), ADA, RANK), BEN, AnswerEnd("rank", True)), BEN, Resign())
    assert events(state, CLEO, AnswerEnd("rank", True)) == [VoteCast(CLEO, True, UNSALTED), EndAgreedTo(2, 3)]


def test_table_propose_end__a_substitute_is_asked_too() -> None:
    state = after(after(after(settled(3), ADA, RANK), BEN, Resign()), None, sits_down())
    assert after(state, CLEO, AnswerEnd("rank", True)).status == "running"
    assert after(after(state, CLEO, AnswerEnd("rank", True)), BEN, AnswerEnd("rank", True)).status == "finished"


def test_table_propose_end__who_has_left_wins_nothing() -> None:
    """Ben has most cash, but has left. Ada, who has most of the others, wins by cash."""
    state = after(settled(3, cash={ADA: 300, BEN: 900, CLEO: 200}), BEN, Resign())
    over = after(after(state, ADA, RANK), CLEO, AnswerEnd("rank", True))
    assert [(standing.seat, standing.rank) for standing in over.standings] == [(ADA, 1), (CLEO, 2), (BEN, 3)]
    assert (over.winners, over.decided_by) == ((ADA,), "cash")


def test_table_propose_end__the_declarer_may_have_left() -> None:
    """Ada declares with 750 and leaves. In the last round Ben sells nothing, and wins with 100."""
    state = after(assets_phase(settled(3, cash={ADA: 750, BEN: 100, CLEO: 90})), ADA, DeclareVictory())
    assert isinstance(events(assets_phase(settled(3, cash=750)), ADA, DeclareVictory())[0], VictoryDeclared)
    state = after(state, ADA, Resign())
    for seat in (BEN, CLEO):
        state = after(rolled(state, 2, 2), seat, EndTurn())
    assert (state.phase, state.winners) == ("over", (BEN,))


def test_a_setup_that_sells_is_taken() -> None:
    opened = RULESET.open("game", replace(table().setup, if_left="sold"), ScriptedChance())
    assert not isinstance(opened, Rejection)
