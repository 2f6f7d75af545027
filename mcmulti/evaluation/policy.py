"""How seats play on in a rollout: like the default strategy of the rule set, which is fast."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from mcmulti.bots.strategies.registry import strategies_of, strategy_for
from mcmulti.bots.strategy import NoStrategy, Strategy
from mcmulti.library.actions import LegalActions
from mcmulti.library.game import Game, action_of
from mcmulti.library.state import IllegalAction, State

MOST_DECISIONS = 5_000
"""A rollout ends without a winner after this many decisions."""


def policy_of(ruleset: str) -> str:
    """The name of the strategy that plays on."""
    return strategies_of(ruleset)[0]


class RolloutPlayers:
    """The players of one rollout, each with a strategy of its own. The same seed plays alike."""

    def __init__(self, game: Game, seed: int) -> None:
        make = strategy_for(game.name, policy_of(game.name))
        self._minds: list[Strategy] = [make(seed + seat) for seat in range(game.num_players())]
        self._random = Random(seed)

    def move(self, state: State) -> None:
        """Let one of the seats that are to move carry out what its strategy wants. Draws must have outcomes."""
        moving = state.players_to_move()
        for seat in moving:
            if (commands := wanted(self._minds[seat], state, seat)) and _carried_out(state, seat, commands):
                return
        self._move_at_random(state, moving[0])

    def _move_at_random(self, state: State, seat: int) -> None:
        """Any move, if all wait or want what is not legal: a game must go on, even if a seat holds it up."""
        offers = list(state.offers(seat))
        self._random.shuffle(offers)
        for offer in offers:
            actions = LegalActions((offer,), state.game.commands, state.game.ruleset.commands.forms)
            if len(actions):
                state.apply_action(self._random.choice(actions), seat)
                return


def wanted(strategy: Strategy, state: State, seat: int) -> list[Any]:
    """What a strategy would send, as actions. Empty if it waits, or cannot play from here."""
    # Strategies are given JSON, as over HTTP.
    shown = msgspec.json.decode(msgspec.json.encode((state.observation(seat), state.offers(seat))))
    try:
        return [action_of(state.game, command) for command in strategy(*shown)]
    except (NoStrategy, ValueError):
        return []


def _carried_out(state: State, seat: int, commands: Sequence[Any]) -> bool:
    """Carry out commands up to the first that is not legal. False if that is the first one."""
    for done, command in enumerate(commands):
        try:
            state.apply_action(command, seat)
        except IllegalAction:
            return done > 0
        if state.is_terminal():
            break
    return True
