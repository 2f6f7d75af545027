"""Observations as numbers: a vector of parts, each with a name, an offset, and a range."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import accumulate
from operator import attrgetter
from typing import Any, TypeAlias

import numpy as np
from gymnasium.spaces import Box
from msgspec import Struct
from numpy.typing import NDArray

Vector: TypeAlias = NDArray[Any]
PartReader = Callable[[Any, int], Sequence[float] | Vector]
"""Reads the numbers of a part from a state, for a seat."""


class Part(Struct, frozen=True):
    """Numbers that belong together: `size` of them, each from 0 to `most`; larger values are clipped.

    `unit`: the divisor of amounts. `says`: a description in one sentence.
    """

    name: str
    size: int
    says: str
    read: PartReader
    unit: int = 1
    most: float = 1.0


class SeatLayout:
    """The parts of a vector, in order."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = tuple(parts)
        self.offsets = (0, *accumulate(part.size for part in parts))
        self.size = self.offsets[-1]
        self.most: Vector = np.repeat([part.most for part in parts], [part.size for part in parts]).astype(np.float32)
        self._units: Vector = np.repeat([1 / part.unit for part in parts], [part.size for part in parts])

    def __iter__(self) -> Iterator[tuple[int, Part]]:
        """Each part, with the index of its first number."""
        return zip(self.offsets, self.parts, strict=False)

    def observed(self, state: Any, seat: int) -> Vector:
        """The observation of a seat: float32."""
        seen: Vector = np.empty(self.size, np.float32)
        for part, start, end in zip(self.parts, self.offsets, self.offsets[1:], strict=False):
            seen[start:end] = part.read(state, seat)
        seen *= self._units
        return np.minimum(seen, self.most, out=seen)

    def space(self) -> Box:
        """The observation space."""
        return Box(np.zeros(self.size, np.float32), self.most, dtype=np.float32)

    def part(self, vector: Vector, name: str) -> Vector:
        """The numbers of a part in a vector. Raises `KeyError` if there is no such part."""
        for offset, part in self:
            if part.name == name:
                return vector[..., offset : offset + part.size]
        raise KeyError(name)


@cache
def around(seat: int, seats: int) -> tuple[int, ...]:
    """All seats in a seat's order: itself first, then clockwise."""
    return tuple([(seat + step) % seats for step in range(seats)])


def one_of(value: Any, values: Sequence[Any]) -> list[float]:
    """One-hot encoding: 1 at the index of the value, 0 elsewhere; all zeros if it is not among the values."""
    return [float(value == each) for each in values]


def flags(chosen: Sequence[Any], values: Sequence[Any]) -> list[float]:
    """Multi-hot encoding: 1 at the index of every chosen value."""
    return [float(each in chosen) for each in values]


def figure(name: str, says: str, field: str, unit: int = 1, most: float = 1.0) -> Part:
    """A number: this field of a state."""
    read = attrgetter(field)
    return Part(name, 1, says, lambda state, seat: (read(state),), unit, most)


def by_seat(
    name: str, seats: int, says: str, read: Callable[[Any], Sequence[float]], unit: int = 1, most: float = 1.0
) -> Part:
    """A number of each seat, in a seat's order. `read`: those of a state, by seat."""

    def each(state: Any, seat: int) -> Sequence[float]:
        numbers = read(state)
        return [numbers[other] for other in around(seat, seats)]

    return Part(name, seats, says, each, unit, most)


def seat_with(name: str, seats: int, says: str, field: str) -> Part:
    """The seat in this field of a state, or none. `says`: what it means to be that seat."""
    read = attrgetter(field)
    return Part(
        name, seats, f"for each seat: 1 if {says}", lambda state, seat: one_of(read(state), around(seat, seats))
    )


def seats_with(name: str, seats: int, says: str, field: str) -> Part:
    """The seats in this field of a state. `says`: what it means to be among them."""
    read = attrgetter(field)
    return Part(name, seats, f"for each seat: 1 if {says}", lambda state, seat: flags(read(state), around(seat, seats)))


def named(name: str, says: str, field: str, names: Sequence[str]) -> Part:
    """Which of several names is in this field of a state."""
    read = attrgetter(field)
    return Part(name, len(names), f"1 for {says}: {', '.join(names)}", lambda state, seat: one_of(read(state), names))


def waiting(seats: int) -> Part:
    """The seats that the game waits for."""
    return seats_with("to_move", seats, "the game waits for it", "to_move")


def phases(*names: str) -> Part:
    """The current phase."""
    return named("phase", "the phase", "phase", names)
