"""Random games of every rule set, repeatable from a seed."""

from functools import lru_cache
from itertools import islice
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from mcmulti.domain.core.capabilities.capability import options
from mcmulti.domain.core.capabilities.length import EndLongGame
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.offers import Choice, Offer, Range
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.table import Table
from mcmulti.domain.rulesets import CURRENT
from mcmulti.library.steps import Step, take
from mcmulti.simulation import play
from tests.profiles import profile_of
from tests.sociable import sociable_game
from tests.timed import timed_game

MOST = 400
"""The number of commands of a game to check."""
SHORT = 60
"""Commands after which a game counts as too long, in the middle of what all rule sets play."""


@lru_cache
def seats_of(name: str) -> tuple[int, ...]:
    """The possible numbers of players in this rule set."""
    return tuple(number for number in range(1, 16) if _fits(CURRENT[name].setup, number))


def _fits(setup: type[Struct], seats: int) -> bool:
    try:
        msgspec.convert({"seats": seats}, setup)
    except msgspec.ValidationError:
        return False
    return True


def readings(setup: type[Struct], random: Random) -> dict[str, Any]:
    """Random readings of the rules: every option in the setup of a game beyond those of all tables."""
    found: dict[str, Any] = {}
    for field in msgspec.structs.fields(setup):
        if field.name in options():
            continue
        kind = msgspec.inspect.type_info(field.type)
        if isinstance(kind, msgspec.inspect.LiteralType) and isinstance(kind.values[0], str):
            found[field.name] = random.choice(kind.values)
        elif field.name == "consumer_track" and random.randrange(2):
            prices = sorted({26, *random.sample(range(1, 201), random.randrange(1, 40))})
            red = sorted(random.sample(prices, random.randrange(1, len(prices) + 1)))
            found[field.name] = {"prices": prices, "red_fields": red}
    return found


@lru_cache(maxsize=128)
def game(name: str, seed: int) -> tuple[Step, ...]:
    """A random game, command by command. The seed also determines the number of players."""
    return tuple(islice(steps(CURRENT[name], seed), MOST))


def steps(ruleset: Ruleset[Any], seed: int) -> Any:
    """The same game again.

    By post, a deadline sometimes passes. Elsewhere, a third have clocks, and in a third, moves are taken back.
    """
    if (own := profile_of(ruleset.name).random) is not None:
        return own(seed)
    number = seats_of(ruleset.name)
    seats = number[seed % len(number)]
    if seed % 3 == 2:
        return timed_game(ruleset, seats, seed)
    wish = {"seats": seats, **readings(ruleset.setup, Random(seed))}
    if seed % 3 == 1:
        return sociable_game(ruleset, msgspec.convert({**wish, "undo": "agreed"}, ruleset.setup), seed)
    return play(ruleset, msgspec.convert(wish, ruleset.setup), seed)


def too_long_game(name: str, seed: int = 0) -> tuple[Step, ...]:
    """A random game that the server ends after `SHORT` commands, as if its log had reached the limit."""
    found = game(name, seed)
    found = found[: min(SHORT, len(found) // 2)]
    state = found[-1].state
    assert CURRENT[name].to_move(state)
    return (*found, take(CURRENT[name], state, None, EndLongGame(), SeededChance(bytes(32), state.game_id)))


def moment(name: str, seed: int, number: int) -> Table:
    """The state after this many commands, or fewer in a short game."""
    found = game(name, seed)
    state: Table = found[number % len(found)].state
    return state


def some_moves(ruleset: Ruleset[Any], offer: Offer) -> list[Struct]:
    """The minimum and the maximum of an offer in every field, and five moves in between."""
    kinds = {command.__name__: command for command in (*ruleset.commands.moves, *ruleset.commands.automatic)}
    complete, random, command = profile_of(ruleset.name).fill, Random(0), kinds[offer.command]
    between = [complete(random, offer, command) for _ in range(5)]
    if not all(isinstance(field, Choice | Range) for field in offer.fields.values()):
        return between
    ends = ({name: field.options[end] for name, field in offer.fields.items()} for end in (0, -1))  # type: ignore[attr-defined]
    return [*(command(**values) for values in ends), *between]
