"""Golden games of MarraCash: for each number of players, and each way a game can end."""

from collections.abc import Iterator
from functools import partial
from itertools import count
from random import Random

from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.commands import Command
from mcmulti.domain.marracash import RULESET
from mcmulti.domain.marracash.commands import MoveGroup, PassBid, PutUp
from mcmulti.domain.marracash.phases.turns import ActionsLapsed, LastRoundStarted
from mcmulti.domain.marracash.state import Bazaar, MarraCashSetup, Souvenirs
from mcmulti.library.steps import Step, set_up, take
from mcmulti.simulation import play
from tests.golden import sources


def random_games(seats: int, souvenirs: Souvenirs = "none") -> Iterator[list[Step]]:
    """Random games, from the first seed on."""
    for seed in count():
        yield list(play(RULESET, MarraCashSetup(seats=seats, souvenirs=souvenirs), seed))


def idle_games(seats: int) -> Iterator[list[Step]]:
    """Games in which a group walks back and forth beside the town forever."""
    for seed in count():
        yield list(_idle_game(seats, seed))


def _idle_game(seats: int, seed: int) -> Iterator[Step]:
    game_id = f"00000000-0000-4000-8000-{seed:012x}"
    chance = SeededChance(Random(seed).randbytes(32), game_id)
    opening = list(set_up(RULESET, MarraCashSetup(seats=seats), game_id, chance))
    yield from opening
    state: Bazaar = opening[-1].state
    while state.phase != "over":
        (seat,) = RULESET.to_move(state)
        step = take(RULESET, state, seat, _idly(state), chance)
        state = step.state
        yield step


def _idly(state: Bazaar) -> Command:
    """Only what must be done."""
    if state.phase == "bidding":
        return PassBid()
    if state.round == 1:
        return PutUp(("P4", "G1", "Y1", "R1")[state.turn - 1], 100)
    return MoveGroup(8, 14) if state.left == 2 else MoveGroup(14, 8)


def won(steps: list[Step]) -> bool:
    """One player has most cash, and actions lapsed on the way."""
    return len(steps[-1].state.winners) == 1 and _has(steps, ActionsLapsed)


def shared(steps: list[Step]) -> bool:
    """Two have the same cash, and more than the others."""
    return len(steps[-1].state.winners) == 2


def stood_still(steps: list[Step]) -> bool:
    """The last round began while people were still in the queue."""
    happened = (fact.event for step in steps for fact in step.facts)
    return any(isinstance(event, LastRoundStarted) and event.standstill for event in happened)


def _has(steps: list[Step], kind: type[object]) -> bool:
    return any(isinstance(fact.event, kind) for step in steps for fact in step.facts)


_LEFT = partial(sources.left_games, RULESET.name)
GAMES: sources.Games = {
    "marracash-three-players": (partial(random_games, 3), won),
    "marracash-four-players": (partial(random_games, 4), won),
    "marracash-souvenirs": (partial(random_games, 3, "open"), won),
    "marracash-shared-victory": (partial(random_games, 4), shared),
    "marracash-standstill": (partial(idle_games, 3), stood_still),
    "marracash-clock": (partial(sources.timed_games, RULESET.name, 3), sources.all_of_clocks),
    "marracash-substitute": (_LEFT, sources.substituted),
    "marracash-house": (_LEFT, sources.kept),
    "marracash-undo": (partial(sources.sociable_games, RULESET.name, 3), sources.taken_back),
    "marracash-fewer-players": (partial(sources.fewer, RULESET.name, 0), sources.won),
}
