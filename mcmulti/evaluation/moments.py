"""A recorded game, command by command, for a review."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from mcmulti.domain.core.course.course import Fact
from mcmulti.domain.core.offers import admitting
from mcmulti.domain.core.wording.telling import Language
from mcmulti.evaluation.policy import RolloutPlayers
from mcmulti.library.record import Record
from mcmulti.library.state import Happened, IllegalAction, State
from mcmulti.projections.labels import REVIEW
from mcmulti.projections.pictures.fit import plain

LINE = 4
"""The most sentences of a line."""


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
    return _told(moment.before, moment.after.happened()[-1].facts, language)


def line_of(state: State, action: Struct, player: int, language: Language = "en") -> str:
    """An action in a sentence, and how a fast player would go on, up to the next dice or the next player."""
    after = state.redraw(0)
    after.apply_action(action, player)
    if after.table.draws > state.table.draws:
        return _offered(state, action, player, language)
    rules, players = state.game.ruleset, RolloutPlayers(state.game, 0)
    said = [_told(state, after.happened()[-1].facts[:1], language)]
    turn = rules.turn(state.table)
    while len(said) < LINE and player in after.players_to_move() and rules.turn(after.table) == turn:
        before = after.clone()
        players.move(after)
        if after.table.draws > state.table.draws or rules.turn(after.table) != turn:
            break
        said += _sentences(before, after.happened()[len(before.happened()) :], language)
    return " ".join(said[:LINE])


def _offered(state: State, action: Struct, player: int, language: Language) -> str:
    """An action as it is offered, without what its dice bring."""
    offer = admitting(state.offers(player), action)
    return "" if offer is None else plain(state.game.ruleset.texts.tell_offer(state.table, offer, language))


def _sentences(before: State, steps: Sequence[Happened], language: Language) -> list[str]:
    """The first sentence of each step."""
    found, table = list[str](), before.table
    for step in steps:
        found.append(plain(before.game.ruleset.texts.tell(table, step.facts[0].event, language)))
        for fact in step.facts:
            table = fact.event.evolve(table)
    return found


def _told(before: State, facts: Iterable[Fact], language: Language) -> str:
    tell, table, said = before.game.ruleset.texts.tell, before.table, list[str]()
    for fact in facts:
        said.append(plain(tell(table, fact.event, language)))
        table = fact.event.evolve(table)
    return " ".join(said)


def names_in(state: State, language: Language = "en") -> tuple[str, ...]:
    """The players' names by seat, or the seats if none are known."""
    names: Sequence[str | None] = state.game.ruleset.outcome(state.table).names
    unnamed = REVIEW[language].seat
    return tuple(plain(name) if name else unnamed.format(seat + 1) for seat, name in enumerate(names))
