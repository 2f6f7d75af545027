"""The client that openapi-generator generates for PHP, on Guzzle, and whole games on it."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from mcmulti.client.client import Client
from tests.needs import found
from tests.slow.clients.conftest import ROOT
from tests.slow.clients.generator import PLAYED, Generator, assert_played
from tests.slow.clients.tools import run

PROGRAMS = ROOT / "tests" / "slow" / "clients" / "php"
GOLDEN = ROOT / "tests" / "golden"
FOUND = [
    {"condition": {"type": "ClimateIs", "climates": ["recession"]}, "value": "recession", "holds": True},
    {"condition": {"type": "CashIs", "at_least": 100}, "value": 120, "holds": True},
    {"condition": {"type": "AssetAt", "plot": {"row": 1, "column": 2}}, "value": None, "holds": False},
]
"""Results of conditions: their values are strings, numbers, or null."""

pytestmark = pytest.mark.needs("java", "php", "php-curl", "php-guzzle", "php-mbstring")


@pytest.mark.parametrize("ruleset", PLAYED["php_nextgen"])
async def test_games_are_played_and_read(server: str, generator: Generator, tmp_path: Path, ruleset: str) -> None:
    client = generator.client("php-nextgen", ruleset)
    command = (found("php"), PROGRAMS / "games.php", client, server, ruleset)
    printed = await asyncio.to_thread(run, *command, folder=tmp_path)
    await assert_played(server, ruleset, printed)


async def test_the_client_of_the_whole_contract_loses_nothing(
    server: str, generator: Generator, tmp_path: Path
) -> None:
    """Among the values are those of unions: events, orders, findings, and the options of fields."""
    files = [file.read_text("utf-8") for file in sorted(GOLDEN.glob("*-*.jsonl"))]
    lines = [json.loads(line) for text in files for line in text.splitlines()]
    values = [("Event", line["data"]) for line in lines if "data" in line][::10]
    values += [("Finding", finding) for finding in FOUND]
    async with Client(server) as client:
        rulesets = json.loads(await client.content("/v1/rulesets"))["rulesets"]
        values += [
            ("RulesetView", json.loads(await client.content(f"/v1/rulesets/{each['name']}"))) for each in rulesets
        ]
    text = "\n".join(json.dumps({"schema": schema, "value": value}) for schema, value in values)
    (tmp_path / "values.jsonl").write_text(text)
    command = (found("php"), PROGRAMS / "whole.php", generator.client("php-nextgen", "openapi"), "values.jsonl")
    written = [json.loads(line) for line in run(*command, folder=tmp_path).splitlines()]
    assert len(written) == len(values)
    for (_, value), again in zip(values, written, strict=True):
        assert kept(value, again) == value


def kept(value: Any, again: Any) -> Any:
    """A value that a client wrote again, without the properties that had been omitted."""
    if isinstance(value, dict) and isinstance(again, dict):
        return {key: kept(value[key], again[key]) for key in value if key in again}
    if isinstance(value, list) and isinstance(again, list) and len(value) == len(again):
        return [kept(*pair) for pair in zip(value, again, strict=True)]
    return again
