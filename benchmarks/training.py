"""How many steps a second environments take, side by side with others': random legal actions, observation and mask.

Every round measures each candidate once, in turn, so that a noisy machine is noisy for all of them.
"""

import os
import statistics
import time
from collections.abc import Callable
from random import Random
from typing import Any

import click
import numpy as np
import pyspiel
from pettingzoo.classic import connect_four_v3, tictactoe_v3
from rich.console import Console
from rich.table import Table

from mcmulti import training
from mcmulti.domain.rulesets import CURRENT


def turns(env: Any, steps: int, seed: int) -> Callable[[], int]:
    """Random games of an AEC environment, whose agents look before every action."""

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
    """Random games in which all act at once; counts what each agent did."""
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
    """Random games of OpenSpiel's backgammon; dice are thrown besides."""
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


def candidates(steps: int) -> dict[str, Callable[[], int]]:
    """What is measured, by name."""
    return {
        **{f"{name}, AEC": turns(training.env(name), steps, 1) for name in CURRENT},
        "postal, all at once (actions of agents)": rounds_by_post(steps, 1),
        "PettingZoo's tic-tac-toe": turns(tictactoe_v3.env(), steps, 1),
        "PettingZoo's connect four": turns(connect_four_v3.env(), steps, 1),
        "OpenSpiel's backgammon": backgammon(steps, 1),
    }


@click.command()
@click.option("--rounds", default=7, show_default=True, help="How often everything is measured.")
@click.option("--steps", default=2000, show_default=True, help="Steps a round.")
def main(rounds: int, steps: int) -> None:
    """Measure environments and print a table."""
    rates: dict[str, list[float]] = {name: [] for name in candidates(1)}
    for _ in range(rounds):
        for name, work in candidates(steps).items():
            start = time.perf_counter()
            done = work()
            rates[name].append(done / (time.perf_counter() - start))
    load = ", ".join(f"{part:.1f}" for part in os.getloadavg())
    table = Table("What", "Steps/s, median", "Least to greatest", title=f"{rounds} rounds; load {load}")
    for name, each in rates.items():
        table.add_row(name, f"{statistics.median(each):,.0f}", f"{min(each):,.0f} to {max(each):,.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
