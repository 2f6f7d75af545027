"""One seat of a game as an environment for one learner (Gymnasium's). House bots play the other seats."""

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar

import gymnasium
import msgspec
from gymnasium.spaces import Discrete

from mcmulti.api.operations.play import move_sent
from mcmulti.bots.strategies.registry import strategies_of, strategy_for
from mcmulti.bots.strategy import NoStrategy, Strategy
from mcmulti.domain.core.offers import Rejection
from mcmulti.training.aec import Seen, space_of
from mcmulti.training.layout import Vector
from mcmulti.training.match import ILLEGAL, MOST_STEPS, Match, Reward
from mcmulti.training.rendering import MODES, Rendering, known_mode


class SeatEnv(Rendering, gymnasium.Env[Any, Any]):
    """One seat of a game, against house bots.

    `opponents`: one strategy for all others, or one for each of them, clockwise from the learner; by default the rule
    set's best. `seat`: the learner's seat, by default drawn for each game. `setup`: what the game is created with.
    `max_steps`: the game is truncated after this many commands of all seats. Raises `ValueError` if the rule set
    refuses an argument, and for unknown strategies.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(MODES), "render_fps": 1}  # type: ignore[misc]

    def __init__(
        self,
        ruleset: str,
        opponents: str | Sequence[str] | None = None,
        seat: int | None = None,
        reward: Reward = "win",
        max_steps: int = MOST_STEPS,
        render_mode: str | None = None,
        **setup: Any,
    ) -> None:
        self.match = Match(ruleset, setup, reward, max_steps)
        others = self.match.seats - 1
        named = strategies_of(ruleset)[0] if opponents is None else opponents
        self._opponents = (named,) * others if isinstance(named, str) else tuple(named)
        if len(self._opponents) != others:
            raise ValueError(f"{len(self._opponents)} opponents for {others} seats")
        if seat is not None and not 0 <= seat < self.match.seats:
            raise ValueError(f"there is no seat {seat}")
        self.render_mode = known_mode(render_mode)
        self.observation_space = space_of(self.match)
        self.action_space = Discrete(self.match.actions.size)
        self._sits = seat
        self._players(Random(0))

    def _players(self, random: Random) -> None:
        """Make the players of the other seats. Raises `ValueError` for an unknown strategy."""
        self._seat = random.randrange(self.match.seats) if self._sits is None else self._sits
        self._bots: dict[int, Strategy] = {}
        for place, name in enumerate(self._opponents, start=1):
            try:
                bot = strategy_for(self.match.name, name)(random.getrandbits(63))
            except NoStrategy as problem:
                raise ValueError(str(problem)) from None
            self._bots[(self._seat + place) % self.match.seats] = bot

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Begin a game, and play it up to the learner's first decision. The same seed gives the same games.

        `options`: with `position`, the document of a position, the game begins from it. Raises `BadPosition`, which
        names each field and the reason.
        """
        super().reset(seed=seed)
        random = Random(int(self.np_random.integers(2**63)))
        self._players(random)
        self.match.begin(random, options)
        self._wait()
        self._earned()
        return self._seen(), {}

    def step(self, action: int) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Act, and play on to the learner's next decision. A masked-out action ends the game with reward -1."""
        state = self.match.state
        offers = self.match.ruleset.offers(state, self._seat)
        taken = self.match.actions.taken(int(action), offers, self.match.home(self._seat))
        if taken is None:
            return self._seen(), ILLEGAL, True, False, {}
        self.match.take(self._seat, *taken)
        self._wait()
        reward = self._earned()
        if self.render_mode == "human":
            self.render()
        return self._seen(), reward, self.match.over, self.match.cut_off, {}

    def _earned(self) -> float:
        return self.match.rewards()[self._seat]

    def _wait(self) -> None:
        """Let the bots play while the game waits only for them."""
        while (moving := self.match.to_move) and moving[0] != self._seat and not self.match.cut_off:
            self._play(moving[0])

    def _play(self, seat: int) -> None:
        ruleset = self.match.ruleset
        view, offers = msgspec.json.decode(
            msgspec.json.encode((ruleset.view(self.match.state, seat), ruleset.offers(self.match.state, seat)))
        )
        for number, sent in enumerate(self._bots[seat](view, offers)):
            command = move_sent(ruleset, msgspec.json.encode(sent), number)
            offer = ruleset.admit(self.match.state, seat, command)
            if isinstance(offer, Rejection):
                raise AssertionError(f"{self._bots[seat]} sent {sent}, which is refused: {offer}")
            self.match.take(seat, command, offer)

    def action_masks(self) -> Vector:
        """1 for every legal action of the learner, as sb3-contrib's MaskablePPO expects."""
        mine = self._seat in self.match.to_move
        offers = self.match.ruleset.offers(self.match.state, self._seat) if mine else ()
        return self.match.actions.mask(offers, self.match.home(self._seat))

    def _seen(self) -> Seen:
        return {"observation": self.match.observed(self._seat), "action_mask": self.action_masks()}
