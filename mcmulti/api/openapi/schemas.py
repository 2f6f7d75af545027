"""Component schemas: msgspec's, with named unions, descriptions of every property, formats and examples."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from mcmulti.api.http.contract import Operation
from mcmulti.api.http.problems import PROBLEMS, Problem
from mcmulti.api.openapi.examples import RECORDED
from mcmulti.api.openapi.families import Family, Named, Schema, family_of, named
from mcmulti.api.openapi.references import REF
from mcmulti.api.openapi.review.schema_changes import KNOWN, RULESETS, SAME_TAG
from mcmulti.api.openapi.words import description_of, refusals, sentences
from mcmulti.api.operations.series import NEW_SERIES
from mcmulti.api.telling.wire import NEW_GAMES
from mcmulti.domain.core.offers import FlagChoice, Form, NumberChoice, Range, TextChoice
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.rulesets import BY_VERSION, CURRENT

_FIELDS = (TextChoice, NumberChoice, FlagChoice, Range, Form)


_OPENING = {
    "NewGame": ("What a game is opened with, by rule set.", NEW_GAMES),
    "NewSeries": ("What a series is opened with, by rule set.", NEW_SERIES),
}
"""The bodies that name a rule set: a text about each, and one type per rule set."""
_OPENED = (*NEW_GAMES, *NEW_SERIES)


def ref(name: str) -> Schema:
    """A reference to a component schema."""
    return {"$ref": REF.format(name=name)}


def body_schema(types: tuple[type[Struct], ...]) -> Schema:
    """The schema of a request body."""
    for name, (_, opening) in _OPENING.items():
        if types == opening:
            return ref(name)
    return ref(types[0].__name__) if len(types) == 1 else {"anyOf": [ref(kind.__name__) for kind in types]}


def component_schemas(operations: Iterable[Operation]) -> dict[str, Schema]:
    """Every schema the operations need, by name."""
    types: list[type[Struct]] = [Problem, *_FIELDS]
    for operation in operations:
        types += [*operation.body, *([operation.answer] if operation.json and operation.answer else [])]
        types += [kind for kinds in operation.streams.values() for kind in kinds]
    shared = tuple(kind for kind in types if kind not in _OPENED)
    own, *games = named([Family("", (), shared, {}, {}), *map(_family, BY_VERSION.values())])
    unions = {name: union for each in (own, *games) for name, union in _unions_of(each).items()}
    found = unions | _unions_of_games(games)
    for each in (*games, own):  # the family with the words for a type describes it
        for name, schema in each.schemas.items():
            if name not in found:
                found[name] = _described(name, schema, unions, each.family.words)
    if "Offer" in found:
        found["Offer"]["properties"]["command"][KNOWN] = list(found["Command"]["discriminator"]["mapping"])
    return dict(sorted(found.items()))


def _family(ruleset: Ruleset[Any]) -> Family:
    """The types of a rule set, including its setup if new games can use it."""
    family = family_of(ruleset)
    opened = [kind for kind in _OPENED if _tag(kind) == ruleset.name and CURRENT[ruleset.name] is ruleset]
    return family._replace(types=(*family.types, *opened))


def _unions_of(each: Named) -> dict[str, Schema]:
    """The named unions of a family."""
    return {
        each.renamed.get(name, name): _union(
            each.renamed.get(name, name), text, {_tag(member): [each.name(member)] for member in members}, members[0]
        )
        for name, (text, members) in each.family.unions.items()
    }


def _unions_of_games(games: list[Named]) -> dict[str, Schema]:
    """The unions that each rule set extends: clients must expect unknown members."""
    unions: dict[str, tuple[str, list[tuple[type[Struct], ...]]]] = {
        "Command": (
            "What a seat can send.",
            [(*ruleset.commands.moves, *ruleset.commands.worded) for ruleset in BY_VERSION.values()],
        ),
        "AnyCommand": (
            "A command in the log: what a seat sent, or that a player sat down.",
            [ruleset.commands.logged for ruleset in BY_VERSION.values()],
        ),
        "Field": (
            "The values that a field of a command may have.",
            [(*_FIELDS, *ruleset.commands.fields) for ruleset in BY_VERSION.values()],
        ),
        "Event": ("What happened.", [ruleset.events for ruleset in BY_VERSION.values()]),
        "View": (
            "A game as one reader sees it, by rule set.",
            [(ruleset.view_type,) for ruleset in BY_VERSION.values()],
        ),
    }
    found = {}
    for name, (text, opening) in _OPENING.items():
        opened = {_tag(kind): [each.name(kind)] for each in games for kind in each.family.types if kind in opening}
        found[name] = _union(name, text, opened, opening[0])
    for name, (text, members) in unions.items():
        tags: dict[str, list[str]] = {}
        parts: dict[str, list[str]] = {}
        for each, kinds in zip(games, members, strict=True):
            parts[each.family.name] = [each.name(kind) for kind in kinds]
            for kind, called in zip(kinds, parts[each.family.name], strict=True):
                if called not in (names := tags.setdefault(_tag(kind), [])):
                    names.append(called)
        found |= dict(_ambiguous(tags))
        found[name] = {**_union(name, text, tags, members[0][0]), RULESETS: parts}
    return found


def _ambiguous(tags: Mapping[str, list[str]]) -> Iterator[tuple[str, Schema]]:
    """A schema for each tag that has different meanings in several rule sets."""
    for tag, names in tags.items():
        if len(names) > 1:
            text = (
                f"`{tag}` exists in several rule sets. The rule set and version of the game determine which one it is."
            )
            name = f"Any{names[0]}"
            yield name, {"title": name, "description": text, "anyOf": [ref(each) for each in names], SAME_TAG: True}


def _union(name: str, text: str, tags: Mapping[str, list[str]], member: type[Struct]) -> Schema:
    targets = {tag: names[0] if len(names) == 1 else f"Any{names[0]}" for tag, names in tags.items()}
    return {
        "title": name,
        "description": text,
        "oneOf": [ref(target) for target in targets.values()],
        "discriminator": {
            "propertyName": member.__struct_config__.tag_field,
            "mapping": {tag: REF.format(name=target) for tag, target in targets.items()},
        },
    }


def _tag(kind: type[Struct]) -> str:
    return str(kind.__struct_config__.tag)


def _described(name: str, schema: Schema, unions: Mapping[str, Schema], words: Mapping[str, str]) -> Schema:
    doc = schema.get("description", "")
    schema = {**finished(schema, unions), "description": sentences(doc)}
    for key, value in schema.get("properties", {}).items():
        first = (value.get("anyOf") or [value])[0]
        said = description_of(key, doc, value.get("description") or first.pop("description", None), words)
        refused = first.pop(PROBLEMS, None) or value.get(PROBLEMS)
        if refused:
            value[PROBLEMS] = refused
            said = " ".join(filter(None, (said, refusals(refused))))
        if _unwritable_default(value):
            default = value.pop("default")
            means = "all its properties have their defaults" if "$ref" in value else f"it is {default}"
            said = " ".join(filter(None, (said, f"If omitted, {means}.")))
        if said:
            value["description"] = said
    if name in RECORDED["schemas"]:
        schema["examples"] = [RECORDED["schemas"][name]]
    return schema


def _unwritable_default(schema: Schema) -> bool:
    """Whether generators write code that does not compile for the default: of an object, or of a list of integers.

    An object in Go becomes a literal in no language, and an integer in Ruby the name of a constant that does not exist.
    """
    return "default" in schema and ("$ref" in schema or (schema.get("type") == "integer" and "enum" in schema))


def finished(node: Any, unions: Mapping[str, Schema] | None = None) -> Any:
    """A schema completed with what msgspec leaves out: the format of integers, the type of tags, the names
    of unions.
    """
    if isinstance(node, list):
        return [finished(item, unions) for item in node]
    if not isinstance(node, dict):
        return node
    if "anyOf" in node and "discriminator" in node:
        mapping = node["discriminator"]["mapping"]
        return ref(next(n for n, union in (unions or {}).items() if union["discriminator"]["mapping"] == mapping))
    node = {key: _finished_member(key, value, unions) for key, value in node.items()}
    if node.get("type") == "integer":
        node.setdefault("format", "int32")
    values = node.get("enum")
    if values:
        node = {"type": "string" if isinstance(values[0], str) else "integer", **node}
        if node["type"] == "integer":
            node = {**node, "format": "int32"}
    return node


def _finished_member(key: str, value: Any, unions: Mapping[str, Schema] | None) -> Any:
    """The value of a keyword. Constants stay unchanged, and a property can have the name of a keyword."""
    if key in ("default", "enum"):
        return value
    if key == "properties":
        return {name: finished(schema, unions) for name, schema in value.items()}
    return finished(value, unions)
