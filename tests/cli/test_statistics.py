"""``statistics``: of one game from a file, and of all games of a database."""

import json
import re
from pathlib import Path
from urllib.parse import urlencode
from uuid import UUID

import pytest
from click.testing import CliRunner
from psycopg.conninfo import conninfo_to_dict

from mcmulti.cli import cli
from mcmulti.events.ports.game_index import TableRow
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.store.game_file import lines, record_of
from mcmulti.events.store.history import PAGE
from mcmulti.projections.labels import STATISTICS
from tests.api.owner import DAMAGES, Owner
from tests.cli.command import running
from tests.games import CALLED, random_game
from tests.golden.games import load

GAME = load(Path(__file__).parents[1] / "golden" / "four-players.jsonl")


@pytest.fixture
def game_file(tmp_path: Path) -> str:
    """A finished game of four in a file."""
    file = tmp_path / "game.ndjson"
    file.write_bytes(b"".join(lines(record_of(GAME))))
    return str(file)


def address(database: str) -> str:
    """The connection as a URL."""
    where = conninfo_to_dict(database)
    name = where.pop("dbname")
    return f"postgresql:///{name}?{urlencode(where)}"


def printed(*arguments: str, folder: Path, code: int = 0) -> str:
    """Standard output of a process, or standard error of one that fails. The other one must be empty."""
    with running("statistics", *arguments, temporary=folder) as command:
        assert command.code() == code, command.said
        assert bool(command.said) == bool(code)
        return command.printed if code == 0 else command.said


def invoked(*arguments: str, code: int = 0) -> str:
    """The output of the command in this process, at eighty columns."""
    result = CliRunner(env={"COLUMNS": "80"}).invoke(cli, ["statistics", *arguments])
    assert result.exit_code == code, result.output
    return result.output


def test_a_game_in_tables_of_eighty_columns(game_file: str) -> None:
    """Player 4 declared and won. Each began with 200; the cash at the end is from the last event."""
    shown = invoked(game_file)
    assert shown.startswith(f"Game {GAME[0].game_id}, finished: ")
    assert all(len(line) <= 80 for line in shown.splitlines()[1:])
    assert "Ended by seat 2, won by seat 2." in shown
    finished = next(json.loads(event.data) for event in GAME if event.type == "GameFinished")
    cash = {standing["seat"]: standing["cash"] for standing in finished["standings"]}
    row = re.search(r"^ +cash +(.+?) *$", shown, re.MULTILINE)
    assert row
    assert [int(amount.replace(",", "")) for amount in row[1].split()] == [cash[seat] for seat in range(4)]
    assert re.search(r"^ +start( +\+200){4} *$", shown, re.MULTILINE)


def test_a_game_by_post_in_tables_of_eighty_columns(tmp_path: Path) -> None:
    """The cash at the end, and the winner, are from the last standings."""
    events = load(Path(__file__).parents[1] / "golden" / "by-post-pumps.jsonl")
    file = tmp_path / "game"
    file.write_bytes(b"".join(lines(record_of(events))))
    shown = invoked(str(file))
    finished = next(json.loads(event.data) for event in events if event.type == "GameFinished")
    (winner,) = finished["winners"]
    assert f"Ended by seat {winner + 1}, won by seat {winner + 1}." in shown
    assert all(len(line) <= 80 for line in shown.splitlines()[1:])
    row = re.search(r"^ +cash +(.+?) *$", shown, re.MULTILINE)
    assert row is not None
    cash = {standing["seat"]: standing["cash"] for standing in finished["standings"]}
    assert [int(figure.replace(",", "")) for figure in row[1].split()] == [cash[seat] for seat in range(4)]


def test_a_game_and_all_games_in_german(game_file: str) -> None:
    """Words, decimal commas, and points between thousands are German, and the tables still fit."""
    shown, english = invoked(game_file, "--language", "de"), invoked(game_file)
    assert shown.startswith(f"Spiel {GAME[0].game_id}, beendet: ")
    assert "Beendet von Platz 2, gewonnen von Platz 2." in shown
    assert all(len(line) <= 80 for line in shown.splitlines()[1:])
    assert "Würfel (p: wie oft faire Würfel so ungleich fallen)" in shown
    events = f"{len(GAME):,}"
    assert f" {events} events" in english
    assert f" {events.replace(',', '.')} Ereignisse" in shown
    cash = re.search(r"^ +Kasse +(.+?) *$", shown, re.MULTILINE)
    money = re.search(r"^ +cash +(.+?) *$", english, re.MULTILINE)
    assert cash
    assert money
    assert cash[1].split() == money[1].replace(",", ".").split()
    assert not re.search(r"\b(player|turns|rolls|games|average)\b", shown)


def test_statistics_say_the_same_in_both_languages() -> None:
    assert STATISTICS["en"].said.keys() == STATISTICS["de"].said.keys()


