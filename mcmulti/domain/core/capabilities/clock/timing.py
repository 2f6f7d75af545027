"""What a game knows of the clocks of its seats, beside what is played."""

from typing import Any

from msgspec.structs import replace

from mcmulti.domain.core.capabilities.capability import Slot
from mcmulti.domain.core.tuples import put


class Timing(Slot, frozen=True, gc=False):
    """What became of the clocks of a game so far.

    `used`: by seat, how many seconds of its bank are gone. `missed`: by seat, how often it let its time pass where it
    had a choice, since its misses were cleared; `missed_in`: in which turn it last did. They are empty as long as they
    are nothing but zeros. `granted`: how many seconds were granted in the whole game, to whomever. `grants`: who
    granted time in turn `turn`, and to whom.
    """

    used: tuple[int, ...] = ()
    missed: tuple[int, ...] = ()
    missed_in: tuple[int, ...] = ()
    granted: int = 0
    turn: int = 0
    grants: tuple[tuple[int, int], ...] = ()

    def reseated(self, seat: int) -> "Timing":
        """Who sits down has missed nothing."""
        return self.forgiven(seat)

    def used_by(self, seat: int) -> int:
        """How many seconds of its bank are gone."""
        return self.used[seat] if seat < len(self.used) else 0

    def missed_by(self, seat: int) -> int:
        """How often a seat let its time pass since its misses were cleared."""
        return self.missed[seat] if seat < len(self.missed) else 0

    def in_time(self, seat: int, turn: int, turns: int) -> bool:
        """Whether a seat let no time pass in this turn, which is the latest, nor in as many turns before it as make
        `turns` with it."""
        return seat >= len(self.missed_in) or turn - self.missed_in[seat] >= turns

    def granted_by(self, seat: int, turn: int) -> tuple[int, ...]:
        """To whom a seat granted time in this turn."""
        return tuple(to for by, to in self.grants if by == seat) if turn == self.turn else ()

    def with_used(self, seat: int, seconds: int) -> "Timing":
        """When so many seconds more of the bank of a seat are gone."""
        return replace(self, used=_put(self.used, seat, self.used_by(seat) + seconds))

    def with_missed(self, seat: int, times: int, turn: int) -> "Timing":
        """When a seat let its time pass in this turn, and so many times in all."""
        return replace(self, missed=_put(self.missed, seat, times), missed_in=_put(self.missed_in, seat, turn))

    def forgiven(self, seat: int) -> "Timing":
        """When what a seat missed does not count any more."""
        return replace(self, missed=_put(self.missed, seat, 0)) if self.missed_by(seat) else self

    def with_grant(self, by: int, seat: int, seconds: int, turn: int) -> "Timing":
        """When one seat granted so much to another in this turn."""
        before = self.grants if turn == self.turn else ()
        return replace(self, granted=self.granted + seconds, turn=turn, grants=(*before, (by, seat)))


NO_TIMING = Timing()


def timing_of(state: Any) -> Timing:
    """What became of the clocks of a game; nothing where it has none."""
    timing: Timing = getattr(state, "timing", NO_TIMING)
    return timing


def _put(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return put(values + (0,) * (seat + 1 - len(values)), seat, value)
