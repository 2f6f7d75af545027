"""Serialize and restore states. The bytes hold no code, so bytes from strangers are safe to read. They
reveal the seed.
"""

from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any, Literal, Union

import msgspec
from msgspec import Meta, Struct

from mcmulti.domain.core.chance import Chance, SeededChance
from mcmulti.domain.core.course.course import Fact
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.events.log.codec import ruleset_of
from mcmulti.events.log.snapshot import shape, state_in
from mcmulti.library.game import Game
from mcmulti.library.state import Happened, State, Trace, WaitingDraw


class _Happened(Struct, frozen=True, array_like=True):
    seat: int | None
    command: bytes | None
    facts: tuple[tuple[str, bytes], ...]


class _WaitingDraw(Struct, frozen=True, array_like=True):
    seat: int
    command: bytes
    given: tuple[int, ...]
    sides: Annotated[int, Meta(ge=1, le=64)]


class _Saved(Struct, frozen=True, forbid_unknown_fields=True):
    """A serialized state. `shape`: the layout of the rule set's states, which changes with every change of their
    fields.
    """

    format: Literal[1]
    ruleset: str
    version: int
    shape: bytes
    setup: bytes
    table: bytes
    seed: Annotated[bytes, Meta(min_length=32, max_length=32)] | None
    pending: _WaitingDraw | None
    history: tuple[_Happened, ...]
    provable: bool


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Saved).decode


def saved(state: State, chance: Chance | None, pending: WaitingDraw | None, history: Sequence[Happened]) -> bytes:
    """Serialize a state. Raises `ValueError` if its dice come from neither a seed nor chance nodes."""
    if not isinstance(chance, SeededChance | None):
        raise ValueError("the dice of this state follow from no seed: use redraw() before you save it")
    game = state.game
    steps = tuple(
        _Happened(
            step.seat,
            None if step.command is None else _encode(step.command),
            tuple((fact.rule, _encode(fact.event)) for fact in step.facts),
        )
        for step in history
    )
    waiting = None
    if pending is not None:
        waiting = _WaitingDraw(pending.seat, _encode(pending.command), pending.given, pending.sides)
    return _encode(
        _Saved(
            1,
            game.name,
            game.version,
            shape(game.ruleset),
            _encode(game.setup),
            _encode(state.table),
            None if chance is None else bytes.fromhex(chance.reveal()),
            waiting,
            steps,
            state.provable and bool(steps),
        )
    )


def restored(data: bytes) -> State:
    """Restore a state from such bytes. Raises `ValueError`."""
    try:
        found = _decode(data)
        ruleset = ruleset_of(found.ruleset, found.version)
        if found.shape != shape(ruleset):
            raise ValueError("it was written by a version whose positions have another layout")
        game = Game(ruleset, msgspec.msgpack.decode(found.setup, type=ruleset.setup))
        table = state_in(ruleset, found.table)
        history: Trace = None
        for step in found.history:
            history = (history, _happened(ruleset, step))
        pending = None if found.pending is None else _waiting_draw(ruleset, table, found.pending)
    except (msgspec.DecodeError, ValueError, TypeError, RecursionError) as error:
        raise ValueError(f"these bytes are not a saved state: {error}") from None
    chance = None if found.seed is None else SeededChance(found.seed, table.game_id, table.dice_id)
    return State(game, table, chance, history, pending, provable=found.provable)


def _happened(ruleset: Ruleset[Any], step: _Happened) -> Happened:
    events, commands = _decoders(ruleset.name, ruleset.version)
    facts = [Fact(events.decode(event), rule) for rule, event in step.facts]
    return Happened(step.seat, None if step.command is None else commands.decode(step.command), facts)


def _waiting_draw(ruleset: Ruleset[Any], table: Any, pending: _WaitingDraw) -> WaitingDraw:
    _, commands = _decoders(ruleset.name, ruleset.version)
    command = commands.decode(pending.command)
    offer = ruleset.admit(table, pending.seat, command)
    if isinstance(offer, Rejection):
        raise ValueError(ruleset.texts.tell_refusal(offer, "en"))
    return WaitingDraw(pending.seat, command, offer, pending.given, pending.sides)


@cache
def _decoders(name: str, version: int) -> tuple[msgspec.msgpack.Decoder[Any], msgspec.msgpack.Decoder[Any]]:
    """Decoders for the events and commands of a rule set."""
    ruleset = ruleset_of(name, version)
    events, commands = (Union[tuple(types)] for types in (ruleset.events, ruleset.commands.logged))  # noqa: UP007
    return msgspec.msgpack.Decoder(events), msgspec.msgpack.Decoder(commands)
