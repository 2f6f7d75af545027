"""The OpenAPI document narrowed to a rule set: served, exact."""

import copy
import gzip
import json
import re
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator
from jsonschema_rs import ValidationError

from mcmulti.api.app import ROUTES
from mcmulti.api.openapi import document
from mcmulti.api.openapi.examples import BY_RULESET
from mcmulti.api.openapi.narrowed import narrowed
from mcmulti.api.openapi.schemas import family_of
from mcmulti.domain.core.capabilities.rounds import orders_of
from mcmulti.domain.rulesets import CURRENT, PLAYED_BY_ORDERS, SHIPPED
from mcmulti.events.log.codec import fold, opened_with
from tests.api.guests import Table, problem
from tests.api.published import DOCUMENT, NARROWED, SCHEMAS, members, operations, valid
from tests.games import any_random_game
from tests.profiles import profile_of

REF = "#/components/schemas/"
EACH = pytest.mark.parametrize("ruleset", NARROWED)
TITLES = {name: ruleset.view_type.__name__.removesuffix("View") for name, ruleset in CURRENT.items()}
ALONE = {
    name: {"View": f"{title}View", "NewGame": f"New{title}Game", "NewSeries": f"New{title}Series"}
    for name, title in TITLES.items()
}
"""Unions with one member in the games of a rule set, which replaces them."""
PREFIXES = {name: family_of(ruleset).prefixes[-1] for name, ruleset in CURRENT.items()}
"""What precedes the name of a type if another game has taken it."""
UNIONS = ("AnyCommand", "Command", "Event", "Field")
"""Those with several."""


def schemas(ruleset: str) -> dict[str, Any]:
    """The component schemas of a narrowed document."""
    found: dict[str, Any] = NARROWED[ruleset]["components"]["schemas"]
    return found


@EACH
async def test_the_served_document_is_the_one_that_is_written(table: Table, ruleset: str) -> None:
    served = await table.client.get(f"/openapi.json?ruleset={ruleset}")
    assert served.content == document(ROUTES, ruleset)
    assert served.headers["content-type"] == (await table.client.get("/openapi.json")).headers["content-type"]


async def test_it_is_cached_by_its_own_tag_and_small_on_the_wire(table: Table) -> None:
    tags = set()
    for address in ("/openapi.json", *(f"/openapi.json?ruleset={ruleset}" for ruleset in NARROWED)):
        for coding in ("gzip", "identity"):
            served = await table.client.get(address, headers={"Accept-Encoding": coding})
            tags.add(served.headers["etag"])
            again = await table.client.get(
                address, headers={"Accept-Encoding": coding, "If-None-Match": served.headers["etag"]}
            )
            assert (again.status_code, again.content) == (304, b"")
            assert served.headers["cache-control"] == "no-cache"
        head = await table.client.head(address, headers={"Accept-Encoding": "identity"})
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["etag"] == served.headers["etag"]
        assert int(head.headers["content-length"]) == len(served.content)
    assert len(tags) == 2 * (1 + len(NARROWED))
    whole = len(gzip.compress(document(ROUTES)))
    assert all(len(gzip.compress(document(ROUTES, ruleset))) < whole * 0.85 for ruleset in NARROWED)


async def test_an_unknown_rule_set_is_refused(table: Table) -> None:
    refused = problem(await table.client.get("/openapi.json?ruleset=chess"), 404, "unknown_ruleset")
    assert refused["detail"].startswith("There is no rule set 'chess'. Available: mcmulti, postal, ")


@pytest.mark.parametrize(
    ("query", "detail"),
    [
        ("ruleset=", "ruleset: expected string that matches ^[a-z_]+$."),
        ("ruleset=MarraCash", "ruleset: expected string that matches ^[a-z_]+$."),
        (f"ruleset={'a' * 41}", "ruleset: expected string of length <= 40."),
        ("ruleset=postal&ruleset=mcmulti", "The parameter 'ruleset' appears twice."),
        ("rules=postal", "rules: unknown field."),
    ],
)
async def test_a_query_that_does_not_fit_is_refused(table: Table, query: str, detail: str) -> None:
    refused = problem(await table.client.get(f"/openapi.json?{query}"), 400, "invalid_query")
    assert refused["detail"] == detail


