"""The players at a game in one process."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID


class Sitter(NamedTuple):
    """A player on a seat: its id, its name, and its entropy for the dice."""

    player: UUID
    name: str
    entropy: str = ""


def strangers(seats: int) -> tuple[Sitter, ...]:
    """Anonymous players called Seat 1 and so on; always the same."""
    return named(tuple(f"Seat {seat + 1}" for seat in range(seats)))


def named(names: Sequence[str]) -> tuple[Sitter, ...]:
    """Players with these names, by seat."""
    return tuple(Sitter(UUID(f"00000000-0000-4000-9000-{seat:012x}"), name) for seat, name in enumerate(names))


def game_numbered(seed: int) -> UUID:
    """The id of the game that is played with a seed, an integer from 0."""
    return UUID(f"00000000-0000-4000-8000-{seed:012x}")