def test_a_game_as_json(game_file: str) -> None:
    found = json.loads(invoked(game_file, "--json"))
    assert (found["events"], found["declared_by"], found["status"]) == (len(GAME), 1, "finished")
    assert [die["die"] for die in found["dice"]] == ["start", "red", "black", "green", "all"]


async def test_all_games_of_a_database_with_their_strategies(database: str, tmp_path: Path) -> None:
    """Three finished games and a running one. The seats of Player 1 play "first", all others play "rest"."""
    games = [random_game(2, 21), random_game(3, 22), random_game(4, 23), random_game(2, 24)[:200]]
    async with PostgresLog.open(database) as log:
        await log.keep_names({UUID(player): name for player, name in CALLED.items()})
        for number, game in enumerate(games):
            stands = TableRow("running" if number == 3 else "finished")
            await log.create(game[0].game_id, "mcmulti", 1, stands, bytes(32), game)
    strategies = ("--strategies", "player 1=first,PLAYER *=rest")
    found = json.loads(printed(address(database), "--all", "--json", *strategies, folder=tmp_path))
    assert (found["games"], found["events"], found["unreadable"]) == (4, sum(map(len, games)), 0)
    (ruleset,) = found["rulesets"]
    assert {(game["players"], game["status"]) for game in ruleset["games"]} == {
        (2, "finished"),
        (2, "running"),
        (3, "finished"),
        (4, "finished"),
    }
    seats = {strategy["strategy"]: strategy["seats"] for strategy in ruleset["strategies"]}
    assert seats == {"first": 3, "rest": 1 + 2 + 3}
    shown = printed(address(database), "--all", folder=tmp_path)
    assert shown.startswith(f"4 games, {sum(map(len, games)):,} events.")
    assert re.search(r"^ +Player 1 +3 +\d", shown, re.MULTILINE)
    assert all(len(line) <= 80 for line in shown.splitlines())


async def test_damaged_games_are_told_of_and_passed_over(database: str, tmp_path: Path) -> None:
    """This holds for any damage to its rows, and for damage after pages that were counted already."""
    games = {name: random_game(2, 30 + number) for number, name in enumerate(DAMAGES)}
    late, sound = random_game(3, 22), random_game(2, 21)
    assert len(late) > PAGE
    async with PostgresLog.open(database) as log:
        for game in (*games.values(), late, sound):
            await log.create(game[0].game_id, "mcmulti", 1, TableRow("finished"), bytes(32), game)
    owner = Owner(database)
    for name, game in games.items():
        owner.do(DAMAGES[name], game=game[0].game_id)
    owner.do("DELETE FROM event WHERE game_id = %(game)s AND seq = %(seq)s", game=late[0].game_id, seq=len(late) - 1)
    with running("statistics", address(database), "--all", "--json", temporary=tmp_path) as command:
        assert command.code() == 0, command.said
        found, told = json.loads(command.printed), command.said
    assert (found["games"], found["damaged"], found["unreadable"]) == (len(DAMAGES) + 2, len(DAMAGES) + 1, 0)
    (counted,) = found["rulesets"]
    assert [(game["players"], game["games"]) for game in counted["games"]] == [(2, 1)]
    assert counted["events"]["mean"] == len(sound)
    for game in (*games.values(), late):
        assert f"Game {game[0].game_id} is damaged: " in told
    assert str(sound[0].game_id) not in told
    with running("statistics", address(database), "--all", temporary=tmp_path) as command:
        assert command.code() == 0
        assert command.printed.startswith(f"{len(DAMAGES) + 2} games, of which {len(DAMAGES) + 1} are damaged, ")


async def test_a_database_without_games(database: str, tmp_path: Path) -> None:
    assert printed(address(database), "--all", folder=tmp_path) == "0 games, 0 events.\n"
    assert "There is no game in" in printed(address(database), folder=tmp_path, code=1)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("x", "--all", "--game", "00000000-0000-4000-8000-000000000059"), "Give either --game or --all, not both."),
        (("x", "--strategies", "a=b"), "--strategies needs --all."),
        (("http://localhost:1", "--all"), "--all works only with a folder or a database."),
        (("x", "--all", "--strategies", "amber"), "'amber' must look like amber=tycoon"),
        (("x", "--all", "--strategies", "a=b,"), "'a=b,' must look like amber=tycoon"),
        (("x", "--game", "7"), "'7' is not a valid UUID"),
        ((), "Missing argument 'SOURCE'"),
    ],
)
def test_bad_usage_is_refused(arguments: tuple[str, ...], reason: str) -> None:
    assert reason in invoked(*arguments, code=2)


def test_a_game_of_rules_that_nobody_knows_is_not_counted(game_file: str) -> None:
    content = Path(game_file).read_bytes()
    Path(game_file).write_bytes(content.replace(b'"ruleset":"mcmulti"', b'"ruleset":"chess"'))
    assert "Error: " in invoked(game_file, code=1)
