"""The five phases of a turn, in their order."""

from collections.abc import Callable

import pytest

from mcmulti.domain.core.commands import Command
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import (
    BuyAsset,
    BuyBarrels,
    CleanUp,
    DeclareVictory,
    EndCleanUp,
    EndProduction,
    EndPurchases,
    EndTurn,
    PumpCrude,
    RefineCrude,
    RollDice,
    SellAsset,
    SellBarrels,
    SellGasoline,
    StrikeOil,
)
from mcmulti.domain.mcmulti.phases.assets import AssetPhaseBegan
from mcmulti.domain.mcmulti.phases.dice import DiceRolled, DifferenceAdvanced
from mcmulti.domain.mcmulti.phases.ending import TurnBegan
from mcmulti.domain.mcmulti.phases.operations import CrudePumped
from mcmulti.domain.mcmulti.phases.production import OperationBegan
from mcmulti.domain.mcmulti.state import State
from tests.pure.mcmulti.situations import after, events, refused, rolled, site, situation

MARKET: tuple[Command, ...] = (BuyBarrels("domestic", "crude", 1), SellBarrels("foreign", "gasoline", 1), RollDice())
PRODUCTION: tuple[Command, ...] = (
    SellGasoline(1),
    RefineCrude(1),
    PumpCrude(2),
    StrikeOil(site("1-2")),
    EndProduction(),
)
ASSETS: tuple[Command, ...] = (
    BuyAsset("rig", site("3-3")),
    SellAsset("station", site("1-1")),
    CleanUp(site("5-5")),
    EndTurn(),
    DeclareVictory(),
)
ELSEWHERE: tuple[Command, ...] = (EndPurchases(), EndCleanUp())


def _market() -> State:
    """Player 0 could deal, its assets would be hit in row 1 or column 2, and it has enough cash for a declaration."""
    return situation(
        cash=800,
        crude=5,
        gasoline=5,
        assets={0: "station 1-1, rig 1-2, refinery 5-2, well 2-2, refinery 5-5"},
        idle={0: "refinery 5-5"},
        active=("global_warming_threat",),
    )


def _production() -> State:
    return rolled(_market(), 1, 2)


def _assets() -> State:
    return after(_production(), 0, EndProduction())


PHASES = [
    (_market, (*PRODUCTION, *ASSETS, *ELSEWHERE)),
    (_production, (*MARKET, *ASSETS, *ELSEWHERE)),
    (_assets, (*MARKET, *PRODUCTION, *ELSEWHERE)),
]


def test_turn_phases__a_turn_goes_from_the_market_to_its_end_and_then_to_the_next_player() -> None:
    """Red 1 hits the well of the left neighbor, black 2 that of the right one. Nothing is skipped or doubled."""
    state = situation(assets={0: "well 1-2", 1: "well 1-6", 3: "well 6-2"})
    phases = [state.phase]
    happened = []
    commands: list[tuple[int, Command, tuple[int, ...]]] = [
        (0, BuyBarrels("domestic", "crude", 1), ()),
        (0, RollDice(), (1, 2)),
        (0, PumpCrude(4), ()),
        (1, PumpCrude(2), ()),
        (3, PumpCrude(2), ()),
        (0, EndTurn(), ()),
    ]
    for seat, command, dice in commands:
        assert RULESET.to_move(state) == (seat,)
        happened += [type(event) for event in events(state, seat, command, dice)]
        state = after(state, seat, command, dice)
        phases.append(state.phase)
    assert phases == ["market", "market", "production", "neighbours", "neighbours", "assets", "market"]
    assert happened[1:] == [
        DiceRolled,
        DifferenceAdvanced,
        OperationBegan,
        CrudePumped,
        OperationBegan,
        CrudePumped,
        OperationBegan,
        CrudePumped,
        AssetPhaseBegan,
        TurnBegan,
    ]
    assert (state.now.number, state.now.quadrant, state.now.seat) == (6, 1, 1)


@pytest.mark.parametrize(
    ("arrange", "command"), [(arrange, command) for arrange, commands in PHASES for command in commands]
)
def test_turn_phases__what_belongs_to_another_phase_is_refused(arrange: Callable[[], State], command: Command) -> None:
    rejection = refused(arrange(), 0, command)
    assert (rejection.code, rejection.rule) == ("out_of_phase", "turn/phases")


@pytest.mark.parametrize("arrange", [_market, _production, _assets])
@pytest.mark.parametrize("command", [*MARKET, *PRODUCTION, *ASSETS, *ELSEWHERE])
def test_turn_phases__who_is_not_at_turn_waits(arrange: Callable[[], State], command: Command) -> None:
    rejection = refused(arrange(), 2, command)
    assert (rejection.code, rejection.rule) == ("out_of_turn", "turn/phases")


def test_turn_phases__while_a_neighbor_operates_the_player_at_turn_waits() -> None:
    state = rolled(situation(assets={1: "well 1-6"}), 1, 2)
    assert RULESET.to_move(state) == (1,)
    for command in (BuyAsset("rig", site("1-1")), EndTurn()):
        rejection = refused(state, 0, command)
        assert (rejection.code, rejection.rule) == ("out_of_turn", "turn/phases")


def test_turn_phases__dealing_and_production_are_optional() -> None:
    """Nothing bought, nothing hit: after the roll the asset phase begins at once."""
    state = situation()
    assert [type(event) for event in events(state, 0, RollDice(), (1, 2))] == [
        DiceRolled,
        DifferenceAdvanced,
        AssetPhaseBegan,
    ]


@pytest.mark.parametrize(
    ("players", "order"),
    [
        (4, [(1, 1), (2, 2), (3, 3), (0, 0), (1, 1)]),
        (2, [(1, 1), (2, 0), (3, 1), (0, 0), (1, 1)]),
    ],
)
def test_turn_phases__turns_go_clockwise(players: int, order: list[tuple[int, int]]) -> None:
    """Quadrant and player of each turn after that of quadrant 0. With two players they alternate."""
    state = situation(players)
    turns: list[tuple[int, int | None]] = []
    for _ in order:
        state = rolled(state, 2, 2)
        state = after(state, state.now.seat, EndTurn())
        turns.append((state.now.quadrant, state.now.seat))
    assert turns == order
