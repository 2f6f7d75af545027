"""Games by post, in which all act at once."""

import pickle
from typing import Any

import numpy as np
import pytest

from mcmulti import training
from mcmulti.domain.core.offers import Rejection
from mcmulti.training.encoders.games.postal import sent
from mcmulti.training.post import SheetsEnv
from tests.training.theirs import parallel_api_test


def round_of(env: SheetsEnv) -> Any:
    """A round of random sheets."""
    return env.step({agent: env.action_space(agent).sample() for agent in env.agents})


def trail(seed: int, rounds: int = 12) -> list[bytes]:
    """What everybody observes in a random game."""
    env = training.parallel_env()
    seen = [env.reset(seed=seed)[0]]
    for number, agent in enumerate(env.agents):
        env.action_space(agent).seed(seed + number)
    seen += [round_of(env)[0] for _ in range(rounds)]
    return [each[agent].tobytes() for each in seen for agent in env.possible_agents]


def test_pettingzoo_finds_nothing_wrong() -> None:
    parallel_api_test(training.parallel_env(), num_cycles=60)


def test_a_round_can_be_looked_at() -> None:
    env = training.parallel_env(render_mode="ansi")
    env.reset(seed=1)
    assert "Round 1" in str(env.render())


def test_a_seed_decides_every_round() -> None:
    assert trail(5) == trail(5)
    assert trail(5) != trail(6)


def test_every_sheet_of_the_family_is_legal_and_says_what_was_chosen() -> None:
    env = training.parallel_env(assets=2, trades=2)
    env.reset(seed=1)
    space = env.action_space("player_0")
    space.seed(1)
    [offer, *_] = env.match.ruleset.offers(env.match.state, 0)
    for _ in range(200):
        choices = space.sample()
        sheet = env.sheets.sheet(choices.tolist())
        assert not isinstance(env.match.ruleset.admit(env.match.state, 0, sent(sheet, offer)), Rejection)
        assert len(sheet.orders) + len(sheet.trades) == np.count_nonzero(choices[:-1])


def test_all_end_together_and_rewards_come_to_nothing() -> None:
    env = training.parallel_env(max_steps=3, reward="worth")
    env.reset(seed=2)
    for number in range(3):
        seen, rewards, terminated, truncated, infos = round_of(env)
        assert sum(rewards.values()) == pytest.approx(0, abs=1e-9)
        assert set(truncated.values()) == {number == 2}
        assert set(terminated.values()) == {False}
        assert seen.keys() == infos.keys() == set(env.possible_agents)
    assert env.agents == []
    assert env.step({}) == ({}, {}, {}, {}, {})


def test_a_choice_that_there_is_not_is_refused_before_anything_happens() -> None:
    env = training.parallel_env()
    env.reset(seed=2)
    before = env.match.state
    for wrong in ([9] * 9, [0] * 8, [-1] + [0] * 8):
        with pytest.raises(IndexError, match="a sheet takes choices"):
            env.step({"player_3": wrong})
    assert env.match.state is before
    env.step({})
    assert env.match.state.round == 2


def test_a_copy_goes_on_as_the_original_does() -> None:
    env = training.parallel_env()
    env.reset(seed=2)
    other = pickle.loads(pickle.dumps(env))
    env.step({})
    other.step({})
    assert env.match.state == other.match.state


def test_a_sheet_with_too_many_lines_is_refused_by_the_rules() -> None:
    env = training.parallel_env(assets=250)
    env.reset(seed=2)
    before = env.match.state
    with pytest.raises(ValueError, match="lines"):
        env.step({"player_2": [1] * len(env.sheets.shape)})
    assert env.match.state is before
