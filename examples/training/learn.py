"""Learns to play MarraCash against random players: a linear softmax policy, trained by REINFORCE, with only numpy.

Usage: python learn.py [--games 800] [--trials 300] [--seed 0]
"""

import argparse
from math import sqrt

import gymnasium
import numpy as np
from numpy.typing import NDArray

import mcmulti.training

Floats = NDArray[np.float64]


class Policy:
    """The probability of each action: the softmax of a linear function of the observation, over the legal ones."""

    def __init__(self, env: gymnasium.Env) -> None:
        seen = env.observation_space["observation"].shape[0]  # type: ignore[index]
        self.weights = np.zeros((env.action_space.n, seen + 1))  # type: ignore[attr-defined]

    def legal(self, seen: dict[str, Floats]) -> tuple[Floats, NDArray[np.intp], Floats]:
        """The observation followed by a constant, the legal actions, and their probabilities."""
        features = np.append(seen["observation"], 1.0)
        actions = seen["action_mask"].nonzero()[0]
        preferred = self.weights[actions] @ features
        likely = np.exp(preferred - preferred.max())
        return features, actions, likely / likely.sum()

    def learn(self, moves: list[tuple[Floats, NDArray[np.intp], Floats, int]], advantage: float, rate: float) -> None:
        """Make the actions of a game more likely if it went well, and less likely if it went badly."""
        for features, actions, likely, chosen in moves:
            change = -likely
            change[chosen] += 1
            self.weights[actions] += rate * advantage / len(moves) * np.outer(change, features)


def play(env: gymnasium.Env, policy: Policy, dice: np.random.Generator, seed: int) -> tuple[list, float]:  # type: ignore[type-arg]
    """A game: the moves, and the reward."""
    seen, _ = env.reset(seed=seed)
    moves, brought, over = [], 0.0, False
    while not over:
        features, actions, likely = policy.legal(seen)
        chosen = int(dice.choice(len(actions), p=likely))
        moves.append((features, actions, likely, chosen))
        seen, reward, terminated, truncated, _ = env.step(actions[chosen])
        brought += float(reward)
        over = terminated or truncated
    return moves, brought


def victories(policy: Policy, games: int, seed: int) -> float:
    """The share of games that a policy wins against three random players. Ties for first place count as won."""
    env = gymnasium.make(mcmulti.training.IDS["marracash"], opponents="random")
    dice = np.random.default_rng(seed)
    return sum(play(env, policy, dice, seed + game)[1] > 0 for game in range(games)) / games


def trained(games: int, seed: int, rate: float) -> Policy:
    """A policy after this many games."""
    env = gymnasium.make(mcmulti.training.IDS["marracash"], opponents="random", reward="rank")
    policy, dice, usual = Policy(env), np.random.default_rng(seed), 0.0
    for game in range(games):
        moves, brought = play(env, policy, dice, seed + game)
        policy.learn(moves, brought - usual, rate)
        usual += 0.02 * (brought - usual)
        if game % 250 == 0:
            print(f"game {game}: usually {usual:+.2f}", flush=True)
    return policy


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--games", type=int, default=800, help="games to learn from")
    asked.add_argument("--trials", type=int, default=300, help="games to be measured in, after that")
    asked.add_argument("--seed", type=int, default=0)
    asked.add_argument("--rate", type=float, default=0.3, help="how fast it learns")
    said = asked.parse_args()
    policy = trained(said.games, said.seed, said.rate)
    share = victories(policy, said.trials, 1_000_000 + said.seed)
    margin = 1.96 * sqrt(share * (1 - share) / said.trials)
    print(f"wins {share:.1%} of {said.trials} games, ± {margin:.1%}; 25 % would be as good as its opponents")


if __name__ == "__main__":
    main()
