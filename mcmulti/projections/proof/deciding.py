"""Decide again what led to recorded events: the opening of a game, and each command after it."""

from typing import Any

import msgspec
from msgspec import Struct

from mcmulti.domain.core.chance import Chance
from mcmulti.domain.core.course.course import Decision
from mcmulti.domain.core.course.positions import Origin
from mcmulti.domain.core.event import SeriesTable
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.events.log.codec import command_decoder, current, draft, opened_with
from mcmulti.events.log.envelope import Draft, Recorded


class Wrong(Exception):
    """The event with this number is wrong."""

    def __init__(self, seq: int, fault: str) -> None:
        super().__init__(fault)
        self.seq = seq


def opened(first: Recorded, chance: Chance) -> tuple[Ruleset[Any], Decision[Any]]:
    """The rule set of a game, and the results of its opening. Raises `Wrong` if the rules refuse it."""
    try:
        ruleset = opened_with(first)
        opening = msgspec.json.decode(current(ruleset, first).data, type=_Opening)
        setup = msgspec.json.decode(opening.setup, type=ruleset.setup)
    except (msgspec.DecodeError, ValueError) as error:
        raise Wrong(first.seq, f"event {first.seq} does not open a readable game: {error}") from None
    decision = ruleset.open(str(first.game_id), setup, chance, opening.opened_by, opening.origin, opening.series)
    if isinstance(decision, Rejection):
        why = ruleset.texts.tell_refusal(decision, "en")
        raise Wrong(first.seq, f"event {first.seq} opens a game that the rules do not allow: {why}")
    return ruleset, decision


def command_of(ruleset: Ruleset[Any], first: Recorded) -> Any:
    """The command that led to an event. Raises `Wrong` if it has none, or its sender is unknown."""
    if first.command is None:
        raise Wrong(first.seq, f"event {first.seq} has no command that caused it")
    try:
        command = command_decoder(ruleset.name, ruleset.version)(first.command)
    except (msgspec.DecodeError, ValueError) as error:
        raise Wrong(first.seq, f"event {first.seq} has a command that cannot be read: {error}") from None
    nobody = isinstance(command, ruleset.commands.automatic) or command.secret
    if first.command_id is None or (first.actor is None) != nobody:
        raise Wrong(first.seq, f"event {first.seq} does not say which command of which player caused it")
    return command


def answered(
    ruleset: Ruleset[Any], state: Any, first: Recorded, command: Any, chance: Chance
) -> tuple[Decision[Any], list[Draft]]:
    """The results of an event's command in a state. Raises `Wrong` if the rules refuse it."""
    joins = isinstance(command, ruleset.commands.joining)
    seat = None if joins else _sender(first) if command.secret else first.actor
    decision = ruleset.decide(state, seat, command, chance)
    if isinstance(decision, Rejection):
        why = ruleset.texts.tell_refusal(decision, "en")
        raise Wrong(first.seq, f"event {first.seq} follows from a command that the rules do not allow: {why}")
    actor = ruleset.players(decision.state).index(command.player) if joins else first.actor
    return decision, draft(decision.facts, actor, first.command_id, command)


class _Opening(Struct):
    setup: msgspec.Raw
    opened_by: str | None = None
    origin: Origin | None = None
    series: SeriesTable | None = None


class _Secret(Struct):
    seat: int


def _sender(first: Recorded) -> int:
    """The sender of the secret command that led to this event, according to the event."""
    try:
        return msgspec.json.decode(first.data, type=_Secret).seat
    except (msgspec.DecodeError, ValueError, TypeError, RecursionError):
        raise Wrong(first.seq, f"event {first.seq} does not say which command of which player caused it") from None
