"""Changes of recorded data, to test whether forgeries are found."""

from collections.abc import Iterator
from typing import Any

import msgspec

from mcmulti.events.log.envelope import Recorded


def with_field(event: Recorded, field: str, value: Any) -> Recorded:
    """The event with another value in a field."""
    return Recorded._make(value if name == field else kept for name, kept in event._asdict().items())


def documents(content: bytes) -> Iterator[bytes]:
    """The JSON document with one change, in every possible way."""
    return map(msgspec.json.encode, _values(msgspec.json.decode(content)))


def _values(value: Any) -> Iterator[Any]:
    """The value with one change, in every possible way."""
    match value:
        case dict():
            for key, member in value.items():
                yield from ({**value, key: other} for other in _values(member))
                yield {name: kept for name, kept in value.items() if name != key}
            yield {**value, "more": 1}
        case list():
            for place, member in enumerate(value):
                yield from ([*value[:place], other, *value[place + 1 :]] for other in _values(member))
                yield [*value[:place], *value[place + 1 :]]
            yield [*value, value[-1] if value else 0]
        case bool():
            yield from (not value, None)
        case int():
            yield from (value + 1, value - 1, None, str(value))
        case str():
            yield from (f"{value}x", value[:-1], None, 0) if value else ("x", None)
        case None:
            yield from (0, "x")
