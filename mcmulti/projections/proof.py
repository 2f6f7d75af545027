"""The proof: that the log was not tampered with, that the dice are those of the seed, and that the rules were kept.

It trusts nothing but the events themselves: the chain is hashed again, every command is decided again with the
revealed seed, and what is decided must be the recorded events, byte for byte.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import chain
from typing import Any

import msgspec
from msgspec import Struct

from mcmulti.domain.chance import Draw, SeededChance
from mcmulti.domain.offers import Rejection
from mcmulti.domain.ruleset import Ruleset
from mcmulti.events.codec import UnknownRuleset, command_decoder, draft, event_decoder, opened_with
from mcmulti.events.envelope import Recorded, broken_link
from mcmulti.projections.ledger import trial_balance


class Proof(Struct, frozen=True):
    """What was proven. `fault` names the first event that is wrong, and how; None when everything holds.

    Before the seed is revealed, at the end of the game, dice and decisions cannot be proven, only the chain,
    the fold and the ledger.
    """

    events: int
    commands: int
    draws: int
    seed_revealed: bool
    fault: str | None = None


class _Revealed(Struct):
    seed: str


class _Committed(Struct):
    game_id: str
    commitment: str
    setup: msgspec.Raw


def verify(events: Sequence[Recorded]) -> Proof:
    """Prove a game's log, from its first event on."""
    seed = next((event for event in reversed(events) if event.type == "SeedRevealed"), None)
    commands = sum(event.command is not None for event in events)
    try:
        draws = [draw for event in events for draw in _draws(msgspec.json.decode(event.data))]
        fault = (
            broken_link(events)
            or _broken_fold(events)
            or _unbalanced(events)
            or (_wrong_dice(events, seed) if seed else None)
        )
    except (msgspec.DecodeError, UnknownRuleset) as error:
        return Proof(len(events), commands, 0, seed is not None, f"the log cannot be read: {error}")
    return Proof(len(events), commands, len(draws), seed is not None, fault)


def _broken_fold(events: Sequence[Recorded]) -> str | None:
    """The first event that does not fold, or whose type is not the one its data says."""
    state: Any = None
    if not events:
        return "the log is empty"
    ruleset = opened_with(events[0])
    decode = event_decoder(ruleset.name, ruleset.version)
    for event in events:
        try:
            happened = decode(event.data)
            state = ruleset.evolve(state, happened)
        except (msgspec.DecodeError, LookupError, ValueError, AttributeError) as error:
            return f"event {event.seq} does not fold: {error}"
        if type(happened).__name__ != event.type:
            return f"event {event.seq} is called {event.type}, but its data is of a {type(happened).__name__}"
    return None


def _unbalanced(events: Sequence[Recorded]) -> str | None:
    units = trial_balance(events).units
    off = [f"{unit} by {amount}" for unit, amount in units.items() if amount]
    return f"the ledger does not balance: {', '.join(off)}" if off else None


def _wrong_dice(events: Sequence[Recorded], revealed: Recorded) -> str | None:
    """Decide the whole game again with the revealed seed."""
    first = msgspec.json.decode(events[0].data, type=_Committed)
    seed = bytes.fromhex(msgspec.json.decode(revealed.data, type=_Revealed).seed)
    if sha256(seed).hexdigest() != first.commitment:
        return f"event {revealed.seq} reveals a seed that is not the one event 1 committed to"
    chance = SeededChance(seed, first.game_id)
    ruleset = opened_with(events[0])
    setup = msgspec.json.decode(first.setup, type=ruleset.setup)
    opened = ruleset.open(first.game_id, setup, chance)
    if isinstance(opened, Rejection):
        return f"event 1 opens a game that the rules refuse: {opened.detail}"
    decided: Iterator[tuple[bytes, str]] = ((d.data, d.rule) for d in draft(opened.facts))
    if [(events[0].data, events[0].rule)] != list(decided):
        return "event 1 is not what opening this game leads to"
    return _wrong_decision(events[1:], ruleset, opened.state, chance)


def _wrong_decision(events: Sequence[Recorded], ruleset: Ruleset[Any], state: Any, chance: SeededChance) -> str | None:
    decode = command_decoder(ruleset.name, ruleset.version)
    for group in _by_command(events):
        first = group[0]
        if first.command is None:
            return f"event {first.seq} has no command that led to it"
        command = decode(first.command)
        seat = None if isinstance(command, ruleset.joining) else first.actor
        decision = ruleset.decide(state, seat, command, chance)
        if isinstance(decision, Rejection):
            return f"event {first.seq} follows from a command that the rules refuse: {decision.detail}"
        drafts = draft(decision.facts)
        for event, expected in zip(group, drafts, strict=False):
            if (event.type, event.data, event.rule) != (expected.type, expected.data, expected.rule):
                return f"event {event.seq} is not what its command leads to: that would be {expected.data.decode()}"
            if _cause(event) != _cause(first):
                return f"event {event.seq} names another actor, command or time than event {first.seq} of its command"
        if len(drafts) != len(group):
            return f"the command of event {first.seq} leads to {len(drafts)} events, but {len(group)} are recorded"
        state = decision.state
    return None


def _cause(event: Recorded) -> tuple[object, ...]:
    """What all events of a command have in common."""
    return event.actor, event.command_id, event.recorded_at


def _by_command(events: Sequence[Recorded]) -> Iterator[list[Recorded]]:
    """The events in groups, each begun by the event that carries the command."""
    group: list[Recorded] = []
    for event in events:
        if event.command is not None and group:
            yield group
            group = []
        group.append(event)
    if group:
        yield group


def _draws(data: Any) -> Iterator[dict[str, Any]]:
    """Every draw in an event's data, wherever it stands."""
    if isinstance(data, dict):
        if data.keys() == set(Draw.__struct_fields__):
            yield data
        else:
            yield from chain.from_iterable(_draws(value) for value in data.values())
    elif isinstance(data, list):
        yield from chain.from_iterable(_draws(value) for value in data)