@EACH
def test_the_operations_are_the_same(ruleset: str) -> None:
    """At the same addresses, with the same parameters, responses, media types, headers, links, and codes."""
    mine, whole = operations(NARROWED[ruleset]), operations(DOCUMENT)
    assert {path: [*each] for path, each in NARROWED[ruleset]["paths"].items()} == {
        path: [*each] for path, each in DOCUMENT["paths"].items()
    }
    for name, operation in whole.items():
        assert plain(mine[name]["parameters"]) == plain(operation["parameters"])
        for key in ("tags", "summary", "description", "security"):
            assert mine[name][key] == operation[key]
        assert mine[name]["responses"].keys() == operation["responses"].keys()
        for status, answer in operation["responses"].items():
            told = mine[name]["responses"][status]
            assert {**told, "content": None} == {**answer, "content": None}
            assert told.get("content", {}).keys() == answer.get("content", {}).keys()
            for media_type, content in answer.get("content", {}).items():
                assert told["content"][media_type]["schema"] == content["schema"]
                if int(status) >= 400:
                    assert told["content"][media_type]["examples"] == content["examples"], "the codes there are"


@EACH
def test_bodies_are_the_same_but_for_new_games_and_orders(ruleset: str) -> None:
    bodies = {name: each["requestBody"] for name, each in operations(DOCUMENT).items() if "requestBody" in each}
    assert [*bodies] == [
        "registerPlayer",
        "renameMe",
        "announceAction",
        "makeToken",
        "addWebhook",
        "setNotifications",
        "setGameNotifications",
        "confirmEmail",
        "openGame",
        "changeInvitations",
        "say",
        "flagMessage",
        "openBranch",
        "openSeries",
        "askForReview",
        "askForHint",
        "takeSeat",
        "sendCommands",
        "forecastOrders",
        "forecastText",
    ]
    for name, body in bodies.items():
        mine = operations(NARROWED[ruleset])[name]["requestBody"]
        assert mine["required"] is body["required"] is True
        schema = mine["content"]["application/json"]["schema"]
        if name == "openGame":
            assert schema == {"$ref": REF + ALONE[ruleset]["NewGame"]}
            assert mine["description"].startswith(f"Open a game of {CURRENT[ruleset].title}.")
            assert operations(NARROWED[ruleset])[name]["x-codegen-request-body-name"] == "newGame", "as in the whole"
        elif name == "openSeries":
            assert schema == {"$ref": REF + ALONE[ruleset]["NewSeries"]}
            assert mine["description"].startswith(f"Open a series of {CURRENT[ruleset].title}.")
        elif name == "forecastOrders" and ruleset not in PLAYED_BY_ORDERS:
            assert schema["type"] == "object"
            assert schema["additionalProperties"] is False
            assert "properties" not in schema
        else:
            assert schema == body["content"]["application/json"]["schema"]
            assert mine["description"] == body["description"]


@EACH
def test_what_is_left_says_what_the_whole_document_says_of_it(ruleset: str) -> None:
    """Except unions and commands on offer, of which there are fewer, and the examples."""
    for name, schema in schemas(ruleset).items():
        whole = renamed(plain(SCHEMAS[name]), ALONE[ruleset])
        if name in UNIONS:
            tags, left = whole["discriminator"]["mapping"], schema["discriminator"]["mapping"]
            for tag, target in left.items():
                assert target in meant(tags[tag]), "one of the types with this tag, if several games have it"
            assert [item["$ref"] for item in schema["oneOf"]] == [*left.values()]
            whole["discriminator"]["mapping"], whole["oneOf"] = left, schema["oneOf"]
            whole["x-rulesets"] = {f"{ruleset}/1": whole["x-rulesets"][f"{ruleset}/1"]}
        if name == "Offer":
            commands = whole["properties"]["command"]
            commands["x-extensible-enum"] = [*schemas(ruleset)["Command"]["discriminator"]["mapping"]]
        assert plain(schema) == whole, name


@EACH
def test_a_union_of_one_is_its_member(ruleset: str) -> None:
    assert not {"View", "NewGame"} & set(schemas(ruleset))
    assert schemas(ruleset)["GameView"]["properties"]["view"]["$ref"] == REF + ALONE[ruleset]["View"]
    for schema in schemas(ruleset).values():
        assert len(schema.get("oneOf", schema.get("anyOf", "several"))) > 1


