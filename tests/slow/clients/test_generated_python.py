"""The client that openapi-generator generates for Python, on pydantic."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

from tests.pure.properties.random_games import seats_of
from tests.slow.clients.conftest import ROOT
from tests.slow.clients.generator import PLAYED, Generator, assert_played
from tests.slow.clients.tools import run

GOLDEN = ROOT / "tests" / "golden"
WHOLE = """
import sys
from mcmulti_client import models
for line in open(sys.argv[1]):
    print(type(models.EventItem.from_json(line).data.actual_instance).__name__)
"""
"""Reads events of any game with the client of the whole contract."""

pytestmark = pytest.mark.needs("java")


@pytest.mark.parametrize("ruleset", PLAYED["python"])
async def test_games_are_played_and_read(server: str, generator: Generator, ruleset: str) -> None:
    client = generator.client("python", ruleset)
    program = (sys.executable, "-m", "tests.slow.clients.python.openapi_generator")
    command = (*program, server, ruleset, str(seats_of(ruleset)[0]))
    printed = await asyncio.to_thread(run, *command, folder=ROOT, PYTHONPATH=f"{client}:{generator.packages}")
    await assert_played(server, ruleset, printed)


def test_the_client_of_the_whole_contract_reads_games_of_every_rule_set(generator: Generator, tmp_path: Path) -> None:
    golden = [line for file in sorted(GOLDEN.glob("*-*.jsonl")) for line in file.read_text("utf-8").splitlines()]
    events = [line for line in golden if '"data":' in line][::10]
    (tmp_path / "events.jsonl").write_text("\n".join(events))
    path = f"{generator.client('python', 'openapi')}:{generator.packages}"
    printed = run(sys.executable, "-c", WHOLE, "events.jsonl", folder=tmp_path, PYTHONPATH=path)
    told = [json.loads(line)["type"] for line in events]
    assert printed.split() == told
    assert {"BarrelsBought", "OrdersSubmitted", "StakePlaced", "GroupMoved"} <= set(told)
