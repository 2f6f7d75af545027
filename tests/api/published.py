"""The OpenAPI document, and checks of values and responses against it."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec
from httpx import Response
from jsonschema_rs import Draft202012Validator as Compiled

from mcmulti.api.app import ROUTES
from mcmulti.api.openapi import document
from mcmulti.api.openapi.references import written_out
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.rulesets import CURRENT

DOCUMENT: dict[str, Any] = msgspec.json.decode(document(ROUTES))
SCHEMAS: dict[str, Any] = DOCUMENT["components"]["schemas"]
NARROWED: dict[str, dict[str, Any]] = {name: msgspec.json.decode(document(ROUTES, name)) for name in CURRENT}
"""The document narrowed to each rule set."""


def operations(of: dict[str, Any]) -> dict[str, Any]:
    """The operations of a document by their ids, with all of their responses."""
    paths = written_out(of)["paths"].values()
    return {operation["operationId"]: operation for path in paths for operation in path.values()}


OPERATIONS = operations(DOCUMENT)


@lru_cache(maxsize=64)  # each is megabytes, with its references
def validator(name: str, ruleset: str | None = None) -> Compiled:
    """The validator of a component schema, of the full document or of a narrowed one."""
    schemas = SCHEMAS if ruleset is None else NARROWED[ruleset]["components"]["schemas"]
    return Compiled({"$ref": f"#/components/schemas/{name}", "components": {"schemas": schemas}})


def valid(name: str, value: object, ruleset: str | None = None) -> None:
    """Check that a value matches a component schema, of the full document or of a narrowed one."""
    validator(name, ruleset).validate(value)


def members(node: object) -> Iterator[tuple[str, Any]]:
    """Every member of every object in it."""
    for key, value in node.items() if isinstance(node, dict) else enumerate(node if isinstance(node, list) else ()):
        yield str(key), value
        yield from members(value)


NOT_ALWAYS = {"Idempotent-Replayed", "RateLimit", "RateLimit-Policy", "Vary", "X-Accel-Buffering"}
"""Headers that depend on the request, or on the settings of the server."""
FRAMING = {"connection", "content-encoding", "content-length", "content-type", "date", "transfer-encoding"}
"""Headers of HTTP itself, which contracts do not list."""


def documented(operation: str, answered: Response) -> Response:
    """The response, of which the document must list the status, the media type, and exactly the headers sent."""
    answer = OPERATIONS[operation]["responses"][str(answered.status_code)]
    sent = {name.lower() for name in answered.headers} - FRAMING
    own = {name.lower(): name for name in answer["headers"]}
    assert sent <= own.keys(), f"{operation}: not in the document: {sent - own.keys()}"
    missing = {name for name in own.keys() - sent if own[name] not in NOT_ALWAYS} - {"cache-control"}
    if "x-accel-buffering" in sent:  # a stream goes on, so no tag can name what it contains
        missing -= {"etag"}
    assert missing == set(), f"{operation}: not sent: {missing}"
    for name in sent:
        schema = DOCUMENT["components"]["headers"][own[name]]["schema"]
        for value in answered.headers.get_list(name):
            Compiled(schema).validate(value)
    if "content-type" in answered.headers and answered.status_code not in (204, 304):
        assert answered.headers["content-type"].partition(";")[0] in answer["content"], operation
    return answered


def told(operation: str, answered: Response) -> Any:
    """The content of a response, which must be as the document says."""
    answer = OPERATIONS[operation]["responses"][str(documented(operation, answered).status_code)]
    if not answered.content:
        return None
    media_type = answered.headers["content-type"].partition(";")[0]
    valid(answer["content"][media_type]["schema"]["$ref"].rpartition("/")[2], answered.json())
    if answered.status_code >= 400:
        assert answered.json()["code"] in {*answer["content"][media_type]["examples"], *RULESET.texts.limits}
    return answered.json()
