"""The books over HTTP: ledger, balances, statements, flows, journals."""

import csv
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from httpx import Response

from mcmulti.domain.mcmulti import RULESET
from mcmulti.events.log.codec import fold
from mcmulti.events.ports.game_index import TableRow
from mcmulti.projections.books import journals
from mcmulti.projections.books.ledger import Wanted, balanced, entries, lines
from mcmulti.projections.books.statements import BookSpan, flows, statements
from tests.accounts import held
from tests.api.guests import Json, Table, problem
from tests.api.published import told
from tests.golden.games import load, seed_of

EVENTS = load(Path(__file__).parents[1] / "golden" / "three-players.jsonl")
HERE = f"/v1/games/{EVENTS[0].game_id}"
LAST = EVENTS[-1].seq
ALL = ("ledger", "balances", "statements", "flows", "ledger.journal", "ledger.beancount")
AS_CSV = {"Accept": "text/csv"}


@pytest.fixture
async def golden(table: Table) -> Table:
    """A server with a finished game of three."""
    await table.log.create(EVENTS[0].game_id, "mcmulti", 1, TableRow("finished"), seed_of(EVENTS), EVENTS)
    return table


def rows(answered: Response) -> list[dict[str, str]]:
    """The rows of a table in CSV."""
    assert answered.status_code == 200, answered.text
    assert answered.headers["content-type"] == "text/csv; charset=utf-8"
    assert answered.text.endswith("\r\n")
    return list(csv.DictReader(StringIO(answered.text, newline=""), strict=True))


async def asked(table: Table, path: str, **parameters: Any) -> Json:
    answered = await table.client.get(f"{HERE}/{path}", params=parameters)
    assert answered.status_code == 200, answered.text
    found: Json = answered.json()
    return found


def plain(structs: Any) -> list[dict[str, Any]]:
    """Structs as they look in JSON."""
    return [{name: getattr(each, name) for name in each.__struct_fields__} for each in structs]


@pytest.mark.parametrize(
    ("limit", "filters"),
    [
        (1000, {}),
        (117, {}),
        (7, {"account": "seat:1"}),
        (50, {"unit": "dollars", "account": "bank"}),
        (1, {"reason": "taxes"}),
        (10, {"account": "nobody"}),
    ],
)
async def test_the_pages_of_the_ledger_make_the_whole(golden: Table, limit: int, filters: dict[str, str]) -> None:
    expected = [line for line in lines(entries(EVENTS)) if Wanted(**filters).admits(line)]
    found: list[Json] = []
    after: int | None = 0
    while after is not None:
        page = await asked(golden, "ledger", after=after, limit=limit, **filters)
        assert (page["game"], page["seq"], page["hash"]) == (str(EVENTS[0].game_id), LAST, EVENTS[-1].hash.hex())
        assert len(page["lines"]) == limit or page["next"] is None
        found += page["lines"]
        after = page["next"]
    assert found == plain(expected)


async def test_a_page_that_is_full_to_the_last_line_is_the_last(golden: Table) -> None:
    whole = list(lines(entries(EVENTS)))
    assert (await asked(golden, "ledger", after=len(whole) - 10, limit=10))["next"] is None
    assert (await asked(golden, "ledger", after=len(whole) - 10, limit=9))["next"] == len(whole) - 1
    assert len((await asked(golden, "ledger"))["lines"]) == 100


async def test_the_ledger_in_csv_is_whole_unless_told(golden: Table) -> None:
    expected = [{name: str(value) for name, value in line.items()} for line in plain(lines(entries(EVENTS)))]
    assert rows(await golden.client.get(f"{HERE}/ledger", headers=AS_CSV)) == expected
    some = {"after": 20, "limit": 5}
    assert rows(await golden.client.get(f"{HERE}/ledger", headers=AS_CSV, params=some)) == expected[20:25]


