"""The games in OpenSpiel: its own checks, and its own algorithms."""

import random
import re

import pytest

from mcmulti.domain.rulesets import SHIPPED
from tests.pure.properties.random_games import seats_of

pytestmark = pytest.mark.needs("pyspiel")

NAMES = [f"mcmulti_{name}(seats={seats_of(name)[0]})" for name in SHIPPED]


def test_openspiels_own_simulation_finds_no_fault() -> None:
    """It checks clones, histories, observations, outcomes, returns, and that saved states can be restored."""
    import pyspiel

    import mcmulti.training.openspiel  # noqa: F401

    game = pyspiel.load_game("mcmulti_marracash(seats=3)")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_openspiels_playthrough_of_a_whole_game_is_the_same_again() -> None:
    """It writes down all texts of a state and all observations, and again from the actions alone."""
    from open_spiel.python.algorithms.generate_playthrough import playthrough

    import mcmulti.training.openspiel  # noqa: F401

    name = "mcmulti_marracash(seats=3)"
    first = playthrough(name, [], seed=3)
    assert "IsTerminal() = True" in first
    actions = [int(action) for action in re.findall(r"^action: (\d+)$", first, re.MULTILINE)]
    assert len(actions) > 50
    assert playthrough(name, actions, seed=4) == first


@pytest.mark.parametrize("name", NAMES)
def test_a_walk_keeps_the_promises_of_a_state(name: str) -> None:
    import pyspiel

    import mcmulti.training.openspiel  # noqa: F401

    game = pyspiel.load_game(name)
    state, luck = game.new_initial_state(), random.Random(2)
    for _ in range(80):
        if state.is_terminal():
            break
        actions = state.legal_actions()
        assert actions == sorted(set(actions))
        assert actions[0] >= 0
        assert actions[-1] < (64 if state.is_chance_node() else game.num_distinct_actions())
        assert all(state.action_to_string(state.current_player(), action) for action in actions[:5])
        others = set(range(game.num_players())) - {state.current_player()}
        assert state.is_chance_node() or not any(state.legal_actions(player) for player in others)
        before = str(state)
        action = luck.choice(actions)
        child = state.child(action)
        assert str(state) == before
        state.apply_action(action)
        assert str(child) == str(state)
        for player in range(game.num_players()):
            assert len(state.observation_tensor(player)) == game.observation_tensor_size()
            assert state.information_state_string(player)
    assert str(game.deserialize_state(state.serialize())) == str(state)
    assert sum(state.returns()) == 0


def test_an_algorithm_of_openspiel_plays() -> None:
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms import mcts

    import mcmulti.training.openspiel  # noqa: F401

    game = pyspiel.load_game("mcmulti_millionenspiel(seats=3)")
    state, luck = game.new_initial_state(), np.random.RandomState(3)
    while state.is_chance_node():
        state.apply_action(int(luck.choice(state.legal_actions())))
    bot = mcts.MCTSBot(game, 1.4, 3, mcts.RandomRolloutEvaluator(1, luck), random_state=luck)
    assert bot.step(state) in state.legal_actions()


def test_an_illegal_action_and_an_impossible_table_are_refused() -> None:
    import pyspiel

    import mcmulti.training.openspiel  # noqa: F401

    with pytest.raises(Exception, match="seats"):
        pyspiel.load_game("mcmulti_marracash(seats=9)")
