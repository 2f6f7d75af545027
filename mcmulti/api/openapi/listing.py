"""The contract in short, for reviews: one line for each fact that clients depend on, without descriptions and examples.

Each line has its full path, so that a diff of the listing is readable without context.
"""

from collections.abc import Iterator, Mapping
from functools import reduce
from operator import and_
from typing import Any

import msgspec

from mcmulti.api.openapi.changes import RULESETS
from mcmulti.api.openapi.references import SCHEMAS, by_address, written_out

_HEAD = """\
The contract in short, for reviews; `make openapi` writes it. Everything else is in openapi.json.
`?` marks what may be missing. The last part lists what the contract of one rule set has otherwise.
"""
_ELSEWHERE = ("description", "examples", "title", "properties", "required", "oneOf", "anyOf", "type", "items")
"""Keywords that are not part of the contract, or are not listed as a limit."""
_PROBLEM = "application/problem+json"


def listing(document: Mapping[str, Any], narrowed: Mapping[str, Mapping[str, Any]]) -> bytes:
    """The listing of the complete document, and the differences of those narrowed to a rule set."""
    whole = list(_lines(document))
    parts = [_HEAD, *whole, "", *_differences(document, set(whole), narrowed)]
    return ("\n".join(parts) + "\n").encode()


def _differences(
    document: Mapping[str, Any], whole: set[str], narrowed: Mapping[str, Mapping[str, Any]]
) -> Iterator[str]:
    """What each narrowed document has in addition to the full one, and its schemas that others lack."""
    shared = reduce(and_, (set(each["components"]["schemas"]) for each in narrowed.values()), set(_schemas(document)))
    for ruleset, each in narrowed.items():
        yield from (f"[{ruleset}] {line}" for line in _lines(each) if line not in whole)
        yield from (f"[{ruleset}] has {name}" for name in _schemas(each) if name not in shared)


def _schemas(document: Mapping[str, Any]) -> list[str]:
    return sorted(document["components"]["schemas"])


def _lines(document: Mapping[str, Any]) -> Iterator[str]:
    operations = by_address(written_out(document))
    everywhere = reduce(and_, (_said_of_failures(operation) for operation in operations.values()))
    yield from (f"every operation {status}: {code}" for status, code in sorted(everywhere))
    headers = reduce(
        and_, (set(each.get("headers", ())) for one in operations.values() for each in one["responses"].values())
    )
    yield f"every response: headers {', '.join(sorted(headers))}"
    for where, operation in operations.items():
        yield from _operation(where, operation)
        for status, response in operation["responses"].items():
            yield from _response(where, status, response, everywhere, headers)
    for name in _schemas(document):
        yield from _schema(name, document["components"]["schemas"][name])
    for name, header in document["components"]["headers"].items():
        yield f"header {name}: {_kind(header['schema'])}"


def _said_of_failures(operation: Any) -> set[tuple[str, str]]:
    """The problem codes of an operation, each with its status."""
    return {(status, code) for status, response in operation["responses"].items() for code in _codes(response)}


def _codes(response: Any) -> list[str]:
    return [*response.get("content", {}).get(_PROBLEM, {}).get("examples", ())]


def _operation(where: str, operation: Any) -> Iterator[str]:
    yield f"{where}: {operation['operationId']}, token {_security(operation)}"
    for parameter in operation["parameters"]:
        optional = "" if parameter.get("required") else "?"
        yield f"{where} {parameter['in']} {parameter['name']}{optional}: {_kind(parameter['schema'])}"
    body = operation.get("requestBody")
    if body is not None:
        for media_type, content in body["content"].items():
            yield f"{where} body{'' if body.get('required') else '?'} {media_type}: {_kind(content['schema'])}"


def _security(operation: Any) -> str:
    if not operation["security"]:
        return "none"
    return f"{operation['x-scope']}{' or none' if {} in operation['security'] else ''}"


def _response(
    where: str, status: str, response: Any, everywhere: set[tuple[str, str]], headers: set[str]
) -> Iterator[str]:
    """The headers of a response, its media types, and its codes, except those that all have."""
    yield f"{where} {status}: headers {', '.join(name for name in response.get('headers', ()) if name not in headers)}"
    for media_type, content in response.get("content", {}).items():
        if media_type != _PROBLEM:
            yield f"{where} {status} {media_type}: {_kind(content['schema'])}"
    yield from (f"{where} {status} {code}" for code in _codes(response) if (status, code) not in everywhere)


def _schema(name: str, schema: Any) -> Iterator[str]:
    """A schema and its fields; for a union that lists them, each member by rule set and version."""
    if "discriminator" in schema:
        yield f"{name}: told by {schema['discriminator']['propertyName']}"
        yield from (f"{name} may be {_kind(member)}" for member in schema["oneOf"])
        for tag, target in schema["discriminator"]["mapping"].items():
            if target != f"{SCHEMAS}{tag}":
                yield f"{name} {tag}: {target.removeprefix(SCHEMAS)}"
        for part, members in schema.get(RULESETS, {}).items():
            yield from (f"{name} of {part}: {member}" for member in members)
        return
    yield f"{name}: {_kind(schema)}"
    required = schema.get("required", ())
    for field, said in schema.get("properties", {}).items():
        yield f"{name}.{field}{'' if field in required else '?'}: {_kind(said)}"


def _kind(schema: Any) -> str:
    """A schema in a line: a type or a reference, and its limits."""
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(SCHEMAS)
    members = " | ".join(_kind(each) for key in ("oneOf", "anyOf") for each in schema.get(key, ()))
    parts = [members] if members else []
    if "type" in schema:
        parts.append(f"array of ({_kind(schema['items'])})" if "items" in schema else str(schema["type"]))
    for key, value in schema.items():
        if key not in _ELSEWHERE:
            limit = f"({_kind(value)})" if isinstance(value, dict) else msgspec.json.encode(value).decode()
            parts.append(f"{key}={limit}")
    return " ".join(parts)
