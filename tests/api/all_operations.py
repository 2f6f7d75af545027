"""Requests to every operation of the contract, generated from it: each address, media type, and parameter."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

import msgspec

from mcmulti.api.app import ROUTES
from mcmulti.api.openapi import document
from tests.api.guests import Json

METHODS = ("get", "post", "patch", "put", "delete")
"""Read-only methods first, destructive ones last."""
UNASKED = {"wait", "before"}
"""Parameters whose values make no difference: how long to wait, and cursors from responses."""
ENDING = ("getGameFile", "downloadGames")
"""Operations that respond only in lines, but come to an end."""


class Request(NamedTuple):
    """A request. `endless`: its response has no end, and only its beginning is read."""

    operation: str
    method: str
    target: str
    media_type: str
    body: Json | None = None
    endless: bool = False


def requests(ruleset: str, values: Mapping[str, Any]) -> Iterator[Request]:
    """Every operation, with this rule set's examples of bodies from the contract.

    `values`: values of path parameters, and of query parameters that name a moment or a player; the last event is
    `seq`.
    """
    contract = msgspec.json.decode(document(ROUTES, ruleset))
    declared = [
        (method, path, operation)
        for path, methods in contract["paths"].items()
        for method, operation in methods.items()
        if method in METHODS
    ]
    for method, path, operation in sorted(declared, key=lambda each: METHODS.index(each[0])):
        yield from _requests(contract, method, path, operation, values)


def _requests(contract: Json, method: str, path: str, operation: Json, values: Mapping[str, Any]) -> Iterator[Request]:
    well = next(answer for code, answer in operation["responses"].items() if code.startswith("2"))
    media_types = list(well.get("content", {})) or ["application/json"]
    streams = {"text/event-stream", "application/x-ndjson"}
    endless = method == "get" and set(media_types) <= streams and operation["operationId"] not in ENDING
    for address in _addresses(path, operation, values):
        for query in _queries(operation, values):
            target = f"{address}?{urlencode(query)}" if query else address
            for media_type in media_types:
                # A stream of the log ends where `until` says.
                until = media_type in streams and "until" not in query and _takes(operation, "until")
                followed = f"{target}{'&' if query else '?'}until={values['seq']}" if until else target
                yield Request(
                    operation["operationId"],
                    method.upper(),
                    followed,
                    media_type,
                    _body(contract, operation),
                    endless,
                )


def _addresses(path: str, operation: Json, values: Mapping[str, Any]) -> list[str]:
    found = [path]
    for parameter in operation["parameters"]:
        if parameter["in"] == "path":
            name = parameter["name"]
            chosen = parameter["schema"].get("enum") or [values[name]]
            found = [address.replace(f"{{{name}}}", str(value)) for address in found for value in chosen]
    return found


def _queries(operation: Json, values: Mapping[str, Any]) -> Iterator[Json]:
    """No parameters, and then each with each of its values."""
    yield {}
    for parameter in operation["parameters"]:
        if parameter["in"] == "query" and parameter["name"] not in UNASKED:
            for value in _values(parameter["name"], parameter["schema"], values):
                yield {parameter["name"]: value}


def _values(name: str, schema: Json, values: Mapping[str, Any]) -> list[Any]:
    if name in ("at", "until"):
        return [values["seq"], values["seq"] - 1, 1]
    if name in values:
        return [values[name]]
    if "enum" in schema:
        return list(schema["enum"])
    if schema.get("type") == "boolean":
        return ["true"]
    return [max(1, schema.get("minimum", 1))] if schema.get("type") == "integer" else []


def _takes(operation: Json, name: str) -> bool:
    return any(parameter["name"] == name for parameter in operation["parameters"])


def _body(contract: Json, operation: Json) -> Json | None:
    """The contract's example of a body."""
    if "requestBody" not in operation:
        return None
    content = operation["requestBody"]["content"]["application/json"]
    for example in content.get("examples", {}).values():
        shown: Json = contract["components"]["examples"][example["$ref"].rpartition("/")[2]]["value"]
        return shown
    return {}
