"""Games as PettingZoo's AEC environments: its own tests, and what these do not check."""

import copy
import pickle
import subprocess
import sys
import warnings
from collections.abc import Iterator
from math import prod
from random import Random

import numpy as np
import pytest

from mcmulti import training
from mcmulti.domain.core.chance import WithheldChance
from mcmulti.domain.core.offers import Choice, Range, Rejection
from mcmulti.domain.mcmulti.commands import Instruct, OperatingOrders
from mcmulti.domain.rulesets import CURRENT, PLAYED_BY_ORDERS, SHIPPED
from mcmulti.training.actions import Product
from mcmulti.training.aec import TurnsEnv
from tests.training.playing import NAMES, any_of, moments, played
from tests.training.theirs import api_test, render_test


@pytest.fixture
def _dictionaries() -> Iterator[None]:
    """PettingZoo's tests warn about observations that are dictionaries, which its own classic games have, too."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Observation is not a NumPy array", UserWarning)
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be", UserWarning)
        yield


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.usefixtures("_dictionaries")
def test_pettingzoo_finds_nothing_wrong(name: str) -> None:
    api_test(training.env(name), num_cycles=200)


@pytest.mark.parametrize("name", NAMES)
def test_it_can_be_looked_at(name: str) -> None:
    render_test(lambda render_mode: training.env(name, render_mode=render_mode))


@pytest.mark.parametrize("name", NAMES)
def test_an_action_is_legal_if_and_only_if_its_mask_says_so(name: str) -> None:
    env, random = training.env(name), Random(5)
    for seen in moments(env, 5):
        mask = seen["action_mask"]
        assert mask.any(), "an agent is asked that can do nothing"
        legal = mask.nonzero()[0].tolist()
        chosen = random.sample(range(env.match.actions.size), min(env.match.actions.size, 20))
        for action in (*chosen, *random.sample(legal, min(len(legal), 10))):
            ruled = _ruled(env, action)
            assert bool(mask[action]) is (ruled is not None), (action, ruled)


def _ruled(env: TurnsEnv, action: int) -> object:
    """The command of an action if the rules admit it when asked again. None if they refuse it, or if there is none."""
    [(kind, index)] = [
        (family, action - offset)
        for family, offset in zip(env.match.actions.families, env.match.actions.offsets, strict=False)
        if offset <= action < offset + family.size
    ]
    ruleset = env.match.ruleset
    [seat] = [seat for seat, agent in enumerate(env.possible_agents) if agent == env.agent_selection]
    offers = [each for each in ruleset.offers(env.match.state, seat) if each.command == kind.command.__name__]
    if not offers and not isinstance(kind, Product):
        return None
    command = kind.command_for(index, offers, env.match.subject.home(env.match.state, seat))
    if command is None or isinstance(ruleset.admit(env.match.state, seat, command), Rejection):
        return None
    return command


@pytest.mark.parametrize("name", NAMES)
def test_numbers_stay_within_their_space(name: str) -> None:
    env = training.env(name)
    for seen in moments(env, 3, 2000):
        assert env.observation_space(env.agent_selection).contains(seen)


@pytest.mark.parametrize("name", NAMES)
def test_who_is_not_asked_sees_the_game_and_may_do_nothing(name: str) -> None:
    env = training.env(name)
    next(moments(env, 1))
    for agent in env.agents:
        if agent != env.agent_selection:
            seen = env.observe(agent)
            assert seen["observation"].any()
            assert not seen["action_mask"].any()


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_decides_every_game(name: str) -> None:
    """The same games, including the second one, which gets no seed. Another seed gives other games."""
    trails = []
    for seed in (7, 7, 8):
        env = training.env(name)
        random = Random(1)
        env.reset(seed=seed)
        trail = []
        for _ in range(2):
            for _ in range(60):
                seen, reward, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    break
                trail.append((env.agent_selection, seen["observation"].tobytes(), reward))
                env.step(any_of(random, seen["action_mask"]))
            env.reset()
        trails.append(trail)
    assert trails[0] == trails[1]
    assert trails[0] != trails[2]


@pytest.mark.parametrize("reward", ["win", "rank", "worth"])
@pytest.mark.parametrize("name", NAMES)
def test_rewards_come_to_nothing_together(name: str, reward: str) -> None:
    env = training.env(name, reward=reward, max_steps=3000)  # type: ignore[arg-type]
    paid = np.zeros(len(env.possible_agents))
    for _ in moments(env, 2, 3001):
        assert sum(env.rewards.values()) == pytest.approx(0, abs=1e-9)
        paid += list(env.rewards.values())
    assert sum(env.rewards.values()) == pytest.approx(0, abs=1e-9)
    if all(env.terminations.values()) and reward != "worth":
        winners = env.match.ruleset.outcome(env.match.state).winners
        assert max(env.rewards.values()) == env.rewards[f"player_{winners[0]}"] > 0
        assert not paid.any()


@pytest.mark.parametrize("name", NAMES)
def test_all_agents_end_together(name: str) -> None:
    env = played(name, 1, 10, max_steps=5)
    assert set(env.truncations.values()) == {True}
    assert set(env.terminations.values()) == {False}
    assert not any(env.rewards.values())
    for agent in env.possible_agents:
        assert env.agent_selection == agent
        with pytest.raises(ValueError, match="dead"):
            env.step(0)
        env.step(None)
    assert env.agents == []


@pytest.mark.parametrize("name", [name for name in SHIPPED if name not in PLAYED_BY_ORDERS])
def test_a_masked_out_action_ends_the_game_for_who_took_it(name: str) -> None:
    env = training.env(name)
    seen = next(moments(env, 1))
    before, agent = env.match.state, env.agent_selection
    masked_out = (seen["action_mask"] == 0).nonzero()[0]
    if not len(masked_out):
        return  # every action is legal in this game
    env.step(int(masked_out[0]))
    assert env.match.state is before
    assert set(env.terminations.values()) == {True}
    assert env.rewards == {each: -1.0 if each == agent else 0.0 for each in env.agents}
    env.reset(seed=1)
    with pytest.raises(IndexError, match="numbered from 0"):
        env.step(env.match.actions.size)


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_goes_on_as_the_original_does(name: str) -> None:
    env = training.env(name)
    for _ in zip(range(25), moments(env, 4), strict=False):
        pass
    ends = []
    for each in (env, copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        random = Random(9)
        for _ in range(40):
            seen, _, terminated, truncated, _ = each.last()
            if terminated or truncated:
                break
            each.step(any_of(random, seen["action_mask"]))
        ends.append(each.match.state)
    assert ends[0] == ends[1] == ends[2]


@pytest.mark.parametrize("name", NAMES)
def test_a_game_can_be_searched_with_the_library(name: str) -> None:
    """In its position, the legal actions are those of the mask, and lead to the same states as in the environment."""
    env, random = training.env(name), Random(3)
    for seen in moments(env, 6, 60):
        position, seat = env.match.position(), env.possible_agents.index(env.agent_selection)
        assert (position.current_player(), position.table) == (seat, env.match.state)
        action = any_of(random, seen["action_mask"])
        taken = env.match.actions.taken(action, position.offers(), env.match.home(seat))
        assert taken is not None
        after = position.child(taken[0])
        assert position.table is env.match.state
        other = copy.deepcopy(env)
        other.step(action)
        assert other.match.state == after.table


def test_what_cannot_be_is_refused() -> None:
    for options in (
        {"ruleset": "chess"},
        {"ruleset": "marracash", "seats": 7},
        {"ruleset": "marracash", "colour": "red"},
        {"ruleset": "marracash", "reward": "money"},
        {"ruleset": "marracash", "render_mode": "smell"},
    ):
        with pytest.raises(ValueError, match=r"is no|is played"):
            training.env(**options)
    env = training.env("marracash")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="render_mode"):
        env.render()


@pytest.mark.parametrize("package", ["numpy", "gymnasium", "pettingzoo", "PIL"])
def test_without_the_extra_it_says_which_to_install(package: str) -> None:
    code = f"""
