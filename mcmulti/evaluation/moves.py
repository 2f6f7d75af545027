"""Moves worth comparing: what bundled strategies would do here, and a selection of everything else that is legal."""

from collections.abc import Iterator
from random import Random
from typing import Any

from mcmulti.bots.strategies.registry import strategies_of, strategy_for
from mcmulti.bots.strategy import Timed
from mcmulti.evaluation.policy import policy_of, wanted
from mcmulti.library.actions import FreeForm, LegalActions
from mcmulti.library.state import State


def moves_to_try(state: State, seat: int, most: int, seed: int) -> list[Any]:
    """At most this many legal moves of a seat, all different; the one with which the players of rollouts go on first.

    Strategies that think for long are not asked. Of every kind of move, the largest comes first, then any. Where moves
    are written, such as order sheets, only those of strategies are tried.
    """
    found: list[Any] = []
    for move in _moves(state, seat, Random(f"{seed} {state.table.draws} {seat}")):
        if len(found) == most:
            break
        if move not in found and move in state.legal_actions(seat):
            found.append(move)
    return found


def _moves(state: State, seat: int, random: Random) -> Iterator[Any]:
    name = state.game.name
    first = policy_of(name)
    for each in (first, *(other for other in strategies_of(name) if other != first)):
        strategy = strategy_for(name, each)(random.randrange(2**31))
        if not isinstance(strategy, Timed):
            yield from wanted(strategy, state, seat)[:1]
    try:
        kinds = [LegalActions((offer,), state.game.commands, {}) for offer in state.offers(seat)]
    except FreeForm:
        return
    random.shuffle(kinds)
    for actions in kinds:
        if len(actions):
            yield actions[-1]
    for _ in range(3):
        for actions in kinds:
            if len(actions):
                yield random.choice(actions)
