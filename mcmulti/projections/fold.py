"""Folds: results computed event by event, so that a response costs no more than what happened since the last one.

A fold starts empty, steps over events, and provides the results of its class. To query the past too, keep forks of it
from earlier moments.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from copy import copy
from typing import Any, Generic, Self, TypeVar

from mcmulti.domain.core.capabilities.undo.trail import DEPTH, MoveClosed, MovesTakenBack
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.positions import Position
from mcmulti.events.store.redaction import Onlooking

T = TypeVar("T")
STATE = 12_000
"""Approximate bytes of a game's state in memory, with the marks for undo."""


class Fold(ABC):
    """The result of a game's log up to some event."""

    @abstractmethod
    def step(self, events: Sequence[Recorded], now: Position) -> None:
        """Process the next events, from the first of the log on, while the game stands at `now`.

        Raises whatever invalid events raise.
        """

    def fork(self) -> Self:
        """An independent copy. What can be forked is forked, and lists and dicts of what never changes are copied."""
        found = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, list | dict):
                vars(found)[name] = value.copy()
            elif isinstance(value, Fold | Growing | Marks | Onlooking):
                vars(found)[name] = value.fork()
        return found

    def fits(self, now: Position) -> bool:
        """Whether the same events would give the same result while the game stands at `now`."""
        return True

    @property
    def own(self) -> int:
        """Its approximate size in bytes, without what it shares with forks."""
        return STATE

    @property
    def shared(self) -> int:
        """The approximate number of bytes that it shares with earlier forks."""
        return 0


class Growing(Generic[T]):
    """A list that only grows. A fork shares the items of its origin, and copies them only if both continue."""

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
        """The last item. The list must not be empty."""
        return self._items[self._length - 1]

    def append(self, item: T) -> None:
        """Append an item."""
        if len(self._items) != self._length:  # a fork has continued before
            self._items = self._items[: self._length]
        self._items.append(item)
        self._length += 1

    def fork(self) -> "Growing[T]":
        """An independent copy."""
        found: Growing[T] = Growing()
        found._items, found._length = self._items, self._length
        return found


class Marks(Generic[T]):
    """The counts at the end of each of the latest moves, which are restored when moves are taken back."""

    def __init__(self) -> None:
        self._kept: list[T] = []

    def fork(self) -> "Marks[T]":
        """An independent copy."""
        found: Marks[T] = Marks()
        found._kept = self._kept.copy()
        return found

    def after(self, happened: Any, counted: T) -> T:
        """The counts after this event; `counted`, which must not change anymore, if it took nothing back."""
        if isinstance(happened, MovesTakenBack):
            del self._kept[-happened.moves :]
            return self._kept[-1]
        if isinstance(happened, MoveClosed):
            self._kept = [*(() if happened.final else self._kept[-DEPTH:]), counted]
        return counted
