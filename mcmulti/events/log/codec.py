"""Events and commands as bytes: encoded once when they are drafted, decoded strictly by their rule set."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import islice
from operator import attrgetter
from typing import Any, Union
from uuid import UUID

import msgspec
from msgspec import Struct

from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.course.course import Fact
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.rulesets import BY_VERSION
from mcmulti.events.log.envelope import Draft, Recorded
from mcmulti.events.log.upcasting import upcast

_encode = msgspec.json.Encoder().encode
_data: Callable[[Recorded], bytes] = attrgetter("data")
_AT_ONCE = 200
"""Events that are decoded before they are folded: to decode one, fold it and so on takes an eighth longer."""


class UnknownRuleset(ValueError):
    """No rule set of this name and version folds the log."""


def draft(
    facts: Sequence[Fact],
    actor: int | None = None,
    command_id: UUID | None = None,
    command: Struct | None = None,
) -> list[Draft]:
    """Encode what was decided; the command stands on the first event it led to. A secret one has no actor."""
    said = None if command is None else _encode(command)
    if isinstance(command, Command) and command.secret:
        actor = None
    drafts = []
    for fact in facts:
        event = fact.event
        drafts.append(Draft(type(event).__name__, _encode(event), fact.rule, actor, command_id, said))
        said = None
    return drafts


@cache
def event_decoder(name: str, version: int) -> Callable[[bytes], Any]:
    """What turns ``data`` into an event of a rule set; raises `UnknownRuleset`.

    It raises ValueError on other bytes, and RecursionError where they are nested too deeply.
    """
    ruleset = ruleset_of(name, version)
    decode, upcasters = _decoder(ruleset.events), ruleset.upcasters
    return (lambda data: decode(upcast(upcasters, data))) if upcasters else decode


def current(ruleset: Ruleset[Any], event: Recorded) -> Recorded:
    """An event with the ``data`` that would be written today, for who compares them. Raises as `event_decoder` does."""
    data = upcast(ruleset.upcasters, event.data) if ruleset.upcasters else event.data
    return event if data is event.data else event._replace(data=_encode(_decoder(ruleset.events)(data)))


@cache
def command_decoder(name: str, version: int) -> Callable[[bytes], Any]:
    """What turns ``command`` into a command of a rule set; raises as `event_decoder` does."""
    ruleset = ruleset_of(name, version)
    return _decoder(ruleset.commands.logged)


def _decoder(types: Sequence[type[Struct]]) -> Callable[[bytes], Any]:
    return msgspec.json.Decoder(Union[tuple(types)]).decode  # noqa: UP007


def ruleset_of(name: str, version: int) -> Ruleset[Any]:
    """The rule set that folds logs of this name and version; raises `UnknownRuleset`."""
    try:
        return BY_VERSION[name, version]
    except KeyError:
        raise UnknownRuleset(f"there is no version {version} of rule set {name!r}") from None


class _Opening(Struct):
    """What the first event of every game says, whatever its rule set."""

    ruleset: str
    version: int


def opened_with(first: Recorded) -> Ruleset[Any]:
    """The rule set that folds a log, as its first event says; raises `UnknownRuleset` and ValueError."""
    try:
        opening = msgspec.json.decode(first.data, type=_Opening)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    return ruleset_of(opening.ruleset, opening.version)


def fold(ruleset: Ruleset[Any], events: Iterable[Recorded], state: Any = None) -> Any:
    """The state after the events, from `state` on; None for no event at all.

    Raises ValueError where ``data`` is no event.
    """
    decode = event_decoder(ruleset.name, ruleset.version)
    data = map(_data, events)
    try:
        while decoded := [decode(one) for one in islice(data, _AT_ONCE)]:
            for event in decoded:
                state = event.evolve(state)
    except RecursionError as error:
        raise ValueError("an event is nested too deeply") from error
    return state
