"""Games between strategies in one process, through JSON as over HTTP."""

import random
from typing import Any, NamedTuple, Union

import msgspec

from mcmulti.bots.strategy import Strategy
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.commands import Command, StartGame, TakeSeat
from mcmulti.domain.core.course.course import Decision, Fact
from mcmulti.domain.core.offers import Rejection, admitting
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.mcmulti.view import view

MOST_MOVES = 20_000
_MOVE: Any = Union[RULESET.commands.moves]  # noqa: UP007


class Played(NamedTuple):
    """A finished game: its last state, and every command sent."""

    state: State
    sent: list[dict[str, Any]]
    facts: list[Fact]


def started(players: int, seed: int, target: int = 750) -> tuple[State, SeededChance]:
    """A game in its special purchase round."""
    chance = SeededChance(random.Random(seed).randbytes(32), f"game {seed}")
    state = _decided(RULESET.open("game", Setup(seats=players, target=target), chance))  # type: ignore[arg-type]
    for seat in range(players):
        state = _decided(RULESET.decide(state, None, TakeSeat(f"p{seat}"), chance))
    return _decided(RULESET.decide(state, 0, StartGame(), chance)), chance


def play(strategies: list[Strategy], seed: int, target: int = 750) -> Played:
    """Play to the end. Every command must be legal, and the strategies must not change their arguments."""
    state, chance = started(len(strategies), seed, target)
    sent: list[dict[str, Any]] = []
    facts: list[Fact] = []
    while RULESET.to_move(state):
        assert len(sent) < MOST_MOVES, "the game does not come to its end"
        [seat] = RULESET.to_move(state)
        wire = msgspec.json.encode((view(state, seat), RULESET.offers(state, seat)))
        shown, offers = msgspec.json.decode(wire)
        commands = strategies[seat](shown, offers)
        assert msgspec.json.encode((shown, offers)) == wire
        assert commands
        for command in commands:
            move: Command = msgspec.convert(command, _MOVE)
            assert admitting(RULESET.offers(state, seat), move), (state.phase, command, commands)
            decision = RULESET.decide(state, seat, move, chance)
            assert isinstance(decision, Decision)
            state = decision.state
            sent.append(command)
            facts += decision.facts
    return Played(state, sent, facts)


def _decided(decision: Decision[State] | Rejection) -> State:
    assert isinstance(decision, Decision)
    state: State = decision.state
    return state
