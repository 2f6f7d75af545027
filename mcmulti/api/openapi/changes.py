"""Changes between two documents of the API, and whether they break clients of the old one."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from mcmulti.api.openapi.references import by_address, written_out
from mcmulti.api.openapi.schema_changes import ContractChange, MessageKind, flat, schema_changes, used


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
        yield from _answer(f"{address}: {status}", old["responses"][status], new["responses"][status])


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


def _answer(where: str, old: Any, new: Any) -> Iterator[ContractChange]:
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
