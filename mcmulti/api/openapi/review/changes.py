"""Changes between two documents of the API, and whether they break clients of the old one."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

from mcmulti.api.openapi.references import written_out
from mcmulti.api.openapi.review.schema_changes import MessageKind, flat, schema_changes, used


class ContractChange(NamedTuple):
    """One change: where, what, and whether a client made for the old document can break."""

    breaking: bool
    where: str
    what: str

    def __str__(self) -> str:
        return f"{'BREAKING' if self.breaking else 'compatible'}: {self.where}: {self.what}"


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
            yield from _schema(name, before[name], after[name], direction)


def _operations(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[ContractChange]:
    before, after = _by_address(old), _by_address(new)
    yield from _missing("operations", before, after)
    for address in _both(before, after):
        yield from _operation(address, before[address], after[address])


def _by_address(document: Mapping[str, Any]) -> dict[str, Any]:
    return {
        f"{method.upper()} {path}": operation
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    }


def _operation(address: str, old: Any, new: Any) -> Iterator[ContractChange]:
    if old["operationId"] != new["operationId"]:
        yield ContractChange(True, address, f"operationId {old['operationId']} became {new['operationId']}")
    before, after = _callers(old), _callers(new)
    if before != after:
        yield ContractChange(not before <= after, address, "who may call it changed")
    yield from _parameters(address, _by_name(old), _by_name(new))
    yield from _body(address, old.get("requestBody"), new.get("requestBody"))
    yield from _missing(f"{address}: answers", old["responses"], new["responses"], added_breaks=_success)
    for status in _both(old["responses"], new["responses"]):
        yield from _answer(f"{address}: {status}", old["responses"][status], new["responses"][status])


def _callers(operation: Any) -> set[Literal["anybody", "players"]]:
    security = operation.get("security", [])
    callers: set[Literal["anybody", "players"]] = set()
    if not security or {} in security:
        callers.add("anybody")
    return callers | {"players"}


def _by_name(operation: Any) -> dict[str, Any]:
    return {f"{parameter['in']} {parameter['name']}": parameter for parameter in operation.get("parameters", [])}


def _parameters(address: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[ContractChange]:
    yield from _missing(
        f"{address}: parameters", old, new, added_breaks=lambda name: bool(new[name].get("required", False))
    )
    for name in _both(old, new):
        where = f"{address}: {name}"
        yield from _requirement(where, old[name].get("required", False), new[name].get("required", False))
        yield from _schema(where, old[name]["schema"], new[name]["schema"], "request")


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
        yield from _schema(where, old[media_type]["schema"], new[media_type]["schema"], direction)
        if media_type == "application/problem+json":
            before, after = (content[media_type].get("examples", {}) for content in (old, new))
            yield from _missing(f"{where}: codes", before, after)


def _schema(where: str, old: Any, new: Any, direction: MessageKind) -> Iterator[ContractChange]:
    for change in schema_changes(old, new, direction):
        yield ContractChange(change.breaking, f"{where}{change.place}", change.what)


def _requirement(where: str, old: bool, new: bool) -> Iterator[ContractChange]:
    if old != new:
        yield ContractChange(new, where, "is required now" if new else "is not required anymore")


def _both(old: Iterable[str], new: Container[str]) -> list[str]:
    return [name for name in old if name in new]


def _success(status: str) -> bool:
    return status.startswith("2")


def _never(name: str) -> bool:
    return False


def _missing(
    where: str, old: Iterable[str], new: Iterable[str], added_breaks: Callable[[str], bool] = _never
) -> Iterator[ContractChange]:
    """Removed things, which break, and added ones, which may."""
    before, after = list(old), list(new)
    for name in before:
        if name not in after:
            yield ContractChange(True, where, f"{name} was removed")
    for name in after:
        if name not in before:
            yield ContractChange(added_breaks(name), where, f"{name} was added")
