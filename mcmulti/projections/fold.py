"""A fold: what is counted of a game as its events pass by, so that an answer costs no more than what happened since.

It starts with nothing, steps over events, and answers whatever its class can say. Who asks of the past as well keeps
forks of it from moments on the way.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Generic, Self, TypeVar

from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.positions import Position

T = TypeVar("T")
STATE = 12_000
"""Bytes of a game's state, with the marks to which moves can be taken back, as they are in memory."""


class Fold(ABC):
    """What was counted up to some event of a game's log."""

    @abstractmethod
    def step(self, events: Sequence[Recorded], now: Position) -> None:
        """The next events, from the first of the log on, while the game stands at `now`.

        Raises whatever events raise that are not sound.
        """

    @abstractmethod
    def fork(self) -> Self:
        """The same, which goes on by itself."""

    def fits(self, now: Position) -> bool:
        """Whether the same would have come of the same events while the game stands at `now`."""
        return True

    @property
    def own(self) -> int:
        """How many bytes it takes, about, without what it shares with forks."""
        return STATE

    @property
    def shared(self) -> int:
        """How many bytes, about, it shares with the forks that came before it."""
        return 0


class Growing(Generic[T]):
    """A list that only grows. A fork has what its origin had, and copies nothing unless both go on."""

    __slots__ = ("_items", "_length")

    def __init__(self) -> None:
        self._items: list[T] = []
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T]:
        return self.after(0)

    def after(self, index: int) -> Iterator[T]:
        """The items from this index on."""
        items = self._items
        return (items[number] for number in range(index, self._length))

    @property
    def last(self) -> T:
        """The last item; there must be one."""
        return self._items[self._length - 1]

    def append(self, item: T) -> None:
        """Put an item behind the last one."""
        if len(self._items) != self._length:  # a fork went on before
            self._items = self._items[: self._length]
        self._items.append(item)
        self._length += 1

    def fork(self) -> "Growing[T]":
        """The same, which grows by itself."""
        found: Growing[T] = Growing()
        found._items, found._length = self._items, self._length
        return found
