"""A game as an environment in which agents act one after the other (PettingZoo's AEC)."""

from random import Random
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo.utils.env import AECEnv

from mcmulti.domain.core.offers import Offer
from mcmulti.training.layout import Vector
from mcmulti.training.match import ILLEGAL, MOST_STEPS, Match, Reward
from mcmulti.training.rendering import Rendering, known_mode, metadata

Seen = dict[str, Vector]
"""`observation`: what the seat sees, see `SeatLayout`. `action_mask`: 1 for every action that is legal now."""


def space_of(match: Match) -> Dict:
    """The observation space of a seat, with its mask."""
    mask = Box(0, 1, (match.actions.size,), np.int8)
    return Dict({"observation": match.layout.space(), "action_mask": mask})


def called(seats: int) -> list[str]:
    """The agents' names, by seat."""
    return [f"player_{seat}" for seat in range(seats)]


class TurnsEnv(Rendering, AECEnv):
    """A game of any rule set. Agents are called player_0 and so on, by seat. The agent that the game waits for is
    selected.

    `setup`: what the game is created with, as in the API, such as `seats=3`. `reward`: ``win``, ``rank``, or ``worth``.
    `max_steps`: all agents are truncated after this many actions. `render_mode`: ``human``, ``ansi``, or ``rgb_array``.
    A masked-out action ends the game for all: the agent gets -1, the others nothing. Raises `ValueError` for an unknown
    rule set, setup, or reward.
    """

    metadata: dict[str, Any]

    def __init__(
        self,
        ruleset: str,
        *,
        reward: Reward = "win",
        max_steps: int = MOST_STEPS,
        render_mode: str | None = None,
        **setup: Any,
    ) -> None:
        self.match = Match(ruleset, setup, reward, max_steps)
        self.metadata = metadata(ruleset)
        self.render_mode = known_mode(render_mode)
        self.possible_agents = called(self.match.seats)
        self.agents: list[str] = []
        self._number = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: space_of(self.match) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(self.match.actions.size) for agent in self.possible_agents}
        self._random = Random()

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. The same seed gives the same sequence of games: this one, and those begun later
        without a seed. `options`: with `position`, the document of a position, the game begins from it. Raises
        `BadPosition`, which names each field and the reason.
        """
        if seed is not None:
            self._random = Random(seed)
        self.match.begin(self._random, options)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._select()

    def _select(self) -> None:
        """Select the agent that the game waits for, or none if it waits for nobody."""
        self._offers: tuple[Offer, ...] = ()
        moving = self.match.to_move
        if moving:
            self._seat = moving[0]
            self._offers = self.match.ruleset.offers(self.match.state, self._seat)
            self.agent_selection = self.possible_agents[self._seat]

    def observe(self, agent: str) -> Seen:
        """What an agent sees. Its mask is all zeros while the game waits for another agent."""
        seat = self._number[agent]
        offers = self._offers if agent == self.agent_selection and not self._over else ()
        mask = self.match.actions.mask(offers, self.match.home(seat))
        return {"observation": self.match.observed(seat), "action_mask": mask}

    @property
    def _over(self) -> bool:
        return not self.agents or self.terminations[self.agents[0]] or self.truncations[self.agents[0]]

    def step(self, action: int | None) -> None:
        """Act for the selected agent. The action is None once the agent is terminated or truncated."""
        if self._over or action is None:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        taken = self.match.actions.taken(int(action), self._offers, self.match.home(self._seat))
        if taken is None:
            self._clear_rewards()
            self.rewards[self.agent_selection] = ILLEGAL
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.match.take(self._seat, *taken)
            self._select()
            self.rewards = dict(zip(self.agents, self.match.rewards(), strict=True))
            self.terminations = dict.fromkeys(self.agents, self.match.over)
            self.truncations = dict.fromkeys(self.agents, self.match.cut_off)
        self._accumulate_rewards()
        self._deads_step_first()
        if self.render_mode == "human":
            self.render()
