"""The schema of a line of a game file, taken from the components of the document."""

import msgspec

from mcmulti.api.openapi.references import REF, SCHEMAS, reached_schemas

_LINES = ("GameFile", "EventItem")
_DEFINITIONS = "#/$defs/"


def file_schema(document: bytes) -> bytes:
    """A self-contained JSON Schema (2020-12), indented."""
    content = msgspec.json.decode(document)
    schemas = content["components"]["schemas"]
    lines = reached_schemas(content, [{"$ref": REF.format(name=name)} for name in _LINES])
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line in a game file",
        "description": "The first line is a GameFile. Each further line is an EventItem.",
        "oneOf": [{"$ref": f"{_DEFINITIONS}{name}"} for name in _LINES],
        "$defs": {name: schemas[name] for name in sorted(lines)},
    }
    text = msgspec.json.format(msgspec.json.encode(schema), indent=2) + b"\n"
    return text.replace(SCHEMAS.encode(), _DEFINITIONS.encode())
