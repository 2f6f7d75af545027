"""The document with the toy in it."""

import json
from typing import Any

from mcmulti.api.app import ROUTES
from mcmulti.api.openapi import document


def test_it_refers_to_nothing_that_is_not_there() -> None:
    content = json.loads(document(ROUTES))
    schemas = content["components"]["schemas"]
    for reference in _references(content):
        if reference.startswith("#/components/schemas/"):
            assert reference.removeprefix("#/components/schemas/") in schemas, reference


def test_no_schema_is_called_after_a_module() -> None:
    """As msgspec calls two types that have one name."""
    assert not [name for name in json.loads(document(ROUTES))["components"]["schemas"] if "." in name]


def test_every_game_has_its_own_setup() -> None:
    schemas = json.loads(document(ROUTES))["components"]["schemas"]
    setup = schemas["NewWoolFairGame"]["properties"]["setup"]
    name = (setup.get("anyOf") or [setup])[0]["$ref"].rpartition("/")[2]
    assert set(schemas[name]["properties"]) == {"seats", "days"}


def _references(node: Any) -> list[str]:
    if isinstance(node, list):
        return [reference for item in node for reference in _references(item)]
    if not isinstance(node, dict):
        return []
    own = [str(node["$ref"])] if isinstance(node.get("$ref"), str) else []
    mapping = node.get("mapping", {})
    targets = [str(target) for target in mapping.values()] if isinstance(mapping, dict) else []
    return own + targets + [reference for value in node.values() for reference in _references(value)]