import sys
import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == {package!r} else find(name, *rest)
import mcmulti.simulation, mcmulti.cli
try:
    import mcmulti.training
except ImportError as error:
    print(error)
assert {package!r} not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"mcmulti.training needs {package}: pip install 'mcmulti[training]'"


@pytest.mark.parametrize("name", SHIPPED)
def test_every_legal_move_has_an_action_unless_the_documentation_says_what_is_lost(name: str) -> None:
    """This applies to commands with freely combined fields. Bids above the highest one in the action space are lost."""
    env = training.env(name)
    products = {family.command.__name__ for family in env.match.actions.families if isinstance(family, Product)}
    assert {family.command.__name__ for family in env.match.actions.families} == _offered(name)
    for seen in moments(env, 6):
        offers = env.match.ruleset.offers(env.match.state, env.possible_agents.index(env.agent_selection))
        counted = sum(
            prod(len(field.options) for field in offer.fields.values() if isinstance(field, Choice | Range))
            for offer in offers
            if offer.command in products - {"PutUp", "Bid"}
        )
        assert counted == sum(
            int(seen["action_mask"][offset : offset + family.size].sum())
            for family, offset in zip(env.match.actions.families, env.match.actions.offsets, strict=False)
            if family.command.__name__ in products - {"PutUp", "Bid"}
        )


def _offered(name: str) -> set[str]:
    """The commands that the game's own phases offer, except those that plan instead of playing."""
    carried = {command.__name__ for command in CURRENT[name].flow.carriers}
    planning = {"HoldRound", "WithdrawOrders", "SetStanding", "EndStanding", "BidUpTo", "WithdrawCeiling"}
    return carried - {"StartGame"} - planning


def test_nobody_sees_what_stands_on_anothers_sheet() -> None:
    """Two games by post that differ only in one sheet look the same to everybody else until the round is refereed."""
    seen, sheets = [], []
    for action in (0, 40_000):
        env = training.env("postal")
        env.reset(seed=3)
        env.step(action)
        sheets.append(env.match.state.sheets[0])
        seen.append({agent: env.observe(agent)["observation"].tobytes() for agent in env.agents[1:]})
    assert sheets[0] != sheets[1]
    assert seen[0] == seen[1]


def test_nobody_sees_what_another_told_to_be_done_in_others_turns() -> None:
    env = training.env("mcmulti", instructions=2)
    env.reset(seed=3)
    before = {agent: env.observe(agent)["observation"].tobytes() for agent in env.agents}
    chance = WithheldChance(lambda number: "0" * 32)
    told = env.match.ruleset.decide(env.match.state, 1, Instruct(OperatingOrders()), chance)
    assert not isinstance(told, Rejection)
    assert told.state != env.match.state
    env.match.state = told.state
    assert {agent: env.observe(agent)["observation"].tobytes() for agent in env.agents} == before
