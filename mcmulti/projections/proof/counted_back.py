"""Counts that are restored when moves are taken back."""

from typing import Any, Generic, TypeVar

from mcmulti.domain.core.capabilities.undo.trail import DEPTH, MoveClosed, MovesTakenBack

T = TypeVar("T")


class Marks(Generic[T]):
    """The counts at the end of each of the latest moves."""

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
