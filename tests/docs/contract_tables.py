"""Tables of the contract for the guides: all operations on a page, and the meaning of the fields of views."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import msgspec

from mcmulti.api.app import ROUTES
from mcmulti.api.openapi import document
from mcmulti.api.openapi.words import ENTRY
from mcmulti.domain.rulesets import SHIPPED

METHODS = ("get", "post", "put", "patch", "delete")
TAGS = ("service", "players", "rulesets", "games", "play", "log")
"""The order in which a client needs them."""

ELSEWHERE = "OrderSheet"
"""Types that the guide to the game by post explains."""


@cache
def _contract(ruleset: str | None = None) -> Any:
    return msgspec.json.decode(document(ROUTES, ruleset))


def operations() -> str:
    """All operations: purpose, scope, parameters, and responses."""
    found = [
        (method, path, operation)
        for path, methods in _contract()["paths"].items()
        for method, operation in methods.items()
        if method in METHODS
    ]
    found.sort(key=lambda each: TAGS.index(each[2]["tags"][0]))
    rows = [
        f"| `{method.upper()} {path}` | `{operation['operationId']}` | {operation['summary']} | {_token(operation)} |"
        f" {_headers(operation)} | {_answers(operation)} |"
        for method, path, operation in found
    ]
    return "\n".join(["| request | operation | what it does | token | headers | answers |", "|" + "---|" * 6, *rows])


def _token(operation: Any) -> str:
    """The scope that a token must have, in parentheses where the token is optional."""
    security = operation["security"]
    if not security:
        return "none"
    scope = f"`{operation['x-scope']}`"
    return f"[{scope}]" if {} in security else scope


def _headers(operation: Any) -> str:
    return ", ".join(f"`{each['name']}`" for each in operation["parameters"] if each["in"] == "header")


def _answers(operation: Any) -> str:
    """The successful response: the JSON type, and other media types."""
    ((code, well),) = [(code, each) for code, each in operation["responses"].items() if code in ("200", "201", "204")][
        :1
    ]
    kinds = []
    for media, content in well.get("content", {}).items():
        reference = content["schema"].get("$ref") if media == "application/json" else None
        kinds.append(f"`{reference.rpartition('/')[2]}`" if reference else f"`{media}`")
    return f"{code} {', '.join(kinds)}".strip()


def view(ruleset: str) -> str:
    """The view of a rule set and all types that only it uses, with the meaning of their fields."""
    schemas = _contract(ruleset)["components"]["schemas"]
    name = schemas["GameView"]["properties"]["view"]["$ref"].rpartition("/")[2]
    return "\n\n".join(_type(each, schemas[each]) for each in _reached(schemas, name))


def events(ruleset: str) -> str:
    """The events of this rule set alone, with the meaning of their fields."""
    return _events(ruleset, {name for name in _names(ruleset) if _games(name) == [ruleset]})


def events_of_several() -> str:
    """The events that several rule sets share."""
    names = {name for ruleset in SHIPPED for name in _names(ruleset) if len(_games(name)) > 1}
    rows = [f"| `{name}` | {', '.join(f'`{each}`' for each in _games(name))} |" for name in sorted(names)]
    return "\n\n".join(["\n".join(["| event | rule sets |", "|---|---|", *rows]), _events(None, names)])


def _events(ruleset: str | None, names: Iterable[str]) -> str:
    schemas = _contract(ruleset)["components"]["schemas"]
    return "\n\n".join(_type(name, schemas[name]) for name in sorted(names))


def _games(event: str) -> list[str]:
    return [ruleset for ruleset in SHIPPED if event in _names(ruleset)]


@cache
def _names(ruleset: str) -> frozenset[str]:
    events = _contract(ruleset)["components"]["schemas"]["Event"]["oneOf"]
    return frozenset(each["$ref"].rpartition("/")[2] for each in events)


def _reached(schemas: Any, first: str) -> Iterator[str]:
    """The types with fields, in the order of their first use, without those explained elsewhere."""
    seen, waiting = {first, ELSEWHERE}, [first]
    while waiting:
        name = waiting.pop(0)
        if "properties" in schemas[name]:
            yield name
        for found in re.findall(r'"#/components/schemas/(\w+)"', msgspec.json.encode(schemas[name]).decode()):
            if found not in seen:
                seen.add(found)
                waiting.append(found)


def _type(name: str, schema: Any) -> str:
    about = _about(schema)
    rows = [
        f"| `{field}` | {_kind(said)} | {_own_words(said, about)} |"
        for field, said in schema["properties"].items()
        if said.get("enum") != [name]  # the type's own name
    ]
    head = f"**`{name}`.** {about}"
    return "\n".join([head, "", "| field | type | what |", "|---|---|---|", *rows]) if rows else head


def _own_words(schema: Any, about: str) -> str:
    """The description of a field, without the sentences of its type that stand above, if it has others."""
    said = _words(schema.get("description", ""))
    own = [sentence for sentence in re.split(r"(?<=\.) ", said) if sentence not in about]
    return " ".join(own) or said


def _about(schema: Any) -> str:
    """The description of a type, without its fields."""
    return _words(ENTRY.split(schema.get("description", ""))[0])


def _kind(schema: Any) -> str:
    """A type in a few words, such as ``list of `AssetView` ``."""
    if "$ref" in schema:
        return f"`{schema['$ref'].rpartition('/')[2]}`"
    if "anyOf" in schema:
        return " or ".join(_kind(each) for each in schema["anyOf"])
    if "enum" in schema:
        return "one of " + ", ".join(f"`{value}`" for value in schema["enum"])
    kind = schema["type"]
    if kind == "array":
        return f"list of {_kind(schema['items'])}" if "items" in schema else "list"
    if kind == "object":
        return f"object of {_kind(schema['additionalProperties'])}" if schema.get("additionalProperties") else "object"
    return {"uuid": "id", "date-time": "time"}.get(schema.get("format", ""), str(kind))


def _words(description: str) -> str:
    return " ".join(description.split()).replace("|", "\\|")
