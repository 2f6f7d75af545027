"""Puzzles as they are kept in a file, those that are shipped, and moves in words."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from mcmulti.domain.core.course.course import Fact
from mcmulti.domain.core.figures import Count, RulesetName, Seat
from mcmulti.domain.core.offers import admitting
from mcmulti.domain.core.wording.telling import Language
from mcmulti.library.positions import open_position
from mcmulti.library.state import State
from mcmulti.projections.pictures.fit import plain
from mcmulti.projections.reviews import Estimate

LINE = 4
"""The most actions of a line."""


def line_told(state: State, actions: Sequence[Struct], player: int, language: Language) -> str:
    """Actions of a seat, one after the other, each in a sentence. If it has no fields, or draws dice or cards, this is
    the sentence of its offer. Raises like `State.apply_action`.
    """
    after, said = state.redraw(0), list[str]()
    for action in actions:
        before = after.clone()
        after.apply_action(action, player)
        if not action.__struct_fields__ or after.table.draws > before.table.draws:
            said.append(_offered(before, action, player, language))
        else:
            facts = after.happened()[-1].facts[:1]
            said.append(told(before.game.ruleset, before.table, facts, language))
    return " ".join(said)


def told(rules: Any, table: Any, facts: Iterable[Fact], language: Language) -> str:
    """What events say that happen at a table, one after the other."""
    return " ".join(_each(rules, table, facts, language))


def _each(rules: Any, table: Any, facts: Iterable[Fact], language: Language) -> Iterator[str]:
    for fact in facts:
        yield plain(rules.texts.tell(table, fact.event, language))
        table = fact.event.evolve(table)


def _offered(state: State, action: Struct, player: int, language: Language) -> str:
    """An action as it is offered, without what its dice bring."""
    offer = admitting(state.offers(player), action)
    return "" if offer is None else plain(state.game.ruleset.texts.tell_offer(state.table, offer, language))


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
