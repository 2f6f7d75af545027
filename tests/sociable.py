"""Random games in which people take moves back, and let each other do so."""

from collections.abc import Iterator
from random import Random
from typing import Any

from mcmulti.domain.core.capabilities import undo as takeback
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.library.steps import Step, set_up, take
from mcmulti.simulation import any_offer, fill_in

OFTEN = 0.15
"""How often a player thinks of it before the next one moves."""


def sociable_game(ruleset: Ruleset[Any], setup: Any, seed: int, most_steps: int = 2000) -> Iterator[Step]:
    """A random game, step by step, to its end or for this many steps. The same seed gives the same game."""
    random = Random(seed)
    game_id = f"00000000-0000-4000-8000-{seed:012x}"
    chance = SeededChance(random.randbytes(32), game_id)
    opening = list(set_up(ruleset, setup, game_id, chance))
    yield from opening
    state = opening[-1].state
    commands = {command.__name__: command for command in ruleset.commands.moves}
    names = {command.__name__ for command in takeback.COMMANDS}
    for _ in range(most_steps):
        moving = ruleset.to_move(state)
        if not moving:
            return
        seat, offers = moving[0], ruleset.offers(state, moving[0])
        if random.random() < OFTEN:
            anybody = random.randrange(len(state.player_ids))
            beside = tuple(offer for offer in ruleset.besides(state, anybody) if offer.command in names)
            seat, offers = (anybody, beside) if beside else (seat, offers)
        offer = any_offer(random, offers, ruleset.commands.weights)
        step = take(ruleset, state, seat, fill_in(random, offer, commands[offer.command]), chance, offers)
        state = step.state
        yield step
