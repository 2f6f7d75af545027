"""What not everybody may know of what happened."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct

S = TypeVar("S")


class Redaction(Struct, Generic[S], frozen=True, kw_only=True):
    """What of events of one `type` not everybody may know."""

    type: str
    sealed: Callable[[S, Any, int | None], bool]
    """Whether what such an event of the past says must not be shown to a seat yet; from the present state."""
    stand_in: Callable[[Sequence[str], int | None], Any]
    """What who may not see it folds in its place: from the types of all events up to it, and whose it is."""
    by_seat: bool = True
    """Whether some may know it whom others do not; else nobody may."""
