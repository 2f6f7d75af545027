"""Component schemas: msgspec's, with named unions, descriptions of every property, formats and examples.

The types of each rule set and version are combined in one document. Names belong to the first family that uses them, so
another rule set or version changes no existing schema: a different type with the same name gets a prefix.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from mcmulti.api.http.contract import Operation
from mcmulti.api.http.problems import PROBLEMS, Problem
from mcmulti.api.openapi.changes import KNOWN, RULESETS, SAME_TAG
from mcmulti.api.openapi.examples import RECORDED
from mcmulti.api.openapi.references import REF, SCHEMAS, renamed
from mcmulti.api.openapi.words import description_of, refusals, sentences
from mcmulti.api.operations.series import NEW_SERIES
from mcmulti.api.telling.wire import NEW_GAMES
from mcmulti.domain.core.capabilities.rounds import orders_of
from mcmulti.domain.core.event import published
from mcmulti.domain.core.offers import FlagChoice, Form, NumberChoice, Range, TextChoice
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.rulesets import BY_VERSION, CURRENT

Schema = dict[str, Any]
_FIELDS = (TextChoice, NumberChoice, FlagChoice, Range, Form)
_OPENING = {
    "NewGame": ("What a game is opened with, by rule set.", NEW_GAMES),
    "NewSeries": ("What a series is opened with, by rule set.", NEW_SERIES),
}
"""The bodies that name a rule set: a text about each, and one type per rule set."""
_OPENED = (*NEW_GAMES, *NEW_SERIES)


class Family(NamedTuple):
    """Types that belong together: of a rule set and version, by its `name`.

    `prefixes`: for names that are taken: those of earlier versions, then its own. `words`: descriptions of their
    properties. `unions`: the named ones.
    """

    name: str
    prefixes: tuple[str, ...]
    types: tuple[type[Struct], ...]
    unions: Mapping[str, tuple[str, tuple[type[Struct], ...]]]
    words: Mapping[str, str]


class Named(NamedTuple):
    """The schemas of a family, and the names of those that are renamed in the document."""

    family: Family
    schemas: dict[str, Schema]
    renamed: dict[str, str]

    def name(self, kind: type[Struct]) -> str:
        """The name of a type of the family in the document."""
        return self.renamed.get(kind.__name__, kind.__name__)


def family_of(ruleset: Ruleset[Any]) -> Family:
    """The types of a rule set."""
    camel = "".join(part.capitalize() for part in ruleset.name.split("_"))
    orders = orders_of(ruleset)
    sheets = () if orders is None else (orders.sheet,)
    return Family(
        f"{ruleset.name}/{ruleset.version}",
        (camel, *(f"{camel}{version}" for version in range(2, ruleset.version + 1))),
        (
            ruleset.view_type,
            ruleset.setup,
            *ruleset.commands.logged,
            *ruleset.commands.worded,
            *ruleset.commands.fields,
            *map(published, ruleset.events),
            *sheets,
        ),
        ruleset.commands.unions,
        ruleset.texts.properties,
    )


def named(families: list[Family]) -> Iterator[Named]:
    """The families with their schemas as msgspec writes them, under unique names."""
    taken: dict[str, Schema] = {}
    for family in families:
        types = [*family.types, *(member for _, members in family.unions.values() for member in members)]
        _, found = msgspec.json.schema_components(types, ref_template=REF)
        unions = {name: _mapped(members) for name, (_, members) in family.unions.items()}
        own = found | unions
        called = {name: _called(name, family, own, taken) for name in own}
        others = {name: other for name, other in called.items() if name != other}
        moved = {name: renamed(schema, others) for name, schema in own.items()}
        taken |= {called[name]: schema for name, schema in moved.items()}
        yield Named(family, {called[name]: moved[name] for name in found}, others)


def _called(name: str, family: Family, own: Mapping[str, Schema], taken: Mapping[str, Schema]) -> str:
    """The name of a type in the document: that of an identical type of an earlier family, or else a free one."""
    for other in (name, *(f"{prefix}{name}" for prefix in family.prefixes)):
        if other in taken and _alike(own[name], taken[other], own, taken, set()):
            return other
    return f"{family.prefixes[-1]}{name}" if name in taken else name


def _alike(
    one: Any, other: Any, own: Mapping[str, Schema], taken: Mapping[str, Schema], assumed: set[tuple[str, str]]
) -> bool:
    """Whether a schema of a family is the same as one in the document, apart from the names in its references."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_alike(one[key], other[key], own, taken, assumed) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(
            _alike(mine, theirs, own, taken, assumed) for mine, theirs in zip(one, other, strict=True)
        )
    if isinstance(one, str) and isinstance(other, str) and one.startswith(SCHEMAS) and other.startswith(SCHEMAS):
        pair = one.removeprefix(SCHEMAS), other.removeprefix(SCHEMAS)
        if pair in assumed:  # types can be recursive
            return True
        assumed.add(pair)
        return _alike(own[pair[0]], taken[pair[1]], own, taken, assumed)
    return bool(one == other)


def _mapped(members: tuple[type[Struct], ...]) -> Schema:
    return {"oneOf": [{"$ref": REF.format(name=member.__name__)} for member in members]}


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
