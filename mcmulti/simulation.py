"""Whole games in one process without I/O, for measurements, statistics, bot training, and tests."""

from bisect import bisect
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from random import Random
from typing import Any

from msgspec import Struct

from mcmulti.domain.core.chance import Chance, SeededChance
from mcmulti.domain.core.offers import Choice, Offer, Range
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.library.steps import Step, game_numbered, set_up, take

Chooser = Callable[[Random, tuple[Offer, ...]], Offer]
"""Chooses one of the offers."""
Filler = Callable[[Random, Offer, type[Struct]], Struct]
"""Makes a command from an offer, with values that the offer admits."""
LISTED = (Choice, Range)
"""Fields that list their values."""


def any_offer(random: Random, offers: tuple[Offer, ...], weights: Mapping[str, int]) -> Offer:
    """A random offer. `weights` gives the weight of each, by the name of its command, such as the rule
    set's `weights`.
    """
    end = 0
    ends = []
    for offer in offers:
        end += weights.get(offer.command, 100)
        ends.append(end)
    return offers[bisect(ends, random.random() * end, 0, len(ends) - 1)]


def fill_in(random: Random, offer: Offer, command: type[Struct]) -> Struct:
    """A command with random values that the offer admits. Raises TypeError if a field lists no values."""
    values = {}
    for name, field in offer.fields.items():
        if not isinstance(field, LISTED):
            raise TypeError(f"{name} needs free-form input")
        values[name] = random.choice(field.options)
    return command(**values)


def play(
    ruleset: Ruleset[Any],
    setup: Any,
    seed: int,
    choose: Chooser | None = None,
    most_steps: int = 100_000,
    fill: Filler = fill_in,
) -> Iterator[Step]:
    """Play a game to its end, step by step. The same seed gives the same game. Stops after `most_steps` moves."""
    random = Random(seed)
    game_id = str(game_numbered(seed))
    chance = SeededChance(random.randbytes(32), game_id)
    opening = list(set_up(ruleset, setup, game_id, chance))
    return chain(opening, carry_on(ruleset, opening[-1].state, chance, random, choose, most_steps, fill))


def carry_on(
    ruleset: Ruleset[Any],
    state: Any,
    chance: Chance,
    random: Random,
    choose: Chooser | None = None,
    most_steps: int = 100_000,
    fill: Filler = fill_in,
) -> Iterator[Step]:
    """Play on from a state until the game is over, or for `most_steps` moves."""
    choose = choose or (lambda random, offers: any_offer(random, offers, ruleset.commands.weights))
    commands = {command.__name__: command for command in ruleset.commands.moves}
    for _ in range(most_steps):
        moving = ruleset.to_move(state)
        if not moving:
            return
        offers = ruleset.offers(state, moving[0])
        offer = choose(random, offers)
        latest = take(ruleset, state, moving[0], fill(random, offer, commands[offer.command]), chance, offers)
        state = latest.state
        yield latest
