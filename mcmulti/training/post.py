"""A game by post as an environment in which all agents act at once (PettingZoo's parallel API)."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from gymnasium.spaces import Box, MultiDiscrete
from pettingzoo.utils.env import ParallelEnv

from mcmulti.domain.core.offers import Offer, Rejection
from mcmulti.domain.postal.commands import SubmitOrders
from mcmulti.domain.postal.sheets.sheet import OrderSheet
from mcmulti.training.aec import called
from mcmulti.training.encoders.games.postal import Sheets, sent
from mcmulti.training.layout import Vector
from mcmulti.training.match import MOST_STEPS, Match, Reward
from mcmulti.training.rendering import Rendering, known_mode, metadata


class SheetsEnv(Rendering, ParallelEnv):
    """A game by post in which all agents fill in their sheets at once, then the round is refereed: that is a step.

    `assets` and `trades`: how many lines of each kind a sheet has. Any sheet of the family is legal, so there is no
    mask. `max_steps`: all agents are truncated after this many rounds. The other parameters are those of `TurnsEnv`.
    Raises `ValueError` if the rules refuse an argument.
    """

    metadata: dict[str, Any]

    def __init__(
        self,
        *,
        assets: int = 4,
        trades: int = 3,
        reward: Reward = "win",
        max_steps: int = MOST_STEPS,
        render_mode: str | None = None,
        **setup: Any,
    ) -> None:
        self.match = Match("postal", setup, reward, max_steps * 4)
        self.metadata = metadata("postal")
        self.render_mode = known_mode(render_mode)
        self.sheets = Sheets(assets, trades)
        self.possible_agents = called(self.match.seats)
        self.agents: list[str] = []
        self.observation_spaces = {agent: self.match.layout.space() for agent in self.possible_agents}
        self.action_spaces = {agent: MultiDiscrete(list(self.sheets.shape)) for agent in self.possible_agents}
        self._random = Random()

    def observation_space(self, agent: str) -> Box:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> MultiDiscrete[Any]:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Vector], dict[str, dict[str, Any]]]:
        """Begin a game. The same seed gives the same sequence of games: this one, and those begun later
        without a seed. `options`: with `position`, the document of a position, the game begins from it. Raises
        `BadPosition`, which names each field and the reason.
        """
        if seed is not None:
            self._random = Random(seed)
        self.match.begin(self._random, options)
        self.agents = self.possible_agents[:]
        return self._seen(), {agent: {} for agent in self.agents}

    def _seen(self) -> dict[str, Vector]:
        return {agent: self.match.observed(seat) for seat, agent in enumerate(self.possible_agents)}

    def step(
        self, actions: Mapping[str, Sequence[int] | Vector]
    ) -> tuple[dict[str, Vector], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Referee a round. An agent without an action sends an empty sheet.

        Raises `IndexError` for an unknown action, and `ValueError` for a sheet with more lines than the rules allow,
        before anything is carried out.
        """
        if not self.agents:
            return {}, {}, {}, {}, {}
        empty = [0] * len(self.sheets.shape)
        chosen = [actions.get(agent, empty) for agent in self.agents]
        sheets = [self.sheets.sheet([int(choice) for choice in choices]) for choices in chosen]
        for seat, command, offer in [self._admitted(seat, sheet) for seat, sheet in enumerate(sheets)]:
            self.match.take(seat, command, offer)
        answer = (
            self._seen(),
            dict(zip(self.agents, self.match.rewards(), strict=True)),
            dict.fromkeys(self.agents, self.match.over),
            dict.fromkeys(self.agents, self.match.cut_off),
            {agent: dict[str, Any]() for agent in self.agents},
        )
        if self.match.over or self.match.cut_off:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return answer

    def _admitted(self, seat: int, sheet: OrderSheet) -> tuple[int, SubmitOrders, Offer]:
        """The command that sends a sheet, and the offer that admits it."""
        ruleset, state = self.match.ruleset, self.match.state
        command = sent(sheet, ruleset.offers(state, seat)[0])
        offer = ruleset.admit(state, seat, command)
        if isinstance(offer, Rejection):
            raise ValueError(ruleset.texts.tell_refusal(offer, "en"))
        return seat, command, offer
