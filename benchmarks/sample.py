"""The same appends for everybody: what the commands of a random game lead to, and the responses to them."""

from collections.abc import Sequence
from functools import cache
from itertools import groupby
from uuid import UUID

import msgspec

from mcmulti.api.telling.tables import table
from mcmulti.api.telling.wire import Result
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.events.log.envelope import Head, Recorded
from mcmulti.events.log.item import item
from mcmulti.events.ports.game_index import Game, TableRow
from mcmulti.simulation import play
from tests.games import record

OPENING = 6
"""Approximate number of commands before the first move: the opening, four seats, the start."""


@cache
def appends() -> Sequence[Sequence[Recorded]]:
    """The events of a random game, those of each move together."""
    steps = list(play(RULESET, Setup(seats=4), 2))
    events = record(UUID(steps[0].state.game_id), steps)
    moves = [list(group) for _, group in groupby(events, key=lambda event: event.command_id)]
    return moves[OPENING:]


def events_per_command() -> float:
    """The average number of events of a move."""
    return sum(map(len, appends())) / len(appends())


def answer(events: Sequence[Recorded]) -> bytes:
    """The server's response to a command that led to these events."""
    last = events[-1]
    told = tuple(item(event) for event in events)
    head = Head(last.seq, last.hash)
    stands = TableRow("running", (UUID(int=1), UUID(int=2), UUID(int=3), UUID(int=4)), (0,), 9)
    at = table(
        Game(last.game_id, RULESET.name, RULESET.version, stands, head, last.recorded_at, last.recorded_at), {}, {}
    )
    return msgspec.json.encode(Result(last.game_id, last.seq, last.hash.hex(), 0, told, at, None))
