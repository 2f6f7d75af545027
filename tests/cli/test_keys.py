"""`mcmulti keys`: a new key while servers run, and proofs of games signed with an old key."""

import asyncio
import json
import subprocess
import sys
import time
from pathlib import Path

import httpx

from mcmulti.api.service import KEY_SECONDS
from mcmulti.domain.mcmulti import RULESET
from mcmulti.events.ports.game_index import TableRow
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.store.game_file import read
from tests.cli.command import running
from tests.cli.proving import GAME, ID, address_of
from tests.golden.games import seed_of

VERIFY = Path(__file__).parents[2] / "examples" / "verify.py"
PATIENCE = KEY_SECONDS + 20


def told(*arguments: str, temporary: Path, code: int = 0) -> str:
    with running(*arguments, temporary=temporary) as command:
        assert command.code() == code, command.said
        assert "Traceback" not in command.said
        return command.printed + command.said


async def with_a_game(database: str) -> str:
    """The address of a database with a finished game, as given to commands."""
    async with PostgresLog.open(database, pool_size=1) as log:
        await log.create(GAME[0].game_id, RULESET.name, RULESET.version, TableRow("finished"), seed_of(GAME), GAME)
    return address_of(database)


async def test_servers_take_a_new_key_and_old_notes_still_prove(database: str, tmp_path: Path) -> None:
    await asyncio.to_thread(_taken_and_proven, await with_a_game(database), tmp_path)


def _taken_and_proven(url: str, folder: Path) -> None:
    """Two servers on one database, one of them with two workers."""
    with (
        running("serve", "--port", "0", "--database-url", url, temporary=folder) as one,
        running("serve", "--port", "0", "--workers", "2", "--database-url", url, temporary=folder) as other,
    ):
        servers = [each.line("Serving at ") for each in (one, other)]
        (before,) = httpx.get(f"{servers[0]}/v1/keys").json()["keys"]
        assert before["until"] is None
        old_file = httpx.get(f"{servers[0]}/v1/games/{ID}/file").content
        rotated = told("keys", "--rotate", "--database-url", url, temporary=folder).splitlines()
        assert [line.split()[1] for line in rotated][1] == before["key"]
        deadline = time.monotonic() + PATIENCE
        for server in servers * 4:
            while len(listed := httpx.get(f"{server}/v1/keys").json()["keys"]) < 2:
                assert time.monotonic() < deadline
                time.sleep(0.2)
            assert [key["key"] for key in listed] == [line.split()[1] for line in rotated]
            assert listed[1] == {**before, "until": listed[0]["since"]}
        new_file = httpx.get(f"{servers[1]}/v1/games/{ID}/file").content
        assert httpx.get(f"{servers[1]}/v1/games/{ID}/proof").json()["key"] == listed[0]["key"]
        (folder / "keys.json").write_bytes(httpx.get(f"{servers[0]}/v1/keys").content)
    assert read(new_file.splitlines()).file.key == listed[0]["public"]
    for name, content in (("old", old_file), ("new", new_file)):
        (folder / name).write_bytes(content)
    old, new, listing = (str(folder / name) for name in ("old", "new", "keys.json"))
    # With either key noted, either file is believed: the newer one by itself, the older one with the list of keys.
    for key in listed:
        assert told("verify", new, "--key", key["key"], temporary=folder).endswith("Proven.\n")
        assert told("verify", old, "--key", key["key"], "--keys", listing, temporary=folder).endswith("Proven.\n")
        done = subprocess.run([sys.executable, VERIFY, new, key["public"]], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
    assert told("verify", old, "--key", listed[1]["key"], temporary=folder).endswith("Proven.\n")
    told("verify", old, "--key", listed[0]["key"], temporary=folder, code=1)
    # The database knows all keys.
    assert "1 proven" in told("verify", "--all", url, "--key", before["key"], temporary=folder)

    since = f"{GAME[-1].recorded_at:%Y-%m-%dT%H:%M:%SZ}"
    revoked = told(
        "keys", "--revoke", before["key"], "--since", since, "--json", "--database-url", url, temporary=folder
    )
    (folder / "keys.json").write_text(revoked)
    assert json.loads(revoked)["keys"][1]["revoked"]["since"] == since
    said = told("verify", old, "--keys", listing, temporary=folder, code=1)
    assert f"its key is revoked since {since}" in said
    assert "but does not match what you asked for" in said
    said = told("verify", new, "--keys", listing, "--key", before["key"], temporary=folder, code=1)
    assert f"key {before['key']} was revoked before another followed on it" in said
    assert told("verify", new, "--keys", listing, "--key", listed[0]["key"], temporary=folder).endswith("Proven.\n")


async def test_bad_usage_is_told_in_a_sentence(database: str, tmp_path: Path) -> None:
    url = await with_a_game(database)

    def tell() -> None:
        said = told("keys", "--revoke", "aa", "--database-url", url, temporary=tmp_path, code=2)
        assert "Give --revoke and --since together." in said
        when = ("--since", "2026-01-01T00:00:00Z")
        assert "Error: There is no key aa.\n" in told(
            "keys", "--revoke", "aa", *when, "--database-url", url, temporary=tmp_path, code=1
        )
        (tmp_path / "keys.json").write_text('{"keys": [{}]}')
        listing = str(tmp_path / "keys.json")
        said = told("verify", url, "--keys", listing, temporary=tmp_path, code=2)
        assert "these are not keys in the format of GET /v1/keys" in said

    await asyncio.to_thread(tell)
