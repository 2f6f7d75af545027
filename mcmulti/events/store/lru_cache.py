"""A cache that gives up what was asked for longest ago, by number or by weight.

Answers come from it by the thousand: cachetools takes twice as long to find one, and raises for what is heavier than
all the room there is.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """Values by their keys, `most` of them or of what they weigh. The least recently used gives way."""

    def __init__(self, most: int, weight: Callable[[V], int] = lambda _: 1) -> None:
        self._most = most
        self._weight = weight
        self._values: OrderedDict[K, V] = OrderedDict()
        self._weighs = 0

    def __len__(self) -> int:
        return len(self._values)

    @property
    def weighs(self) -> int:
        """The total weight of the cached values."""
        return self._weighs

    def get(self, key: K) -> V | None:
        """The value, if it is at hand."""
        value = self._values.get(key)
        if value is not None:
            self._values.move_to_end(key)
        return value

    def find(self, keys: Iterable[K]) -> dict[K, V]:
        """The values of those keys that are at hand."""
        found = {key: value for key in keys if (value := self._values.get(key)) is not None}
        for key in found:
            self._values.move_to_end(key)
        return found

    def items(self) -> Iterable[tuple[K, V]]:
        """All keys and values that are at hand, without asking for any."""
        return self._values.items()

    def values(self) -> Iterable[V]:
        """All values that are at hand, without asking for any."""
        return self._values.values()

    def drop(self, key: K) -> None:
        """Give up the value of a key, if it is at hand."""
        value = self._values.pop(key, None)
        if value is not None:
            self._weighs -= self._weight(value)

    def clear(self) -> None:
        """Give all up."""
        self._values.clear()
        self._weighs = 0

    def put(self, key: K, value: V) -> V:
        """Put a value, which is returned, in the place of the last one of this key."""
        self.drop(key)
        self._values[key] = value
        self._weighs += self._weight(value)
        while self._weighs > self._most:
            _, oldest = self._values.popitem(last=False)
            self._weighs -= self._weight(oldest)
        return value
