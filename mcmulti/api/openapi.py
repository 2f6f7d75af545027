"""The OpenAPI 3.1 document, made from the routes' operations and msgspec's schemas of their types."""

import re
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from typing import Any, Union

import msgspec
from litestar.handlers import HTTPRouteHandler
from msgspec import Struct

from mcmulti.api.contract import Operation
from mcmulti.api.problems import CODES, MEDIA_TYPE, Problem
from mcmulti.domain.rulesets import CURRENT

_REF = "#/components/schemas/{name}"
_EVERYWHERE = ("bad_request", "internal", "database_away")
_TAGS = {
    "players": "Who plays.",
    "rulesets": "The rules, as data.",
    "games": "Open, list and look at games.",
    "play": "Take a seat, see what is offered, send commands.",
    "log": "What happened.",
    "service": "Where things are, and whether the server is well.",
}
_PARAMETERS = {
    "game": ("The game.", {"type": "string", "format": "uuid"}),
    "ruleset": ("The name of the rule set.", {"type": "string"}),
}
_HEADERS: dict[str, dict[str, Any]] = {
    "If-Match": {
        "name": "If-Match",
        "in": "header",
        "description": "The ETag the command was decided on: refused with 412 if the game has moved on.",
        "schema": {"type": "string", "pattern": '^"[0-9]{1,10}-[0-9a-f]{64}"$'},
    },
    "Idempotency-Key": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "A key of your own for this request: sent again, it gets the first answer again.",
        "schema": {"type": "string", "pattern": "^[!-~]{1,255}$"},
    },
}


def document(routes: Iterable[Any]) -> bytes:
    """The document of these routes, as indented JSON."""
    return _document(tuple(routes))


@cache
def _document(routes: tuple[Any, ...]) -> bytes:
    operations = [(route, route.opt["operation"]) for route in routes]
    schemas = _schemas([operation for _, operation in operations])
    paths: dict[str, dict[str, Any]] = {}
    for route, operation in operations:
        path, parameters = _path(route)
        paths.setdefault(path, {})[_method(route)] = _operation(operation, parameters, schemas)
    content = {
        "openapi": "3.1.0",
        "info": {
            "title": "mcmulti",
            "version": version("mcmulti"),
            "summary": "Play, replay and audit McMulti over HTTP.",
            "description": "An event-sourced rules engine for the oil board game McMulti (also known as Crude).",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": text} for name, text in _TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(schemas.items())),
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "The token of POST /v1/players."}
            },
        },
    }
    return msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n"


def _method(route: HTTPRouteHandler) -> str:
    (method,) = route.http_methods - {"HEAD", "OPTIONS"}
    return str(method).lower()


def _path(route: HTTPRouteHandler) -> tuple[str, list[dict[str, Any]]]:
    (path,) = route.paths
    names = re.findall(r"{(\w+):str}", path)
    parameters = [
        {"name": name, "in": "path", "required": True, "description": text, "schema": schema}
        for name in names
        for text, schema in [_PARAMETERS[name]]
    ]
    return re.sub(r"{(\w+):str}", r"{\1}", path), parameters


def _schemas(operations: list[Operation]) -> dict[str, Any]:
    """Every component schema, the unions of the rule sets' types under names of their own among them."""
    moves = _all(ruleset.moves for ruleset in CURRENT.values())
    unions = {
        "Command": moves,
        "AnyCommand": _all((ruleset.joining, *ruleset.moves) for ruleset in CURRENT.values()),
        "Event": _all(ruleset.events for ruleset in CURRENT.values()),
        "View": tuple(ruleset.view_type for ruleset in CURRENT.values()),
    }
    types: list[type[Struct]] = [Problem]
    for operation in operations:
        types += [operation.answer, *operation.body]
    types += [kind for union in unions.values() for kind in union]
    _, components = msgspec.json.schema_components(types, ref_template=_REF)
    for name, members in unions.items():
        components[name] = _union(members)
    return components


def _all(groups: Iterable[tuple[type[Struct], ...]]) -> tuple[type[Struct], ...]:
    return tuple(dict.fromkeys(kind for group in groups for kind in group))


def _union(members: tuple[type[Struct], ...]) -> dict[str, Any]:
    """A union under its members' tags."""
    (schema,), _ = msgspec.json.schema_components([Union[members]], ref_template=_REF)  # noqa: UP007
    if "anyOf" in schema:
        schema["oneOf"] = schema.pop("anyOf")
    return schema


def _operation(operation: Operation, parameters: list[dict[str, Any]], schemas: dict[str, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary,
        "parameters": [
            *parameters,
            *_query(operation.query),
            *(_HEADERS[name] for name in operation.headers),
        ],
    }
    if operation.body:
        schema = (
            {"$ref": _REF.format(name=operation.body[0].__name__)}
            if len(operation.body) == 1
            else _union(operation.body)
        )
        described["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    described["responses"] = _responses(operation)
    if operation.auth == "required":
        described["security"] = [{"token": []}]
    elif operation.auth == "optional":
        described["security"] = [{}, {"token": []}]
    else:
        described["security"] = []
    return described


def _query(query: type[Struct] | None) -> list[dict[str, Any]]:
    """The fields of a query type as parameters, with what its docstring says of each."""
    if query is None:
        return []
    _, components = msgspec.json.schema_components([query])
    said = dict(re.findall(r"`(\w+)`: ([^`]+)", query.__doc__ or ""))
    return [
        {
            "name": name,
            "in": "query",
            "description": " ".join(said.get(name, _COMMON.get(name, "")).split()),
            "schema": schema,
        }
        for name, schema in components[query.__name__].get("properties", {}).items()
    ]


_COMMON = {
    "limit": "At most so many.",
    "status": "Only games with this status.",
    "ruleset": "Only games of this rule set.",
}


def _responses(operation: Operation) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if operation.etag:
        headers["ETag"] = {"description": "The game's head: seq and hash.", "schema": {"type": "string"}}
    success: dict[str, Any] = {
        "description": operation.answer.__doc__,
        "content": {"application/json": {"schema": {"$ref": _REF.format(name=operation.answer.__name__)}}},
    }
    if headers:
        success["headers"] = headers
    responses: dict[str, Any] = {str(operation.status): success}
    by_status: dict[int, list[str]] = {}
    for code in dict.fromkeys((*_implied(operation), *operation.problems, *_EVERYWHERE)):
        by_status.setdefault(CODES[code][0], []).append(code)
    for status, codes in sorted(by_status.items()):
        responses[str(status)] = {
            "description": "; ".join(f"`{code}`: {CODES[code][1]}" for code in codes) + ".",
            "content": {MEDIA_TYPE: {"schema": {"$ref": _REF.format(name="Problem")}}},
        }
    return responses


def _implied(operation: Operation) -> list[str]:
    codes = ["invalid_query"] if operation.query else []
    if operation.body:
        codes += ["malformed_json", "invalid_body", "unsupported_media_type", "body_too_large"]
    if operation.auth != "none":
        codes.append("unauthenticated")
    return codes
