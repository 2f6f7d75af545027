"""The golden games of the Millionenspiel: one for each number of players and each way it ends."""

from collections.abc import Iterator
from functools import partial
from itertools import count
from random import Random

from msgspec import Struct

from mcmulti.domain.core.offers import Offer
from mcmulti.domain.millionenspiel import RULESET
from mcmulti.domain.millionenspiel.phases.ending import GameEnded
from mcmulti.domain.millionenspiel.phases.settling import StakeWon
from mcmulti.domain.millionenspiel.state import Setup
from mcmulti.library.steps import Step
from mcmulti.simulation import fill_in, play
from tests.golden import sources

SHORT = 250
"""Steps. Longer games are skipped to keep the files small."""


def random_games(seats: int) -> Iterator[list[Step]]:
    """Random games with this many players."""
    for seed in count():
        yield list(play(RULESET, Setup(seats=seats), seed, most_steps=SHORT))


def timid_games(seats: int) -> Iterator[list[Step]]:
    """Games in which everybody stakes at random until round 12, and nobody after it."""
    for seed in count():
        yield list(_timid_game(seats, seed))


def _timid_game(seats: int, seed: int) -> Iterator[Step]:
    stakes = count()

    def fill(random: Random, offer: Offer, command: type[Struct]) -> Struct:
        timid = offer.command == "Stake" and next(stakes) > 12 * seats
        return command() if timid else fill_in(random, offer, command)

    return play(RULESET, Setup(seats=seats), seed, most_steps=SHORT, fill=fill)


def end_of(steps: list[Step]) -> GameEnded | None:
    """How a game ended."""
    return next((fact.event for fact in steps[-1].facts if isinstance(fact.event, GameEnded)), None)


def won_on(times: int, steps: list[Step]) -> bool:
    """A player reached a million by a stake that paid this multiple."""
    won = {fact.event.times for fact in steps[-1].facts if isinstance(fact.event, StakeWon)}
    return end_of(steps) is not None and won == {times}


def stood_still(steps: list[Step]) -> bool:
    """Nobody staked anything for ten rounds."""
    end = end_of(steps)
    return end is not None and end.reason == "standstill"


_LEFT = partial(sources.left_games, RULESET.name)
GAMES: sources.Games = {
    "millionenspiel-three-on-red": (partial(random_games, 3), partial(won_on, 100)),
    "millionenspiel-four-on-yellow": (partial(random_games, 4), partial(won_on, 10)),
    "millionenspiel-five-on-red": (partial(random_games, 5), partial(won_on, 100)),
    "millionenspiel-standstill": (partial(timid_games, 3), stood_still),
    "millionenspiel-clock": (partial(sources.timed_games, RULESET.name, 3), sources.all_of_clocks),
    "millionenspiel-substitute": (_LEFT, sources.substituted),
    "millionenspiel-house": (_LEFT, sources.kept),
    "millionenspiel-undo": (partial(sources.sociable_games, RULESET.name, 3), sources.taken_back),
    "millionenspiel-fewer-players": (partial(sources.fewer, RULESET.name, 2), sources.won),
}
