"""Environments that begin from the document of a position."""

from typing import Any

import pytest

import mcmulti
from mcmulti import BadPosition, training
from mcmulti.training.seat import SeatEnv
from tests.pure.library.random_games import NAMES, middle


def environment(name: str, **setup: Any) -> Any:
    return training.env(name, **setup)


@pytest.mark.parametrize("name", NAMES)
def test_a_game_begins_with_the_position_and_the_next_one_at_the_beginning(name: str) -> None:
    document = middle(name).position()
    env = environment(name, seats=document["setup"]["seats"])
    env.reset(seed=5, options={"position": document})
    assert env.match.position().position() == document
    assert env.observe(env.agent_selection)["action_mask"].any()
    env.reset()
    assert env.match.state.origin is None
    assert env.match.state.setup == env.match.setup


def test_the_same_seed_gives_the_same_dice_from_there() -> None:
    document = middle("marracash").position()
    env = environment("marracash", seats=document["setup"]["seats"])
    found = []
    for _ in range(2):
        env.reset(seed=9, options={"position": document})
        for _ in range(30):
            if env.terminations[env.agent_selection]:
                break
            env.step(int(env.observe(env.agent_selection)["action_mask"].nonzero()[0][0]))
        found.append(env.match.state)
    assert found[0] == found[1]


def test_a_learner_and_a_sheet_begin_from_there_too() -> None:
    document = middle("mcmulti").position()
    seats = document["setup"]["seats"]
    seat = SeatEnv("mcmulti", opponents="random", seat=0, seats=seats)
    seat.reset(seed=1, options={"position": document})
    assert seat.match.state.setup.practice
    by_post = middle("postal").position()
    sheets = training.parallel_env()
    sheets.reset(seed=1, options={"position": by_post})
    assert sheets.match.position().position() == by_post


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"ruleset": "chess"}, "ruleset: there is no game 'chess'"),
        ({"position": {}}, "owners: it is missing"),
        ({"format": 2}, "format"),
        ({"version": 7}, "version: it is 1 now, not 7"),
    ],
)
def test_what_does_not_fit_is_refused_with_field_and_reason(change: dict[str, Any], said: str) -> None:
    document = {**middle("mcmulti").position(), **change}
    env = environment("mcmulti", seats=document["setup"]["seats"])
    with pytest.raises(BadPosition, match=said):
        env.reset(options={"position": document})
    env.reset(options={"position": None})
    assert env.match.state.origin is None


def test_the_number_of_players_cannot_change() -> None:
    document = mcmulti.load_game("mcmulti", seats=2).new_initial_state(seed=1).position()
    with pytest.raises(BadPosition, match=r"setup\.seats: this is a game for 4"):
        environment("mcmulti", seats=4).reset(options={"position": document})
    other = mcmulti.load_game("marracash", seats=3).new_initial_state(seed=1).position()
    with pytest.raises(BadPosition, match="ruleset: this is a game of mcmulti"):
        environment("mcmulti", seats=4).reset(options={"position": other})
