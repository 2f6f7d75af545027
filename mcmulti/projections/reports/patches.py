"""JSON Patches (RFC 6902) between two views of a game, computed from the views themselves.

A library would need both views as JSON, and compare all of it. Views share what did not change, so most parts can be
skipped.
"""

from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType
from msgspec.structs import astuple

Pointer = Annotated[str, Meta(pattern="^(/.*)?$", description="A JSON Pointer (RFC 6901).")]
AnyValue = Annotated[Raw, Meta(extra_json_schema={"description": "Any JSON value."})]


class Change(Struct, frozen=True, gc=False, rename={"source": "from"}):
    """An operation of a JSON Patch (RFC 6902). `op`: what is done at `path`, with `value` or what is at `from`."""

    op: Literal["add", "remove", "replace", "move"]
    path: Pointer
    source: Pointer | UnsetType = UNSET
    value: AnyValue | UnsetType = UNSET


_encode = msgspec.json.Encoder().encode
_WHOLE = frozenset((int, str, bool, type(None)))
"""Types of values that can only be replaced."""


def patch(before: Any, after: Any) -> tuple[Change, ...]:
    """The changes from one value to another, as JSON values. None before there is any view: all of it is added.

    Values are compared as in Python; no field is sometimes true and sometimes 1.
    """
    if before is None:
        return (Change("add", "", UNSET, Raw(_encode(after))),)
    changes: list[Change] = []
    if before != after:
        _compare(before, after, "", changes)
    return tuple(changes)


def _compare(before: Any, after: Any, at: str, changes: list[Change]) -> None:
    """Append the changes from one value at a path to another, which is not equal. UNSET is an omitted member."""
    kind: Any = type(after)
    if before is UNSET:
        changes.append(Change("add", at, UNSET, Raw(_encode(after))))
        return
    if after is UNSET:
        changes.append(Change("remove", at))
        return
    alike = type(before) is kind and kind not in _WHOLE
    if alike:
        if kind is tuple or kind is list:
            _compare_items(before, after, at, changes)
            return
        if kind is dict:
            _compare_members(before, after, at, changes)
            return
        members = _field_segments(kind)
        if members is not None:
            for place, old, new in zip(members, astuple(before), astuple(after), strict=True):
                if old is not new and old != new:
                    _compare(old, new, at + place, changes)
            return
    changes.append(Change("replace", at, UNSET, Raw(_encode(after))))


def _compare_members(before: dict[Any, Any], after: dict[Any, Any], at: str, changes: list[Change]) -> None:
    changes += [Change("remove", at + _segment(str(name))) for name in before if name not in after]
    for name, new in after.items():
        old = before.get(name, UNSET)
        if old is not new and old != new:
            _compare(old, new, at + _segment(name), changes)


def _compare_items(before: Sequence[Any], after: Sequence[Any], at: str, changes: list[Change]) -> None:
    """Go along both lists: up to `place` the list is already the new one, from there on still the old one, from `old`
    on.

    An item that is missing in the rest of the other list is added or removed; one that moved is both.
    """
    place, old, end, last = 0, 0, len(before), len(after)
    while place < last and old < end:
        was, now = before[old], after[place]
        if was is now or was == now:
            old += 1
            place += 1
            continue
        stays = was in after[place + 1 :]
        if not stays and now not in before[old + 1 :]:
            _compare(was, now, f"{at}/{place}", changes)
            old += 1
            place += 1
        elif stays and now not in before[old + 1 :]:
            changes.append(Change("add", f"{at}/{place}", UNSET, Raw(_encode(now))))
            place += 1
        else:
            changes.append(Change("remove", f"{at}/{place}"))
            old += 1
    changes += [Change("remove", f"{at}/{place}")] * (end - old)
    changes += [Change("add", f"{at}/{index}", UNSET, Raw(_encode(after[index]))) for index in range(place, last)]


@cache
def _field_segments(kind: type) -> tuple[str, ...] | None:
    """The pointer segments of the fields of a type; None if it cannot be compared field by field."""
    if not issubclass(kind, Struct) or kind.__struct_config__.array_like or kind.__struct_config__.omit_defaults:
        return None
    return tuple(map(_segment, kind.__struct_encode_fields__))


def _segment(name: str) -> str:
    """The pointer segment of a member."""
    return f"/{name.replace('~', '~0').replace('/', '~1')}"
