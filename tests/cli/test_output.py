"""What commands print into a pipe, and where the locale knows ASCII alone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

GAME = str(Path(__file__).parents[2] / "examples" / "game.mcmulti.jsonl")

PLAIN_C = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
"""The locale C as it was before Python took it for UTF-8."""


def printed(*arguments: str, **environment: str) -> bytes:
    """Standard output of a command whose reader is no terminal, and sets no width."""
    clean = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "PYTHONUTF8")}
    done = subprocess.run(
        [sys.executable, "-m", "mcmulti", *arguments], env={**clean, **environment}, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


@pytest.mark.parametrize("language", ["en", "de"])
def test_nothing_is_wrapped_or_cut_in_a_pipe(language: str) -> None:
    """The lines of an account are as many as its entries, each with its whole sentence; at 80 columns they wrap."""
    asked = ("audit", GAME, "--account", "seat:0:cash", "--language", language)
    wide = printed(*asked, PYTHONUTF8="1").decode().splitlines()
    narrow = printed(*asked, PYTHONUTF8="1", COLUMNS="80").decode().splitlines()
    assert max(map(len, narrow)) <= 80 < max(map(len, wide))
    assert len(wide) < len(narrow)
    assert not [line for line in wide if "…" in line]
    numbered = [line for line in wide if line.strip() and line.split()[0].isdigit()]
    assert len(numbered) > 100
    assert len(wide) - len(numbered) < 10
    assert "bank" in printed("audit", GAME, PYTHONUTF8="1").decode().splitlines()[6]


@pytest.mark.parametrize(
    "locale", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}]
)
@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (("verify", GAME), b"  + 560 events"),
        (("audit", GAME, "--language", "de"), b"Olquelle"),
        (("audit", GAME, "--account", "seat:0:cash"), b"Amber"),
        (("statistics", GAME), b"Amber"),
        (("replay", GAME, "--plain", "--language", "de"), b"Amber"),
        (("export", GAME, "--output", "-"), b"Amber"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else None,
)
def test_a_locale_of_ascii_gets_what_is_like_the_letters_it_lacks(
    arguments: tuple[str, ...], shown: bytes, locale: dict[str, str]
) -> None:
    out = printed(*arguments, **locale)
    assert shown in out
    assert out.isascii()
    assert b"?" not in out
