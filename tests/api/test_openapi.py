"""The OpenAPI document: committed, served, valid."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from mcmulti.api.app import ROUTES
from mcmulti.api.openapi import document
from mcmulti.api.problems import CODES
from mcmulti.domain.mcmulti import RULESET
from tests.api.guests import Table
from tests.games import random_game

COMMITTED = Path(__file__).parents[2] / "openapi" / "openapi.json"
DOCUMENT: dict[str, Any] = msgspec.json.decode(document(ROUTES))
SCHEMAS: dict[str, Any] = DOCUMENT["components"]["schemas"]


def valid(name: str, value: object) -> None:
    """Whether a value fits a component schema."""
    Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": {"schemas": SCHEMAS}}).validate(value)


def test_the_committed_document_is_the_one_of_this_build() -> None:
    assert COMMITTED.read_bytes() == document(ROUTES), "run `make openapi`"


async def test_the_served_document_is_the_committed_one(table: Table) -> None:
    served = await table.client.get("/openapi.json")
    assert served.content == COMMITTED.read_bytes()


def test_every_schema_is_a_valid_one() -> None:
    for schema in SCHEMAS.values():
        Draft202012Validator.check_schema(schema)


def test_every_reference_leads_somewhere() -> None:
    def references(node: object) -> list[str]:
        if isinstance(node, dict):
            own = [node["$ref"]] if isinstance(node.get("$ref"), str) else []
            return own + [found for value in node.values() for found in references(value)]
        return [found for value in node for found in references(value)] if isinstance(node, list) else []

    for reference in references(DOCUMENT):
        assert reference.removeprefix("#/components/schemas/") in SCHEMAS


def test_every_operation_has_an_id_a_summary_and_only_codes_that_there_are() -> None:
    ids = []
    for path in DOCUMENT["paths"].values():
        for operation in path.values():
            ids.append(operation["operationId"])
            assert operation["summary"]
            assert {int(status) for status in operation["responses"] if int(status) >= 400} <= {
                status for status, _ in CODES.values()
            }
    assert len(ids) == len(set(ids)) == len(ROUTES)


@pytest.mark.parametrize("union", ["Command", "Event"])
def test_a_union_is_told_apart_by_its_tag_which_is_the_schemas_name(union: str) -> None:
    assert SCHEMAS[union]["discriminator"]["propertyName"] == "type"
    for tag, reference in SCHEMAS[union]["discriminator"]["mapping"].items():
        assert reference == f"#/components/schemas/{tag}"
        assert SCHEMAS[tag]["additionalProperties"] is False


def test_a_whole_game_fits_the_schemas_of_events_and_commands() -> None:
    for event in random_game(4, 7)[::5]:
        valid("Event", msgspec.json.decode(event.data))
        if event.command is not None:
            valid("AnyCommand", msgspec.json.decode(event.command))


async def test_answers_fit_their_schemas(table: Table) -> None:
    game = await table.market_phase()
    ada = table.guests[0]
    valid("GameView", (await ada.get(f"/v1/games/{game}")).json())
    valid("McMultiView", (await ada.get(f"/v1/games/{game}")).json()["view"])
    valid("Offers", (await ada.get(f"/v1/games/{game}/offers")).json())
    valid("Result", (await ada.send(game, {"type": "RollDice"})).json())
    valid("Events", (await ada.get(f"/v1/games/{game}/events")).json())
    valid("Games", (await ada.get("/v1/games")).json())
    valid("RulesetView", (await ada.get(f"/v1/rulesets/{RULESET.name}")).json())
    valid("Problem", (await ada.send(game, {"type": "StartGame"})).json())
