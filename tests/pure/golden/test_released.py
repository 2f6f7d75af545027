"""Games that ran under a release continue under this build as they would have there, byte for byte."""

import re
from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
from httpx import ASGITransport, AsyncClient

from mcmulti.api.app import application
from mcmulti.domain.rulesets import SHIPPED
from mcmulti.events.log.codec import command_decoder, ruleset_of
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.accounts import first_token
from mcmulti.events.ports.game_index import TableRow
from mcmulti.referee import ruling
from mcmulti.referee.referee import Referee
from mcmulti.referee.scheduler import time_out
from tests.golden.released import FOLDER, ROOT, Release, kept, sits_at, this_version

FOLDERS = {folder.name: folder for folder in sorted(FOLDER.iterdir())}
GAMES = [(folder, file.stem) for folder in FOLDERS.values() for file in sorted(folder.glob("*.json"))]
KEPT = pytest.mark.parametrize(("folder", "ruleset"), GAMES, ids=[f"{folder.name}-{name}" for folder, name in GAMES])


def released(changelog: str) -> set[str]:
    """The versions that have a date in the changelog."""
    return set(re.findall(r"^## \[?v?([0-9][^\s\]]*)\]?.*\d{4}-\d{2}-\d{2}", changelog, re.MULTILINE))


def test_a_version_is_released_when_the_changelog_dates_it() -> None:
    assert released("## Unreleased\n\n## 1.2.0 - 2027-02-01\n\n## [1.1.0] — 2027-01-01\n### 9.9 2027-01-01\n") == {
        "1.2.0",
        "1.1.0",
    }


def test_every_version_has_its_folder() -> None:
    """Record the present one with `make golden` before it is released. Never remove the folder of a release."""
    assert {*FOLDERS} == released((ROOT / "CHANGELOG.md").read_text("utf-8")) | {this_version()}


def test_the_present_version_kept_a_game_of_every_rule_set() -> None:
    present = [
        release for folder, name in GAMES if folder.name == this_version() for release, _ in [kept(folder, name)]
    ]
    assert {(each.ruleset, each.version) for each in present} == {
        (each.name, each.version) for each in SHIPPED.values()
    }


@KEPT
def test_what_was_kept_is_a_running_game_and_a_form_of_every_command(folder: Path, ruleset: str) -> None:
    release, events = kept(folder, ruleset)
    assert release.status == "running"
    assert 0.2 < release.running / len(events) < 0.8
    assert events[-1].type == "SeedRevealed"
    moves = ruleset_of(release.ruleset, release.version).commands.moves
    forms = {msgspec.json.decode(form.sent)["type"] for form in release.forms}
    assert forms >= {move.__name__ for move in moves} if folder.name == this_version() else forms


@KEPT
async def test_a_running_game_ends_as_it_would_have_ended(
    folder: Path, ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Players send the same commands over HTTP, with the same ids and at the same times."""
    release, events = kept(folder, ruleset)
    log, players = await resumed(release, events), sits_at(events)
    decided = [event for event in events[release.running :] if event.command is not None]
    assert len(decided) == len(release.commands)
    ids = iter([event.command_id for event in decided])
    monkeypatch.setattr(ruling, "uuid4", lambda: next(ids))
    app = application(log)
    moments = iter([event.recorded_at for event in decided])
    referee: Referee = app.state.service.referee
    game = events[0].game_id
    for seat, player in enumerate(players):
        await log.add_player(player, first_token(events[0].recorded_at), sha256(f"seat-{seat}".encode()).digest())
    async with AsyncClient(transport=ASGITransport(app), base_url="http://mcmulti") as client:  # type: ignore[arg-type]
        for sent in release.commands:
            monkeypatch.setattr(referee, "clock", frozen(next(moments)))
            if sent.seat is None:
                assert await time_out(referee, game) is not None
                continue
            headers = {"Authorization": f"Bearer seat-{sent.seat}", "Content-Type": "application/json"}
            body = b'{"commands":[%b]}' % bytes(sent.command)
            answered = await client.post(f"/v1/games/{game}/commands", content=body, headers=headers)
            assert answered.status_code == 200, answered.text
    assert first_difference(await log.read(game), events) is None
    assert (await log.game(game)).status == "finished"


def frozen(moment: datetime) -> Any:
    """A clock that stands still."""
    return lambda: moment


async def resumed(release: Release, events: list[Recorded]) -> MemoryLog:
    """A log with the game as it ran."""
    log, first = MemoryLog(), events[: release.running]
    players = [player.player_id for player in sits_at(first)]
    secret = bytes.fromhex(release.secret)
    game = events[0].game_id
    await log.create(game, release.ruleset, release.version, TableRow(release.status, tuple(players)), secret, first)
    head = (await log.game(game)).head
    await log.append(game, head, [], TableRow(release.status, deadline=release.deadline))
    return log


def first_difference(found: list[Recorded], wanted: list[Recorded]) -> tuple[object, object] | None:
    """The first event that differs in anything, including its hash."""
    pairs: Iterator[tuple[object, object]] = zip([*found, None], [*wanted, None], strict=False)
    return next((pair for pair in pairs if pair[0] != pair[1]), None)


@KEPT
def test_every_command_is_read_as_it_was(folder: Path, ruleset: str) -> None:
    """As sent, and as recorded: both decode to the recorded command."""
    release, _ = kept(folder, ruleset)
    moves = ruleset_of(release.ruleset, release.version).commands.moves
    types = {move.__name__: move for move in moves}
    logged = command_decoder(release.ruleset, release.version)
    for form in release.forms:
        sent = msgspec.json.decode(form.sent, type=types[msgspec.json.decode(form.sent)["type"]])
        assert msgspec.json.encode(sent) == bytes(msgspec.json.format(form.kept, indent=-1))
        assert logged(form.kept) == sent


def test_a_build_that_decides_otherwise_would_be_found() -> None:
    """One event less, one with other data, and one that was hashed with another predecessor."""
    _, events = kept(FOLDERS[this_version()], "mcmulti")
    assert first_difference(events, events) is None
    for changed in (
        events[:-1],
        [*events[:-1], events[-1]._replace(data=events[-1].data + b" ")],
        [*events[:5], events[5]._replace(prev_hash=bytes(32)), *events[6:]],
    ):
        assert first_difference(changed, events) is not None
