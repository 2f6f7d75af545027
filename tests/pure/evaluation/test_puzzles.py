"""Puzzles: the shipped sets hold what they promise, and anybody can make them again."""

from itertools import pairwise

import msgspec
import pytest

from mcmulti.domain.core.capabilities.positions import Positions
from mcmulti.domain.core.wording.telling import LANGUAGES
from mcmulti.domain.rulesets import CURRENT
from mcmulti.evaluation.reviews.puzzles import AHEAD, ERRORS, FEWEST, OFFERED, unsealed
from mcmulti.library.game import action_of
from mcmulti.library.state import State
from mcmulti.puzzles.kept import FOLDER, KeptMove, Puzzle, PuzzleSet, line_told, shipped, written

SETS = [found for name in CURRENT if (found := shipped(name)) is not None]
PUZZLES = [
    pytest.param(found, puzzle, id=f"{found.ruleset}-{number}")
    for found in SETS
    for number, puzzle in enumerate(found.puzzles, 1)
]


def line(state: State, move: KeptMove, language: str) -> str:
    actions = [action_of(state.game, command) for command in move.actions]
    return line_told(state, actions, state.current_player(), language)  # type: ignore[arg-type]


def test_the_box_game_comes_with_puzzles_and_every_file_with_puzzles_belongs_to_a_rule_set() -> None:
    assert shipped("mcmulti") in SETS
    assert sorted(file.stem for file in FOLDER.glob("*.json")) == sorted(found.ruleset for found in SETS)
    assert shipped("chess") is None


@pytest.mark.parametrize("found", SETS, ids=lambda found: found.ruleset)
def test_a_file_is_that_of_its_set(found: PuzzleSet) -> None:
    assert written(found) == (FOLDER / f"{found.ruleset}.json").read_bytes()
    assert found.version == CURRENT[found.ruleset].version
    assert len({msgspec.json.encode(puzzle.position) for puzzle in found.puzzles}) == len(found.puzzles)


@pytest.mark.parametrize(("found", "puzzle"), PUZZLES)
def test_every_offered_move_is_legal_and_sounds_unlike_the_others_and_one_is_clearly_best(
    found: PuzzleSet, puzzle: Puzzle
) -> None:
    state = puzzle.state
    assert state.players_to_move() == (puzzle.player,)
    assert FEWEST <= len(puzzle.moves) <= OFFERED
    assert puzzle.moves[0].loss.value == 0
    for one, other in pairwise(puzzle.moves):
        assert one.loss.value <= other.loss.value
        assert other.loss.error is not None
        assert other.loss.value >= max(AHEAD, ERRORS * other.loss.error)
    for language in LANGUAGES:
        said = [line(state, KeptMove(move.actions[:1], move.chance, move.loss), language) for move in puzzle.moves]
        assert all(said)
        assert len(set(said)) == len(said)
        for move, begins in zip(puzzle.moves, said, strict=True):
            assert line(state, move, language).startswith(begins)


@pytest.mark.parametrize(("found", "puzzle"), PUZZLES)
def test_no_position_has_anything_that_somebody_sealed(found: PuzzleSet, puzzle: Puzzle) -> None:
    state = puzzle.state
    positions = state.game.ruleset.flow.has(Positions)
    assert positions is not None
    assert positions.unsealed(state.table) == state.table
    assert unsealed(state) == puzzle.position
