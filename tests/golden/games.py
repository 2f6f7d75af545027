"""The golden games, by file."""

from functools import cache
from pathlib import Path
from uuid import UUID

import msgspec

from mcmulti.domain.rulesets import SHIPPED
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.item import EventItem, open_data, recorded
from mcmulti.projections.proof.prover import revealed_seed

FILES = sorted(Path(__file__).parent.glob("*.jsonl"))
OIL_GAMES = [name for name, ruleset in SHIPPED.items() if "quadrants" in ruleset.view_type.__struct_fields__]


@cache
def files_of(ruleset: str) -> tuple[Path, ...]:
    """The golden games of a rule set, the smallest first."""
    found = [file for file in FILES if _opening(file)["ruleset"] == ruleset]
    return tuple(sorted(found, key=lambda file: file.stat().st_size))


def with_quadrants() -> list[Path]:
    """The golden games of the oil games."""
    return [file for name in OIL_GAMES for file in files_of(name)]


def _opening(file: Path) -> dict[str, object]:
    with file.open("rb") as lines:
        opening: dict[str, object] = msgspec.json.decode(open_data(msgspec.json.decode(next(lines), type=EventItem)))
    return opening


def seed_of(events: list[Recorded]) -> bytes:
    """The seed of a game that is over: its first event commits to it, and the last one reveals it."""
    seed = revealed_seed(events)
    assert seed is not None
    return seed


def load(file: Path) -> list[Recorded]:
    items = [msgspec.json.decode(line, type=EventItem) for line in file.read_bytes().splitlines()]
    game_id = UUID(msgspec.json.decode(open_data(items[0]))["game_id"])
    return [recorded(game_id, item) for item in items]
