"""How long games wait."""

from msgspec import Struct

from mcmulti.domain.core.figures import Count


class Pace(Struct, frozen=True):
    """How long a game waits, counted from the start of the `stretch`, a key that differs between stretches.

    A player who has sent nothing after `late_after` seconds is late. After `closes_after` seconds the game goes on
    without. `granted`: extra seconds granted so far. If this grows within a stretch, the deadline moves by as much.
    """

    stretch: tuple[int, ...]
    late_after: Count
    closes_after: Count
    granted: Count = 0
