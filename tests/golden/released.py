"""Running games as releases left them, and the commands that ended them: one folder in ``releases/`` per version.

There are two files for each rule set. ``RULESET.jsonl`` is the whole log of a game, with one event per line.
``RULESET.json`` says how much of it existed while the game ran, what else the database knew of it, the commands that
clients sent from then on, and every form of command that the release accepted.

``python -m tests.golden.released`` records what is missing for the version in ``pyproject.toml``. A release that is out
is never recorded again: later builds must match it.
"""

import asyncio
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Raw, Struct

from mcmulti.api.openapi.examples import BY_RULESET
from mcmulti.api.openapi.schemas import family_of
from mcmulti.domain.core.commands import TakeSeat
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.table import Status
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log.codec import draft
from mcmulti.events.log.envelope import START, Recorded, seal
from mcmulti.events.log.item import item
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.game_index import TableRow
from mcmulti.library.steps import Step
from mcmulti.referee.referee import Referee
from mcmulti.referee.scheduler import time_out
from mcmulti.simulation import play
from tests.games import CALLED
from tests.golden.games import load
from tests.pure.postal.games import postal_game, unreliably

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent / "releases"
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
LONGEST = 650
"""Events. Longer games are skipped to keep the files small."""


class Sent(Struct, frozen=True, forbid_unknown_fields=True):
    """A command that a seat sent. Without a seat, the server gave it when a deadline had passed."""

    seat: int | None
    command: Raw


class Form(Struct, frozen=True, forbid_unknown_fields=True):
    """A command as sent, without optional fields, and as it then appears in the log."""

    sent: Raw
    kept: Raw


class Release(Struct, frozen=True, forbid_unknown_fields=True):
    """What is kept of a rule set beside the log of its game. `running`: the number of events of the running game."""

    ruleset: str
    version: int
    secret: str
    running: int
    status: Status
    deadline: datetime | None
    commands: tuple[Sent, ...]
    forms: tuple[Form, ...]


def random_steps(ruleset: Ruleset[Any], seed: int) -> Iterator[Step]:
    """A game of any rule set, for three if that many can play."""
    if ruleset.name == "postal":
        return postal_game(seed, unreliably, LONGEST)
    try:
        setup = msgspec.convert({"seats": 3}, ruleset.setup)
    except msgspec.ValidationError:
        setup = ruleset.setup()
    return play(ruleset, setup, seed, most_steps=LONGEST)


def this_version() -> str:
    """The version in ``pyproject.toml``."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"])


def kept(folder: Path, ruleset: str) -> tuple[Release, list[Recorded]]:
    """A release's files of a rule set: its record, and the whole log of its game."""
    release = msgspec.json.decode((folder / f"{ruleset}.json").read_bytes(), type=Release)
    return release, load(folder / f"{ruleset}.jsonl")


def sits_at(events: list[Recorded]) -> list[Player]:
    """Who plays a game, by seat."""
    taken = [msgspec.json.decode(event.data) for event in events if event.type == "SeatTaken"]
    return [
        Player(UUID(each["player"]), CALLED[each["player"]])
        for each in sorted(taken, key=lambda each: int(each["seat"]))
    ]


async def recorded_release(ruleset: Ruleset[Any]) -> tuple[Release, list[Recorded]]:
    """Let the referee play a game to its end, and note how it stood halfway through."""
    steps = next(steps for steps in _games(ruleset) if _is_short(steps) and not ruleset.to_move(steps[-1].state))
    game_id = UUID(str(msgspec.to_builtins(steps[0].facts[0].event)["game_id"]))
    secret = str(msgspec.to_builtins(steps[-1].facts[-1].event)["seed"])
    now = BEGAN
    log = MemoryLog()
    referee = Referee(log, lambda: now)
    opening = seal(game_id, START, draft(steps[0].facts), now)
    await log.create(game_id, ruleset.name, ruleset.version, TableRow("open"), bytes.fromhex(secret), opening)
    running, sent, players = None, [], dict[int, Player]()
    for number, step in enumerate(steps[1:], 1):
        if number > len(steps) // 2 and running is None:
            running = await log.game(game_id)
        now += timedelta(seconds=1)
        command = step.command
        if isinstance(command, TakeSeat):
            player = Player(UUID(command.player), CALLED[command.player])
            await referee.command(game_id, player, [command])
            players[ruleset.players(step.state).index(command.player)] = player
        elif step.seat is None:
            now = max(now, (await log.game(game_id)).deadline or now)
            assert await time_out(referee, game_id) is not None
        else:
            await referee.command(game_id, players[step.seat], [command])
        if running is not None and command is not None:
            sent.append(Sent(step.seat, Raw(_as_sent(command))))
    assert running is not None
    release = Release(
        ruleset.name,
        ruleset.version,
        secret,
        running.head.seq,
        running.status,
        running.deadline,
        tuple(sent),
        tuple(_forms(ruleset)),
    )
    return release, await log.read(game_id)


def _games(ruleset: Ruleset[Any]) -> Iterator[list[Step]]:
    for seed in count():
        yield list(random_steps(ruleset, seed))


def _is_short(steps: list[Step]) -> bool:
    return sum(len(step.facts) for step in steps) <= LONGEST


def _forms(ruleset: Ruleset[Any]) -> Iterator[Form]:
    """Each command that seats send, as an example of the contract shows it."""
    examples, prefix = BY_RULESET[ruleset.name]["schemas"], family_of(ruleset).prefixes[-1]
    for kind in ruleset.commands.moves:
        name = kind.__name__
        command = msgspec.convert(examples.get(f"{prefix}{name}") or examples[name], kind)
        yield Form(Raw(_as_sent(command)), Raw(msgspec.json.encode(command)))


def _as_sent(command: Struct) -> bytes:
    """A command without its optional fields."""
    whole = msgspec.to_builtins(command)
    needless = {
        field.encode_name
        for field in msgspec.structs.fields(command)
        if not field.required and getattr(command, field.name) == field.default
    }
    return msgspec.json.encode({name: value for name, value in whole.items() if name not in needless})


def main() -> None:
    """Record what is missing for the present version."""
    folder = FOLDER / this_version()
    folder.mkdir(parents=True, exist_ok=True)
    for ruleset in CURRENT.values():
        if (folder / f"{ruleset.name}.json").exists():
            continue
        release, events = asyncio.run(recorded_release(ruleset))
        (folder / f"{ruleset.name}.jsonl").write_bytes(
            b"".join(msgspec.json.encode(item(event)) + b"\n" for event in events)
        )
        (folder / f"{ruleset.name}.json").write_bytes(msgspec.json.format(msgspec.json.encode(release)) + b"\n")
        print(f"{folder.name}/{ruleset.name}: {release.running} of {len(events)} events")


if __name__ == "__main__":
    main()
