"""What guides show at a console fails with a clear error. tests/slow/docs tests that everything works as printed."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from tests.docs.manual import ROOT, page
from tests.docs.transcript import Command, commands, run
from tests.docs.typed import SERIES, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of the server in the first guide. Each test registers other names."""
    with serving(tmp_path_factory.mktemp("server")) as port:
        yield port


@pytest.mark.needs("curl")
def test_a_guide_shows_the_problem_where_an_answer_is_one(server: int, tmp_path: Path) -> None:
    """A newcomer, for example one whose name is taken."""
    for guide, *_ in SERIES:
        (field,) = [each for each in commands(page(guide)) if each.typed.startswith("field()")]
        address, name = f"127.0.0.1:{server}/v1/players", f'{{"name": "{guide}"}}'
        register = f"curl -s {address} -H 'Content-Type: application/json' -d '{name}'"
        asked = Command(f"{register} | field \"['token']\"", "")
        first, again = run((field, asked, asked), tmp_path, os.environ)[1:]
        assert first.startswith("mcm_")
        assert "name_taken" in again
        assert "Traceback" not in again


def test_a_bot_of_the_guides_shows_the_problem_that_ends_it(server: int) -> None:
    bots = sorted((ROOT / "examples").glob("first_*.py"))
    assert bots
    for bot in bots:
        said = []
        for _ in range(2):
            arguments = [sys.executable, str(bot), f"http://127.0.0.1:{server}", str(uuid4()), bot.stem]
            ended = subprocess.run(arguments, capture_output=True, text=True, timeout=300, check=False)
            assert ended.returncode == 1
            said.append(json.loads(ended.stderr)["code"])
        assert said == ["unknown_game", "name_taken"]
