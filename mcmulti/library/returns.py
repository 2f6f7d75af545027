"""The returns of a game, by seat."""

from collections.abc import Sequence


def won(winners: Sequence[int], seats: int) -> list[float]:
    """1 shared among the winners, -1 shared among all others; 0 for all if nobody or everybody won."""
    losers = seats - len(winners)
    if not winners or not losers:
        return [0.0] * seats
    return [1 / len(winners) if seat in winners else -1 / losers for seat in range(seats)]
