"""The changes of a patch, for people: where, what was there before, what is there now."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from jsonpatch import apply_patch
from jsonpointer import resolve_pointer

from mcmulti.projections.reports.patches import Change


class Difference(NamedTuple):
    """`place`: a path such as ``seats/1/cash``. `before`: None if nothing was there. `after`: None if nothing is there
    now.
    """

    place: str
    before: str | None
    after: str | None


def differences(view: Any, patch: Sequence[Change]) -> Iterator[Difference]:
    """What each operation changed, given the view before them as JSON. Applies them to the view."""
    for change in patch:
        if change.path == "":
            return
        operation = msgspec.json.decode(msgspec.json.encode(change))
        source = operation.get("from")
        before = resolve_pointer(view, change.path) if change.op in ("replace", "remove") else None
        moved = resolve_pointer(view, source) if source is not None else None
        view = apply_patch(view, [operation], in_place=True)
        if source is not None:
            yield Difference(_member_path(source), _value_text(moved), None)
            yield Difference(_member_path(change.path), None, _value_text(moved))
        else:
            yield Difference(
                _member_path(change.path),
                None if change.op == "add" else _value_text(before),
                None if change.op == "remove" else _value_text(operation["value"]),
            )


def _member_path(pointer: str) -> str:
    return pointer.removeprefix("/")


def _value_text(value: Any) -> str:
    """A JSON value, without quotation marks around strings."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {_nested(member)}" for name, member in value.items()) or "{}"
    if isinstance(value, list):
        return ", ".join(_nested(member) for member in value) or "[]"
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _nested(value: Any) -> str:
    return f"({_value_text(value)})" if isinstance(value, dict | list) and value else _value_text(value)
