"""Events and commands as bytes: encoded once when they are drafted, decoded strictly by their rule set.

Events in older formats are read as current ones. The stored bytes, and their hash, never change.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import islice
from operator import attrgetter
from typing import Any, Union
from uuid import UUID

import msgspec
from msgspec import Struct

from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.course.course import Fact
from mcmulti.domain.core.ruleset import Ruleset, Upcaster
from mcmulti.domain.rulesets import BY_VERSION
from mcmulti.events.log.envelope import Draft, Recorded

_encode = msgspec.json.Encoder().encode
_data: Callable[[Recorded], bytes] = attrgetter("data")
_AT_ONCE = 200
"""Events decoded before they are folded: decoding and folding one by one takes an eighth longer."""


class UnknownRuleset(ValueError):
    """No rule set with this name and version exists to fold the log."""


def draft(
    facts: Sequence[Fact],
    actor: int | None = None,
    command_id: UUID | None = None,
    command: Struct | None = None,
) -> list[Draft]:
    """Encode what was decided. The command is stored with the first event it led to. A secret one has no actor."""
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
    """The decoder of ``data`` into events of a rule set. Raises `UnknownRuleset`.

    It raises ValueError for other bytes, and RecursionError if they are nested too deeply.
    """
    ruleset = ruleset_of(name, version)
    decode, upcasters = _decoder(ruleset.events), ruleset.upcasters
    return (lambda data: decode(upcast(upcasters, data))) if upcasters else decode


def current(ruleset: Ruleset[Any], event: Recorded) -> Recorded:
    """An event with the ``data`` in today's format, for comparisons. Raises like `event_decoder`."""
    data = upcast(ruleset.upcasters, event.data) if ruleset.upcasters else event.data
    return event if data is event.data else event._replace(data=_encode(_decoder(ruleset.events)(data)))


@cache
def command_decoder(name: str, version: int) -> Callable[[bytes], Any]:
    """The decoder of ``command`` into commands of a rule set. Raises like `event_decoder`."""
    ruleset = ruleset_of(name, version)
    return _decoder(ruleset.commands.logged)


def _decoder(types: Sequence[type[Struct]]) -> Callable[[bytes], Any]:
    return msgspec.json.Decoder(Union[tuple(types)]).decode  # noqa: UP007


def ruleset_of(name: str, version: int) -> Ruleset[Any]:
    """The rule set that folds logs of this name and version. Raises `UnknownRuleset`."""
    try:
        return BY_VERSION[name, version]
    except KeyError:
        raise UnknownRuleset(f"there is no version {version} of rule set {name!r}") from None


class _Opening(Struct):
    """The common part of the first event of every game."""

    ruleset: str
    version: int


def opened_with(first: Recorded) -> Ruleset[Any]:
    """The rule set that folds a log, from its first event. Raises `UnknownRuleset` and ValueError."""
    try:
        opening = msgspec.json.decode(first.data, type=_Opening)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    return ruleset_of(opening.ruleset, opening.version)


def fold(ruleset: Ruleset[Any], events: Iterable[Recorded], state: Any = None) -> Any:
    """The state after the events, starting from `state`; None if there are no events at all.

    Raises ValueError if ``data`` is not an event.
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


class _Tagged(Struct):
    type: str


_type = msgspec.json.Decoder(_Tagged).decode
_members = msgspec.json.Decoder(dict[str, Any]).decode


def upcast(upcasters: Mapping[str, Upcaster], data: bytes) -> bytes:
    """The content of an event in the current format; the same bytes if it already is. Raises ValueError for other
    bytes.
    """
    type_ = _type(data).type
    upcaster = upcasters.get(type_)
    if upcaster is None:
        return data
    was = _members(data)
    try:
        is_ = {**upcaster(dict(was)), "type": type_}
    except Exception as error:  # a malicious log may cause any error
        raise ValueError(f"this {type_} has no shape that was ever written") from error
    return data if is_ == was else _encode(is_)
