"""Whole games in one process without I/O: for measuring, for statistics, for training bots, for tests."""

from bisect import bisect
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import chain
from random import Random
from typing import Any

from msgspec import Struct

from mcmulti.domain.core.chance import Chance, SeededChance
from mcmulti.domain.core.course.course import Fact
from mcmulti.domain.core.course.starting import AgreeToStart
from mcmulti.domain.core.offers import Choice, Offer, Range, Rejection, admitting
from mcmulti.domain.core.ruleset import Ruleset

Chooser = Callable[[Random, tuple[Offer, ...]], Offer]
"""What picks one of the offers."""
Filler = Callable[[Random, Offer, type[Struct]], Struct]
"""What makes the command of an offer, with values that the offer admits."""


class Step(Struct, frozen=True, gc=False):
    """One command of a game: who sent it (seat, None for joining), what it led to, and the state after it."""

    seat: int | None
    command: Struct | None
    facts: tuple[Fact, ...]
    state: Any


def any_offer(random: Random, offers: tuple[Offer, ...], weights: Mapping[str, int]) -> Offer:
    """Any offer; how likely each is, by the name of its command, say the rule set's `weights`."""
    end = 0
    ends = []
    for offer in offers:
        end += weights.get(offer.command, 100)
        ends.append(end)
    return offers[bisect(ends, random.random() * end, 0, len(ends) - 1)]


def fill_in(random: Random, offer: Offer, command: type[Struct]) -> Struct:
    """A command that the offer admits, with any values it lists; raises TypeError for a field that lists none."""
    values = {}
    for name, field in offer.fields.items():
        if not isinstance(field, Choice | Range):
            raise TypeError(f"{name} has to be written, not chosen")
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
    """Play a game to its end, step by step; the same seed gives the same game. Stops after `most_steps` moves."""
    random = Random(seed)
    game_id = f"00000000-0000-4000-8000-{seed:012x}"
    chance = SeededChance(random.randbytes(32), game_id)
    opening = list(set_up(ruleset, setup, game_id, chance))
    return chain(opening, carry_on(ruleset, opening[-1].state, chance, random, choose, most_steps, fill))


def set_up(
    ruleset: Ruleset[Any], setup: Any, game_id: str, chance: Chance, absent: Collection[int] = ()
) -> Iterator[Step]:
    """Open a game, seat a player on every seat and start; if some are `absent`, the others agree to start."""
    opened = ruleset.open(game_id, setup, chance, _player(0))
    if isinstance(opened, Rejection):
        raise ValueError(ruleset.texts.tell_refusal(opened, "en"))
    latest = Step(None, None, tuple(opened.facts), opened.state)
    yield latest
    seats = [seat for seat in range(len(ruleset.players(opened.state))) if seat not in absent]
    for seat in seats:
        command = ruleset.commands.joining(player=_player(seat), seat=seat)
        latest = take(ruleset, latest.state, None, command, chance)
        yield latest
    if not absent:
        yield take(ruleset, latest.state, 0, ruleset.commands.starting(), chance)
        return
    for seat in seats:
        latest = take(ruleset, latest.state, seat, AgreeToStart(), chance)
        yield latest


def _player(seat: int) -> str:
    return f"00000000-0000-4000-9000-{seat:012x}"


def carry_on(
    ruleset: Ruleset[Any],
    state: Any,
    chance: Chance,
    random: Random,
    choose: Chooser | None = None,
    most_steps: int = 100_000,
    fill: Filler = fill_in,
) -> Iterator[Step]:
    """Play on from a state until the game is over, or for `most_steps`."""
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


def take(
    ruleset: Ruleset[Any],
    state: Any,
    seat: int | None,
    command: Struct,
    chance: Chance,
    offers: tuple[Offer, ...] = (),
) -> Step:
    """One step with a command that was offered; raises AssertionError if the rules refuse it after all.

    `offers` are those of the seat, where they are known: they need not be stated once more.
    """
    offer = admitting(offers, command) or ruleset.admit(state, seat, command)
    if isinstance(offer, Rejection):
        raise AssertionError(f"{command} was offered and is refused: {offer}")
    decision = ruleset.carry_out(state, seat, command, offer, chance)
    return Step(seat, command, tuple(decision.facts), decision.state)
