"""Phase 5: declaring victory, and the last round."""

import pytest
from msgspec.structs import replace

from mcmulti.domain.mcmulti.commands import (
    BuyBarrels,
    DeclareVictory,
    EndTurn,
    PumpCrude,
    RollDice,
    SellAsset,
    SellBarrels,
)
from mcmulti.domain.mcmulti.phases.dice import DiceRolled
from mcmulti.domain.mcmulti.phases.ending import GameFinished, TurnBegan, VictoryDeclared
from mcmulti.domain.mcmulti.state import State
from tests.pure.mcmulti.situations import after, assets_phase, events, offered, refused, rolled, site, situation, table


def _rich(players: int = 4, quadrant: int = 0, cash: int = 750, target: int = 750) -> State:
    """The asset phase of the quadrant; its owner has the cash, the others have 100."""
    state = situation(players, quadrant=quadrant)
    seat = state.now.seat
    richer = tuple(replace(player, cash=cash if index == seat else 100) for index, player in enumerate(state.players))
    return assets_phase(replace(state, players=richer, setup=table(players, target=target).setup))


def _declared(players: int = 4, quadrant: int = 0, dice: tuple[int, ...] = ()) -> State:
    state = _rich(players, quadrant)
    return after(state, state.now.seat, DeclareVictory(), dice)


def _quiet(state: State, dice: tuple[int, ...] = ()) -> State:
    """A turn with a double 2, which changes nothing, and no moves. `dice` are the ghost's, if it comes next."""
    return after(rolled(state, 2, 2), state.now.seat, EndTurn(), dice)


# Declaring


@pytest.mark.parametrize(("target", "cash"), [(750, 750), (750, 751), (1000, 1000), (1000, 1500)])
def test_end_declare__with_the_target_in_cash_victory_may_be_declared(target: int, cash: int) -> None:
    state = _rich(cash=cash, target=target)
    assert events(state, 0, DeclareVictory())[0] == VictoryDeclared(0, cash, (1, 2, 3))
    assert after(state, 0, DeclareVictory()).declared_by == 0


@pytest.mark.parametrize(("target", "cash"), [(750, 749), (750, 0), (1000, 999), (1000, 750)])
def test_end_declare__with_less_it_may_not(target: int, cash: int) -> None:
    state = _rich(cash=cash, target=target)
    assert offered(state, 0, "DeclareVictory") == []
    rejection = refused(state, 0, DeclareVictory())
    assert (rejection.code, rejection.rule) == ("target", "end/declare")


def test_end_declare__need_not_be_done() -> None:
    state = after(_rich(cash=2000), 0, EndTurn())
    assert (state.declared_by, state.last_turns) == (None, None)
    assert (state.phase, state.now.seat) == ("market", 1)


def test_end_declare__ends_the_turn() -> None:
    assert events(_rich(), 0, DeclareVictory())[1:] == [TurnBegan(6, 1, 1)]


def test_end_declare__what_the_asset_phase_brought_counts() -> None:
    """726 and a station on the hit row, which brings 24 in the Recovery, make 750."""
    state = assets_phase(situation(cash=726, assets={0: "station 1-1"}))
    assert refused(state, 0, DeclareVictory()).code == "target"
    state = after(state, 0, SellAsset("station", site("1-1")))
    assert after(state, 0, DeclareVictory()).declared_by == 0


def test_end_declare__assets_and_barrels_are_no_cash() -> None:
    state = assets_phase(situation(cash=749, crude=50, gasoline=50, assets={0: "refinery 1-1"}))
    assert refused(state, 0, DeclareVictory()).code == "target"


def test_end_declare__only_at_the_end_of_a_turn_and_only_ones_own() -> None:
    state = situation(cash=800)
    rejection = refused(state, 0, DeclareVictory())
    assert (rejection.code, rejection.rule) == ("out_of_phase", "turn/phases")
    rejection = refused(assets_phase(state), 1, DeclareVictory())
    assert (rejection.code, rejection.rule) == ("out_of_turn", "turn/phases")


# The last round


@pytest.mark.parametrize(
    ("players", "quadrant", "turns"),
    [
        (4, 0, (1, 2, 3)),
        (4, 1, (2, 3, 0)),
        (4, 3, (0, 1, 2)),
        # Quadrant 3 is the ghost's. It rolls between two players, but nobody waits for it at the end.
        (3, 0, (1, 2)),
        (3, 1, (2, 3, 0)),
        (3, 2, (3, 0, 1)),
        # Quadrants 0 and 2 belong to player 0, 1 and 3 to player 1.
        (2, 0, (1, 3)),
        (2, 1, (2, 0)),
        (2, 2, (3, 1)),
        (2, 3, (0, 2)),
    ],
)
def test_end_last_round__gives_each_of_the_others_one_turn_more(
    players: int, quadrant: int, turns: tuple[int, ...]
) -> None:
    state = _rich(players, quadrant)
    dice = (2, 2) if state.owners[turns[0]] is None else ()
    declaration = events(state, state.now.seat, DeclareVictory(), dice)[0]
    assert isinstance(declaration, VictoryDeclared)
    assert declaration.last_turns == turns


