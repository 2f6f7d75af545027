"""Whole recorded games for the tests."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from mcmulti.domain.core.capabilities.clock import TimeOut, UseBank
from mcmulti.domain.core.commands import TakeSeat
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log.codec import draft, opened_with
from mcmulti.events.log.envelope import START, Head, Recorded, seal
from mcmulti.library.steps import Step
from mcmulti.simulation import play
from tests.golden.games import files_of, load
from tests.profiles import profile_of
from tests.pure.postal.games import postal_game, whimsically

OPENED = datetime(2026, 1, 1, tzinfo=UTC)


CALLED = {f"00000000-0000-4000-9000-{seat:012x}": f"Player {seat + 1}" for seat in range(16)}
"""The names of players of simulated games, by id."""


def record(game_id: UUID, steps: Iterable[Step]) -> list[Recorded]:
    """The log of a simulated game, a second per command.

    The server's events about clocks come when they become true.
    """
    events: list[Recorded] = []
    now, waiting = OPENED - timedelta(seconds=1), None
    for number, step in enumerate(steps):
        command_id = None if step.command is None else uuid5(game_id, str(number))
        actor = step.seat
        if isinstance(step.command, TakeSeat):
            actor = step.state.player_ids.index(step.command.player)
        head = Head(events[-1].seq, events[-1].hash) if events else START
        drafts = draft(step.facts, actor, command_id, step.command)
        now += timedelta(seconds=1)
        if waiting is not None and isinstance(step.command, TimeOut | UseBank):
            took = waiting.late_after + step.command.seconds if isinstance(step.command, UseBank) else None
            now = max(now, waiting.since + timedelta(seconds=waiting.closes_after if took is None else took))
        events += seal(game_id, head, drafts, now)
        waiting = _waiting(opened_with(events[0]), step.state, now, waiting)
    return events


class _Waiting(NamedTuple):
    """What a game with a clock waits for, since when, and for how long, including granted time."""

    stretch: tuple[int, ...]
    since: datetime
    granted: int
    late_after: int
    closes_after: int


def _waiting(ruleset: Ruleset[Any], state: Any, now: datetime, before: _Waiting | None) -> _Waiting | None:
    pace = None if ruleset.deadlines is None else ruleset.deadlines.pace(state)
    if pace is None:
        return None
    same = before is not None and before.stretch == pace.stretch
    since, granted = (before.since, before.granted) if before is not None and same else (now, pace.granted)
    more = pace.granted - granted
    return _Waiting(pace.stretch, since, granted, pace.late_after + more, pace.closes_after + more)


def random_game(players: int, seed: int, **setup: object) -> list[Recorded]:
    """The log of a random game, from its opening to its end."""
    steps = list(play(RULESET, Setup(seats=players, **setup), seed))  # type: ignore[arg-type]
    return record(UUID(steps[0].state.game_id), steps)


def random_postal_game(seed: int) -> list[Recorded]:
    """The log of a random game by post, to its end or to that of about its fiftieth round."""
    steps = list(postal_game(seed, whimsically, 200))
    return record(UUID(steps[0].state.game_id), steps)


def recorded_games(name: str, most: int | None = None) -> list[list[Recorded]]:
    """The golden games of a rule set, the smallest first, or two random ones if none is recorded yet."""
    return [load(file) for file in files_of(name)[:most]] or [any_random_game(name, 1), any_random_game(name, 2)]


def any_random_game(name: str, seed: int, **setup: object) -> list[Recorded]:
    """A recorded random game of any rule set, with the default number of players unless given."""
    ruleset, own = CURRENT[name], profile_of(name).random
    steps = list(play(ruleset, ruleset.setup(**setup), seed) if own is None else own(seed))
    return record(UUID(steps[0].state.game_id), steps)
