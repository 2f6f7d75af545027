"""References in a document."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

REF = "#/components/schemas/{name}"
SCHEMAS = REF.format(name="")
_COMPONENTS = "#/components/"


def references(node: Any) -> Iterator[str]:
    """Every reference to a component in a part of a document, as written there."""
    if isinstance(node, dict):
        reference = node.get("$ref")
        if isinstance(reference, str) and reference.startswith(_COMPONENTS):
            yield reference
        node = list(node.values())
    if isinstance(node, list):
        for item in node:
            yield from references(item)


def reached(document: Mapping[str, Any], node: Any) -> set[str]:
    """Every component that a part of a document refers to, directly or indirectly."""
    found: set[str] = set()
    waiting = [*references(node)]
    while waiting:
        reference = waiting.pop()
        if reference not in found:
            found.add(reference)
            group, _, name = reference.removeprefix(_COMPONENTS).partition("/")
            waiting += references(document["components"][group][name])
    return found


def reached_schemas(document: Mapping[str, Any], node: Any) -> set[str]:
    """The names of the schemas among them."""
    return {each.removeprefix(SCHEMAS) for each in reached(document, node) if each.startswith(SCHEMAS)}


def resolved(document: Mapping[str, Any], node: Any) -> Any:
    """What a reference to a component leads to; anything else unchanged."""
    if "$ref" not in node:
        return node
    group, _, name = node["$ref"].removeprefix(_COMPONENTS).partition("/")
    return document["components"][group][name]


def written_out(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with each response in place of a reference to it. The given document is not changed."""
    return {**document, "paths": with_responses(document["paths"], lambda _, each: resolved(document, each))}


def by_address(document: Mapping[str, Any]) -> dict[str, Any]:
    """The operations of a document by method and path, such as ``GET /v1/games``."""
    return {
        f"{method.upper()} {path}": operation
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    }


def with_responses(paths: Mapping[str, Any], changed: Callable[[str, Any], Any]) -> dict[str, Any]:
    """A copy of these paths with each response replaced. `changed` gets its status and the response."""
    return {
        path: {
            method: {
                **operation,
                "responses": {status: changed(status, each) for status, each in operation["responses"].items()},
            }
            for method, operation in operations.items()
        }
        for path, operations in paths.items()
    }


def renamed(node: Any, names: Mapping[str, str]) -> Any:
    """A part of a document with its references to these schemas renamed."""
    if isinstance(node, dict):
        return {key: renamed(value, names) for key, value in node.items()}
    if isinstance(node, list):
        return [renamed(value, names) for value in node]
    if isinstance(node, str) and node.startswith(SCHEMAS):
        name = node.removeprefix(SCHEMAS)
        return REF.format(name=names.get(name, name))
    return node
