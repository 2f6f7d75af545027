"""The schema of a line of a game file, taken from the components of the document."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

_LINES = ("GameFile", "EventItem")
_OLD, _NEW = "#/components/schemas/", "#/$defs/"


def file_schema(document: bytes) -> bytes:
    """A JSON Schema (2020-12), indented, that holds all it refers to."""
    schemas = msgspec.json.decode(document)["components"]["schemas"]
    content = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of a game file",
        "description": "The first line is a GameFile, each further line an EventItem.",
        "oneOf": [{"$ref": f"{_NEW}{name}"} for name in _LINES],
        "$defs": {name: schemas[name] for name in sorted(_reached(schemas))},
    }
    text = msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n"
    return text.replace(_OLD.encode(), _NEW.encode())


def _reached(schemas: Mapping[str, Any]) -> set[str]:
    """The names of all schemas that lines are made of."""
    found: set[str] = set()
    waiting = list(_LINES)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _named(schemas[name])
    return found


def _named(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if "$ref" in node:
            yield node["$ref"].removeprefix(_OLD)
        node = [value for key, value in node.items() if key != "examples"]
    if isinstance(node, list):
        for item in node:
            yield from _named(item)
