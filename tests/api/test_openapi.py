"""The OpenAPI document: committed, served, valid."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from jsonschema_rs import ValidationError

from mcmulti.api.app import ROUTES
from mcmulti.api.http.problems import CODES
from mcmulti.api.openapi import document
from mcmulti.api.openapi.changes import changes, used
from mcmulti.api.openapi.committed import file_schema, listing
from mcmulti.api.openapi.narrowed import FOR_BOTS, narrowed
from mcmulti.api.openapi.references import reached_schemas
from mcmulti.cli import cli
from mcmulti.domain.rulesets import CURRENT, SHIPPED
from mcmulti.events.log.codec import fold, opened_with
from tests.api import record_examples
from tests.api.guests import Table, problem
from tests.api.published import DOCUMENT, NARROWED, OPERATIONS, SCHEMAS, members, valid
from tests.games import any_random_game
from tests.profiles import profile_of

COMMITTED = Path(__file__).parents[2] / "openapi" / "openapi.json"
UNIONS = ("Command", "AnyCommand", "Event", "NewGame", "View", "Field")
EACH = pytest.mark.parametrize("content", [DOCUMENT, *NARROWED.values()], ids=["whole", *NARROWED])
"""The document, and those narrowed to a rule set."""
NAMED = tuple(name for each in CURRENT.values() for name in each.commands.unions)


def mapping(name: str) -> dict[str, str]:
    """The members of a union by their tags; of any other schema itself."""
    found: dict[str, str] = (
        SCHEMAS[name].get("discriminator", {}).get("mapping", {name: f"#/components/schemas/{name}"})
    )
    return found


def test_the_committed_document_is_the_one_of_this_build() -> None:
    """A game that is plugged in adds to it, and breaks nothing."""
    if CURRENT.keys() == SHIPPED.keys():
        assert COMMITTED.read_bytes() == document(ROUTES), "run `make openapi`"
    found = changes(json.loads(COMMITTED.read_bytes()), DOCUMENT)
    assert [change for change in found if change.breaking] == []
    assert bool(found) == (CURRENT.keys() != SHIPPED.keys())


def test_the_committed_listing_is_that_of_the_committed_document() -> None:
    committed = json.loads(COMMITTED.read_bytes())
    written = listing(committed, {name: narrowed(committed, name) for name in SHIPPED})
    assert COMMITTED.with_name("contract.txt").read_bytes() == written, "run `make openapi`"


def test_the_command_writes_all_that_follows_from_the_document(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["openapi", str(tmp_path)])
    assert done.exit_code == 0
    written = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert written.pop("openapi.json") == document(ROUTES)
    assert yaml.safe_load(written.pop("openapi.yaml")) == DOCUMENT
    assert written.pop("contract.txt") == listing(DOCUMENT, NARROWED)
    assert written.pop("game-file.schema.json") == file_schema(document(ROUTES))
    assert written.pop("bots.json") == document(ROUTES, bots=True)
    assert written == {f"{ruleset}.json": document(ROUTES, ruleset) for ruleset in CURRENT}


def test_the_linters_read_the_document_of_every_rule_set(tmp_path: Path) -> None:
    """They list no games: the files that `mcmulti openapi` wrote in addition to those of games are linted."""
    CliRunner().invoke(cli, ["openapi", str(tmp_path)], catch_exceptions=False)
    for other in ("package.json", "package-lock.json"):
        (tmp_path / other).touch()
    lint = json.loads(COMMITTED.with_name("package.json").read_text("utf-8"))["scripts"]["lint"]
    first, second = re.findall(r"\$\((.+?)\)", lint)
    assert first == second
    listed = subprocess.run(["sh", "-c", first], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert set(listed.split()) == {
        "openapi.json",
        "openapi.yaml",
        "bots.json",
        *(f"{ruleset}.json" for ruleset in CURRENT),
    }


async def test_the_served_document_is_the_one_of_this_build(table: Table) -> None:
    served = await table.client.get("/openapi.json")
    assert served.content == document(ROUTES)


def test_every_schema_is_a_valid_one() -> None:
    for schema in SCHEMAS.values():
        Draft202012Validator.check_schema(schema)


@EACH
def test_every_reference_leads_somewhere(content: dict[str, Any]) -> None:
    mapped = [target for key, value in members(content) if key == "mapping" for target in value.values()]
    for reference in [*mapped, *(value for key, value in members(content) if key == "$ref")]:
        node: Any = content
        for part in reference.removeprefix("#/").split("/"):
            node = node[part]
        assert node


@EACH
def test_every_component_is_referred_to(content: dict[str, Any]) -> None:
    referred = {value for key, value in members(content) if key == "$ref"}
    for group in ("schemas", "responses", "examples", "headers"):
        for name in content["components"][group]:
            assert f"#/components/{group}/{name}" in referred


def test_every_operation_tells_what_it_does_and_how_it_may_end() -> None:
    for operation in OPERATIONS.values():
        assert operation["summary"]
        assert operation["description"] != f"{operation['summary']}."
        assert operation["tags"][0] in {tag["name"] for tag in DOCUMENT["tags"]}
        for status, answer in operation["responses"].items():
            assert answer["description"]
            assert "X-Request-Id" in answer["headers"]
            if int(status) >= 400:
                assert set(answer["content"]["application/problem+json"]["examples"]) <= set(CODES)
        assert {"400", "500"} <= set(operation["responses"])
    assert len(OPERATIONS) == len(ROUTES)


def test_everything_is_described() -> None:
    for name, schema in SCHEMAS.items():
        assert schema["description"], name
        for key, value in schema.get("properties", {}).items():
            assert re.search(r"[.:)]$", value.get("description", "")), f"{name}.{key}"
            assert not re.search(r"(?i)(\band|,) ?\.?$", value["description"]), f"{name}.{key}"
    for operation in OPERATIONS.values():
        for parameter in operation["parameters"]:
            assert parameter["description"], parameter["name"]


def test_what_fits_its_schema_and_is_refused_all_the_same_is_told_next_to_its_field() -> None:
    for name, operation in OPERATIONS.items():
        problems = operation["responses"].get("422", {}).get("content", {}).get("application/problem+json", {})
        parts = [
            operation.get("requestBody"),
            *(SCHEMAS[each] for each in reached_schemas(DOCUMENT, operation.get("requestBody"))),
        ]
        fields = [value for part in parts for _, value in members(part) if isinstance(value, dict)]
        told = {code for field in fields for code in field.get("x-problems", ())}
        assert all(f"`{code}`" in field["description"] for field in fields for code in field.get("x-problems", ()))
        told |= {
            code
            for parameter in operation["parameters"]
            if parameter["in"] == "header"
            for code in ("key_reused", "weak_key")
            if f"`{code}`" in parameter["description"]
        }
        assert told == set(problems.get("examples", ())), name


def test_the_document_speaks_of_json_and_of_no_language_that_it_is_written_in() -> None:
    """No names of Python's types and constants, and no markup of docstrings; `null` and `array` are JSON's."""
    words = r"\b(None|True|False|tuples?|dicts?|str|ints?|bool|Struct|Enum|Literal|Optional|Union|msgspec|docstring)\b"
    said = [value for key, value in members(DOCUMENT) if key in ("description", "summary", "title")]
    texts = [text for text in said if isinstance(text, str)]
    assert len(texts) > 500
    assert not [text for text in texts if re.search(rf"{words}|``|:(class|func|meth):", text)]


def test_formats_and_patterns_are_those_that_every_language_reads() -> None:
    formats = {value for key, value in members(DOCUMENT) if key == "format" and isinstance(value, str)}
    assert formats <= {"binary", "date-time", "int32", "int64", "uri-reference", "uuid"}
    patterns = {value for key, value in members(DOCUMENT) if key == "pattern" and isinstance(value, str)}
    assert patterns
    for pattern in patterns:
        # No look-around, no named or inline groups, no class that is larger in one language than in another.
        assert not re.search(r"\(\?|\\[AZzGbBdDwW]|[*+?}]\+", pattern), pattern
        # PHP reads no `\u`, Ruby no bytes beyond ASCII, and Go no byte order mark.
        assert not re.search(r"\\u|\\x[89a-f]|[^ -~]", pattern), pattern


def test_all_that_may_be_sent_is_bounded() -> None:
    def bounded(node: object) -> None:
        if isinstance(node, list):
            for item in node:
                bounded(item)
        if isinstance(node, dict):
            for item in node.values():
                bounded(item)
            kind = node.get("type")
            assert kind != "integer" or "enum" in node or {"minimum", "maximum", "format"} <= set(node), node
            assert kind != "string" or {"maxLength", "enum", "format"} & set(node), node
            assert kind != "array" or "maxItems" in node, node

    for name in used(DOCUMENT, "request"):
        bounded({key: value for key, value in SCHEMAS[name].items() if key != "examples"})


def test_no_format_is_invented() -> None:
    """Those of JSON Schema, and those of integers and bytes that OpenAPI names."""
    formats = set(re.findall(r'"format": ?"([^"]+)"', json.dumps({"paths": DOCUMENT["paths"], "schemas": SCHEMAS})))
    assert formats <= {"uuid", "date-time", "int32", "int64", "uri-reference", "binary"}


def test_no_schema_is_one_of_several_or_null() -> None:
    """Generators have no type for that: such a member is omitted if there is no value."""

    def walk(node: object) -> None:
        if isinstance(node, list):
            for item in node:
                walk(item)
        if isinstance(node, dict):
            for value in node.values():
                walk(value)
            several = [item for item in node.get("anyOf", ()) if item.get("$ref", "").rsplit("/", 1)[-1] in UNIONS]
            assert not several, node

    walk({name: {key: value for key, value in schema.items() if key != "examples"} for name, schema in SCHEMAS.items()})


def test_every_kind_of_choice_has_values_of_one_type() -> None:
    """Otherwise a generated client could not know the type."""
    kinds = {item["$ref"].rsplit("/", 1)[-1] for item in SCHEMAS["Field"]["oneOf"]} - {"Range", "Form"}
    read = {name: SCHEMAS[name]["properties"]["options"]["items"] for name in kinds}
    assert {name: items.get("type") or items["$ref"].rsplit("/", 1)[-1] for name, items in read.items()} == {
        "TextChoice": "string",
        "NumberChoice": "integer",
        "FlagChoice": "boolean",
        "SiteChoice": "Site",
        "StreetChoice": "integer",
    }


@EACH
def test_every_default_is_one_that_generators_can_write(content: dict[str, Any]) -> None:
    """In Go, an object is not; in Ruby, one of several integers is not."""
    schemas = content["components"]["schemas"].values()
    fields = [field for schema in schemas for field in schema.get("properties", {}).values() if "default" in field]
    assert fields
    assert [field for field in fields if "$ref" in field or (field.get("type") == "integer" and "enum" in field)] == []


def test_no_schema_has_the_name_of_a_constructor() -> None:
    """In Go, `NewReview` creates a `Review`."""
    assert [name for name in SCHEMAS if f"New{name}" in SCHEMAS] == []


@EACH
def test_offers_list_the_commands_that_seats_can_send_and_admit_later_ones(content: dict[str, Any]) -> None:
    """An `enum` would make a client of today refuse all offers if a later version adds a command."""
    schemas = content["components"]["schemas"]
    command = schemas["Offer"]["properties"]["command"]
    assert "enum" not in command
    assert command["x-extensible-enum"] == list(schemas["Command"]["discriminator"]["mapping"])


def test_requests_commands_and_events_take_no_other_fields() -> None:
    bodies = [operation["requestBody"] for operation in OPERATIONS.values() if "requestBody" in operation]
    names = [body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2] for body in bodies]
    for name in [*names, "Command", "AnyCommand", "Event"]:
        for member in (value.rpartition("/")[2] for value in mapping(name).values()):
            assert SCHEMAS[member]["additionalProperties"] is False


@pytest.mark.parametrize("union", [*UNIONS, *NAMED])
def test_a_union_is_told_apart_by_a_tag(union: str) -> None:
    tag = SCHEMAS[union]["discriminator"]["propertyName"]
    assert [reference["$ref"] for reference in SCHEMAS[union]["oneOf"]] == list(mapping(union).values())
    for value, reference in mapping(union).items():
        member = reference.rpartition("/")[2]
        assert SCHEMAS[member]["properties"][tag]["enum"] == [value]
        assert tag in SCHEMAS[member]["required"]
        if tag == "type":
            assert value == member or value in SCHEMAS, "by another name only if another type has this one"


def test_every_example_fits_its_schema() -> None:
    for name, schema in SCHEMAS.items():
        for example in schema.get("examples", ()):
            valid(name, example)
    for operation in OPERATIONS.values():
        for part in (operation.get("requestBody", {}), *operation["responses"].values()):
            for content in part.get("content", {}).values():
                for example in content.get("examples", {}).values():
                    name = content["schema"]["$ref"].rpartition("/")[2]
                    valid(name, DOCUMENT["components"]["examples"][example["$ref"].rpartition("/")[2]]["value"])


def test_there_is_an_example_of_each_event_each_command_and_each_answer_in_json() -> None:
    """From recorded games, which those that are plugged in do not have."""
    recorded = {kind.__name__ for ruleset in SHIPPED.values() for kind in (*ruleset.events, *ruleset.commands.logged)}
    for tag, reference in (*mapping("Event").items(), *mapping("AnyCommand").items()):
        schema = SCHEMAS[reference.rpartition("/")[2]]
        assert tag not in recorded or "x-same-tag" in schema or schema["examples"]
    for operation in OPERATIONS.values():
        for answer in operation["responses"].values():
            for media_type, content in answer.get("content", {}).items():
                assert "json" not in media_type.split("/")[1].split("+") or content["examples"]


def test_the_examples_come_from_the_golden_games() -> None:
    assert record_examples.FILE.read_bytes() == record_examples.examples(), "run tests.api.record_examples"


def test_links_lead_to_operations_that_take_what_they_give() -> None:
    for operation in OPERATIONS.values():
        for answer in operation["responses"].values():
            for link in answer.get("links", {}).values():
                parameters = {parameter["name"] for parameter in OPERATIONS[link["operationId"]]["parameters"]}
                assert set(link["parameters"]) <= parameters
                for expression in link["parameters"].values():
                    assert given(expression, operation, answer), expression


def given(expression: str, operation: dict[str, Any], answer: dict[str, Any]) -> bool:
    """Whether a runtime expression finds its value."""
    source, _, name = expression.partition(".")[2].partition(".")
    if source == "path":
        return name in {parameter["name"] for parameter in operation["parameters"]}
    if source == "header":
        return name in answer["headers"]
    example = answer["content"]["application/json"]["examples"]["recorded"]["$ref"].rpartition("/")[2]
    node = DOCUMENT["components"]["examples"][example]["value"]
    for part in expression.partition("#/")[2].split("/"):
        node = node[int(part) if part.isdigit() else part]
    return node is not None


def test_links_lead_from_a_new_game_to_its_log() -> None:
    reached = {"openGame"}
    for _ in OPERATIONS:
        for name in list(reached):
            for answer in OPERATIONS[name]["responses"].values():
                reached |= {link["operationId"] for link in answer.get("links", {}).values()}
    assert {"takeSeat", "listOffers", "sendCommands", "listEvents", "getGame"} <= reached


@pytest.mark.parametrize("name", CURRENT)
def test_a_whole_game_fits_the_schemas_of_events_commands_and_views(name: str) -> None:
    events = any_random_game(name, profile_of(name).whole)
    for event in events[::5]:
        valid("Event", msgspec.json.decode(event.data))
        if event.command is not None:
            valid("AnyCommand", msgspec.json.decode(event.command))
    ruleset = opened_with(events[0])
    for length in range(1, len(events), 50):
        view = ruleset.view(fold(ruleset, events[:length]), 1)
        valid("View", msgspec.json.decode(msgspec.json.encode(view)))


def test_every_rule_set_is_a_member_of_the_unions() -> None:
    """By the name in requests and views; a command or event of several rule sets is listed once."""
    titles = {name: ruleset.view_type.__name__.removesuffix("View") for name, ruleset in CURRENT.items()}
    assert titles["mcmulti"] == "McMulti"
    assert mapping("NewGame") == {name: f"#/components/schemas/New{title}Game" for name, title in titles.items()}
    assert mapping("View") == {name: f"#/components/schemas/{title}View" for name, title in titles.items()}
    for ruleset in CURRENT.values():
        assert {kind.__name__ for kind in ruleset.events} <= set(mapping("Event"))
        assert {kind.__name__ for kind in ruleset.commands.moves} <= set(mapping("Command"))
        sent = {kind.__name__ for kind in ruleset.commands.logged}
        assert sent <= set(mapping("AnyCommand"))
    assert "CloseRound" not in mapping("Command"), "no seat sends it"


def test_a_sheet_that_is_wrong_deep_within_does_not_fit() -> None:
    """The schema of conditions is recursive."""

    def sheet(bound: object) -> object:
        cash = {"type": "CashIs", "at_least": bound}
        both = {"type": "AllOf", "conditions": [{"type": "Not", "condition": cash}]}
        buy = {"type": "BuyAssetOrder", "kind": "rig", "plot": {"row": 1, "column": 6}}
        return {"orders": [{"type": "IfOrder", "condition": both, "then": [buy]}]}

    valid("OrderSheet", sheet(100))
    for wrong in ("100", -1, 2**31):
        with pytest.raises(ValidationError):
            valid("OrderSheet", sheet(wrong))


async def test_what_bots_need_is_a_document_of_its_own(table: Table) -> None:
    """A dozen operations, without missing references, for all games and for one."""
    for query, ruleset in (("part=bots", None), ("ruleset=postal&part=bots", "postal")):
        served = await table.client.get(f"/openapi.json?{query}")
        assert served.content == document(ROUTES, ruleset, bots=True)
        content = served.json()
        operations = {each["operationId"]: each for path in content["paths"].values() for each in path.values()}
        assert operations.keys() == FOR_BOTS
        assert len(FOR_BOTS) == 12
        assert all(each["tags"] == ["bots"] for each in operations.values())
        text = served.text
        for target in set(re.findall(r'"#/components/(\w+)/(\w+)"', text)):
            assert target[1] in content["components"][target[0]], target
        assert set(re.findall(r'"operationId": "(\w+)"', text)) <= FOR_BOTS
    problem(await table.client.get("/openapi.json?part=people"), 400, "invalid_query")
