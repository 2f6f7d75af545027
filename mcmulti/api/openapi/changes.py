"""Changes between two documents of the API, and whether they break clients of the old one.

What can be sent must not shrink, what can be received must not grow.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Literal, NamedTuple

import msgspec

from mcmulti.api.openapi.references import REF, SCHEMAS, by_address, reached_schemas, written_out

MessageKind = Literal["request", "answer"]

RULESETS = "x-rulesets"
"""The members of a union by rule set and version: games of other rule sets never see a new one of these."""
SAME_TAG = "x-same-tag"
"""Marks a union member that stands for several with the same tag."""
KNOWN = "x-extensible-enum"
"""The values that are possible now. Unlike an `enum`, later versions can add some without breaking clients."""
_LEAST = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_MOST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_EXACT = ("type", "pattern", "format", "$ref", "discriminator", "multipleOf", "contentMediaType")


class ContractChange(NamedTuple):
    """One change: where, what, and whether a client made for the old document can break."""

    breaking: bool
    where: str
    what: str

    def __str__(self) -> str:
        return f"{'BREAKING' if self.breaking else 'compatible'}: {self.where}: {self.what}"


def used(document: Mapping[str, Any], direction: MessageKind) -> set[str]:
    """Names of the component schemas used by requests, or by responses."""
    parts: list[Any] = []
    for path in document["paths"].values():
        for operation in path.values():
            sent = [operation.get("parameters"), operation.get("requestBody")]
            parts += sent if direction == "request" else [operation["responses"]]
    return reached_schemas(document, parts)


def flat(document: Mapping[str, Any]) -> dict[str, Any]:
    """The component schemas of a document, with all types that share a tag as separate union members."""
    schemas = document["components"]["schemas"]
    shared = {REF.format(name=name): schema["anyOf"] for name, schema in schemas.items() if schema.get(SAME_TAG)}

    def flattened(schema: Any) -> Any:
        members = [one for each in schema.get("oneOf", ()) for one in shared.get(each.get("$ref"), [each])]
        return {**schema, "oneOf": members} if members else schema

    return {name: flattened(schema) for name, schema in schemas.items()}


def schema_changes(old: Any, new: Any, direction: MessageKind, place: str) -> Iterator[ContractChange]:
    """Every change between two schemas of something that is sent, or received. References are not followed. `place`:
    where the schema is; a path inside it is appended, such as ``.offers[].price``.
    """
    for key in _EXACT:
        if old.get(key) != new.get(key):
            yield ContractChange(not _grows(key, old, new, direction), place, _became(key, old.get(key), new.get(key)))
    for key in (*_LEAST, *_MOST):
        before, after = old.get(key), new.get(key)
        if before != after:
            wider = after is None or (before is not None and (after < before) == (key in _LEAST))
            yield ContractChange(wider != (direction == "request"), place, _became(key, before, after))
    if direction == "request" and old.get("default") != new.get("default"):
        yield ContractChange(True, place, _became("default", old.get("default"), new.get("default")))
    yield from _enum_changes(old, new, direction, place)
    yield from _member_changes(old, new, direction, place)
    yield from _members_by_ruleset(old, new, direction, place)
    yield from _properties(old, new, direction, place)
    for key, step in (("items", "[]"), ("additionalProperties", ".*"), ("contentSchema", "[]")):
        before, after = old.get(key), new.get(key)
        if isinstance(before, dict) and isinstance(after, dict):
            yield from schema_changes(before, after, direction, place + step)
        elif before != after:
            opened = before is False or after is None
            yield ContractChange(opened != (direction == "request"), place + step, "is limited otherwise")


def _grows(key: str, old: Any, new: Any, direction: MessageKind) -> bool:
    """Whether more can be sent, or less received, for a limit that was added or removed."""
    if key == "discriminator":
        before, after = old.get(key) or {}, new.get(key) or {}
        return bool(before.get("propertyName") == after.get("propertyName"))  # the members decide
    return (key in new) == (direction == "answer") and (key in new) != (key in old) and key != "$ref"


def _became(key: str, before: Any, after: Any) -> str:
    if key == "discriminator":
        return "the tags changed"
    return f"{key} became {_short(after)}, was {_short(before)}"


def _short(value: Any) -> str:
    return "none" if value is None else msgspec.json.encode(value).decode()


def _enum_changes(old: Any, new: Any, direction: MessageKind, place: str) -> Iterator[ContractChange]:
    before, after = old.get("enum"), new.get("enum")
    if before is None or after is None:
        if before != after:
            yield ContractChange((after is None) != (direction == "request"), place, "is limited to other values")
        return
    yield from _sides(before, after, direction, place)


def _member_changes(old: Any, new: Any, direction: MessageKind, place: str) -> Iterator[ContractChange]:
    before, after = _alternatives(old), _alternatives(new)
    unseen = {name: ruleset for name, ruleset in _unseen(old, new).items() if name not in before}
    yield from _sides(list(before), [name for name in after if name not in unseen], direction, place)
    yield from (
        ContractChange(False, place, f"{name} is possible in {unseen[name]}") for name in after if name in unseen
    )
    for key, member in before.items():
        if key in after:
            yield from schema_changes(member, after[key], direction, place)


def _unseen(old: Any, new: Any) -> dict[str, str]:
    """The union members that only new rule sets and versions have."""
    before, after = old.get(RULESETS, {}), new.get(RULESETS, {})
    known = {name for ruleset in before for name in after.get(ruleset, ())}
    return {name: ruleset for ruleset in after if ruleset not in before for name in after[ruleset] if name not in known}


def _members_by_ruleset(old: Any, new: Any, direction: MessageKind, place: str) -> Iterator[ContractChange]:
    """What games of a rule set lose or gain though the union keeps it: the contract narrowed to them changes."""
    before, after = old.get(RULESETS, {}), new.get(RULESETS, {})
    mine, kept = ({name for names in parts.values() for name in names} for parts in (before, after))
    for part in before:
        if part in after:
            was, now = ([name for name in parts[part] if name in mine & kept] for parts in (before, after))
            for change in _sides(was, now, direction, place):
                yield change._replace(what=f"{change.what} in {part}")


def _alternatives(schema: Any) -> dict[str, Any]:
    """The members of a union, by name."""
    members = [*schema.get("oneOf", ()), *schema.get("anyOf", ())]
    return {str(member.get("$ref", member.get("type", ""))).removeprefix(SCHEMAS): member for member in members}


def _sides(before: list[Any], after: list[Any], direction: MessageKind, place: str) -> Iterator[ContractChange]:
    for value in before:
        if value not in after:
            yield ContractChange(direction == "request", place, f"{value} is not possible anymore")
    for value in after:
        if value not in before:
            yield ContractChange(direction == "answer", place, f"{value} is possible now")


def _properties(old: Any, new: Any, direction: MessageKind, place: str) -> Iterator[ContractChange]:
    before, after = old.get("properties", {}), new.get("properties", {})
    was, now = set(old.get("required", ())), set(new.get("required", ()))
    for name in before:
        if name not in after:
            yield ContractChange(True, f"{place}.{name}", "was removed")
    for name in after:
        where = f"{place}.{name}"
        if name not in before:
            closed = direction == "answer" and old.get("additionalProperties") is False
            yield ContractChange(closed or (direction == "request" and name in now), where, "was added")
            continue
        if (name in was) != (name in now):
            told = "is always there now" if name in now else "may be missing now"
            yield ContractChange((name in now) == (direction == "request"), where, told)
        yield from schema_changes(before[name], after[name], direction, where)


def changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[ContractChange]:
    """Every change of the contract, breaking ones first. Descriptions and examples are not part of it."""
    found = [*_operations(written_out(old), written_out(new)), *_schemas(old, new)]
    return sorted(dict.fromkeys(found), key=lambda change: not change.breaking)


def _schemas(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[ContractChange]:
    """Component schemas by use: in requests, in responses, or in both."""
    before, after = flat(old), flat(new)
    yield from _missing("schemas", before, after)
    directions: tuple[MessageKind, ...] = ("request", "answer")
    for direction in directions:
        for name in sorted(used(old, direction) & used(new, direction)):
            yield from schema_changes(before[name], after[name], direction, name)


def _operations(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[ContractChange]:
    before, after = by_address(old), by_address(new)
    yield from _missing("operations", before, after)
    for address in _both(before, after):
        yield from _operation(address, before[address], after[address])


def _operation(address: str, old: Any, new: Any) -> Iterator[ContractChange]:
    if old["operationId"] != new["operationId"]:
        yield ContractChange(True, address, f"operationId {old['operationId']} became {new['operationId']}")
    if _open_to_all(old) != _open_to_all(new):
        yield ContractChange(_open_to_all(old), address, "who may call it changed")
    yield from _parameters(address, _by_name(old), _by_name(new))
    yield from _body(address, old.get("requestBody"), new.get("requestBody"))
    yield from _missing(
        f"{address}: answers", old["responses"], new["responses"], lambda status: status.startswith("2")
    )
    for status in _both(old["responses"], new["responses"]):
        yield from _response_changes(f"{address}: {status}", old["responses"][status], new["responses"][status])


def _open_to_all(operation: Any) -> bool:
    security = operation.get("security", [])
    return not security or {} in security


def _by_name(operation: Any) -> dict[str, Any]:
    return {f"{parameter['in']} {parameter['name']}": parameter for parameter in operation.get("parameters", [])}


def _parameters(address: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[ContractChange]:
    yield from _missing(
        f"{address}: parameters", old, new, added_breaks=lambda name: bool(new[name].get("required", False))
    )
    for name in _both(old, new):
        where = f"{address}: {name}"
        yield from _requirement(where, old[name].get("required", False), new[name].get("required", False))
        yield from schema_changes(old[name]["schema"], new[name]["schema"], "request", where)


def _body(address: str, old: Any, new: Any) -> Iterator[ContractChange]:
    where = f"{address}: body"
    if old is None and new is not None:
        yield ContractChange(new.get("required", False), where, "was added")
    elif old is not None and new is None:
        yield ContractChange(True, where, "was removed")
    elif old is not None:
        yield from _requirement(where, old.get("required", False), new.get("required", False))
        yield from _content(where, old["content"], new["content"], "request")


def _response_changes(where: str, old: Any, new: Any) -> Iterator[ContractChange]:
    yield from _missing(f"{where}: headers", old.get("headers", {}), new.get("headers", {}))
    yield from _content(where, old.get("content", {}), new.get("content", {}), "answer")


def _content(
    where: str, old: Mapping[str, Any], new: Mapping[str, Any], direction: MessageKind
) -> Iterator[ContractChange]:
    yield from _missing(f"{where}: media types", old, new)
    for media_type in _both(old, new):
        yield from schema_changes(old[media_type]["schema"], new[media_type]["schema"], direction, where)
        if media_type == "application/problem+json":
            before, after = (content[media_type].get("examples", {}) for content in (old, new))
            yield from _missing(f"{where}: codes", before, after)


def _requirement(where: str, old: bool, new: bool) -> Iterator[ContractChange]:
    if old != new:
        yield ContractChange(new, where, "is required now" if new else "is not required anymore")


def _both(old: Collection[str], new: Collection[str]) -> list[str]:
    return [name for name in old if name in new]


def _missing(
    where: str, old: Collection[str], new: Collection[str], added_breaks: Callable[[str], bool] = lambda name: False
) -> Iterator[ContractChange]:
    """Removed things, which break, and added ones, which may."""
    for name in old:
        if name not in new:
            yield ContractChange(True, where, f"{name} was removed")
    for name in new:
        if name not in old:
            yield ContractChange(added_breaks(name), where, f"{name} was added")
