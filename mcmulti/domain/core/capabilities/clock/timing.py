"""The clocks of a game's seats, next to the game itself."""

from typing import Any

from msgspec.structs import replace

from mcmulti.domain.core.capabilities.capability import Slot
from mcmulti.domain.core.tuples import put


class Timing(Slot, frozen=True, gc=False):
    """The clocks of a game so far.

    `used`: by seat, how many seconds of its bank are gone. `missed`: by seat, how many moves it missed, though it had a
    choice, since its misses were cleared. `missed_in`: the turn of its last miss. These are empty while all are zero.
    `granted`: how many seconds were granted to all seats in the whole game. `grants`: who granted time in turn `turn`,
    and to whom.
    """

    used: tuple[int, ...] = ()
    missed: tuple[int, ...] = ()
    missed_in: tuple[int, ...] = ()
    granted: int = 0
    turn: int = 0
    grants: tuple[tuple[int, int], ...] = ()

    def reseated(self, seat: int) -> "Timing":
        """A new player has no misses."""
        return self.forgiven(seat)

    def used_by(self, seat: int) -> int:
        """How many seconds of its bank are gone."""
        return self.used[seat] if seat < len(self.used) else 0

    def missed_by(self, seat: int) -> int:
        """How many moves a seat missed since its misses were cleared."""
        return self.missed[seat] if seat < len(self.missed) else 0

    def in_time(self, seat: int, turn: int, turns: int) -> bool:
        """Whether a seat missed no move in this turn, which is the latest, nor in the turns before it,
        `turns` in all.
        """
        return seat >= len(self.missed_in) or turn - self.missed_in[seat] >= turns

    def granted_by(self, seat: int, turn: int) -> tuple[int, ...]:
        """The seats to which a seat granted time in this turn."""
        return tuple(to for by, to in self.grants if by == seat) if turn == self.turn else ()

    def with_used(self, seat: int, seconds: int) -> "Timing":
        """The clocks after N more seconds of a seat's bank are gone."""
        return replace(self, used=_put(self.used, seat, self.used_by(seat) + seconds))

    def with_missed(self, seat: int, times: int, turn: int) -> "Timing":
        """The clocks after a seat missed a move in this turn, for this many times in all."""
        return replace(self, missed=_put(self.missed, seat, times), missed_in=_put(self.missed_in, seat, turn))

    def forgiven(self, seat: int) -> "Timing":
        """The clocks after a seat's misses were cleared."""
        return replace(self, missed=_put(self.missed, seat, 0)) if self.missed_by(seat) else self

    def with_grant(self, by: int, seat: int, seconds: int, turn: int) -> "Timing":
        """The clocks after one seat granted time to another in this turn."""
        before = self.grants if turn == self.turn else ()
        return replace(self, granted=self.granted + seconds, turn=turn, grants=(*before, (by, seat)))


NO_TIMING = Timing()


def timing_of(state: Any) -> Timing:
    """The clocks of a game; empty if it has none."""
    timing: Timing = getattr(state, "timing", NO_TIMING)
    return timing


def _put(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return put(values + (0,) * (seat + 1 - len(values)), seat, value)
