"""The games for OpenSpiel: importing this module registers each as ``mcmulti_<name>``, with the parameter `seats`.

A thin wrapper: `State` uses OpenSpiel's terms already, and actions and tensors are those of the environments. The value
of a draw is one more than the number of its outcome, since OpenSpiel counts those from 0.
"""

from typing import Any

import numpy as np
import pyspiel

from mcmulti.domain.rulesets import CURRENT
from mcmulti.library.game import load_game
from mcmulti.training.encoders.subjects import actions_of, layout_of, subject_named
from mcmulti.training.layout import Vector

MOST_OUTCOMES = 64
"""The most sides that a die can have."""
MOST_STEPS = 1_000_000
"""The most steps of a game, including draws, that OpenSpiel is given. The rules have no limit."""


class SpielState(pyspiel.State):
    """A library state with OpenSpiel's interface. It is cloned by `copy.deepcopy`, which costs nothing here."""

    def __init__(self, game: "SpielGame") -> None:
        super().__init__(game)
        self.state = game.game.new_initial_state()

    def current_player(self) -> int:
        return int(self.state.current_player())

    def is_terminal(self) -> bool:
        return self.state.is_terminal()

    def returns(self) -> list[float]:
        return self.state.returns()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(value - 1, probability) for value, probability in self.state.chance_outcomes()]

    def _legal_actions(self, player: int) -> list[int]:
        if player != self.current_player():  # the other seats that the game waits for come after this one
            return []
        mask = actions_of(self.state.game.name).mask(self.state.offers(player), self._home(player))
        return [int(action) for action in mask.nonzero()[0]]

    def _apply_action(self, action: int) -> None:
        if self.state.is_chance_node():
            self.state.apply_action(action + 1)
        else:
            self.state.apply_action(self._command(self.state.current_player(), action))

    def _action_to_string(self, player: int, action: int) -> str:
        return f"draw {action + 1}" if player == pyspiel.PlayerId.CHANCE else str(self._command(player, action))

    def _command(self, player: int, action: int) -> Any:
        """The command for an action. Raises `ValueError` if it is not legal now."""
        taken = actions_of(self.state.game.name).taken(action, self.state.offers(player), self._home(player))
        if taken is None:
            raise ValueError(f"action {action} of player {player} is not legal now")
        return taken[0]

    def _home(self, player: int) -> int:
        return subject_named(self.state.game.name).home(self.state.table, player)

    def __str__(self) -> str:
        return f"{len(self.history())} {self.state.observation_string()}"


class SpielObserver:
    """A player's observation: numbers as in the environments, and text, which with perfect recall is all it
    ever saw.
    """

    def __init__(self, perfect_recall: bool, name: str, seats: int) -> None:
        self._perfect_recall, self._layout = perfect_recall, layout_of(name, seats)
        self.tensor: Vector = np.zeros(self._layout.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        at = state.state
        begun = at.game.ruleset.status(at.table) != "open"  # there is nothing to see until the starting player is drawn
        self.tensor[:] = self._layout.observed(at.table, player) if begun else 0

    def string_from(self, state: SpielState, player: int) -> str:
        if self._perfect_recall:
            return state.state.information_state_string(player)
        return state.state.observation_string(player)


class SpielGame(pyspiel.Game):
    """A library game with OpenSpiel's interface."""

    kind: pyspiel.GameType

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        seats = int((params or {}).get("seats", self.kind.parameter_specification["seats"]))
        self.game = load_game(self.kind.short_name.removeprefix("mcmulti_"), seats=seats)
        info = pyspiel.GameInfo(
            num_distinct_actions=actions_of(self.game.name).size,
            max_chance_outcomes=MOST_OUTCOMES,
            num_players=seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MOST_STEPS,
        )
        super().__init__(self.kind, info, params or {})

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver | None:
        perfect_recall = False
        if iig_obs_type is not None:
            if not iig_obs_type.public_info or iig_obs_type.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
                return None  # observations do not depend on which other players see them
            perfect_recall = iig_obs_type.perfect_recall
        return SpielObserver(perfect_recall, self.game.name, self.game.num_players())


def _register(name: str) -> None:
    game = load_game(name)
    kind = pyspiel.GameType(
        short_name=f"mcmulti_{name}",
        long_name=game.ruleset.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=8,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"seats": game.num_players()},
    )
    pyspiel.register_game(kind, type(f"Spiel_{name}", (SpielGame,), {"kind": kind}))


for _name in CURRENT:
    _register(_name)
