"""Puzzles from bot games: their reviews name costly decisions, and those with one clearly best move are kept."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from mcmulti.domain.core.capabilities.positions import Positions, document_of
from mcmulti.domain.core.wording.telling import LANGUAGES
from mcmulti.evaluation.evaluate import compare, estimated
from mcmulti.evaluation.learned import is_learned
from mcmulti.evaluation.policy import RolloutPlayers, policy_of
from mcmulti.evaluation.reviews.moments import continued
from mcmulti.evaluation.reviews.review import Reviewing
from mcmulti.evaluation.rollouts import dice_numbered, rolled_out_along
from mcmulti.library.game import Game
from mcmulti.library.positions import open_position
from mcmulti.library.record import Record
from mcmulti.library.state import IllegalAction, State
from mcmulti.projections.reviews import Estimate
from mcmulti.puzzles.kept import NAMES, KeptMove, Puzzle, PuzzleSet, line_told

PASSES = 2
"""How often each position and each alternative is played on in the review of a game."""
COSTLY = 0.04
"""What a decision must have cost, by the review, to be examined."""
TRIED = 8
"""The most moves that are tried in a position."""
OFFERED = 4
"""The most moves of a puzzle."""
FEWEST = 3
"""The fewest moves of a puzzle."""
SCREENED = 0.1
"""The part of the rollouts that chooses the moves that are offered."""
AHEAD = 0.03
"""How much more the best move must be worth than each other that is offered. Moves about as good are not offered."""
ERRORS = 4
"""How many standard errors of this difference it must be."""
OPEN = (0.1, 0.97)
"""The chance to win after the best move: neither lost nor won whatever happens."""
ALIKE = 3
"""The most puzzles of a set with the same kind of best move, and the most of the same game, each from another turn."""
SIMILAR = 2
"""The most worse moves of the same kind that a puzzle offers."""


class MadeSoFar(NamedTuple):
    """How far a set is. `games`: how many were reviewed; `examined`: positions; `kept`: puzzles."""

    games: int
    examined: int
    kept: int


def puzzles_of(
    game: Game, games: range, *, most: int, rollouts: int, made: Callable[[MadeSoFar], None] = lambda _: None
) -> PuzzleSet:
    """At most this many puzzles from bot games with these seeds. The same arguments make the same set.

    `rollouts`: after each move. `made`: called after each game with how far it is.
    """
    found: list[Puzzle] = []
    examined, kinds = 0, Counter[str]()
    for number, seed in enumerate(games, 1):
        turns = set[int]()
        for seq, player, before in _costly(_played(game, seed)):
            if len(found) == most or len(turns) == ALIKE:
                break
            turn = game.ruleset.turn(before.table)
            if turn in turns:
                continue
            examined += 1
            puzzle = puzzle_in(before, player, seed, seq, rollouts)
            if puzzle is None or kinds[kind := puzzle.moves[0].actions[0]["type"]] == ALIKE:
                continue
            kinds[kind] += 1
            turns.add(turn)
            found.append(puzzle)
        made(MadeSoFar(number, examined, len(found)))
        if len(found) == most:
            break
    name = game.name
    return PuzzleSet(name, game.version, policy_of(name), is_learned(name), rollouts, tuple(found))


def _played(game: Game, seed: int) -> Record:
    """A game of the fast players."""
    state, players = game.new_initial_state(seed=seed), RolloutPlayers(game, seed)
    while not state.is_terminal():
        players.move(state)
    return state.record()


def _costly(record: Record) -> Iterator[tuple[int, int, State]]:
    """The costly decisions of a game, the costliest first: the event before, the seat, and the state."""
    reviewing = Reviewing(record)
    for _ in reviewing.passes(PASSES):
        pass
    moves = [move for move in reviewing.result().moves if move.cost is not None and move.cost.value >= COSTLY]
    for move in sorted(moves, key=lambda move: (-(0.0 if move.cost is None else move.cost.value), move.seq)):
        if move.player is not None:
            yield move.before, move.player, record.state(move.before)


def puzzle_in(before: State, player: int, seed: int, seq: int, rollouts: int) -> Puzzle | None:
    """A puzzle in this position, without what anybody sealed; None if it has no clearly best move.

    `seed` and `seq`: those of the game that it is from. `rollouts`: after each move.
    """
    position = unsealed(before)
    if position is None:
        return None
    try:
        state = open_position(position, names=NAMES[: before.game.num_players()])
    except ValueError:
        return None
    if state.players_to_move() != (player,):
        return None
    few = max(2, int(SCREENED * rollouts))
    actions = _different(state, player, [each.action for each in compare(state, player, most=TRIED, rollouts=few)])
    if len(actions) < FEWEST:
        return None
    best, *others = actions
    chosen = _chances(state, player, [(best,)], few, seed=1)[0]
    lines = [(best,)]
    offered = Counter[type]()
    for action in others:
        if offered[type(action)] == SIMILAR:
            continue
        line, chances = _line(state, player, action, best, few)
        if _clear(_loss(chosen, chances), errors=1):
            lines.append(line)
            offered[type(action)] += 1
        if len(lines) == OFFERED:
            break
    if len(lines) < FEWEST:
        return None
    # Measured with other dice than those that chose the moves.
    measured = _chances(state, player, lines, rollouts, seed=2)
    losses = [_loss(measured[0], chances) for chances in measured]
    least, highest = OPEN
    if not all(_clear(loss, errors=ERRORS) for loss in losses[1:]) or not least <= fmean(measured[0]) <= highest:
        return None
    moves = [
        KeptMove(tuple(_kept(action) for action in _told(state, player, line)), estimated(chances), loss)
        for line, chances, loss in zip(lines, measured, losses, strict=True)
    ]
    return Puzzle(position, player, seed, seq, tuple(sorted(moves, key=lambda move: move.loss.value)))


def _line(state: State, player: int, action: Any, best: Any, rollouts: int) -> tuple[tuple[Any, ...], list[float]]:
    """A move as the fast players go on, or with the best move after it if that is possible and better, and its chances.

    Otherwise a harmless move would look like a blunder only since the fast players do not find the best one after it.
    """
    alone = _chances(state, player, [(action,)], rollouts, seed=1)[0]
    after, both = state.redraw(0), (action, best)
    after.apply_action(action, player)
    if after.table.draws == state.table.draws and player in after.players_to_move():
        try:
            after.apply_action(best, player)
        except (IllegalAction, ValueError):
            return (action,), alone
        together = _chances(state, player, [both], rollouts, seed=1)[0]
        if fmean(together) > fmean(alone):
            return both, together
    return (action,), alone


def _chances(state: State, player: int, lines: Sequence[Sequence[Any]], rollouts: int, seed: int) -> list[list[float]]:
    """The chances of the seat after each line, in each rollout, with the same dice."""
    dice = [dice_numbered(seed, number) for number in range(rollouts)]
    return [[rolled_out_along(state, line, player, each)[player] for each in dice] for line in lines]


def _loss(best: Sequence[float], chances: Sequence[float]) -> Estimate:
    """How much less these chances are than the best ones."""
    return estimated([most - own for most, own in zip(best, chances, strict=True)])


def _clear(loss: Estimate, *, errors: float) -> bool:
    """Whether a move is clearly worse than the best one."""
    return loss.error is not None and loss.value >= max(AHEAD, errors * loss.error)


def _told(state: State, player: int, line: Sequence[Any]) -> Sequence[Any]:
    """A line to tell: as the fast players go on, unless it is longer already."""
    return line if len(line) > 1 else continued(state, line[0], player)


def unsealed(state: State) -> dict[str, Any] | None:
    """The document of a position, without what anybody sealed; None if no game can be played on from there."""
    ruleset = state.game.ruleset
    positions = ruleset.flow.has(Positions)
    if positions is None:
        return None
    try:
        found: dict[str, Any] = msgspec.to_builtins(document_of(ruleset, positions.unsealed(state.table)))
    except ValueError:
        return None
    return found


def _different(state: State, player: int, actions: list[Any]) -> list[Any]:
    """Those of the actions that sound different in every language: a reader must be able to tell them apart."""
    said = {language: Counter(line_told(state, [each], player, language) for each in actions) for language in LANGUAGES}
    return [
        each
        for each in actions
        if all(count[line_told(state, [each], player, language)] == 1 for language, count in said.items())
    ]


def _kept(action: Struct) -> dict[str, Any]:
    return {"type": type(action).__name__, **msgspec.to_builtins(action)}
