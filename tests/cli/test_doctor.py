"""`mcmulti doctor`: what it finds in an installation, and that it changes nothing."""

import asyncio
import json
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from msgspec.structs import replace

from mcmulti.api.telling.ladder import LadderBoard
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.embedded.server import major
from mcmulti.events.log.codec import fold
from mcmulti.events.log.envelope import Head
from mcmulti.events.log.snapshot import taken
from mcmulti.events.ports.accounts import Player, first_token
from mcmulti.events.ports.event_store import signed
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.store.names import name_key, name_skeleton
from mcmulti.events.store.standing import retraced, tenures
from mcmulti.referee.referee import Referee
from mcmulti.referee.scrubber import Scrubber
from tests.api.owner import DAMAGES
from tests.cli.command import running
from tests.cli.proving import GAME, ID, address_of
from tests.docs.manual import page
from tests.golden.games import FILES, load, seed_of

OTHER = load(next(file for file in FILES if file.stem == "four-players"))


async def examined(source: tuple[str, ...], folder: Path, *options: str) -> tuple[int, list[str]]:
    def examine() -> tuple[int, list[str]]:
        with running("doctor", *source, *options, temporary=folder) as command:
            code = command.code()
            assert "Traceback" not in command.said
            return code, (command.printed + command.said).splitlines()

    return await asyncio.to_thread(examine)


async def two_games(database: str) -> None:
    async with PostgresLog.open(database) as log:
        for events in (GAME, OTHER):
            stands, played = retraced(RULESET, events), tenures(RULESET, events)
            await log.create(
                events[0].game_id, RULESET.name, RULESET.version, stands, seed_of(events), events, tenures=played
            )


async def test_an_installation_that_is_as_it_should_be(database: str, tmp_path: Path) -> None:
    await two_games(database)
    code, found = await examined(("--database-url", address_of(database)), tmp_path)
    assert code == 0
    assert [line[0] for line in found if line[0] not in "·!"] == ["✓", "✓", "✓", "✓", "✓", "✓"]
    events = len(GAME) + len(OTHER)
    assert f"✓ games whose {events:,} events form intact chains: 2 finished; damaged: 0" in found
    assert "· all games live on this PostgreSQL" in found
    assert "· deadlines that passed more than a minute ago and were not handled: 0" in found


async def test_it_speaks_german(database: str, tmp_path: Path) -> None:
    await two_games(database)
    code, found = await examined(("--database-url", address_of(database)), tmp_path, "--language", "de")
    assert code == 0
    events = f"{len(GAME) + len(OTHER):,}".replace(",", ".")
    assert f"✓ Spiele, deren {events} Ereignisse zusammenhängen: 2 beendet; beschädigt: 0" in found
    assert "· Fristen, die seit über einer Minute vorbei sind und nicht eingehalten wurden: 0" in found
    assert not [line for line in found if "games" in line or "database" in line]


async def test_what_is_worth_a_look_is_marked_and_fails_nothing(database: str, tmp_path: Path) -> None:
    """A game by post with an overdue round, and a superfluous snapshot."""
    await two_games(database)
    whole = load(next(file for file in FILES if file.stem == "by-post-sales"))
    begun, seed = whole[:10], seed_of(whole)
    async with PostgresLog.open(database) as log:
        stands, played = retraced(CURRENT["postal"], begun), tenures(CURRENT["postal"], begun)
        await log.create(begun[0].game_id, "postal", 1, stands, seed, begun, tenures=played)
        key, head = await log.digest_key(), Head(1, GAME[0].hash)
        kept = taken(key, GAME[0].game_id, RULESET, fold(RULESET, GAME[:1]), head)
        await log.keep_snapshots(GAME[0].game_id, [kept])
    code, found = await examined(("--database-url", address_of(database)), tmp_path)
    assert code == 0
    (overdue,) = [line for line in found if "deadlines" in line]
    assert overdue.startswith(
        "! deadlines that passed more than a minute ago and were not handled: 1: start a server to handle them"
    )
    assert any(line.startswith("· 1 snapshots speed up reading") for line in found)


async def test_advice_stands_apart_for_programs(empty_database: str, tmp_path: Path) -> None:
    code, found = await examined(("--database-url", address_of(empty_database)), tmp_path, "--json")
    assert code == 1
    wrong = [one for one in map(json.loads, found) if one["sound"] is False]
    assert [sorted(one) for one in wrong] == [["advice", "sound", "what"]]
    assert wrong[0]["advice"].startswith("mcmulti migrate would do: ")


