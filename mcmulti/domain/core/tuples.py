"""Changed copies of tuples."""

from typing import TypeVar

T = TypeVar("T")


def put(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """A copy with another value at this index. Raises IndexError if there is no such index."""
    changed = list(values)
    changed[place] = value
    return tuple(changed)
