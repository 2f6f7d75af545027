"""The document with the toy in it."""

import json
from pathlib import Path
from typing import Any

import pytest

from mcmulti.api.app import ROUTES
from mcmulti.api.openapi import document
from mcmulti.api.openapi.narrowed import narrowed
from mcmulti.domain.rulesets import SHIPPED


def test_it_refers_to_nothing_that_is_not_there() -> None:
    content = json.loads(document(ROUTES))
    schemas = content["components"]["schemas"]
    for reference in _references(content):
        if reference.startswith("#/components/schemas/"):
            assert reference.removeprefix("#/components/schemas/") in schemas, reference


def test_no_schema_is_called_after_a_module() -> None:
    """The names that msgspec gives to two types with the same name."""
    assert not [name for name in json.loads(document(ROUTES))["components"]["schemas"] if "." in name]


def test_every_game_has_its_own_setup() -> None:
    schemas = json.loads(document(ROUTES))["components"]["schemas"]
    setup = schemas["NewWoolFairGame"]["properties"]["setup"]
    name = (setup.get("anyOf") or [setup])[0]["$ref"].rpartition("/")[2]
    assert set(schemas[name]["properties"]) == {"seats", "days", "if_left", "practice"}, "what it lists, no clock"


def test_narrowed_to_the_fair_it_has_every_version_of_it_and_nothing_else() -> None:
    schemas, whole = (json.loads(document(ROUTES, name))["components"]["schemas"] for name in ("wool_fair", None))
    for union in ("Command", "AnyCommand", "Event"):
        parts = {part: names for part, names in whole[union]["x-rulesets"].items() if part.startswith("wool_fair/")}
        assert schemas[union]["x-rulesets"] == parts
        left = {name for each in schemas[union]["oneOf"] for name in _meant(schemas, each["$ref"])}
        assert left == {name for names in parts.values() for name in names}
    for reference in _references(schemas):
        if reference.startswith("#/components/schemas/"):
            assert reference.removeprefix("#/components/schemas/") in schemas, reference


@pytest.mark.parametrize("ruleset", SHIPPED)
def test_narrowed_to_another_game_it_is_what_it_was_without_the_toy(ruleset: str) -> None:
    """Although a stranger tags commands and events as that game does."""
    published = json.loads(Path("openapi/openapi.json").read_bytes())
    expected, found = narrowed(published, ruleset), json.loads(document(ROUTES, ruleset))
    del expected["info"], found["info"]
    assert json.dumps(found) == json.dumps(expected), "the order of everything, too"


def _meant(schemas: Any, reference: str) -> list[str]:
    """The members of a union, or all types with the same tag there."""
    name = reference.rpartition("/")[2]
    alike = schemas[name]["anyOf"] if schemas[name].get("x-same-tag") else [{"$ref": reference}]
    return [str(each["$ref"].rpartition("/")[2]) for each in alike]


def _references(node: Any) -> list[str]:
    if isinstance(node, list):
        return [reference for item in node for reference in _references(item)]
    if not isinstance(node, dict):
        return []
    own = [str(node["$ref"])] if isinstance(node.get("$ref"), str) else []
    mapping = node.get("mapping", {})
    targets = [str(target) for target in mapping.values()] if isinstance(mapping, dict) else []
    return own + targets + [reference for value in node.values() for reference in _references(value)]
