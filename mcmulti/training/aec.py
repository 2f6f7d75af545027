"""A game as an environment in which agents act one after the other (PettingZoo's AEC)."""

from random import Random
from typing import Any

import msgspec
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo.utils.env import AECEnv

from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.offers import Offer
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.simulation import set_up
from mcmulti.training.layout import Vector
from mcmulti.training.rendering import MODES, Rendered, rendered
from mcmulti.training.rewards import REWARDS, Reward, ranked, shares, won, worths
from mcmulti.training.subjects import actions_of, layout_of, subject_named

MOST_STEPS = 10_000
"""Actions of all agents after which a game is cut off, unless said otherwise."""
ILLEGAL = -1.0
"""What an agent gets whose action is masked out."""

_MADE_AGAIN = ("subject", "actions", "layout", "_ruleset", "_chance")

Seen = dict[str, Vector]
"""`observation`: what the seat sees, see `SeatLayout`. `action_mask`: 1 for every action that is legal now."""


def settled_setup(ruleset: Ruleset[Any], setup: dict[str, Any]) -> Any:
    """The setup of a game. Raises `ValueError` if the rule set refuses it."""
    try:
        return msgspec.convert(setup, ruleset.setup)
    except msgspec.ValidationError as error:
        raise ValueError(f"no {ruleset.name} is played like this: {error}") from None


class TurnsEnv(AECEnv):
    """A game of any rule set. Agents are called player_0 and so on, by seat; whom the game waits for is selected.

    `setup`: what the game is created with. `reward`: what is rewarded. `max_steps`: after so many actions all agents
    are truncated. An action that is masked out ends the game for all: the agent gets -1, the others nothing.
    Raises `ValueError` for what the rule set refuses.
    """

    metadata: dict[str, Any]

    def __init__(
        self,
        ruleset: str,
        setup: dict[str, Any],
        reward: Reward = "win",
        max_steps: int = MOST_STEPS,
        render_mode: str | None = None,
    ) -> None:
        if reward not in REWARDS:
            raise ValueError(f"{reward!r} is no reward: {', '.join(REWARDS)}")
        if render_mode not in (None, *MODES):
            raise ValueError(f"{render_mode!r} is no render mode: {', '.join(MODES)}")
        self.metadata = {
            "name": f"{ruleset}_v0",
            "render_modes": list(MODES),
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self._name = ruleset
        self._setup = settled_setup(subject_named(ruleset).ruleset, setup)
        self._reward = reward
        self._max_steps = max_steps
        seats = self._setup.seats
        self._learn()
        self.possible_agents = [f"player_{seat}" for seat in range(seats)]
        self.agents: list[str] = []
        self._number = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": self.layout.space(),
                    "action_mask": Box(0, 1, (self.actions.size,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(self.actions.size) for agent in self.possible_agents}
        self._random = Random()
        self._secret = b""

    def _learn(self) -> None:
        """What follows from the name of the rule set, and how many play."""
        self.subject = subject_named(self._name)
        self.actions = actions_of(self._name)
        self.layout = layout_of(self._name, self._setup.seats)
        self._ruleset = self.subject.ruleset

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. The same seed gives the same games, this one and those that follow without a seed."""
        if seed is not None:
            self._random = Random(seed)
        self._secret = self._random.randbytes(32)
        self._game_id = f"00000000-0000-4000-8000-{self._random.randrange(16**12):012x}"
        self._chance = SeededChance(self._secret, self._game_id)
        *_, started = set_up(self._ruleset, self._setup, self._game_id, self._chance)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._steps = 0
        self._settle(started.state)
        self._worth = self._shares()

    def _settle(self, state: Any) -> None:
        """Go on from this state: whom it waits for is selected."""
        self.game = state
        self._offers: tuple[Offer, ...] = ()
        moving = self._ruleset.to_move(state)
        if moving:
            self._seat = moving[0]
            self._offers = self._ruleset.offers(state, self._seat)
            self.agent_selection = self.possible_agents[self._seat]

    def observe(self, agent: str) -> Seen:
        """What an agent may see; its mask is all zeros while the game waits for another."""
        seat = self._number[agent]
        offers = self._offers if agent == self.agent_selection and not self._over else ()
        return {
            "observation": self.layout.observed(self.game, seat),
            "action_mask": self.actions.mask(offers, self.subject.home(self.game, seat)),
        }

    @property
    def _over(self) -> bool:
        return not self.agents or self.terminations[self.agents[0]] or self.truncations[self.agents[0]]

    def step(self, action: int | None) -> None:
        """Act for the agent that is selected; None once it is terminated or truncated."""
        if self._over or action is None:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._steps += 1
        taken = self.actions.taken(int(action), self._offers, self.subject.home(self.game, self._seat))
        if taken is None:
            self._clear_rewards()
            self.rewards[self.agent_selection] = ILLEGAL
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self._settle(self._ruleset.carry_out(self.game, self._seat, *taken, self._chance).state)
            over = self._ruleset.status(self.game) == "finished"
            self.rewards = dict(zip(self.agents, self._rewarded(over), strict=True))
            if over:
                self.terminations = dict.fromkeys(self.agents, True)
            elif self._steps >= self._max_steps:
                self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def _rewarded(self, over: bool) -> list[float]:
        """What the last action brings every seat."""
        winners = self._ruleset.outcome(self.game).winners
        if self._reward == "worth":
            before, self._worth = self._worth, self._shares()
            brought = [now - then for now, then in zip(self._worth, before, strict=True)]
            won_now = won(winners, len(self.possible_agents))
            return [share + prize for share, prize in zip(brought, won_now, strict=True)] if over else brought
        if not over:
            return [0.0] * len(self.possible_agents)
        if self._reward == "rank":
            return ranked(winners, worths(self._ruleset, self.game))
        return won(winners, len(self.possible_agents))

    def _shares(self) -> list[float]:
        return shares(worths(self._ruleset, self.game)) if self._reward == "worth" else []

    def render(self) -> Rendered:
        """The game as `render_mode` says: printed (human), as text (ansi), or as pixels (rgb_array)."""
        return rendered(self._ruleset, self.game, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""

    def __getstate__(self) -> dict[str, Any]:
        """What is copied and pickled; what follows from it is made again."""
        return {name: value for name, value in self.__dict__.items() if name not in _MADE_AGAIN}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._learn()
        if self._secret:
            self._chance = SeededChance(self._secret, self._game_id)
