"""How long games wait."""

from msgspec import Struct

from mcmulti.domain.core.figures import Count


class Pace(Struct, frozen=True):
    """How long a game waits, counted from the moment it began to: the `stretch`, which others are not equal to.

    After `late_after` seconds who has sent nothing is late; after `closes_after` seconds the game goes on without.
    `granted` seconds were granted besides so far: if that grows within a stretch, its end moves as far.
    """

    stretch: tuple[int, ...]
    late_after: Count
    closes_after: Count
    granted: Count = 0
