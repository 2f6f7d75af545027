"""Winning chances of positions."""

import pytest

from mcmulti.domain.rulesets import SHIPPED
from mcmulti.evaluation.evaluate import compare, evaluate
from mcmulti.evaluation.moves import moves_to_try
from mcmulti.evaluation.policy import RolloutPlayers
from mcmulti.library.game import load_game
from mcmulti.library.positions import open_position
from mcmulti.library.state import IllegalAction
from tests.pure.properties.random_games import seats_of


@pytest.mark.parametrize("ruleset", SHIPPED)
def test_chances_of_every_rule_set_add_up_to_a_victory(ruleset: str) -> None:
    seats = seats_of(ruleset)[0]
    found = evaluate(load_game(ruleset, seats=seats).new_initial_state(seed=1), rollouts=1)
    assert (len(found.chances), found.rollouts) == (seats, 1)
    assert sum(chance.value for chance in found.chances) == pytest.approx(1)
    assert {chance.error for chance in found.chances} == {None}


def test_the_same_seed_gives_the_same_chances_whatever_the_dice_of_the_game_will_be() -> None:
    """Anybody who knew the coming dice would evaluate another game."""
    state = load_game("mcmulti", seats=2).new_initial_state(seed=1)
    found = evaluate(state, rollouts=3, seed=5)
    assert evaluate(state.redraw(77), rollouts=3, seed=5) == evaluate(state.redraw(None), rollouts=3, seed=5) == found
    assert evaluate(state, rollouts=3, seed=6) != found


def test_who_is_about_to_win_has_the_better_chance() -> None:
    document = load_game("mcmulti", seats=2).new_initial_state(seed=1).position()
    document["position"]["players"][1]["cash"] = 700
    found = evaluate(open_position(document), rollouts=4)
    assert found.chances[1].value > 0.9


def test_time_bounds_rollouts_but_there_is_always_one() -> None:
    state = load_game("mcmulti", seats=2).new_initial_state(seed=1)
    assert evaluate(state, rollouts=None, seconds=1e-9).rollouts == 1


def test_a_finished_game_needs_no_rollouts() -> None:
    state = load_game("mcmulti", seats=2).new_initial_state(seed=1)
    state.apply_action(state.game.action("Resign"), 1)
    assert state.is_terminal()
    found = evaluate(state)
    assert ([chance.value for chance in found.chances], found.rollouts) == ([1.0, 0.0], 0)


def test_moves_are_compared_under_the_same_dice() -> None:
    """Resigning loses in any case: its chance is 0 without error, and it costs what the best move promises."""
    state = load_game("mcmulti", seats=2).new_initial_state(seed=1)
    seat, resign = state.current_player(), state.game.action("Resign")
    best, worst = compare(state, actions=[resign, state.legal_actions()[-1]], rollouts=3)
    assert (worst.action, worst.chance.value, worst.chance.error) == (resign, 0.0, 0.0)
    assert (best.loss.value, worst.loss) == (0.0, best.chance)
    assert len({repr(move.action) for move in compare(state, seat, most=4, rollouts=1)}) == 4


def test_only_who_is_to_move_has_moves_to_compare() -> None:
    state = load_game("mcmulti", seats=2).new_initial_state(seed=1)
    with pytest.raises(ValueError, match="not to move"):
        compare(state, 1 - state.current_player())
    with pytest.raises(IllegalAction):
        compare(state, actions=[state.game.action("DeclareVictory")], rollouts=1)


def test_a_round_by_post_that_a_seat_holds_up_goes_on() -> None:
    """Strategies wait while their sheets are in, and no clock runs, so a held round would never end by itself."""
    state = load_game("postal", seats=4).new_initial_state(seed=1)
    assert {type(action).__name__ for action in moves_to_try(state, 0, 9, seed=1)} == {"SubmitOrders"}
    state.apply_action(state.game.action("HoldRound", round=1, hold=True), 0)
    players = RolloutPlayers(state.game, 1)
    for _ in range(300):
        players.move(state)
        if state.table.round > 1:
            break
    assert state.table.round > 1
