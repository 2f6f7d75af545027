"""Golden games that people left: with a substitute or a house bot in every rule set, with the ghost as heir, and called
off.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import count

from mcmulti.domain.core.capabilities.leaving import SeatVacated, SubstituteSatDown
from mcmulti.domain.core.capabilities.leaving.departures import EndedBy
from mcmulti.domain.mcmulti.phases.selling_out import HoldingsSold
from mcmulti.library.steps import Step
from tests.pure.properties.leaving_games import leaving_game

MOST = 250
"""Commands."""
SHORT = 500
"""Events. Longer games are skipped to keep the files small."""


def games(name: str) -> Iterator[list[Step]]:
    """Games that people leave, from the first seed on."""
    for seed in count():
        yield list(leaving_game(name, seed, MOST, as_usual=True))


def substituted(steps: list[Step]) -> bool:
    """One player resigned, another took the seat, and the game came to an end."""
    agreed = steps[-1].state.setup.if_left == "substitute"
    return agreed and _short(steps) and _happened(steps, SubstituteSatDown)


def kept(steps: list[Step]) -> bool:
    """A house bot played until the player who left was back, and the game came to an end."""
    whys = {fact.event.why for step in steps for fact in step.facts if isinstance(fact.event, SeatVacated)}
    return _short(steps) and "returned" in whys


def _short(steps: list[Step]) -> bool:
    return steps[-1].state.status == "finished" and sum(len(step.facts) for step in steps) < SHORT


def sold(steps: list[Step]) -> bool:
    """The assets of a player who left were sold, and the last one who stayed won."""
    return _ended(steps, "left") and _happened(steps, HoldingsSold)


def called_off(steps: list[Step]) -> bool:
    """One player left, and all who stayed agreed that nobody wins."""
    return _ended(steps, "called_off") and _happened(steps, SeatVacated)


def _ended(steps: list[Step], how: EndedBy) -> bool:
    ended: EndedBy | None = steps[-1].state.departures.ended
    return ended == how


def _happened(steps: list[Step], kind: type[object]) -> bool:
    return any(isinstance(fact.event, kind) for step in steps for fact in step.facts)


GAMES: dict[str, tuple[Callable[[], Iterator[list[Step]]], Callable[[list[Step]], bool]]] = {
    "substitute": (partial(games, "mcmulti"), substituted),
    "sold": (partial(games, "mcmulti"), sold),
    "called-off": (partial(games, "mcmulti"), called_off),
    "by-post-substitute": (partial(games, "postal"), substituted),
    "millionenspiel-substitute": (partial(games, "millionenspiel"), substituted),
    "marracash-substitute": (partial(games, "marracash"), substituted),
    "house": (partial(games, "mcmulti"), kept),
    "by-post-house": (partial(games, "postal"), kept),
    "millionenspiel-house": (partial(games, "millionenspiel"), kept),
    "marracash-house": (partial(games, "marracash"), kept),
}
