"""How many steps per second environments take, beside others: random legal actions, observation, and mask."""

from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from random import Random
from typing import Any

import numpy as np

from benchmarks.figures import Aim, Figure, Item, Measure, Taken
from benchmarks.rules import timed
from benchmarks.scale import Scale
from mcmulti import training
from mcmulti.domain.rulesets import CURRENT


def turns(env: Any, steps: int, seed: int) -> Callable[[], int]:
    """Random games of an AEC environment, whose agents observe before every action."""

    def work() -> int:
        random, done, games = Random(seed), 0, 0
        while done < steps:
            env.reset(seed=seed + games)
            games += 1
            for agent in env.agent_iter():
                seen, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    break
                mask = seen["action_mask"] if seen is not None else env.infos[agent]["action_mask"]
                env.step(int(random.choice(np.flatnonzero(mask))))
                done += 1
        return done

    return work


def rounds_by_post(steps: int, seed: int) -> Callable[[], int]:
    """Random games in which all act at once. Counts the actions of each agent."""
    env = training.parallel_env()

    def work() -> int:
        done = 0
        while done < steps:
            env.reset(seed=seed + done)
            while env.agents and done < steps:
                done += len(env.agents)
                env.step({agent: env.action_space(agent).sample() for agent in env.agents})
        return done

    return work


def backgammon(steps: int, seed: int) -> Callable[[], int]:
    """Random games of OpenSpiel's backgammon. Throws of dice are not counted."""
    import pyspiel

    game = pyspiel.load_game("backgammon")

    def work() -> int:
        random, done = Random(seed), 0
        while done < steps:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, likely = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(random.choices(outcomes, likely)[0])
                    continue
                np.array(state.observation_tensor(state.current_player()), np.float32)
                mask = np.array(state.legal_actions_mask(), np.int8)
                state.apply_action(int(random.choice(np.flatnonzero(mask))))
                done += 1
        return done

    return work


OURS = {name: Figure(f"{name}, AEC", "steps/s") for name in CURRENT}
PARALLEL = Figure("postal, all at once (actions of agents)", "steps/s")
CONNECT_FOUR = Figure("PettingZoo's connect four", "steps/s")
TIC_TAC_TOE = Figure("PettingZoo's tic-tac-toe", "steps/s")
BACKGAMMON = Figure("OpenSpiel's backgammon, from Python", "steps/s")
AIMS = (
    *(Aim(f"{name}, AEC / connect four", figure, (CONNECT_FOUR,)) for name, figure in OURS.items()),
    Aim("mcmulti, AEC / backgammon", OURS["mcmulti"], (BACKGAMMON,)),
)


async def _ours(scale: Scale, _: AsyncExitStack) -> list[Measure]:
    work = {figure: turns(training.env(name), scale.steps, 1) for name, figure in OURS.items()}
    return [_rates({**work, PARALLEL: rounds_by_post(scale.steps, 1)})]


async def _classics(scale: Scale, _: AsyncExitStack) -> list[Measure]:
    from pettingzoo.classic import connect_four_v3, tictactoe_v3

    games = {CONNECT_FOUR: connect_four_v3, TIC_TAC_TOE: tictactoe_v3}
    return [_rates({figure: turns(game.env(), scale.steps, 1) for figure, game in games.items()})]


async def _backgammon(scale: Scale, _: AsyncExitStack) -> list[Measure]:
    return [_rates({BACKGAMMON: backgammon(scale.steps, 1)})]


def _rates(candidates: Mapping[Figure, Callable[[], int]]) -> Measure:
    async def measure() -> Taken:
        taken = {}
        for figure, work in candidates.items():
            done, seconds = timed(work)
            taken[figure] = done / seconds
        return taken

    return measure


ITEMS = (
    Item("environments", _ours, (*OURS.values(), PARALLEL)),
    Item("pettingzoo", _classics, (CONNECT_FOUR, TIC_TAC_TOE), ("pygame",)),
    Item("openspiel", _backgammon, (BACKGAMMON,), ("pyspiel",)),
)