async def test_settings_that_could_cost_games_are_told(database: str, tmp_path: Path) -> None:
    name = psycopg.conninfo.conninfo_to_dict(database)["dbname"]
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute(f'ALTER DATABASE "{name}" SET synchronous_commit = off'.encode())
    code, found = await examined(("--database-url", address_of(database)), tmp_path)
    assert code == 1
    assert [line for line in found if line.startswith("✗")] == [
        "✗ synchronous_commit is off, so a crash can lose or destroy confirmed games: turn it on"
    ]


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
async def test_a_damaged_game_is_found_and_named_among_the_others(damage: str, database: str, tmp_path: Path) -> None:
    await two_games(database)
    with psycopg.connect(database) as owner:
        owner.execute(damage, {"game": UUID(ID)})
    code, found = await examined(("--database-url", address_of(database)), tmp_path, "--json")
    assert code == 1
    findings = [json.loads(line) for line in found]
    (wrong,) = [finding for finding in findings if finding.get("game")]
    assert (wrong["game"], wrong["sound"]) == (ID, False)
    assert f"{len(OTHER):,} events form intact chains: 1 finished; damaged: 1" in findings[-2]["what"]


BESIDE = {
    "the seed was changed": (
        "UPDATE secret SET seed = sha256(seed) WHERE game_id = %(game)s",
        "its seed does not match",
    ),
    "the seed was deleted": ("DELETE FROM secret WHERE game_id = %(game)s", "its seed is missing"),
    "the log was cut, and its head set back": (
        """WITH gone AS (DELETE FROM event WHERE game_id = %(game)s AND seq > 20)
        UPDATE game SET head_seq = 20, head_hash = (SELECT hash FROM event WHERE game_id = %(game)s AND seq = 20)
        WHERE id = %(game)s""",
        "it ends at event 20, but was checked up to event ",
    ),
    "a snapshot was changed": (
        "UPDATE snapshot SET state = set_byte(state, 40, 255 - get_byte(state, 40)) WHERE game_id = %(game)s",
        "the snapshot of game ",
    ),
    "a snapshot is another game's": (
        "UPDATE snapshot SET game_id = %(game)s WHERE game_id = %(other)s",
        "the snapshot of game ",
    ),
    "a receipt was changed": (
        "UPDATE receipt SET request_hash = sha256(request_hash) WHERE game_id = %(game)s",
        "the receipt of game ",
    ),
    "a receipt leads elsewhere": ("UPDATE receipt SET seq = seq - 1 WHERE game_id = %(game)s", "the receipt of game "),
    "a receipt has no events": (
        """WITH gone AS (DELETE FROM event WHERE game_id = %(game)s AND seq > 20), unchecked AS (DELETE FROM checked)
        UPDATE game SET head_seq = 20, head_hash = (SELECT hash FROM event WHERE game_id = %(game)s AND seq = 20)
        WHERE id = %(game)s""",
        "has a receipt for event 30, which no longer exists",
    ),
    "a seat row was changed": (
        """UPDATE seat SET player_id = gen_random_uuid()
        WHERE game_id = %(game)s AND player_id = (SELECT players[1] FROM game WHERE id = %(game)s)""",
        "the seat rows of game ",
    ),
    "a seat row was deleted": ("DELETE FROM seat WHERE game_id = %(game)s", "the seat rows of game "),
    "a player row was changed": ("UPDATE player SET name = 'Ben'", "is listed under a wrong name"),
    "the index entry was changed": ("UPDATE game SET to_move = '{2}' WHERE id = %(game)s", "does not match its log"),
    "a result was changed": ("UPDATE tenure SET missed = 3 WHERE game_id = %(game)s", "does not match its log"),
    "a result was deleted": ("DELETE FROM tenure WHERE game_id = %(game)s", "does not match its log"),
    "the stored ladder was changed": (
        "UPDATE ladder SET state = set_byte(state, 20, 255 - get_byte(state, 20))",
        "the stored ladder is not what the rated games lead to",
    ),
    "a stored rating was changed": (
        "UPDATE assessment SET assessment = set_byte(assessment, 17, 255 - get_byte(assessment, 17))",
        "the stored rating of game ",
    ),
    "a stored rating was deleted": ("DELETE FROM assessment", "the stored rating of game "),
}
"""Kinds of damage to rows beside events: SQL, and the expected finding."""


@pytest.mark.parametrize(("damage", "said"), BESIDE.values(), ids=BESIDE)
async def test_damage_beside_the_events_is_found(damage: str, said: str, database: str, tmp_path: Path) -> None:
    source, game_id = ("--database-url", address_of(database)), GAME[0].game_id
    await with_rows_beside(database)
    with psycopg.connect(database) as owner:
        if "other" in damage:
            owner.execute("DELETE FROM snapshot WHERE game_id = %s", [game_id])
        owner.execute(damage.encode(), {"game": game_id, "other": OTHER[0].game_id})
    code, found = await examined(source, tmp_path)
    assert (code, [line for line in found if line.startswith("✗") and said in line] != []) == (1, True), found
    if any(what in damage for what in ("snapshot", "tenure", "ladder", "assessment", "to_move")):
        assert (await examined(source, tmp_path, "--mend"))[0] == 0
        assert (await examined(source, tmp_path))[0] == 0


