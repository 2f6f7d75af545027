"""Component schemas: msgspec's, with named unions, descriptions of every property, formats and examples."""

from collections.abc import Iterable
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from mcmulti.api.contract import Operation
from mcmulti.api.openapi.examples import RECORDED
from mcmulti.api.openapi.words import about, sentences
from mcmulti.api.problems import Problem
from mcmulti.api.wire import NEW_GAMES
from mcmulti.domain.core.offers import FlagChoice, Form, NumberChoice, Range, SiteChoice, TextChoice
from mcmulti.domain.rulesets import CURRENT

Schema = dict[str, Any]

_REF = "#/components/schemas/{name}"


def ref(name: str) -> Schema:
    """A reference to a component schema."""
    return {"$ref": _REF.format(name=name)}


def _all(groups: Iterable[tuple[type[Struct], ...]]) -> tuple[type[Struct], ...]:
    return tuple(dict.fromkeys(kind for group in groups for kind in group))


_UNIONS: dict[str, tuple[str, tuple[type[Struct], ...]]] = {
    "NewGame": ("What a game is opened with, by its rule set.", NEW_GAMES),
    "Command": ("What a seat may ask for.", _all(ruleset.commands.moves for ruleset in CURRENT.values())),
    "AnyCommand": (
        "A command in the log: what a seat asked for, or that somebody sat down.",
        _all(ruleset.commands.logged for ruleset in CURRENT.values()),
    ),
    "Event": ("What happened.", _all(ruleset.events for ruleset in CURRENT.values())),
    "View": (
        "A game as one reader sees it, by its rule set.",
        tuple(ruleset.view_type for ruleset in CURRENT.values()),
    ),
    "Field": (
        "The values that a field of a command may have.",
        (TextChoice, NumberChoice, FlagChoice, SiteChoice, Range, Form),
    ),
    **{name: union for ruleset in CURRENT.values() for name, union in ruleset.commands.unions.items()},
}
"""The unions that have a name of their own: what they are, and their members."""


def body_schema(types: tuple[type[Struct], ...]) -> Schema:
    """The schema of a request body."""
    for name, (_, members) in _UNIONS.items():
        if members == types:
            return ref(name)
    (kind,) = types
    return ref(kind.__name__)


def component_schemas(operations: Iterable[Operation]) -> dict[str, Schema]:
    """Every schema the operations need, by name."""
    types: list[type[Struct]] = [Problem]
    for operation in operations:
        types += [*operation.body, *([operation.answer] if operation.json and operation.answer else [])]
        types += [kind for kinds in operation.streams.values() for kind in kinds]
    for _, members in _UNIONS.values():
        types += members
    _, components = msgspec.json.schema_components(types, ref_template=_REF)
    schemas = {name: _described(name, schema) for name, schema in components.items()}
    return dict(sorted({**schemas, **_named_unions()}.items()))


@cache
def _named_unions() -> dict[str, Schema]:
    return {name: _union(name, text, members) for name, (text, members) in _UNIONS.items()}


def _union(name: str, text: str, members: tuple[type[Struct], ...]) -> Schema:
    tags = {str(kind.__struct_config__.tag): kind.__name__ for kind in members}
    return {
        "title": name,
        "description": text,
        "oneOf": [ref(member) for member in tags.values()],
        "discriminator": {
            "propertyName": members[0].__struct_config__.tag_field,
            "mapping": {tag: _REF.format(name=member) for tag, member in tags.items()},
        },
    }


def _described(name: str, schema: Schema) -> Schema:
    doc = schema.get("description", "")
    schema = {**finished(schema), "description": sentences(doc)}
    for key, value in schema.get("properties", {}).items():
        first = (value.get("anyOf") or [value])[0]
        said = about(key, doc, value.get("description") or first.pop("description", None))
        if said:
            value["description"] = said
    if name in RECORDED["schemas"]:
        schema["examples"] = [RECORDED["schemas"][name]]
    return schema


def finished(node: Any) -> Any:
    """A schema with what msgspec leaves out: the format of integers, the type of tags, the names of unions."""
    if isinstance(node, list):
        return [finished(item) for item in node]
    if not isinstance(node, dict):
        return node
    if "anyOf" in node and "discriminator" in node:
        mapping = node["discriminator"]["mapping"]
        return ref(next(n for n, union in _named_unions().items() if union["discriminator"]["mapping"] == mapping))
    node = {key: _finished_member(key, value) for key, value in node.items()}
    if node.get("type") == "integer":
        node.setdefault("format", "int32")
    values = node.get("enum")
    if values:
        node = {"type": "string" if isinstance(values[0], str) else "integer", **node}
        if node["type"] == "integer":
            node = {**node, "format": "int32"}
    return node


def _finished_member(key: str, value: Any) -> Any:
    """A keyword's value: constants stay as they are, and a property may be called like a keyword."""
    if key in ("default", "enum"):
        return value
    if key == "properties":
        return {name: finished(schema) for name, schema in value.items()}
    return finished(value)
