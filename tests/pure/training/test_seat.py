"""A seat against house bots, as a Gymnasium environment."""

import copy
import warnings
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv

from mcmulti import training
from mcmulti.bots.strategies.registry import strategies_of
from tests.training.playing import NAMES, any_of


def made(name: str, **options: Any) -> gymnasium.Env[Any, Any]:
    """An environment as its users make it."""
    return gymnasium.make(training.IDS[name], disable_env_checker=True, **options)


def finished(env: gymnasium.Env[Any, Any], seed: int, most: int = 2000) -> list[tuple[bytes, float]]:
    """The observations and rewards of a random learner, up to the end of a game."""
    random = Random(seed)
    seen, _ = env.reset(seed=seed)
    trail = [(seen["observation"].tobytes(), 0.0)]
    for _ in range(most):
        seen, reward, terminated, truncated, _ = env.step(any_of(random, seen["action_mask"]))
        trail.append((seen["observation"].tobytes(), float(reward)))
        if terminated or truncated:
            return trail
    raise AssertionError("the game did not end")


@pytest.mark.parametrize("name", NAMES)
def test_gymnasium_finds_nothing_wrong(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(made(name, render_mode="ansi").unwrapped)


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_decides_the_game_and_a_copy_goes_on_with_it(name: str) -> None:
    env = made(name, opponents="random", max_steps=400)
    assert finished(env, 3) == finished(env, 3) == finished(copy.deepcopy(env), 3)
    assert finished(env, 3) != finished(env, 4)


@pytest.mark.parametrize("name", NAMES)
def test_every_house_bot_plays_the_other_seats(name: str) -> None:
    for strategy in strategies_of(name):
        trail = finished(made(name, opponents=strategy, max_steps=300), 1)
        assert len(trail) > 1


def test_house_bots_beat_random_moves() -> None:
    env = made("marracash", opponents="merchant")
    ends = [finished(env, seed)[-1][1] for seed in range(5)]
    assert sum(ends) < 0


def test_what_is_masked_out_ends_the_game() -> None:
    env = made("marracash")
    seen, _ = env.reset(seed=1)
    wrong = int((seen["action_mask"] == 0).nonzero()[0][0])
    _, reward, terminated, truncated, _ = env.step(wrong)
    assert (reward, terminated, truncated) == (-1.0, True, False)


def test_the_learner_sits_where_it_is_told_or_anywhere() -> None:
    env = made("marracash", seat=2)
    env.reset(seed=1)
    assert env.unwrapped.match.to_move == (2,)  # type: ignore[attr-defined]
    anywhere = made("marracash")
    seats = set()
    for seed in range(20):
        anywhere.reset(seed=seed)
        seats |= set(anywhere.unwrapped.match.to_move)  # type: ignore[attr-defined]
    assert seats == {0, 1, 2, 3}


@pytest.mark.parametrize(
    "options", [{"opponents": "nobody"}, {"opponents": ["merchant"]}, {"seat": 4}, {"seats": 2}, {"reward": "fame"}]
)
def test_what_cannot_be_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"does not play|opponents for|no seat|is played|is not a reward"):
        made("marracash", **options)


def test_many_games_in_processes_are_those_in_one() -> None:
    """With the same seed and the same actions, however many processes there are."""
    makers = [lambda: made("marracash", opponents="random") for _ in range(3)]
    trails = []
    for vector in (SyncVectorEnv(makers), AsyncVectorEnv(makers)):
        random = Random(1)
        seen, _ = vector.reset(seed=11)
        trail = [seen["observation"].copy()]
        for _ in range(15):
            actions = [any_of(random, mask) if mask.any() else 0 for mask in seen["action_mask"]]
            seen, *_ = vector.step(np.array(actions))
            trail.append(seen["observation"].copy())
        vector.close()
        trails.append(trail)
    assert np.array_equal(trails[0], trails[1])
    assert not np.array_equal(trails[0][0][0], trails[0][0][1])
