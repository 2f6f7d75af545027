"""The OpenAPI document, and what it says of values and answers."""

from functools import cache
from typing import Any

import msgspec
from httpx import Response
from jsonschema_rs import Draft202012Validator as Compiled

from mcmulti.api.app import ROUTES
from mcmulti.api.openapi import document
from mcmulti.domain.mcmulti import RULESET

DOCUMENT: dict[str, Any] = msgspec.json.decode(document(ROUTES))
SCHEMAS: dict[str, Any] = DOCUMENT["components"]["schemas"]
OPERATIONS: dict[str, Any] = {
    operation["operationId"]: operation for path in DOCUMENT["paths"].values() for operation in path.values()
}


@cache
def validator(name: str) -> Compiled:
    """What checks a component schema."""
    return Compiled({"$ref": f"#/components/schemas/{name}", "components": {"schemas": SCHEMAS}})


def valid(name: str, value: object) -> None:
    """Whether a value fits a component schema."""
    validator(name).validate(value)


NOT_ALWAYS = {"Idempotent-Replayed", "RateLimit", "RateLimit-Policy"}


def told(operation: str, answered: Response) -> Any:
    """Whether the document knows the status, the media type and the headers of an answer; its content."""
    answer = OPERATIONS[operation]["responses"][str(answered.status_code)]
    sent = {name.lower() for name in answered.headers}
    own = {name.lower() for name in answer["headers"]}
    pages = {"access-control-allow-origin", "access-control-expose-headers"}  # what browsers make use of themselves
    common = {"content-type", "content-length", "content-encoding", "vary"} | pages
    assert sent <= own | common, f"{operation}: not in the document: {sent - own - common}"
    assert own - {name.lower() for name in NOT_ALWAYS} <= sent | {"cache-control"}
    if not answered.content:
        return None
    media_type = answered.headers["content-type"].partition(";")[0]
    valid(answer["content"][media_type]["schema"]["$ref"].rpartition("/")[2], answered.json())
    if answered.status_code >= 400:
        assert answered.json()["code"] in {*answer["content"][media_type]["examples"], *RULESET.texts.limits}
    return answered.json()
