"""Tuples with something changed."""

from typing import TypeVar

T = TypeVar("T")


def put(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """The values with another one in this place; raises IndexError where there is none."""
    changed = list(values)
    changed[place] = value
    return tuple(changed)
