"""The end: everything left is sold, and a winner is determined."""

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from mcmulti.domain.core.commands import Command, LeaveSeat, StartGame, TakeSeat
from mcmulti.domain.core.table import SeedRevealed
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import BuyAsset, BuyBarrels, DeclareVictory, EndTurn, RollDice, SellAsset
from mcmulti.domain.mcmulti.phases.ending import GameFinished
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.oil.names import EconomyName
from mcmulti.domain.oil.rules.ending import AssetsLiquidated, DecidedBy
from mcmulti.domain.oil.rules.quadrant import EMPTY
from mcmulti.domain.oil.state import Standing
from tests.pure.mcmulti.situations import after, assets_phase, events, refused, site, situation


def _last_turn(players: int = 4, **arrangement: object) -> State:
    """The asset phase of the last turn of the last round, that of quadrant 1; player 0 declared."""
    state = situation(players, quadrant=1, **arrangement)  # type: ignore[arg-type]
    return replace(assets_phase(state), declared_by=0, last_turns=())


def _over(players: int = 4, **arrangement: object) -> State:
    return after(_last_turn(players, **arrangement), 1, EndTurn())


def _finish(state: State) -> GameFinished:
    (finished,) = [event for event in events(state, 1, EndTurn()) if isinstance(event, GameFinished)]
    return finished


# Liquidation


@pytest.mark.parametrize("economy", ["prosperity", "recovery", "depression"])
def test_final_liquidation__all_assets_go_at_depression_prices_whatever_the_card(economy: EconomyName) -> None:
    """Three rigs at 2, a well at 20, two stations at 18, a refinery at 24: 6 + 20 + 36 + 24 = 86."""
    assets = "rig 1-1, rig 1-2, rig 1-3, well 2-2, station 3-3, station 3-4, refinery 5-5"
    state = _last_turn(economy=economy, cash=700, assets={2: assets})
    assert AssetsLiquidated(2, rigs=3, wells=1, stations=2, refineries=1, proceeds=86) in events(state, 1, EndTurn())
    over = after(state, 1, EndTurn())
    assert [player.cash for player in over.players] == [700, 700, 786, 700]
    assert over.quadrants == (EMPTY,) * 4


def test_final_liquidation__with_two_players_both_quadrants_are_counted() -> None:
    """Player 0: rig 2 + station 18; player 1: two wells, 40."""
    state = _last_turn(2, cash=0, assets={0: "rig 1-1", 1: "well 1-1", 2: "station 1-1", 3: "well 1-1"})
    assert [event for event in events(state, 1, EndTurn()) if isinstance(event, AssetsLiquidated)] == [
        AssetsLiquidated(0, rigs=1, wells=0, stations=1, refineries=0, proceeds=20),
        AssetsLiquidated(1, rigs=0, wells=2, stations=0, refineries=0, proceeds=40),
    ]


def test_final_liquidation__idle_refineries_bring_as_much_as_others() -> None:
    state = _over(
        cash=0,
        active=("global_warming_threat",),
        assets={0: "refinery 1-1, refinery 5-5"},
        idle={0: "refinery 1-1"},
    )
    assert state.players[0].cash == 48


def test_final_liquidation__nothing_follows_on_the_end_though_the_last_idle_refinery_is_sold() -> None:
    """The warming threat would be discarded now, but the game is over with the seed."""
    idle = {0: "refinery 1-1"}
    state = _last_turn(cash=0, active=("global_warming_threat",), assets=idle, idle=idle)
    assert [type(event).__name__ for event in events(state, 1, EndTurn())] == [
        "AssetsLiquidated",
        "GameFinished",
        "SeedRevealed",
    ]


def test_final_liquidation__barrels_bring_nothing() -> None:
    state = _over(cash=10, crude=5, gasoline=5)
    assert [(player.cash, player.crude, player.gasoline) for player in state.players] == [(10, 5, 5)] * 4


