"""Charts and statistics over HTTP."""

from pathlib import Path
from xml.etree.ElementTree import fromstring

import msgspec
import pytest

from mcmulti.api.readings.reports import StatisticsOfGame
from mcmulti.events.ports.game_index import TableRow
from mcmulti.projections.charts.charts import chart
from mcmulti.projections.charts.names import CHARTS, ChartName
from mcmulti.projections.statistics.game import game_statistics
from tests.api.guests import Table, problem
from tests.golden.games import load, seed_of

EVENTS = load(Path(__file__).parents[1] / "golden" / "three-players.jsonl")
HERE = f"/v1/games/{EVENTS[0].game_id}"
NOWHERE = "/v1/games/00000000-0000-4000-8000-00000000ffff"
MOMENT = 300


@pytest.fixture
async def golden(table: Table) -> Table:
    """A server with a finished game of three."""
    await table.log.create(EVENTS[0].game_id, "mcmulti", 1, TableRow("finished"), seed_of(EVENTS), EVENTS)
    return table


@pytest.mark.parametrize("name", CHARTS)
async def test_a_chart_is_a_picture_that_loads_and_runs_nothing(golden: Table, name: ChartName) -> None:
    answered = await golden.client.get(f"{HERE}/charts/{name}")
    assert answered.status_code == 200
    assert answered.headers["content-type"].startswith("image/svg+xml")
    assert answered.headers["content-security-policy"] == "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    assert answered.headers["x-content-type-options"] == "nosniff"
    assert answered.content == chart(name, EVENTS)
    assert fromstring(answered.content).get("role") == "img"


async def test_a_chart_of_a_moment_in_german(golden: Table) -> None:
    answered = await golden.client.get(f"{HERE}/charts/prices?at={MOMENT}&language=de")
    assert answered.content == chart("prices", EVENTS[:MOMENT], "de")
    assert answered.content != chart("prices", EVENTS, "de")
    assert answered.headers["cache-control"] == "public, no-cache"
    assert answered.headers["etag"].startswith(f'"{MOMENT}-')


async def test_the_statistics_of_a_game_now_and_then(golden: Table) -> None:
    for query, events in (("", EVENTS), (f"?at={MOMENT}", EVENTS[:MOMENT])):
        answered = await golden.client.get(f"{HERE}/statistics{query}")
        assert answered.status_code == 200
        found = msgspec.json.decode(answered.content, type=StatisticsOfGame)
        assert (found.game, found.seq, found.hash) == (EVENTS[0].game_id, len(events), events[-1].hash.hex())
        assert found.statistics == game_statistics(events)


@pytest.mark.parametrize("path", ["charts/cash", "statistics"])
async def test_what_has_not_changed_is_not_sent_again(golden: Table, path: str) -> None:
    first = await golden.client.get(f"{HERE}/{path}")
    again = await golden.client.get(f"{HERE}/{path}", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


async def test_what_cannot_be_shown_is_said(golden: Table) -> None:
    unknown = problem(await golden.client.get(f"{HERE}/charts/weather"), 404, "unknown_chart")
    assert "cash, worth, prices, dice" in unknown["detail"]
    for path in ("charts/cash", "statistics"):
        problem(await golden.client.get(f"{NOWHERE}/{path}"), 404, "unknown_game")
        problem(await golden.client.get(f"{HERE}/{path}?at={len(EVENTS) + 1}"), 404, "unknown_moment")
        problem(await golden.client.get(f"{HERE}/{path}?at=soon"), 400, "invalid_query")
    problem(await golden.client.get(f"{HERE}/charts/cash?language=fr"), 400, "invalid_query")
    assert (await golden.client.get(f"{HERE}/charts/cash", headers={"Accept": "image/png"})).status_code == 200


async def test_a_game_has_the_charts_that_its_rule_set_lists(table: Table) -> None:
    events = load(Path(__file__).parents[1] / "golden" / "marracash-three-players.jsonl")
    game = events[0].game_id
    await table.log.create(game, "marracash", 1, TableRow("finished"), seed_of(events), events)
    charts = (await table.client.get("/v1/rulesets/marracash")).json()["charts"]
    assert charts == ["cash", "prices"]
    for name in CHARTS:
        answered = await table.client.get(f"/v1/games/{game}/charts/{name}")
        if name in charts:
            assert answered.status_code == 200
        else:
            assert problem(answered, 404, "unknown_chart")["detail"].endswith("Available: cash, prices.")


async def test_a_table_that_was_just_opened_can_be_charted_and_counted(table: Table) -> None:
    game = await table.open(2)
    assert (await table.client.get(f"/v1/games/{game}/charts/cash")).status_code == 200
    counted = (await table.client.get(f"/v1/games/{game}/statistics")).json()["statistics"]
    assert (counted["status"], counted["names"], counted["turns"]) == ("open", ["Ada", "Ben"], 0)
