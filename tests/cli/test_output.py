"""What commands print into a pipe, and in a locale that only knows ASCII."""

import os
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.cli.command import done
from tests.cli.proving import run

GAME = str(Path(__file__).parents[2] / "examples" / "game.mcmulti.jsonl")


def printed(*arguments: str, **environment: str) -> bytes:
    """The standard output of a command that prints into a pipe, without a set width."""
    clean = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "PYTHONUTF8")}
    ended = subprocess.run(
        [sys.executable, "-m", "mcmulti", *arguments], env={**clean, **environment}, capture_output=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, b"")
    return ended.stdout


def piped(*arguments: str, **environment: str) -> list[str]:
    """The lines of a command that prints into a pipe, without a width unless given."""
    clean = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    ended = done(*arguments, environment={**clean, **environment})
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout.splitlines()


@pytest.mark.parametrize("language", ["en", "de"])
def test_nothing_is_wrapped_or_cut_in_a_pipe(language: str) -> None:
    """An account has one line per entry, with the whole sentence. At 80 columns, the lines wrap."""
    asked = ("audit", GAME, "--account", "seat:0:cash", "--language", language)
    wide = piped(*asked)
    narrow = piped(*asked, COLUMNS="80")
    assert max(map(len, narrow)) <= 80 < max(map(len, wide))
    assert len(wide) < len(narrow)
    assert not [line for line in wide if "…" in line]
    numbered = [line for line in wide if line.strip() and line.split()[0].isdigit()]
    assert len(numbered) > 100
    assert len(wide) - len(numbered) < 10
    assert "bank" in piped("audit", GAME)[6]


SHOWN = [
    (("verify", GAME), b"  + 560 events"),
    (("audit", GAME, "--language", "de"), b"Olquelle"),
    (("audit", GAME, "--account", "seat:0:cash"), b"Amber"),
    (("statistics", GAME), b"Amber"),
    (("replay", GAME, "--plain", "--language", "de"), b"Amber"),
    (("export", GAME, "--output", "-"), b"Amber"),
]


@pytest.mark.parametrize(
    ("arguments", "shown"), SHOWN, ids=lambda value: value[0] if isinstance(value, tuple) else None
)
def test_an_output_of_ascii_gets_what_is_like_the_letters_it_lacks(
    arguments: tuple[str, ...], shown: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    out = BytesIO()
    with TextIOWrapper(out, "ascii") as stream, patch("sys.stdout", stream):
        assert run(*arguments) == 0
        stream.flush()
        _is_like_the_letters(out.getvalue(), shown)


@pytest.mark.parametrize(
    ("locale", "number"),
    [({"PYTHONIOENCODING": "ascii"}, 0), ({"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}, 1)],
)
def test_so_does_a_process_whose_locale_is_ascii(locale: dict[str, str], number: int) -> None:
    arguments, shown = SHOWN[number]
    _is_like_the_letters(printed(*arguments, **locale), shown)


def _is_like_the_letters(out: bytes, shown: bytes) -> None:
    assert shown in out
    assert out.isascii()
    assert b"?" not in out
