"""How much of everything is measured."""

from typing import NamedTuple


class Scale(NamedTuple):
    """The scale of the figures in RESULTS.md, by default."""

    rounds: int | None = None
    """Rounds of every group. None: the group's own default."""
    seconds: float = 1.5
    """Seconds of one measurement under load."""
    clients: int = 256
    """The most clients that send commands at once, each to a game of its own."""
    cached: int = 150
    """Games whose memory is measured."""
    readers: int = 1000
    followed: int = 100
    crowd: int = 200
    stream_seconds: float = 5.0
    read: int = 2000
    """Events of the game that is read and loaded."""
    long: int = 10_000
    """Events of a long game."""
    many: int = 100_000
    """Games of full tables."""
    games: int = 10
    """Random games of a measurement of rules, and of the arena."""
    steps: int = 1000
    """Steps of each environment."""
    small_log: int = 100_000
    """Events of the books and statistics that are compared with those of `large_log`."""
    large_log: int = 500_000
    clocks: int = 10_000
    played: int = 50
    """Concurrent games with running clocks. Half as many have players with records."""
    replays: int = 60
    watchers: int = 200
    moves: int = 12
    tables: int = 1000
    review: int = 60
    """Seconds of processor time of a review: the usual budget of the API."""


QUICK = Scale(
    rounds=1,
    seconds=0.2,
    clients=8,
    cached=20,
    readers=60,
    followed=10,
    crowd=20,
    stream_seconds=0.5,
    read=200,
    long=400,
    many=500,
    games=1,
    steps=50,
    small_log=2000,
    large_log=4000,
    clocks=100,
    played=4,
    replays=6,
    watchers=10,
    moves=2,
    tables=50,
    review=2,
)
"""Enough to show that everything runs. The figures mean nothing."""