async def test_rows_beside_the_events_are_sound(database: str, tmp_path: Path) -> None:
    """Before any of these kinds of damage."""
    await with_rows_beside(database)
    code, found = await examined(("--database-url", address_of(database)), tmp_path)
    assert (code, [line for line in found if line.startswith("✗")]) == (0, [])


async def with_rows_beside(database: str) -> None:
    """Two games.

    The first was checked when it was complete, is rated, and has a snapshot and a receipt of its event 30.
    """
    await two_games(database)
    game_id = GAME[0].game_id
    async with PostgresLog.open(database, pool_size=1) as log:
        await log.add_player(Player(UUID(int=1), "Ann"), first_token(GAME[0].recorded_at), bytes(32))
        await Scrubber(Referee(log), log, share=1).check(game_id)
        for events in (GAME, OTHER):
            head, key = Head(7, events[6].hash), await log.digest_key()
            kept = taken(key, events[0].game_id, RULESET, fold(RULESET, events[:7]), head)
            await log.keep_snapshots(events[0].game_id, [kept])
    receipt = signed(key, game_id, UUID(int=1), "a key", bytes(32), 28, 30)
    with psycopg.connect(database) as owner:
        owner.execute(
            """INSERT INTO receipt (game_id, player_id, key, request_hash, after_seq, seq, digest)
            VALUES (%s, %s, %s, %s, %s, %s, %s)""",
            [game_id, *receipt],
        )
        owner.execute("UPDATE game SET rated = true WHERE id = %s", [game_id])
    async with PostgresLog.open(database, pool_size=1) as log:
        await LadderBoard(log, Referee(log)).rebuild()


UNFOUND = {
    "a receipt was deleted": "DELETE FROM receipt",
    "a snapshot was deleted": "DELETE FROM snapshot",
    "the record of a check was deleted": "DELETE FROM checked",
    "a whole game was deleted": """WITH a AS (DELETE FROM event WHERE game_id = %(other)s),
        b AS (DELETE FROM secret WHERE game_id = %(other)s), c AS (DELETE FROM seat WHERE game_id = %(other)s),
        d AS (DELETE FROM tenure WHERE game_id = %(other)s) DELETE FROM game WHERE id = %(other)s""",
    "a player was renamed with its keys": """UPDATE player
        SET name = 'Zoe', name_key = %(key)s, name_skeleton = %(look)s""",
    "a token was changed": "UPDATE token SET scopes = '{read}', expires_at = now()",
}
"""Nothing else in the database contradicts it."""
CUT = "a log was cut, and all that knew its end was made again"


async def test_what_nothing_contradicts_is_not_found(database: str, tmp_path: Path) -> None:
    source = ("--database-url", address_of(database))
    await with_rows_beside(database)
    named = {"game": GAME[0].game_id, "other": OTHER[0].game_id, "key": name_key("Zoe"), "look": name_skeleton("Zoe")}
    with psycopg.connect(database) as owner:
        for damage in UNFOUND.values():
            assert owner.execute(damage.encode(), named).rowcount > 0, damage
    code, found = await examined(source, tmp_path)
    assert (code, [line for line in found if line.startswith("✗")]) == (0, [])
    with psycopg.connect(database) as owner:
        owner.execute(BESIDE["a receipt has no events"][0].encode(), named)
    assert (await examined(source, tmp_path, "--mend"))[0] == 0
    code, found = await examined(source, tmp_path)
    assert (code, [line for line in found if line.startswith("✗")]) == (0, [])


def test_the_manual_lists_what_is_found_and_what_is_not() -> None:
    found, unfound = page("reference/damage").split("## Not found")
    assert _listed(found) == {*DAMAGES, *BESIDE, "a deadline was deleted"}
    assert _listed(unfound) == {*UNFOUND, CUT}


def _listed(text: str) -> set[str]:
    """The first cells of a table's rows."""
    rows = [line.split("|")[1].strip() for line in text.splitlines() if line.startswith("| ")]
    return set(rows) - {"damage"}


async def test_a_game_that_is_listed_otherwise_than_it_stands_is_put_right_if_asked(
    database: str, tmp_path: Path
) -> None:
    await two_games(database)
    source = ("--database-url", address_of(database))
    with psycopg.connect(database) as owner:
        owner.execute("UPDATE game SET to_move = '{2}', winners = NULL WHERE id = %s", [ID])
    about = f"the index entry of game {ID} (mcmulti 1) does not match its log"
    code, found = await examined(source, tmp_path)
    assert (code, [line for line in found if line.startswith("✗")]) == (
        1,
        [f"✗ {about}: mcmulti doctor --mend repairs it"],
    )
    code, found = await examined(source, tmp_path, "--mend")
    assert (code, [line for line in found if ID in line]) == (0, [f"! {about}: it was repaired"])
    code, found = await examined(source, tmp_path)
    assert (code, [line for line in found if ID in line]) == (0, [])


