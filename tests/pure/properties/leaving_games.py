"""Random games of every rule set in which people leave, replace one another, and propose to end the game."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import count
from math import gcd
from random import Random
from typing import Any

import msgspec

from mcmulti.domain.core.capabilities.leaving import IfLeft
from mcmulti.domain.core.capabilities.votes import AnswerEnd
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.commands import TakeSeat
from mcmulti.domain.core.offers import Offer, TextChoice
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.table import Table
from mcmulti.domain.rulesets import CURRENT
from mcmulti.library.steps import Step, set_up, take
from mcmulti.simulation import any_offer, fill_in
from tests.profiles import profile_of
from tests.pure.properties.random_games import readings, seats_of

RESTLESS = 6
"""Of a hundred commands, this many are about leaving or ending."""
IF_LEFT: tuple[IfLeft, ...] = ("substitute", "bot", "passes", "sold")


@lru_cache(maxsize=64)
def leaving_game(name: str, seed: int, most: int = 400, as_usual: bool = False) -> tuple[Step, ...]:
    """A random game, command by command.

    The seed determines the number of players, what happens when they leave, and how the rules are read, unless they are
    read as usual.
    """
    return tuple(_steps(CURRENT[name], seed, most, {} if as_usual else readings(CURRENT[name].setup, Random(seed))))


def _steps(ruleset: Ruleset[Any], seed: int, most: int, agreed: dict[str, Any]) -> Iterator[Step]:
    random = Random(seed)
    numbers = seats_of(ruleset.name)
    profile = profile_of(ruleset.name)
    ways = IF_LEFT if profile.sold else IF_LEFT[:3]
    if_left = ways[seed % len(ways)]
    clock = {"clock": {"move_seconds": 60}} if if_left == "bot" and "clock" in profile.options else {}
    # Each number of players meets each way.
    number = seed if gcd(len(numbers), len(ways)) == 1 else seed // len(ways)
    wish = {"seats": numbers[number % len(numbers)], "if_left": if_left, **clock, **agreed}
    setup = msgspec.convert(wish, ruleset.setup)
    game_id = f"00000000-0000-4000-8000-{seed:012x}"
    chance = SeededChance(random.randbytes(32), game_id)
    opening = list(set_up(ruleset, setup, game_id, chance))
    yield from opening
    state = opening[-1].state
    strangers = count(1)
    for _ in range(most):
        if not ruleset.to_move(state):
            return
        step = _restless(ruleset, state, chance, random, strangers) or _move(ruleset, state, chance, random)
        yield step
        state = step.state


def _restless(ruleset: Ruleset[Any], state: Any, chance: SeededChance, random: Random, new: Any) -> Step | None:
    """A command about leaving or ending, now and then."""
    proposed = state.proposals.open is not None
    if random.randrange(100) >= (40 if proposed else RESTLESS):
        return None
    seats = [offer for offer in ruleset.offers(state, None) if offer.command == "TakeSeat"]
    if seats and random.randrange(2):
        newcomer = f"00000000-0000-4000-a000-{next(new):012x}"
        return take(ruleset, state, None, sitting_down(state, random, seats, newcomer), chance)
    seat = random.choice(state.taken)
    commands = {command.__name__: command for command in ruleset.commands.moves}
    offers = ruleset.besides(state, seat)
    offer = any_offer(random, offers, {"Resign": 15, "ProposeEnd": 50, "AnswerEnd": 200})
    if offer.command == "ProposeEnd" and offer.fields["how"].forced and random.randrange(10):
        return None  # as long as games can only be called off, most are not
    command = fill_in(random, offer, commands[offer.command])
    if isinstance(command, AnswerEnd) and random.randrange(3):
        command = AnswerEnd(command.how, True)
    return take(ruleset, state, seat, command, chance)


def sitting_down(state: Table, random: Random, seats: Sequence[Offer], newcomer: str) -> TakeSeat:
    """A player who may take a seat does so: a newcomer, or one for whom it is kept."""
    kept = random.choice(seats).fields.get("player")
    if not isinstance(kept, TextChoice):
        return TakeSeat(newcomer)
    return TakeSeat(random.choice([player for player in kept.options if player not in state.player_ids]))


def _move(ruleset: Ruleset[Any], state: Any, chance: SeededChance, random: Random) -> Step:
    seat = ruleset.to_move(state)[0]
    offers = ruleset.offers(state, seat)
    offer = any_offer(random, offers, ruleset.commands.weights)
    commands = {command.__name__: command for command in ruleset.commands.moves}
    filled = profile_of(ruleset.name).fill(random, offer, commands[offer.command])
    return take(ruleset, state, seat, filled, chance, offers)