def test_views_of_several_versions_stand_side_by_side() -> None:
    """A tag of several types cannot distinguish them: the `version` of the game does."""
    told = copy.deepcopy(DOCUMENT)
    there = told["components"]["schemas"]
    there["MarraCash2View"] = {**there["MarraCashView"], "title": "MarraCash2View"}
    both = [{"$ref": f"{REF}MarraCashView"}, {"$ref": f"{REF}MarraCash2View"}]
    there["AnyMarraCashView"] = {"title": "AnyMarraCashView", "anyOf": both, "x-same-tag": True}
    there["View"]["discriminator"]["mapping"]["marracash"] = f"{REF}AnyMarraCashView"
    there["View"]["oneOf"][-1] = {"$ref": f"{REF}AnyMarraCashView"}
    there["View"]["x-rulesets"]["marracash/2"] = ["MarraCash2View"]
    found = narrowed(told, "marracash")["components"]["schemas"]
    assert found["GameView"]["properties"]["view"]["$ref"] == f"{REF}AnyMarraCashView"
    assert found["AnyMarraCashView"] == there["AnyMarraCashView"]
    assert {"MarraCashView", "MarraCash2View"} < set(found)
    assert narrowed(told, "postal") == narrowed(DOCUMENT, "postal")
    del there["View"]["x-rulesets"]["marracash/1"]  # no longer served
    found = narrowed(told, "marracash")["components"]["schemas"]
    assert found["GameView"]["properties"]["view"]["$ref"] == f"{REF}MarraCash2View"
    assert not {"MarraCashView", "AnyMarraCashView"} & set(found)


@EACH
def test_unions_have_the_members_of_the_rule_set_and_no_others(ruleset: str) -> None:
    own = CURRENT[ruleset]
    tags = {name: set(schemas(ruleset)[name]["discriminator"]["mapping"]) for name in UNIONS}
    assert tags["Event"] == {kind.__name__ for kind in own.events}
    assert tags["Command"] == {kind.__name__ for kind in (*own.commands.moves, *own.commands.worded)}
    assert tags["AnyCommand"] == {kind.__name__ for kind in own.commands.logged}
    anywhere = {"TextChoice", "NumberChoice", "FlagChoice", "Range", "Form"}
    assert tags["Field"] == anywhere | {kind.__name__ for kind in own.commands.fields}


@EACH
def test_no_type_is_left_of_other_games(ruleset: str) -> None:
    """No name of a type that belongs only to other games is left."""
    own, *others = [made_of(name) for name in (ruleset, *(each for each in CURRENT if each != ruleset))]
    assert not set(schemas(ruleset)) & (set().union(*others) - own - wire())
    assert {name for name in own if not {name, f"{PREFIXES[ruleset]}{name}"} & schemas(ruleset).keys()} == set()


@EACH
def test_no_word_is_left_of_other_games(ruleset: str) -> None:
    """Except in the names of the rules' editions, and in operations that describe all games."""
    content = {key: value for key, value in NARROWED[ruleset].items() if key not in ("info", "paths")}
    every = frozenset().union(*(profile_of(name).words for name in SHIPPED))
    others = "|".join(sorted(every - profile_of(ruleset).words))
    words = sorted({found[0] for found in re.finditer(others, json.dumps(content))})
    assert words == []


@EACH
def test_no_component_is_there_that_no_operation_leads_to(ruleset: str) -> None:
    content = NARROWED[ruleset]
    found: set[str] = set()
    waiting = [content["paths"]]
    while waiting:
        for reference in {value for key, value in members(waiting.pop()) if key == "$ref"} - found:
            found.add(reference)
            _, _, group, name = reference.split("/")
            waiting.append(content["components"][group][name])
    there = {f"#/components/{group}/{name}" for group, each in content["components"].items() for name in each}
    assert there - found == {"#/components/securitySchemes/token"}


@EACH
def test_every_schema_is_valid_and_everything_is_described(ruleset: str) -> None:
    for name, schema in schemas(ruleset).items():
        Draft202012Validator.check_schema(schema)
        assert schema["description"], name
    info = NARROWED[ruleset]["info"]
    assert info["x-ruleset"] == ruleset
    assert CURRENT[ruleset].title in info["title"]
    assert info["version"] == DOCUMENT["info"]["version"]


