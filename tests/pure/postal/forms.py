"""Every legal form of order sheets, as a strategy derived from the types: it includes new forms automatically."""

from functools import cache
from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec import inspect

from mcmulti.domain.postal.conditions import conditions
from mcmulti.domain.postal.sheets import sheet
from mcmulti.domain.postal.sheets.sheet import OrderSheet, first_excess

_DEEPEST = 4
"""Maximum depth of nested conditions and branches in generated sheets."""
_HOLDS_OTHERS = (
    sheet.IfOrder,
    sheet.IfTrade,
    sheet.IfPumps,
    conditions.AllOf,
    conditions.AnyOf,
    conditions.Not,
)
_SEVERAL = 3
"""Maximum length of a generated list, unless more items are required."""


def sheets() -> st.SearchStrategy[OrderSheet]:
    """Sheets within their limits."""
    drawn: st.SearchStrategy[OrderSheet] = form(OrderSheet)
    return drawn.filter(lambda each: first_excess(each) is None)


@cache
def form(type_: Any, depth: int = _DEEPEST) -> st.SearchStrategy[Any]:
    """Values of a type that msgspec knows. It can decode each of them."""
    return _values(inspect.type_info(type_), depth)


def _values(info: Any, depth: int) -> st.SearchStrategy[Any]:
    match info:
        case inspect.Metadata():
            return _values(info.type, depth)
        case inspect.IntType():
            return st.integers(info.ge, info.le)
        case inspect.LiteralType():
            return st.sampled_from(info.values)
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.VarTupleType():
            most = max(info.min_length or 0, _SEVERAL)
            parts = st.lists(_values(info.item_type, depth), min_size=info.min_length or 0, max_size=most)
            return parts.map(tuple)
        case inspect.UnionType():
            return st.one_of([_values(each, depth) for each in info.types if depth or not _is_deep(each)])
        case inspect.StructType():
            inside = depth - 1 if _is_deep(info) else depth
            fields = {each.name: _later(each.type, inside) for each in info.fields}
            return st.builds(info.cls, **fields)
    raise TypeError(f"no values of {info}")


def _later(info: Any, depth: int) -> st.SearchStrategy[Any]:
    """The values of a field. Recursive types are expanded only as deep as values are generated."""
    return st.deferred(lambda: _values(info, depth))


def _is_deep(info: Any) -> bool:
    return isinstance(info, inspect.StructType) and issubclass(info.cls, _HOLDS_OTHERS)


def is_legal(value: OrderSheet) -> bool:
    """Whether the API decodes a sheet to the same sheet, whoever made it."""
    return msgspec.json.decode(msgspec.json.encode(value), type=OrderSheet) == value
