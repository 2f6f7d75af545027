"""The protocol is written for one uvicorn, and refuses others."""

import tomllib
from pathlib import Path

import pytest
import uvicorn
from click.testing import CliRunner

from mcmulti.cli import cli
from mcmulti.events.memory.log import MemoryLog
from mcmulti.server.http_protocol import UVICORN, check_uvicorn
from mcmulti.server.process import ServerError, answering, bound

ROOT = Path(__file__).parents[2]
SAID = "This build speaks HTTP through uvicorn 0.54, and uvicorn {} is installed: pip install 'uvicorn==0.54.*'."


def test_the_package_asks_for_the_uvicorn_that_the_protocol_is_written_for() -> None:
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    major, minor = UVICORN.split(".")
    assert [one for one in asked if one.startswith("uvicorn")] == [f"uvicorn>={UVICORN},<{major}.{int(minor) + 1}"]


def test_a_patch_of_it_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    check_uvicorn()
    monkeypatch.setattr(uvicorn, "__version__", f"{UVICORN}.99")
    check_uvicorn()


@pytest.mark.parametrize("version", ["0.53.0", "0.55.0", "0.540.0", "1.54.0", "0.55.0rc1"])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_serve_refuses_another_in_a_sentence_before_it_makes_anything(
    version: str, workers: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(uvicorn, "__version__", version)
    folder = tmp_path / "games"
    done = CliRunner().invoke(cli, ["serve", "--folder", str(folder), "--port", "0", "--workers", workers])
    assert done.exit_code == 1
    assert done.output == f"Error: {SAID.format(version)}\n"
    assert not folder.exists()


async def test_nothing_answers_on_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uvicorn, "__version__", "0.55.0")
    with bound("127.0.0.1", 0) as listener, pytest.raises(ServerError, match=r"uvicorn 0\.55\.0 is installed"):
        async with answering(MemoryLog(), listener):
            raise AssertionError("it answers")
