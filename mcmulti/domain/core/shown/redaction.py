"""What must be hidden from some readers."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct

S = TypeVar("S")


class Redaction(Struct, Generic[S], frozen=True, kw_only=True):
    """What must be hidden of events of one `type`."""

    type: str
    sealed: Callable[[S, Any, int | None], bool]
    """Whether such a past event is still sealed for a seat, given the present state."""
    stand_in: Callable[[Sequence[str], int | None], Any]
    """What readers who may not see it fold in its place, given the types of all events up to it, and its owner."""
    by_seat: bool = True
    """Whether some seats may see what others may not; otherwise nobody may."""
