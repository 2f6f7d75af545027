"""Golden games of every rule set, which ended when a test wants it."""

from datetime import UTC, datetime, timedelta
from typing import Any

from mcmulti.domain.core.table import Status
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log.codec import opened_with
from mcmulti.events.ports.game_index import Access, TableRow
from mcmulti.events.ports.log import Log
from tests.golden.forging import rehashed
from tests.golden.games import files_of, load, seed_of

NAMES = ("by-post-substitute", "marracash-undo", "millionenspiel-four-on-yellow", "two-players")
"""A golden game of each rule set; in the second one ceilings are sealed while it is played, in the first one orders."""
FIRST = datetime(2026, 2, 1, tzinfo=UTC)


async def put(log: Log, name: str, minute: int, status: Status = "finished", **terms: Any) -> str:
    """A golden game, whose last command is of this minute. `terms`: its access, and whether it is for practice."""
    events = load(next(file for ruleset in CURRENT for file in files_of(ruleset) if file.stem == name))
    last, ended = events[-1].recorded_at, FIRST + timedelta(minutes=minute)
    events = rehashed([each._replace(recorded_at=ended) if each.recorded_at == last else each for each in events])
    row, opened = TableRow(status, practice=terms.pop("practice", False)), opened_with(events[0])
    access, game = Access(**terms), events[0].game_id
    await log.create(game, opened.name, opened.version, row, seed_of(events), events, None, access)
    return str(game)
