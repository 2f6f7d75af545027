"""Steps of a game in one process: who sits down, how a table is set up, and how commands are carried out."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from msgspec import Struct

from mcmulti.domain.core.chance import Chance
from mcmulti.domain.core.commands import StartGame
from mcmulti.domain.core.course.course import Fact
from mcmulti.domain.core.course.positions import Origin
from mcmulti.domain.core.course.starting import AgreeToStart
from mcmulti.domain.core.offers import Offer, Rejection, admitting
from mcmulti.domain.core.ruleset import Ruleset


class Sitter(NamedTuple):
    """A player on a seat: its id, its name, and its entropy for the dice."""

    player: UUID
    name: str
    entropy: str = ""


def strangers(seats: int) -> tuple[Sitter, ...]:
    """Anonymous players called Seat 1 and so on; always the same."""
    return named(tuple(f"Seat {seat + 1}" for seat in range(seats)))


def named(names: Sequence[str]) -> tuple[Sitter, ...]:
    """Players with these names, by seat."""
    return tuple(Sitter(UUID(f"00000000-0000-4000-9000-{seat:012x}"), name) for seat, name in enumerate(names))


def game_numbered(seed: int) -> UUID:
    """The id of the game that is played with a seed, an integer from 0."""
    return UUID(f"00000000-0000-4000-8000-{seed:012x}")


class Step(Struct, frozen=True, gc=False):
    """One command of a game: the seat that sent it (None for joining), the events it led to, and the state after it."""

    seat: int | None
    command: Struct | None
    facts: tuple[Fact, ...]
    state: Any


def set_up(
    ruleset: Ruleset[Any],
    setup: Any,
    game_id: str,
    chance: Chance,
    absent: Collection[int] = (),
    sitters: Collection[Sitter] = (),
    origin: Origin | None = None,
) -> Iterator[Step]:
    """Open a game, seat a player on every seat, and start. If seats are `absent`, the others agree to start.

    `sitters`: the players by seat; anonymous players by default. `origin`: what a practice game begins with. Raises
    ValueError for a setup that the rules refuse, and for a wrong number of sitters.
    """
    first = next(iter(sitters), None) or strangers(1)[0]
    opened = ruleset.open(game_id, setup, chance, str(first.player), origin)
    if isinstance(opened, Rejection):
        raise ValueError(ruleset.texts.tell_refusal(opened, "en"))
    seats = len(ruleset.players(opened.state))
    sitting = tuple(sitters) or strangers(seats)
    if len(sitting) != seats:
        raise ValueError(f"{len(sitting)} players for {seats} seats")
    latest = Step(None, None, tuple(opened.facts), opened.state)
    yield latest
    there = [seat for seat in range(seats) if seat not in absent]
    for seat in there:
        command = ruleset.commands.joining(player=str(sitting[seat].player), seat=seat, entropy=sitting[seat].entropy)
        latest = take(ruleset, latest.state, None, command, chance)
        yield latest
    if not absent:
        yield take(ruleset, latest.state, 0, StartGame(), chance)
        return
    for seat in there:
        latest = take(ruleset, latest.state, seat, AgreeToStart(), chance)
        yield latest


def take(
    ruleset: Ruleset[Any],
    state: Any,
    seat: int | None,
    command: Struct,
    chance: Chance,
    offers: tuple[Offer, ...] = (),
) -> Step:
    """Take one step with a command that was offered. Raises AssertionError if the rules refuse it anyway.

    `offers`: the seat's offers if known, so that they are not computed again.
    """
    offer = admitting(offers, command) or ruleset.admit(state, seat, command)
    if isinstance(offer, Rejection):
        raise AssertionError(f"{command} was offered and is refused: {offer}")
    decision = ruleset.carry_out(state, seat, command, offer, chance)
    return Step(seat, command, tuple(decision.facts), decision.state)


def won(winners: Sequence[int], seats: int) -> list[float]:
    """1 shared among the winners, -1 shared among all others; 0 for all if nobody or everybody won."""
    losers = seats - len(winners)
    if not winners or not losers:
        return [0.0] * seats
    return [1 / len(winners) if seat in winners else -1 / losers for seat in range(seats)]