def test_final_liquidation__comes_before_the_comparison() -> None:
    """745 and a refinery for 24 make 769, more than the 760 of the player who declared."""
    finished = _finish(_last_turn(cash={0: 760, 3: 745}, assets={3: "refinery 1-1"}))
    assert finished.winners == (3,)
    assert finished.standings[0] == Standing(3, 1, 769, 0)


# The winner


@pytest.mark.parametrize(
    ("cash", "crude", "gasoline", "winners", "decided_by"),
    [
        pytest.param({0: 800, 1: 799}, {1: 50}, {}, (0,), "cash", id="most cash, whatever the barrels"),
        pytest.param({0: 750, 2: 751}, {}, {}, (2,), "cash", id="not the one who declared"),
        pytest.param({0: 800, 3: 800}, {0: 3}, {3: 4}, (3,), "barrels", id="barrels of either good count alike"),
        pytest.param({0: 800, 1: 800}, {0: 2}, {0: 3, 1: 4}, (0,), "barrels", id="both goods together"),
        pytest.param({0: 800, 1: 800}, {0: 3}, {0: 1, 1: 4}, (0, 1), "shared", id="equal in both"),
        pytest.param({0: 800, 1: 800, 2: 800}, {0: 1, 1: 2}, {2: 2}, (1, 2), "shared", id="two of the three"),
        pytest.param({}, {}, {}, (0, 1, 2, 3), "shared", id="all alike"),
        pytest.param({0: 800, 1: 700, 2: 700}, {2: 9}, {}, (0,), "cash", id="a tie behind the winner decides nothing"),
    ],
)
def test_final_winner__most_cash_then_most_barrels_then_shared(
    cash: Mapping[int, int],
    crude: Mapping[int, int],
    gasoline: Mapping[int, int],
    winners: tuple[int, ...],
    decided_by: DecidedBy,
) -> None:
    state = _last_turn(cash=cash, crude=crude, gasoline=gasoline)
    finished = _finish(state)
    assert (finished.winners, finished.decided_by) == (winners, decided_by)
    assert after(state, 1, EndTurn()).winners == winners


def test_final_winner__players_are_ranked_and_equals_share_a_rank() -> None:
    finished = _finish(_last_turn(cash={0: 750, 1: 600, 2: 600, 3: 900}, crude={1: 2}, gasoline={2: 2, 0: 7}))
    assert finished.standings == (
        Standing(3, 1, 900, 0),
        Standing(0, 2, 750, 7),
        Standing(1, 3, 600, 2),
        Standing(2, 3, 600, 2),
    )


def test_final_winner__the_game_ends_with_the_result_and_the_seed() -> None:
    happened = events(_last_turn(), 1, EndTurn())
    assert [type(event) for event in happened] == [GameFinished, SeedRevealed]


def test_final_winner__a_finished_game_waits_for_nobody_and_offers_nothing() -> None:
    state = _over()
    assert RULESET.status(state) == "finished"
    assert RULESET.to_move(state) == ()
    assert [RULESET.offers(state, seat) for seat in (None, 0, 1, 2, 3)] == [()] * 5


@pytest.mark.parametrize(
    "command",
    [
        BuyBarrels("domestic", "crude", 1),
        RollDice(),
        BuyAsset("rig", site("1-1")),
        SellAsset("rig", site("1-1")),
        EndTurn(),
        DeclareVictory(),
        StartGame(),
        LeaveSeat(),
    ],
)
def test_final_winner__nothing_happens_after_the_end(command: Command) -> None:
    for seat in range(4):
        rejection = refused(_over(), seat, command)
        assert (rejection.code, rejection.rule) == ("game_over", "final/winner")


def test_final_winner__nobody_sits_down_at_a_finished_game() -> None:
    rejection = refused(_over(), None, TakeSeat("eve"))
    assert (rejection.code, rejection.rule) == ("game_over", "final/winner")
