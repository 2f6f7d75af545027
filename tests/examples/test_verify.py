"""The second verifier, by itself and compared with the first."""

import ast
import re
import runpy
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from unittest.mock import patch

import pytest

from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.store.game_file import lines, record_of
from mcmulti.projections.proof.proof import verify
from tests.games import recorded_games
from tests.golden.forging import rehashed
from tests.golden.games import FILES, load

PROGRAM = Path(__file__).parents[2] / "examples" / "verify.py"
GAME = load(next(file for file in FILES if file.stem == "four-players"))
WRITTEN = list(lines(record_of(GAME)))


def run(folder: Path, content: list[bytes], *noted: str) -> tuple[int, str]:
    """The exit code and output for a file with these lines. The program runs in this process."""
    arguments = [str(PROGRAM), _written(folder, content), *noted]
    with patch("sys.argv", arguments), redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        try:
            runpy.run_path(str(PROGRAM), run_name="__main__")
            ended: int | str | None = 0
        except SystemExit as error:
            ended = error.code
    if isinstance(ended, str):
        return 1, out.getvalue() + err.getvalue() + f"{ended}\n"
    return ended or 0, out.getvalue() + err.getvalue()


def run_alone(folder: Path, content: list[bytes]) -> tuple[int, str]:
    """The exit code and output of a process of its own that can import nothing of ours."""
    command = [sys.executable, "-I", "-S", str(PROGRAM), _written(folder, content)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout + done.stderr


def _written(folder: Path, content: list[bytes]) -> str:
    file = folder / "game.mcmulti.jsonl"
    file.write_bytes(b"".join(content))
    return str(file)


def test_it_imports_the_standard_library_alone() -> None:
    tree = ast.parse(PROGRAM.read_text("utf-8"))
    imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names


def test_it_proves_what_the_first_one_proves(tmp_path: Path) -> None:
    """Every golden game, or random ones if there are none, and one of each rule set in a process of its own."""
    for ruleset in CURRENT:
        for number, game in enumerate(recorded_games(ruleset)):
            proof = verify(game)
            said = f"{proof.events} events are chained, and {proof.draws} dice and cards are those of the seed.\n"
            for ran in (run, run_alone) if number == 0 else (run,):
                assert ran(tmp_path, list(lines(record_of(game)))) == (0, said), (ruleset, number)


def test_a_game_that_is_played_is_chained(tmp_path: Path) -> None:
    code, said = run(tmp_path, list(lines(record_of(GAME[:300]))))
    assert (code, said[:24]) == (0, "300 events are chained. ")


def test_an_event_that_was_noted_must_be_there(tmp_path: Path) -> None:
    seq = GAME[56].seq
    for noted in (f"{seq}-{GAME[56].hash.hex()}", f'"{seq}-{GAME[56].hash.hex()}"'):
        assert run(tmp_path, WRITTEN, noted)[0] == 0
    code, said = run(tmp_path, WRITTEN, f"{seq + 1}-{GAME[56].hash.hex()}")
    assert (code, "not in this log" in said) == (1, True)
    assert run(tmp_path, WRITTEN, "57")[0] == 1


@pytest.mark.parametrize(
    ("type_", "pattern", "instead"),
    [
        ("DiceRolled", rb'"value":\d', b'"value":9'),
        ("AssetBought", rb'"price":', b'"price": '),
        ("BarrelsSold", rb'"prices":\[', b'"prices":[1,'),
        ("TurnBegan", rb'"actor":.*?,', b'"actor":7,'),
        ("TurnBegan", rb'"rule":"', b'"rule":"x'),
        ("TurnBegan", rb'"recorded_at":"....', b'"recorded_at":"1999'),
        ("EconomyChanged", rb'"hash":"....', b'"hash":"0000'),
        ("EconomyChanged", rb'"seq":', b'"seq":1'),
        ("EconomyChanged", rb"\}\n", b',"more":1}\n'),
        ("EconomyChanged", rb"^.*$", b""),
        ("EconomyChanged", rb"^.*$", b"[" * 50_000),
        ("EconomyChanged", rb"^.*$", b"\xff"),
    ],
)
def test_what_was_changed_is_found(type_: str, pattern: bytes, instead: bytes, tmp_path: Path) -> None:
    index = next(index for index, event in enumerate(GAME, start=1) if event.type == type_)
    changed = list(WRITTEN)
    changed[index] = re.sub(pattern, instead, changed[index], count=1, flags=re.DOTALL)
    code, said = run(tmp_path, changed)
    assert (code, said[:7]) == (1, "Wrong: ")


def test_what_was_changed_is_found_by_a_process_of_its_own(tmp_path: Path) -> None:
    """A missing line, an unreadable one, or one with endless nesting."""
    for instead in (b"", b"\xff", b"[" * 50_000):
        code, said = run_alone(tmp_path, [*WRITTEN[:56], instead, *WRITTEN[57:]])
        assert (code, said[:7]) == (1, "Wrong: ")


def test_a_wrong_die_is_found_though_the_chain_was_hashed_again(tmp_path: Path) -> None:
    index = next(index for index, event in enumerate(GAME) if event.type == "DiceRolled")
    loaded = GAME[index]._replace(data=re.sub(rb'"value":(\d)', b'"value":8', GAME[index].data, count=1))
    code, said = run(tmp_path, list(lines(record_of(rehashed([*GAME[:index], loaded, *GAME[index + 1 :]])))))
    assert code == 1
    assert f"event {index + 1} holds a wrong die" in said


def test_another_seed_is_found(tmp_path: Path) -> None:
    last = GAME[-1]._replace(data=b'{"type":"SeedRevealed","seed":"' + b"0" * 64 + b'"}')
    code, said = run(tmp_path, list(lines(record_of(rehashed([*GAME[:-1], last])))))
    assert (code, "committed to" in said) == (1, True)
