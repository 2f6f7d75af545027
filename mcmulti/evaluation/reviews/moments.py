"""A recorded game, command by command, for a review."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from mcmulti.domain.core.wording.telling import Language
from mcmulti.evaluation.policy import RolloutPlayers
from mcmulti.library.record import Record
from mcmulti.library.state import IllegalAction, State
from mcmulti.projections.labels import REVIEW
from mcmulti.projections.pictures.fit import plain
from mcmulti.puzzles.kept import LINE, line_told, told


class CommandPlayed(NamedTuple):
    """A command that a seat sent, or the server (`player` None). `seq`: the number of its last event; `previous`: of
    the last event before it.

    `chance`: whether dice or cards were drawn, so that the same action could have led elsewhere.
    """

    seq: int
    previous: int
    player: int | None
    action: Struct | None
    before: State
    after: State
    chance: bool


def moments_of(record: Record) -> Iterator[CommandPlayed]:
    """Every command after the start. Raises `ValueError` if an event cannot be folded."""
    before: State | None = None
    previous = 0
    for moment in record.replay():
        after = moment.state
        if before is not None and before.game.ruleset.status(before.table) == "running":
            drew = after.table.draws > before.table.draws
            yield CommandPlayed(
                moment.seq, previous, moment.player, moment.action, before, after, drew and _repeatable(moment, before)
            )
        before, previous = after, moment.seq


def _repeatable(moment: Any, before: State) -> bool:
    """Whether the seat could send the action again, with other dice."""
    if moment.player is None:
        return False
    try:
        before.child(moment.action, moment.player)
    except (IllegalAction, TypeError, ValueError):
        return False
    return True


def happened_in(moment: CommandPlayed, language: Language = "en") -> str:
    """What happened, in sentences."""
    before = moment.before
    return told(before.game.ruleset, before.table, moment.after.happened()[-1].facts, language)


def line_of(state: State, action: Struct, player: int, language: Language = "en") -> str:
    """An action in a sentence, and how a fast player would go on, up to the next dice or the next player."""
    return line_told(state, continued(state, action, player), player, language)


def continued(state: State, action: Struct, player: int) -> list[Struct]:
    """An action, and the actions with which a fast player would go on, up to the next dice or the next player."""
    after, found = state.redraw(0), [action]
    after.apply_action(action, player)
    rules, players = state.game.ruleset, RolloutPlayers(state.game, 0)
    turn = rules.turn(state.table)
    while len(found) < LINE and after.table.draws == state.table.draws and _goes_on(after, player, turn):
        done = len(after.happened())
        players.move(after)
        steps = after.happened()[done:]
        if after.table.draws > state.table.draws or rules.turn(after.table) != turn:
            break
        if any(step.seat != player for step in steps):
            break
        found += [step.command for step in steps if step.command is not None]
    return found[:LINE]


def _goes_on(state: State, player: int, turn: int) -> bool:
    return player in state.players_to_move() and state.game.ruleset.turn(state.table) == turn


def names_in(state: State, language: Language = "en") -> tuple[str, ...]:
    """The players' names by seat, or the seats if none are known."""
    names: Sequence[str | None] = state.game.ruleset.outcome(state.table).names
    unnamed = REVIEW[language].seat
    return tuple(plain(name) if name else unnamed.format(seat + 1) for seat, name in enumerate(names))