@pytest.mark.parametrize(
    ("players", "quadrant", "played"),
    [
        (4, 1, [(2, 2), (3, 3), (0, 0)]),
        (3, 0, [(1, 1), (2, 2)]),
        (2, 0, [(1, 1), (3, 1)]),
        (2, 3, [(0, 0), (2, 0)]),
    ],
)
def test_end_last_round__then_the_game_is_over(players: int, quadrant: int, played: list[tuple[int, int]]) -> None:
    """Quadrant and player of every turn after the declaration. With two players the declarer has none left."""
    state = _declared(players, quadrant)
    turns: list[tuple[int, int | None]] = []
    while state.phase != "over":
        turns.append((state.now.quadrant, state.now.seat))
        state = _quiet(state)
    assert turns == played


@pytest.mark.parametrize(
    ("players", "quadrant", "turns"), [(2, 0, (1,)), (2, 3, (0,)), (3, 0, (1, 2)), (4, 0, (1, 2, 3))]
)
def test_end_last_round__where_it_was_agreed_on_the_opponent_has_one_turn(
    players: int, quadrant: int, turns: tuple[int, ...]
) -> None:
    """Exactly one, with its next quadrant; three and four players have one each anyway."""
    state = _rich(players, quadrant)
    state = replace(state, setup=replace(state.setup, last_turns="one"))
    declaration = events(state, state.now.seat, DeclareVictory())[0]
    assert isinstance(declaration, VictoryDeclared)
    assert declaration.last_turns == turns
    state = after(state, state.now.seat, DeclareVictory())
    for _ in turns:
        assert state.phase == "market"
        state = _quiet(state)
    assert state.phase == "over"


def test_end_last_round__the_ghost_rolls_between_two_players() -> None:
    """Player 1 declares; player 2, the ghost and player 0 follow."""
    state = rolled(_declared(3, 1), 2, 2)
    happened = events(state, 2, EndTurn(), (4, 4))
    assert any(isinstance(event, DiceRolled) and event.seat is None for event in happened)
    state = after(state, 2, EndTurn(), (4, 4))
    assert (state.phase, state.now.seat) == ("market", 0)
    assert _quiet(state).phase == "over"


def test_end_last_round__the_ghost_may_be_the_next_after_the_declaration() -> None:
    state = _declared(3, 2, dice=(4, 4))
    assert (state.now.quadrant, state.last_turns) == (0, (1,))
    assert _quiet(_quiet(state)).phase == "over"


def test_end_last_round__the_ghost_does_not_roll_at_its_end() -> None:
    """Player 0 declares; the turn of player 2 is the last, no dice fall after it."""
    state = rolled(_quiet(_declared(3, 0)), 2, 2)
    assert not any(isinstance(event, DiceRolled | TurnBegan) for event in events(state, 2, EndTurn()))


def test_end_last_round__nobody_declares_again() -> None:
    state = rolled(after(assets_phase(situation(cash=800)), 0, DeclareVictory()), 2, 2)
    assert offered(state, 1, "DeclareVictory") == []
    rejection = refused(state, 1, DeclareVictory())
    assert (rejection.code, rejection.rule) == ("declared", "end/last-round")


def test_end_last_round__the_others_have_a_whole_turn() -> None:
    """Player 1 deals, rolls, pumps from the well that red 1 hits, and sells it for 30."""
    state = after(assets_phase(situation(cash={0: 750, 1: 10}, assets={1: "well 1-1"})), 0, DeclareVictory())
    state = after(state, 1, BuyBarrels("domestic", "crude", 1))
    state = after(state, 1, RollDice(), (1, 2))
    state = after(state, 1, PumpCrude(2))
    state = after(state, 1, SellAsset("well", site("1-1", 1)))
    assert (state.players[1].cash, state.players[1].crude) == (10 - 6 + 30, 3)


def test_end_last_round__the_declarer_still_operates_as_a_neighbor() -> None:
    """Quadrants 0 and 1 share rows: red 1 of player 1 hits the well in row 1 of the declarer, its right neighbor."""
    state = after(assets_phase(situation(cash={0: 750}, assets={0: "well 1-5"})), 0, DeclareVictory())
    state = rolled(state, 1, 2)
    assert after(state, 0, PumpCrude(2)).players[0].crude == 2


def test_end_last_round__who_declared_may_be_overtaken() -> None:
    """Player 1 sells three barrels of crude for 5 + 4 + 3 = 12: 740 + 12 = 752 against 750."""
    state = after(assets_phase(situation(cash={0: 750, 1: 740}, crude={1: 3})), 0, DeclareVictory())
    state = _quiet(after(state, 1, SellBarrels("foreign", "crude", 3)))
    state = rolled(_quiet(state), 2, 2)
    finish = [event for event in events(state, 3, EndTurn()) if isinstance(event, GameFinished)]
    assert [(event.winners, event.decided_by) for event in finish] == [((1,), "cash")]
