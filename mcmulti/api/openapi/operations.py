"""Paths and their operations: parameters, bodies, authentication."""

from collections.abc import Iterable
from typing import Any

import msgspec
from litestar.handlers import HTTPRouteHandler
from msgspec import Struct

from mcmulti.api.http.contract import Operation
from mcmulti.api.openapi.examples import RECORDED, recorded_example
from mcmulti.api.openapi.headers import OF_KEYS, REQUEST
from mcmulti.api.openapi.narrowed import FOR_BOTS
from mcmulti.api.openapi.responses import responses
from mcmulti.api.openapi.schemas import body_schema, finished
from mcmulti.api.openapi.words import description_of, refusals, sentences
from mcmulti.domain.core.figures import MOST
from mcmulti.projections.charts.names import CHARTS

_PATH: dict[str, tuple[str, dict[str, Any]]] = {
    "game": ("Id of the game.", {"type": "string", "format": "uuid"}),
    "player": ("Id of the player.", {"type": "string", "format": "uuid"}),
    "series": ("Id of the series.", {"type": "string", "format": "uuid"}),
    "chart": ("What the chart shows.", {"type": "string", "enum": list(CHARTS)}),
    "round": (
        "Number of the round, from 1.",
        {"type": "integer", "format": "int32", "minimum": 1, "maximum": MOST},
    ),
    "id": ("Id of a token, not the token itself.", {"type": "string"}),
    "message": (
        "Id of a message in the chat of the game.",
        {"type": "integer", "format": "int64", "minimum": 1, "maximum": 2**53 - 1},
    ),
    "ruleset": ("Name of the rule set.", {"type": "string", "pattern": "^[a-z_]{1,40}$"}),
    "token": ("The token in the link of an email.", {"type": "string", "pattern": "^[0-9A-Za-z_-]{43}$"}),
}


def paths(routes: Iterable[Any]) -> dict[str, Any]:
    """The operations of the routes, by path and method."""
    found: dict[str, Any] = {}
    for route in routes:
        operation = route.opt["operation"]
        found.setdefault(operation.path, {})[_method(route)] = _operation(operation)
    return found


def _method(route: HTTPRouteHandler) -> str:
    (method,) = route.http_methods - {"HEAD", "OPTIONS"}
    return str(method).lower()


def _operation(operation: Operation) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": operation.description,
        "parameters": [
            *(_parameter("path", name, *_PATH[name], required=True) for name in operation.parts),
            *_query(operation.query),
            *_headers(operation),
        ],
    }
    if operation.body:
        content = {"schema": body_schema(operation.body), **recorded_example(f"{operation.id}.body")}
        described["requestBody"] = {
            "description": sentences(operation.body[0].__doc__ or ""),
            "required": True,
            "content": {"application/json": content},
        }
    described["responses"] = responses(operation)
    described["security"] = {"required": [{"token": []}], "optional": [{}, {"token": []}], "none": []}[operation.auth]
    if operation.auth != "none":
        described["x-scope"] = operation.scope
    if operation.deprecated is not None:
        described["deprecated"] = True
    if operation.id in FOR_BOTS:
        described["x-bots"] = True
    return described


def _query(query: type[Struct]) -> list[dict[str, Any]]:
    """The fields of a query type as parameters, described by its docstring, or by that of the type it extends."""
    doc = "\n\n".join(kind.__doc__ or "" for kind in query.__mro__[: query.__mro__.index(Struct)])
    _, components = msgspec.json.schema_components([query])
    fields = components[query.__name__].get("properties", {})
    return [
        _parameter("query", name, description_of(name, doc, schema.pop("description", None)), finished(schema))
        for name, schema in fields.items()
    ]


def _headers(operation: Operation) -> list[dict[str, Any]]:
    return [
        _parameter("header", name, _header_text(operation, name), REQUEST[name]["schema"]) for name in operation.headers
    ]


def _header_text(operation: Operation, name: str) -> str:
    text = str(REQUEST[name]["description"])
    refused = [code for code in OF_KEYS if code in operation.problems] if name == "Idempotency-Key" else []
    return f"{text} {refusals(refused)}" if refused else text


def _parameter(place: str, name: str, text: str | None, schema: Any, *, required: bool = False) -> dict[str, Any]:
    parameter = {"name": name, "in": place, "description": text, "required": required, "schema": schema}
    if place == "path":
        parameter["example"] = RECORDED["parameters"][name]
    return parameter