async def test_the_pages_of_a_running_game_stay_as_they_are(table: Table) -> None:
    """Lines appended between two pages come after them."""
    game = await table.market_phase()
    before = (await table.client.get(f"/v1/games/{game}/ledger?limit=1000")).json()["lines"]
    sold = {"type": "SellBarrels", "market": "domestic", "good": "crude", "quantity": 2}
    assert (await table.guests[0].send(game, sold)).is_success
    after = (await table.client.get(f"/v1/games/{game}/ledger?limit=1000")).json()["lines"]
    assert after[: len(before)] == before
    # Two barrels at 5 and 4 million dollars on top of 300.
    cash = [line for line in after[len(before) :] if line["account"] == "seat:0:cash"]
    assert [(line["amount"], line["balance"], line["reason"]) for line in cash] == [(9, 309, "crude_sold")]


@pytest.mark.parametrize("at", [6, 40, 333, 700, LAST])
async def test_balances_are_those_of_the_moment(golden: Table, at: int) -> None:
    page = await asked(golden, "balances", at=at)
    assert (page["seq"], page["hash"]) == (at, EVENTS[at - 1].hash.hex())
    found = {
        each["account"]: (each["unit"], each["balance"]) for each in page["balances"] if each["account"] != "supply"
    }
    for account, (unit, amount) in held(fold(RULESET, EVENTS[:at])).items():
        assert found.get(account, (unit, 0)) == (unit, amount)
    assert {each["sum"] for each in page["trial_balance"]} <= {0}
    assert len(page["trial_balance"]) == len(balanced(entries(EVENTS[:at])).units)
    by_row = rows(await golden.client.get(f"{HERE}/balances", headers=AS_CSV, params={"at": at}))
    assert [(row["account"], row["unit"], int(row["balance"])) for row in by_row] == [
        (each["account"], each["unit"], each["balance"]) for each in page["balances"]
    ]


@pytest.mark.parametrize(
    ("parameters", "span"),
    [
        ({}, BookSpan()),
        ({"after": 100, "at": 500}, BookSpan(after=100, until=500)),
        ({"from_turn": 3, "to_turn": 9}, BookSpan(from_turn=3, to_turn=9)),
        ({"from_turn": 3, "at": 700}, BookSpan(from_turn=3, until=700)),
    ],
)
async def test_statements_and_flows_of_a_span(golden: Table, parameters: dict[str, int], span: BookSpan) -> None:
    page = await asked(golden, "statements", **parameters)
    assert page["names"] == [None] * 3
    expected = plain(statements(entries(EVENTS), span))
    assert page["statements"] == [{**each, "movements": plain(each["movements"])} for each in expected]
    by_row = rows(await golden.client.get(f"{HERE}/statements", headers=AS_CSV, params=parameters))
    for each in page["statements"]:
        own = [row for row in by_row if (row["seat"], row["unit"]) == (str(each["seat"]), each["unit"])]
        assert {row["name"] for row in own} == {""}
        opening, *movements, closing = (int(row["amount"]) for row in own)
        assert (opening, closing) == (each["opening"], each["closing"])
        assert opening + sum(movements) == closing
    flowed = await asked(golden, "flows", **parameters)
    assert flowed["flows"] == plain(flows(entries(EVENTS), span))
    by_row = rows(await golden.client.get(f"{HERE}/flows", headers=AS_CSV, params=parameters))
    assert by_row == [{name: str(value) for name, value in each.items()} for each in flowed["flows"]]


async def test_a_name_is_no_formula_in_a_spreadsheet(table: Table) -> None:
    formula = '=HYPERLINK("http://x","y")'
    for name in (formula, "Ben, Ltd."):
        await table.guest(name)
    game = await table.start()
    answered = await table.client.get(f"/v1/games/{game}/statements", headers=AS_CSV)
    assert {row["name"] for row in rows(answered)} == {f"'{formula}", "Ben, Ltd."}
    assert (await table.client.get(f"/v1/games/{game}/statements")).json()["names"] == [formula, "Ben, Ltd."]


