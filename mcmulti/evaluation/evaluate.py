"""What a position is worth to each seat, and what each of several moves would make of it."""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev
from time import process_time
from typing import Any

from msgspec import Struct

from mcmulti.evaluation.moves import moves_to_try
from mcmulti.evaluation.rollouts import VictoryShares, dice_numbered, rolled_out, rolled_out_after, shares_of
from mcmulti.library.state import State
from mcmulti.projections.reviews import Estimate


def estimated(samples: Sequence[float]) -> Estimate:
    """The mean of some samples, at least one."""
    error = stdev(samples) / sqrt(len(samples)) if len(samples) > 1 else None
    return Estimate(fmean(samples), error)


def by_seat(samples: Sequence[Sequence[float]]) -> tuple[Estimate, ...]:
    """The mean of each seat, from samples of all seats together."""
    return tuple(estimated(seat) for seat in zip(*samples, strict=True))


class Evaluation(Struct, frozen=True):
    """The chance of each seat to win; a shared victory counts in part. `rollouts`: how many there were.

    `error` of a chance is the standard error of the dice alone. It does not measure how well the players of the
    rollouts, or the network at their ends, stand for those at the table.
    """

    chances: tuple[Estimate, ...]
    rollouts: int


class MoveValue(Struct, frozen=True):
    """A move, the chances of its seat after it, and how much less that is than after the best move (0 for that one).

    `loss` is compared under the same dice, so its error is smaller than those of the chances.
    """

    action: Any
    chance: Estimate
    loss: Estimate


class Budget:
    """How long to go on: a number of rollouts, or until the process has used some more seconds of processor time."""

    def __init__(self, rollouts: int | None, seconds: float | None) -> None:
        self._rollouts, self._until = rollouts, None if seconds is None else process_time() + seconds

    def spent(self, rollouts: int) -> bool:
        """Whether it is used up after this many rollouts. There is always one."""
        if rollouts == 0:
            return False
        if self._rollouts is not None and rollouts >= self._rollouts:
            return True
        return self.late

    @property
    def late(self) -> bool:
        """Whether the time is used up."""
        return self._until is not None and process_time() >= self._until


def evaluate(state: State, *, rollouts: int | None = 100, seconds: float | None = None, seed: int = 0) -> Evaluation:
    """The chance of each seat to win from a position in a started game.

    It ends after this many `rollouts`, or `seconds` of processor time, but not before the first rollout. The same seed
    and the same number of rollouts give the same result. Raises `ValueError` before the start of the game.
    """
    _check_started(state)
    if state.is_terminal():
        return Evaluation(tuple(Estimate(share, 0.0) for share in shares_of(state)), 0)
    budget, samples = Budget(rollouts, seconds), list[VictoryShares]()
    while not budget.spent(len(samples)):
        samples.append(rolled_out(state, dice_numbered(seed, len(samples))))
    return Evaluation(by_seat(samples), len(samples))


def compare(
    state: State,
    player: int | None = None,
    actions: Sequence[Any] = (),
    *,
    most: int = 8,
    rollouts: int | None = 50,
    seconds: float | None = None,
    seed: int = 0,
) -> list[MoveValue]:
    """Moves of a seat, by default of the current player, the best first: all are tried with the same dice.

    `actions`: the moves; by default at most `most` that `moves_to_try` selects, possibly none. The best of several
    moves looks a little better than it is, since luck helped to choose it. Budget and seed are those
    of `evaluate`, for each move. Raises `ValueError` if the seat is not to move, and like `State.apply_action`.
    """
    _check_started(state)
    seat = state.current_player() if player is None else player
    if seat not in state.players_to_move():
        raise ValueError("the seat is not to move")
    moves = list(actions) or moves_to_try(state, seat, most, seed)
    if not moves:
        return []
    budget, samples = Budget(rollouts, seconds), list[list[float]]()
    while not budget.spent(len(samples)):
        dice = dice_numbered(seed, len(samples))
        samples.append([rolled_out_after(state, move, seat, dice)[seat] for move in moves])
    chances = [list(each) for each in zip(*samples, strict=True)]
    best = max(range(len(moves)), key=lambda place: sum(chances[place]))
    found = [
        MoveValue(move, estimated(mine), estimated([top - own for top, own in zip(chances[best], mine, strict=True)]))
        for move, mine in zip(moves, chances, strict=True)
    ]
    return sorted(found, key=lambda each: -each.chance.value)


def _check_started(state: State) -> None:
    if state.game.ruleset.status(state.table) == "open":
        raise ValueError("the game has not started")
