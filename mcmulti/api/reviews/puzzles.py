"""Puzzles: positions of bot games with one clearly best move, which come with the package."""

from functools import cache, partial
from typing import Annotated

from msgspec import Meta, Struct, convert

from mcmulti.api.http.answers import Answer, encoded
from mcmulti.api.http.contract import Call, LanguageQuery, answer, operation
from mcmulti.api.http.problems import ApiError
from mcmulti.api.operations.players import known
from mcmulti.api.readings.pictures import SVG
from mcmulti.domain.core.capabilities.positions import PositionDocument
from mcmulti.domain.core.figures import Count, RulesetName, Seat, Sentence
from mcmulti.domain.core.wording.telling import Language
from mcmulti.library.game import action_of
from mcmulti.library.state import State
from mcmulti.projections.pictures.words import described
from mcmulti.projections.reviews import Estimate
from mcmulti.projections.svg import board as board_svg
from mcmulti.puzzles.kept import NAMES, KeptMove, Puzzle, line_told, shipped

_MOST = 100


class PuzzleMove(Struct, frozen=True):
    """A move that a puzzle offers. `said`: in words. `line`: the same, and how the seat goes on up to the next dice.

    `chance`: of the seat to win after it. `loss`: how much less that is than after the best move; 0 for that one.
    """

    said: Sentence
    line: Sentence
    chance: Estimate
    loss: Estimate


class PuzzleView(Struct, frozen=True):
    """A position in which a seat has one clearly best move among those offered. `names`: the players, by seat.
    `drawPuzzle` draws the board, and `board` describes it. `position`: the document to play on from. `moves`: those
    that are offered.
    """

    seat: Seat
    names: Annotated[tuple[Sentence, ...], Meta(max_length=16)]
    board: Sentence
    position: PositionDocument
    moves: Annotated[tuple[PuzzleMove, ...], Meta(max_length=16)]


class Puzzles(Struct, frozen=True):
    """The puzzles of a rule set; none if it has no set. `policy`: the bots that played the games, and after the moves.
    `learned`: whether a network values positions after a round; otherwise they were played to the end. `rollouts`: how
    often, after each move.
    """

    ruleset: RulesetName
    policy: str | None
    learned: bool
    rollouts: Count
    puzzles: Annotated[
        tuple[PuzzleView, ...], Meta(max_length=_MOST, description="In the order in which they were found.")
    ]


class PuzzleQuery(LanguageQuery, frozen=True, forbid_unknown_fields=True):
    """`puzzle`: which one of the set, from 1. `language`: of all words."""

    puzzle: Annotated[int, Meta(ge=1, le=_MOST)] = 1


@operation(
    "GET",
    "/v1/rulesets/{ruleset}/puzzles",
    summary="Get puzzles: positions with one clearly best move",
    answer=Puzzles,
)
async def list_puzzles(call: Call, query: LanguageQuery, ruleset: str) -> Answer:
    """Returns positions from games of bots, a few moves for each, and what they are worth. The move whose `loss` is 0
    is the best of them. All numbers are estimates: bundled bots play on after the moves.
    """
    name = known(ruleset).name
    return answer(await call.service.apart(partial(_puzzles, name, query.language)))


@operation(
    "GET",
    "/v1/rulesets/{ruleset}/puzzle.svg",
    summary="Draw the board of a puzzle",
    texts=(SVG,),
    problems=("no_picture",),
)
async def draw_puzzle(call: Call, query: PuzzleQuery, ruleset: str) -> Answer:
    """The picture is drawn like that of a game (`drawBoard`)."""
    found = known(ruleset)
    puzzles = shipped(found.name)
    if puzzles is None or found.picture is None or query.puzzle > len(puzzles.puzzles):
        raise ApiError("no_picture", f"{found.title} has no such puzzle.")
    drawn = await call.service.apart(partial(_board, found.name, query.puzzle - 1, query.language))
    return Answer(drawn, media_type=SVG)


@cache
def _puzzles(name: str, language: Language) -> bytes:
    return encoded(puzzles_in(name, language))


@cache
def _board(name: str, number: int, language: Language) -> bytes:
    found = shipped(name)
    assert found is not None
    state = found.puzzles[number].state
    draw = state.game.ruleset.picture
    assert draw is not None
    return board_svg.drawn(draw(state.table, language))


def puzzles_in(name: str, language: Language) -> Puzzles:
    """The puzzles of a rule set in words."""
    found = shipped(name)
    if found is None:
        return Puzzles(name, None, learned=False, rollouts=0, puzzles=())
    shown = tuple(_puzzle_view(puzzle, language) for puzzle in found.puzzles)
    return Puzzles(name, found.policy, found.learned, found.rollouts, shown)


def _puzzle_view(puzzle: Puzzle, language: Language) -> PuzzleView:
    state = puzzle.state
    draw = state.game.ruleset.picture
    board = "" if draw is None else " ".join(described(draw(state.table, language)))
    moves = [_move(state, puzzle.player, move, language) for move in puzzle.moves]
    moves.sort(key=lambda move: move.said)  # so that the order does not tell the best one
    names = NAMES[: state.game.num_players()]
    return PuzzleView(puzzle.player, names, board, convert(puzzle.position, PositionDocument), tuple(moves))


def _move(state: State, player: int, move: KeptMove, language: Language) -> PuzzleMove:
    actions = [action_of(state.game, command) for command in move.actions]
    said, line = (line_told(state, each, player, language) for each in (actions[:1], actions))
    return PuzzleMove(said, line, move.chance, move.loss)
