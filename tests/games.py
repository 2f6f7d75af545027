"""Whole recorded games for the tests."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid5

from mcmulti.domain.core.commands import TakeSeat
from mcmulti.domain.marracash import RULESET as MARRACASH
from mcmulti.domain.marracash.state import MarraCashSetup
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.millionenspiel import RULESET as MILLIONENSPIEL
from mcmulti.domain.millionenspiel.state import Setup as MillionenspielSetup
from mcmulti.events.codec import draft
from mcmulti.events.envelope import START, Head, Recorded, seal
from mcmulti.simulation import Step, play
from tests.postal.games import postal_game, whimsically

OPENED = datetime(2026, 1, 1, tzinfo=UTC)


def record(game_id: UUID, steps: Iterable[Step]) -> list[Recorded]:
    """The log of a simulated game, a second a command."""
    events: list[Recorded] = []
    for number, step in enumerate(steps):
        command_id = None if step.command is None else uuid5(game_id, str(number))
        actor = step.command.seat if isinstance(step.command, TakeSeat) else step.seat
        head = Head(events[-1].seq, events[-1].hash) if events else START
        drafts = draft(step.facts, actor, command_id, step.command)
        events += seal(game_id, head, drafts, OPENED + timedelta(seconds=number))
    return events


def random_game(players: int, seed: int, **setup: object) -> list[Recorded]:
    """The log of a random game, from its opening to its end."""
    steps = list(play(RULESET, Setup(seats=players, **setup), seed))  # type: ignore[arg-type]
    return record(UUID(steps[0].state.game_id), steps)


def random_postal_game(seed: int) -> list[Recorded]:
    """The log of a random game by post, to its end or to that of its fiftieth or so round."""
    steps = list(postal_game(seed, whimsically, 200))
    return record(UUID(steps[0].state.game_id), steps)


def random_millionenspiel(players: int, seed: int) -> list[Recorded]:
    """The log of a random game of the Millionenspiel, from its opening to its end."""
    steps = list(play(MILLIONENSPIEL, MillionenspielSetup(seats=players), seed))
    return record(UUID(steps[0].state.game_id), steps)


def random_bazaar(seed: int) -> list[Recorded]:
    """The log of a random game of MarraCash."""
    steps = list(play(MARRACASH, MarraCashSetup(), seed))
    return record(UUID(steps[0].state.game_id), steps)
