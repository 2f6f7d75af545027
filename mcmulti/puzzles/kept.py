"""Puzzles as they are kept in a file, and those that are shipped."""

from functools import cache
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from mcmulti.domain.core.figures import Count, RulesetName, Seat
from mcmulti.library.positions import open_position
from mcmulti.library.state import State
from mcmulti.projections.reviews import Estimate

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve")
"""The players of puzzles, by seat."""
FOLDER = Path(__file__).parent
"""The folder with the shipped sets, a file for each rule set that has one."""


class KeptMove(Struct, frozen=True):
    """A move: its actions, of which the second and later ones are how a fast player goes on up to the next dice.

    `chance`: of the seat to win after it. `loss`: how much less that is than after the best move; 0 for that one.
    """

    actions: tuple[dict[str, Any], ...]
    chance: Estimate
    loss: Estimate


class Puzzle(Struct, frozen=True):
    """A position in which a seat, `player`, has one clearly best move.

    `position`: the document to open, without what anybody sealed. `game` and `seq`: the seed of the bot game that it
    is from, and the event after which it stood. `moves`: those that are offered, the best one first.
    """

    position: dict[str, Any]
    player: Seat
    game: Count
    seq: Count
    moves: Annotated[tuple[KeptMove, ...], Meta(min_length=2)]

    @property
    def state(self) -> State:
        """The position, as a game that has just begun."""
        return open_position(self.position, names=NAMES[: self.position["setup"]["seats"]])


class PuzzleSet(Struct, frozen=True):
    """Puzzles of a rule set. `policy`: the bots that played the games and the rollouts. `learned`: whether a network
    values the ends of rollouts. `rollouts`: how many there were after each move.
    """

    ruleset: RulesetName
    version: Count
    policy: str
    learned: bool
    rollouts: Count
    puzzles: tuple[Puzzle, ...]


@cache
def shipped(ruleset: str) -> PuzzleSet | None:
    """The puzzles of a rule set that come with this package; None if there are none."""
    file = FOLDER / f"{ruleset}.json"
    return msgspec.json.decode(file.read_bytes(), type=PuzzleSet) if file.is_file() else None


def written(puzzles: PuzzleSet) -> bytes:
    """A set as a file. The same set always makes the same bytes."""
    return msgspec.json.format(msgspec.json.encode(puzzles), indent=1) + b"\n"
