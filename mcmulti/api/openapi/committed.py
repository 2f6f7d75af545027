"""The document in a folder, with the files derived from it: compare with it, and write it.

One of them is the contract in short, for reviews: a line for each fact that clients depend on, without descriptions and
examples. Each line has its full path, so that a diff is readable without context.
"""

from collections.abc import Iterator, Mapping
from functools import reduce
from operator import and_
from pathlib import Path
from typing import Any

import msgspec

from mcmulti.api.openapi import as_yaml
from mcmulti.api.openapi.changes import RULESETS, ContractChange, changes
from mcmulti.api.openapi.references import REF, SCHEMAS, by_address, reached_schemas, written_out

_LINES = ("GameFile", "EventItem")
_DEFINITIONS = "#/$defs/"
_HEAD = """\
The contract in short, for reviews; `make openapi` writes it. Everything else is in openapi.json.
`?` marks what may be missing. The last part lists what the contract of one rule set has otherwise.
"""
_ELSEWHERE = ("description", "examples", "title", "properties", "required", "oneOf", "anyOf", "type", "items")
"""Keywords that are not part of the contract, or are not listed as a limit."""
_PROBLEM = "application/problem+json"


class NotADocument(Exception):
    """The file in place of the document is something else."""


def changes_of(folder: Path, new: bytes) -> list[ContractChange]:
    """The changes of the new document; none if the folder has no document yet. Raises `NotADocument`."""
    file = folder / "openapi.json"
    try:
        old = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return []
    try:
        return changes(msgspec.json.decode(old), msgspec.json.decode(new))
    except (msgspec.DecodeError, LookupError, TypeError, AttributeError) as error:
        raise NotADocument(f"{file} is not a document of this API; move it away first.") from error


def write(folder: Path, document: bytes, narrowed: Mapping[str, bytes], bots: bytes) -> tuple[Path, ...]:
    """Write the document and its derived files, and return them. Raises OSError.

    It is written as JSON, as YAML, narrowed to each rule set and to what bots need, and as a listing for reviews. The
    last file is the schema of game files.
    """
    contents = {
        "openapi.json": document,
        "contract.txt": _listing(document, narrowed),
        "openapi.yaml": as_yaml(document),
        "bots.json": bots,
        **{f"{ruleset}.json": each for ruleset, each in narrowed.items()},
        "game-file.schema.json": file_schema(document),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return tuple(folder / name for name in contents)


def _listing(document: bytes, narrowed: Mapping[str, bytes]) -> bytes:
    decode = msgspec.json.decode
    return listing(decode(document), {ruleset: decode(each) for ruleset, each in narrowed.items()})


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