@pytest.mark.parametrize(
    "wrong",
    [
        "UPDATE tenure SET result = 'lost', missed = 3 WHERE game_id = %(game)s",
        "DELETE FROM tenure WHERE game_id = %(game)s",
        "UPDATE tenure SET player_id = gen_random_uuid() WHERE game_id = %(game)s AND result = 'lost'",
    ],
)
async def test_who_played_a_game_is_made_anew_from_its_events(wrong: str, database: str, tmp_path: Path) -> None:
    """This also covers games that are older than this record."""
    await two_games(database)
    source = ("--database-url", address_of(database))
    async with PostgresLog.open(database, pool_size=1) as log:
        right = await log.tenures_at(GAME[0].game_id)
        with psycopg.connect(database) as owner:
            owner.execute(wrong.encode(), {"game": ID})
        code, found = await examined(source, tmp_path)
        assert (code, len([line for line in found if line.startswith("✗") and ID in line])) == (1, 1)
        assert (await examined(source, tmp_path, "--mend"))[0] == 0
        assert set(await log.tenures_at(GAME[0].game_id)) == set(right)
    assert (await examined(source, tmp_path))[0] == 0


async def test_who_was_erased_is_not_missed_among_those_who_played(database: str, tmp_path: Path) -> None:
    await two_games(database)
    async with PostgresLog.open(database, pool_size=1) as log:
        player, other = await log.tenures_at(GAME[0].game_id)
        await log.add_player(Player(player.player_id, "Ann"), first_token(GAME[0].recorded_at), bytes(32))
        await log.erase(player.player_id)
        assert (await examined(("--database-url", address_of(database)), tmp_path, "--mend"))[0] == 0
        assert await log.tenures_at(GAME[0].game_id) == [other]


async def test_a_deadline_that_was_lost_begins_anew(database: str, tmp_path: Path) -> None:
    """Nobody knows when it was set. The players get the full time again, and are not timed out at once."""
    whole = load(next(file for file in FILES if file.stem == "by-post-sales"))
    begun, seed = whole[:10], seed_of(whole)
    ruleset, game_id = CURRENT["postal"], begun[0].game_id
    async with PostgresLog.open(database, pool_size=1) as log:
        stands, played = replace(retraced(ruleset, begun), deadline=None), tenures(ruleset, begun)
        await log.create(game_id, "postal", 1, stands, seed, begun, tenures=played)
        before = await log.now()
        code, found = await examined(("--database-url", address_of(database)), tmp_path, "--mend")
        assert (code, [line[0] for line in found if str(game_id) in line]) == (0, ["!"])
        hours = timedelta(hours=fold(ruleset, begun).setup.round_hours)
        assert before + hours <= ((await log.game(game_id)).deadline or before) <= await log.now() + hours
        assert await log.due(await log.now(), 1) == []


async def test_a_database_that_is_not_up_to_date_is_told_and_left_as_it_is(empty_database: str, tmp_path: Path) -> None:
    for _ in range(2):
        code, found = await examined(("--database-url", address_of(empty_database)), tmp_path)
        assert code == 1
        wrong, would_do = found[-1].split(": mcmulti migrate would do: ")
        assert wrong == "✗ the database does not match this build"
        assert would_do.startswith("0001_schema")


async def test_a_database_that_does_not_answer_is_told_without_its_password(tmp_path: Path) -> None:
    url = "postgresql://ada:sesame@127.0.0.1:1/games"
    code, found = await examined(("--database-url", url), tmp_path)
    assert code == 1
    assert found[-1] == "✗ the database is not responding"
    assert "sesame" not in "".join(found)


async def test_a_folder_is_looked_at_while_a_server_is_at_work_in_it(tmp_path: Path) -> None:
    folder = str(tmp_path / "data")
    code, found = await examined(("--folder", folder), tmp_path)
    assert (code, found[-1]) == (1, f"Error: There are no games in {folder} yet.")

    def beside_a_server() -> tuple[int, str]:
        with running("serve", "--folder", folder, "--port", "0", temporary=tmp_path) as server:
            server.line("Serving at ")
            with running("doctor", "--folder", folder, temporary=tmp_path) as command:
                return command.code(), command.printed

    code, printed = await asyncio.to_thread(beside_a_server)
    assert "GiB are free on the disk that holds" in printed
    assert f"MiB of PostgreSQL {major()}" in printed
    assert "games whose 0 events form intact chains: none; damaged: 0" in printed