@EACH
def test_examples_fit_and_are_of_the_rule_set(ruleset: str) -> None:
    content = NARROWED[ruleset]
    for name, schema in schemas(ruleset).items():
        for example in schema.get("examples", ()):
            valid(name, example, ruleset)
    for operation in operations(content).values():
        for part in (operation.get("requestBody", {}), *operation["responses"].values()):
            for body in part.get("content", {}).values():
                for example in body.get("examples", {}).values():
                    value = content["components"]["examples"][example["$ref"].rpartition("/")[2]]["value"]
                    valid(body["schema"]["$ref"].rpartition("/")[2], value, ruleset)
    values = [each["value"] for each in content["components"]["examples"].values()]
    values += [each.get("examples") for each in schemas(ruleset).values()]
    named = {value for key, value in members(values) if key == "ruleset"}
    assert named == {ruleset} & BY_RULESET.keys()


@pytest.mark.parametrize("ruleset", SHIPPED)
def test_there_is_an_example_of_each_event_each_command_and_each_answer_in_json(ruleset: str) -> None:
    """Except of rounds and orders in games that have none."""
    for union in ("Event", "AnyCommand"):
        for reference in schemas(ruleset)[union]["discriminator"]["mapping"].values():
            assert schemas(ruleset)[reference.removeprefix(REF)]["examples"], reference
    without = set()
    for name, operation in operations(NARROWED[ruleset]).items():
        for answer in operation["responses"].values():
            for media_type, content in answer.get("content", {}).items():
                if "json" in media_type.split("/")[1].split("+") and "examples" not in content:
                    without.add(name)
    by_post = {"forecastOrders", "forecastText", "listOrders", "listRounds", "getRoundReport"}
    assert without == (set() if ruleset in PLAYED_BY_ORDERS else by_post)


@EACH
def test_a_whole_game_fits_and_no_other_does(ruleset: str) -> None:
    events = any_random_game(ruleset, profile_of(ruleset).whole)
    others = [each for each in CURRENT if each != ruleset]
    for event in events[::5]:
        valid("Event", msgspec.json.decode(event.data), ruleset)
        if event.command is not None:
            valid("AnyCommand", msgspec.json.decode(event.command), ruleset)
    own = opened_with(events[0])
    for length in range(1, len(events), 50):
        view = msgspec.json.decode(msgspec.json.encode(own.view(fold(own, events[:length]), 1)))
        valid(ALONE[ruleset]["View"], view, ruleset)
        valid("GameView", {**game_view(), "view": view}, ruleset)
        for other in others:
            with pytest.raises(ValidationError):
                valid("GameView", {**game_view(), "view": view}, other)
    for other in others:
        with pytest.raises(ValidationError):
            valid("Event", msgspec.json.decode(events[0].data), other)


def meant(target: str) -> list[str]:
    """What a member of a union in the whole document refers to: itself, or types with the same tag."""
    schema = SCHEMAS[target.removeprefix(REF)]
    return [each["$ref"] for each in schema["anyOf"]] if schema.get("x-same-tag") else [target]


def game_view() -> dict[str, Any]:
    """What stands around a view."""
    return dict(DOCUMENT["components"]["examples"]["getGame.answer"]["value"])


def tagged(ruleset: str, union: str) -> list[str]:
    """The members of a union."""
    return [*schemas(ruleset)[union]["discriminator"]["mapping"]]


def made_of(ruleset: str) -> set[str]:
    """The names of all types of a rule set, as msgspec tells them."""
    own = CURRENT[ruleset]
    planning = orders_of(own)
    orders = () if planning is None else (planning.sheet,)
    types = (own.view_type, own.setup, *own.commands.logged, *own.commands.fields, *orders)
    _, found = msgspec.json.schema_components([*types, *own.events])
    return set(found)


def wire() -> set[str]:
    """The names of all schemas that operations are made of, whatever the game."""
    unions = {*UNIONS, "View", "NewGame", "OrderSheet"}
    found: set[str] = set()
    waiting: list[Any] = [DOCUMENT["paths"]]
    while waiting:
        refers = {value for key, value in members(waiting.pop()) if key == "$ref" and value.startswith(REF)}
        for name in {each.removeprefix(REF) for each in refers} - found:
            found.add(name)
            if name not in unions:
                waiting.append(SCHEMAS[name])
    return found - unions


def plain(node: Any) -> Any:
    """Without examples."""
    if isinstance(node, dict):
        return {key: plain(value) for key, value in node.items() if key not in ("examples", "example")}
    return [plain(item) for item in node] if isinstance(node, list) else node


def renamed(node: Any, names: dict[str, str]) -> Any:
    """With other references."""
    text = json.dumps(node)
    for old, new in names.items():
        text = text.replace(f'"{REF}{old}"', f'"{REF}{new}"')
    return json.loads(text)