@pytest.mark.parametrize("at", [1, 6, 500, LAST])
async def test_journals_are_those_of_the_moment(golden: Table, at: int) -> None:
    for path, journal in (("ledger.journal", journals.hledger), ("ledger.beancount", journals.beancount)):
        answered = await golden.client.get(f"{HERE}/{path}", params={"at": at})
        assert answered.status_code == 200
        assert answered.headers["content-type"] == "text/plain; charset=utf-8"
        assert answered.content == journals.text(journal(EVENTS[:at]))


NAMED = ("statements", "ledger.journal", "ledger.beancount")
"""What says names."""


@pytest.mark.parametrize("path", ALL)
async def test_what_the_client_has_already_and_how_long_it_may_be_kept(golden: Table, path: str) -> None:
    now = await golden.client.get(f"{HERE}/{path}")
    assert now.headers["etag"].startswith(f'"{LAST}-{EVENTS[-1].hash.hex()}')
    assert now.headers["cache-control"] == "public, no-cache"
    then = await golden.client.get(f"{HERE}/{path}?at=30")
    assert then.headers["etag"].startswith(f'"30-{EVENTS[29].hash.hex()}')
    said = "no-cache" if path in NAMED else "max-age"
    assert said in then.headers["cache-control"]
    again = await golden.client.get(f"{HERE}/{path}", headers={"If-None-Match": now.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ALL)
async def test_bad_questions_are_refused(golden: Table, path: str) -> None:
    here = f"{HERE}/{path}"
    for at in (0, LAST + 1):
        problem(await golden.client.get(here, params={"at": at}), 404, "unknown_moment")
    for parameters in ({"at": -1}, {"at": "x"}, {"at": 2**31}, {"colour": "red"}):
        problem(await golden.client.get(here, params=parameters), 400, "invalid_query")
    answered = await golden.client.get(here, headers={"Accept": "image/png"})
    if path.startswith("ledger."):  # which have one kind of answer
        assert answered.status_code == 200
    else:
        problem(answered, 406, "not_acceptable")
    problem(await golden.client.get(f"/v1/games/{EVENTS[0].game_id.int}/{path}"), 404, "unknown_game")


@pytest.mark.parametrize(
    ("path", "parameters"),
    [
        ("ledger", {"limit": 0}),
        ("ledger", {"limit": 1001}),
        ("ledger", {"after": -1}),
        ("ledger", {"account": "seat:0:"}),
        ("ledger", {"account": ""}),
        ("ledger", {"unit": "=1+1"}),
        ("ledger", {"reason": "Taxes"}),
        ("statements", {"from_turn": -1}),
        ("flows", {"to_turn": "last"}),
        ("balances", {"after": 3}),
    ],
)
async def test_parameters_that_do_not_fit(golden: Table, path: str, parameters: dict[str, Any]) -> None:
    problem(await golden.client.get(f"{HERE}/{path}", params=parameters), 400, "invalid_query")


async def test_a_game_that_is_not_started_has_empty_books(table: Table) -> None:
    game = await table.open()
    here = f"/v1/games/{game}"
    assert (await table.client.get(f"{here}/ledger")).json()["lines"] == []
    assert (await table.client.get(f"{here}/balances")).json()["balances"] == []
    stated = (await table.client.get(f"{here}/statements")).json()
    assert (stated["names"], stated["statements"]) == (["Ada", "Ben"], [])
    assert (await table.client.get(f"{here}/flows")).json()["flows"] == []
    assert rows(await table.client.get(f"{here}/ledger", headers=AS_CSV)) == []


@pytest.mark.parametrize("operation", ["getLedger", "getBalances", "getStatements", "getFlows"])
async def test_answers_are_as_the_document_says(golden: Table, operation: str) -> None:
    path = f"{HERE}/{operation.removeprefix('get').lower()}"
    whole = await golden.client.get(path, params={"limit": 1000} if operation == "getLedger" else {})
    assert told(operation, whole)["seq"] == LAST
    told(operation, await golden.client.get(path, params={"at": 1}))
    told(operation, await golden.client.get(path, params={"at": LAST + 1}))
    told(operation, await golden.client.get(path, headers={"If-None-Match": whole.headers["etag"]}))
