"""Who wins, and when."""

from mcmulti.domain.oilfield.events import DiceRolled, GameFinished, GasolineSold, SeedRevealed, TurnBegan
from mcmulti.domain.oilfield.state import Standing
from mcmulti.domain.postal import flow
from mcmulti.domain.postal.sheet import BuyAssetOrder, OrderSheet, SellAssetOrder, SellBarrelsOrder
from tests.postal.situations import NOTHING, A, B, C, D, plot, refereed, situation, turn_of

ALL = dict.fromkeys(range(4), NOTHING)


def test_postal_target__after_phase_1_before_barrels_and_dice() -> None:
    """976 and a station for 24 make 1000: the barrel of line 2 is never sold, no die falls, B has no turn."""
    state = situation(cash={A: 976}, crude=1, assets={A: "station 1-1"}, hits={A: "station 1-1"})
    sheet = OrderSheet((SellAssetOrder("station", plot("1-1")),), (SellBarrelsOrder("domestic", "crude", 1),))
    happened, over = refereed(state, {**ALL, A: sheet}, ())
    standings = (Standing(A, 1, 1000, 1), Standing(B, 2, 0, 1), Standing(C, 2, 0, 1), Standing(D, 2, 0, 1))
    assert happened[-2:] == [GameFinished(standings, (A,), "target"), SeedRevealed("00" * 32)]
    assert [event.seat for event in happened if isinstance(event, TurnBegan)] == [A]
    assert over.players[A].crude == 1
    assert flow.status(over) == "finished"


def test_postal_target__lines_of_a_phase_are_carried_out_to_its_end() -> None:
    """976 + 24 = 1000, but the rig of the next line costs 5, so after the phase there are 995."""
    state = situation(cash={A: 976}, assets={A: "station 1-1"}, hits={A: "station 1-1"})
    sheet = OrderSheet((SellAssetOrder("station", plot("1-1")), BuyAssetOrder("rig", plot("5-5"))))
    happened, after = refereed(state, {**ALL, A: sheet})
    assert not [event for event in happened if isinstance(event, GameFinished)]
    assert after.players[A].cash == 995


def test_postal_target__after_phase_2() -> None:
    """995 and a barrel of crude for 5."""
    sheet = OrderSheet(trades=(SellBarrelsOrder("domestic", "crude", 1),))
    happened, _ = refereed(situation(cash={A: 995}, crude=1), {**ALL, A: sheet}, ())
    assert isinstance(happened[-2], GameFinished)
    assert not [event for event in happened if isinstance(event, DiceRolled)]


def test_postal_target__999_is_not_enough() -> None:
    happened, _ = refereed(situation(cash=999), ALL)
    assert not [event for event in happened if isinstance(event, GameFinished)]


def test_postal_target__after_production_in_operating_order() -> None:
    """A and B both sell when A rolls: A at 25, B at 24. A has 990 + 25 = 1015, B 999 + 24 = 1023: A wins."""
    state = situation(cash={A: 990, B: 999}, gasoline=1, assets={A: "station 2-1", B: "station 2-1"})
    happened, over = refereed(state, ALL, (2, 6))
    assert [event.prices for event in happened if isinstance(event, GasolineSold)] == [(25,), (24,)]
    assert over.winners == (A,)
    assert [(each.seat, each.rank, each.cash) for each in over.standings[:2]] == [(A, 1, 1015), (B, 2, 1023)]


def test_postal_target__a_neighbour_may_win_in_the_turn_of_another() -> None:
    """A rolls column 3, which D shares: D sells at 25 and has 999 + 25 = 1024. B, C and D have no turn any more."""
    state = situation(cash={D: 999}, gasoline=1, assets={D: "station 5-3"})
    happened, over = refereed(state, ALL, (2, 3))
    assert over.winners == (D,)
    assert [event.seat for event in happened if isinstance(event, TurnBegan)] == [A]
    assert isinstance(turn_of(A, happened)[-1], SeedRevealed)


def test_postal_target__the_rank_of_equals_is_shared() -> None:
    """Behind the winner cash counts, then barrels."""
    state = situation(cash={A: 1000, B: 7, C: 7, D: 7}, crude={D: 2})
    _, over = refereed(state, ALL, ())
    assert [(each.seat, each.rank) for each in over.standings] == [(A, 1), (D, 2), (B, 3), (C, 3)]
