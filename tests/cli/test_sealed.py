"""Commands about a running game by post, as a server shows it to a spectator: its sheets are sealed."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from mcmulti.cli import main
from mcmulti.domain.core.commands import StartGame, TakeSeat
from mcmulti.domain.postal.commands import SubmitOrders, WithdrawOrders
from mcmulti.domain.postal.conditions.conditions import PriceIs
from mcmulti.domain.postal.sheets.sheet import IfTrade, OrderSheet, SellAtPumps, SellBarrelsOrder
from mcmulti.domain.postal.state import PostalSetup
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log.codec import fold
from mcmulti.events.log.envelope import START, Head, Recorded
from mcmulti.events.log.positions import Position
from mcmulti.events.log.signing import SigningKey
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.game_index import TableRow
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.store.game_file import lines, read, record_of
from mcmulti.events.store.redaction import for_onlookers, for_reader
from mcmulti.referee.referee import Referee
from tests.cli.proving import address_of

SENTENCE = "Shown without the content of {number} events, sealed until the game is over.\n"
SECRET, REACHED = 973, 975
"""A price that stays sealed, and one in a line that was reached."""


def sale(price: int) -> SellBarrelsOrder:
    return SellBarrelsOrder("foreign", "crude", 1, not_below=price)


@pytest.fixture
async def played() -> Sequence[Recorded]:
    """A game by post after one round, with two sheets in for the second.

    In round 1, Ada replaced her sheet and Ben withdrew his. One branch of Ada's last sheet was taken, and another was
    not.
    """
    log = MemoryLog()
    referee = Referee(log)
    game = (await referee.open(CURRENT["postal"], PostalSetup())).position.game_id
    players = [Player(UUID(int=number + 1), name) for number, name in enumerate(("Ada", "Ben", "Cleo", "Dan"))]
    for player in players:
        await referee.command(game, player, [TakeSeat(str(player.player_id))])
    await referee.command(game, players[0], [StartGame()])
    asked = PriceIs(at_least=1, deal="sell", market="foreign", good="crude")
    branches = OrderSheet(trades=(IfTrade(asked, (sale(REACHED),), (sale(SECRET),)),), pumps=SellAtPumps(SECRET))
    for player, sheet in zip(players[:2], (OrderSheet(trades=(sale(SECRET),)),) * 2, strict=True):
        await referee.command(game, player, [SubmitOrders(1, sheet)])
    await referee.command(game, players[1], [WithdrawOrders(1)])
    for player in players:
        await referee.command(game, player, [SubmitOrders(1, branches if player.name == "Ada" else OrderSheet())])
    for player in players[:2]:
        await referee.command(game, player, [SubmitOrders(2, OrderSheet(trades=(sale(SECRET),)))])
    return await log.read(game)


@pytest.fixture
def file(played: Sequence[Recorded], tmp_path: Path) -> Path:
    """What a server shows a spectator of it."""
    now = Position(played[0].game_id, CURRENT["postal"], fold(CURRENT["postal"], played), START)
    now = now._replace(head=Head(played[-1].seq, played[-1].hash))
    path = tmp_path / "game.mcmulti.jsonl"
    path.write_bytes(b"".join(lines(record_of(for_reader(now, None, played), SigningKey(bytes(32))))))
    return path


@pytest.fixture
async def kept(played: Sequence[Recorded], database: str) -> str:
    """The address of a database with the game."""
    async with PostgresLog.open(database) as log:
        await log.create(played[0].game_id, "postal", 1, TableRow("running"), bytes(32), played)
        await log.signer(bytes(32))
    return address_of(database)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run `mcmulti` with these arguments. Return the exit code, standard output, and standard error."""

    def run(*arguments: object) -> tuple[Any, str, str]:
        capsys.readouterr()  # earlier output is not the command's
        monkeypatch.setattr("sys.argv", ["mcmulti", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        return ended.value.code or 0, *capsys.readouterr()

    return run


def sealed_in(file: Path) -> Sequence[int]:
    """The numbers of the sealed events: six sheets of round 1, and two of round 2, which end the log."""
    events = read(file.read_bytes().splitlines()).events
    found = [event.seq for event in events if event.payload]
    assert found == [event.seq for event in events if event.type == "OrdersSubmitted"]
    assert (len(found), found[-1]) == (8, len(events))
    return found


@pytest.mark.parametrize(
    "arguments",
    [
        ("replay", "--plain"),
        ("replay", "--json"),
        ("replay", "--by", "turn"),
        ("replay", "--at", "16"),
        ("report",),
        ("report", "--round", "1", "--language", "de", "--format", "markdown"),
        ("report", "--format", "json"),
        ("audit",),
        ("audit", "--account", "seat:0:cash"),
        ("statistics",),
        ("statistics", "--json"),
        ("export", "--format", "csv", "--output", "-"),
        ("export", "--format", "hledger", "--output", "-"),
        ("export", "--format", "beancount", "--output", "-"),
    ],
    ids=" ".join,
)
def test_a_command_goes_on_behind_what_is_sealed_says_so_and_tells_none_of_it(
    run: Any, file: Path, arguments: tuple[str, ...]
) -> None:
    code, printed, said = run(arguments[0], file, *arguments[1:])
    assert code == 0
    assert printed.strip()
    assert said == SENTENCE.format(number=len(sealed_in(file)))
    told = printed.replace(str(file), "")
    assert not re.search(rf"\b{SECRET}(M|\b)", told)
    if arguments[0] in ("report", "replay") and "--at" not in arguments:
        assert re.search(rf"\b{REACHED}(M|\b)", told)


def test_the_story_goes_to_the_end_and_has_no_data_for_what_is_sealed(run: Any, file: Path) -> None:
    sealed = sealed_in(file)
    _, printed, _ = run("replay", file, "--json")
    frames = [json.loads(line) for line in printed.splitlines()]
    assert [frame["seq"] for frame in frames] == list(range(1, sealed[-1] + 1))
    without = [told["seq"] for frame in frames for told in frame["happened"] if "data" not in told]
    assert without == sealed
    _, printed, _ = run("replay", file, "--plain", "--from", sealed[-1])
    assert "Seat 2 sends a sealed order sheet." in printed


def test_the_chain_is_proven_to_the_end(run: Any, file: Path) -> None:
    first, *_, last = sealed_in(file)
    code, printed, said = run("verify", file)
    assert (code, said) == (0, "")
    assert f"{last} events, each hashed over the one before it" in printed
    assert f"from event {first} on only by hashes and books, because it is sealed" in printed
    assert f"head {last}-" in printed
    assert "Sound so far." in printed
    code, printed, _ = run("verify", file, "--json")
    verdict = json.loads(printed)
    assert (code, verdict["sound"], verdict["proven"]) == (0, True, False)
    assert (verdict["proof"]["sealed"], verdict["proof"]["seq"]) == (first, last)


def test_a_sealed_event_that_was_changed_breaks_the_chain(run: Any, file: Path) -> None:
    """Wrong digests, such as another sheet's, are found although nobody can read the sheet."""
    first = sealed_in(file)[0]
    written = file.read_text().splitlines(keepends=True)
    payload = json.loads(written[first])["payload"]
    written[first] = written[first].replace(payload, payload[::-1])
    file.write_text("".join(written))
    code, printed, _ = run("verify", file)
    assert code == 1
    assert f"event {first} was changed" in printed


def test_a_game_file_keeps_its_seals(run: Any, file: Path, tmp_path: Path) -> None:
    code, _, said = run("export", file, "--output", tmp_path / "copy")
    assert (code, said) == (0, "")
    copy, original = (read(path.read_bytes().splitlines()) for path in (tmp_path / "copy", file))
    assert copy == original


def test_from_a_database_the_same_is_exported_as_from_a_server(run: Any, file: Path, kept: str, tmp_path: Path) -> None:
    code, _, said = run("export", kept, "--output", tmp_path / "copy")
    assert (code, said) == (0, "")
    assert (tmp_path / "copy").read_bytes() == file.read_bytes()


def test_its_owner_may_ask_for_all_of_it(run: Any, played: Sequence[Recorded], kept: str, tmp_path: Path) -> None:
    code, _, _ = run("export", kept, "--as-owner", "--output", tmp_path / "copy")
    assert code == 0
    assert read((tmp_path / "copy").read_bytes().splitlines()).events == played
    code, printed, _ = run("verify", kept)
    assert code == 0
    assert "is sealed" not in printed


def test_a_server_knows_no_owner(run: Any) -> None:
    code, _, said = run("export", "http://127.0.0.1:1", "--as-owner")
    assert code == 2
    assert "--as-owner needs a folder or a database" in said


@pytest.mark.parametrize("arguments", [("replay", "--json"), ("report", "--format", "json"), ("audit",)], ids=" ".join)
def test_commands_tell_nothing_that_is_sealed_of_a_game_in_a_database(
    run: Any, file: Path, kept: str, arguments: tuple[str, ...]
) -> None:
    code, printed, said = run(arguments[0], kept, *arguments[1:])
    assert (code, said) == (0, SENTENCE.format(number=len(sealed_in(file))))
    assert not re.search(rf"\b{SECRET}(M|\b)", printed)


def test_of_a_damaged_game_everything_is_sealed_that_ever_is(file: Path, played: Sequence[Recorded]) -> None:
    """Its last round is missing from the middle, so nobody knows what may be shown."""
    damaged = [event for event in played if event.type != "RoundBegan"]
    damaged.append(played[-1]._replace(type="RoundClosed", data=b"{}"))
    found = for_onlookers(damaged)
    assert [event.seq for event in found if event.payload] == sealed_in(file)
    assert [event for event in found if not event.payload] == [e for e in damaged if e.type != "OrdersSubmitted"]


def test_a_game_with_sealed_sheets_is_not_imported(run: Any, file: Path, tmp_path: Path) -> None:
    """Nobody could referee its round."""
    code, _, said = run("import", file, "--folder", tmp_path / "data")
    assert code == 1
    assert "was not imported: the game is not finished." in said
    assert not (tmp_path / "data").exists()
