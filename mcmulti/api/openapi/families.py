"""The types of each rule set and version, combined in one document.

Names belong to the first family that uses them, so another rule set or version changes no existing schema: a different
type with the same name gets a prefix.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from mcmulti.api.openapi.references import REF, SCHEMAS, renamed
from mcmulti.domain.core.capabilities.rounds import orders_of
from mcmulti.domain.core.event import published
from mcmulti.domain.core.ruleset import Ruleset

Schema = dict[str, Any]


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
