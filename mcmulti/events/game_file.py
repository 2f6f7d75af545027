"""The game file: one game in one portable file, a JSON document a line.

The first line says what it is; each further line is an event, as the API hands it out.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Literal, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

from mcmulti.domain.figures import Count, RulesetName
from mcmulti.events.codec import opened_with
from mcmulti.events.envelope import Recorded
from mcmulti.events.item import EventItem, Hash, Seq, item, recorded


class NotAGameFile(ValueError):
    """The lines are not those of a game file; the message says which one, and why."""


class GameFileHead(Struct, frozen=True, forbid_unknown_fields=True, tag="GameFile"):
    """The first line of a game file. `seq` and `hash` are the head: of the last event in the file."""

    game: UUID
    ruleset: RulesetName
    version: Count
    seq: Seq
    hash: Hash
    format: Annotated[Literal[1], Meta(description="Of this file.")] = 1


class GameFile(NamedTuple):
    """What a game file holds."""

    head: GameFileHead
    events: list[Recorded]


_encode = msgspec.json.Encoder().encode
_head = msgspec.json.Decoder(GameFileHead).decode
_event = msgspec.json.Decoder(EventItem).decode


def lines(events: Sequence[Recorded]) -> Iterator[bytes]:
    """The lines of the file of a game, each with its line feed."""
    ruleset = opened_with(events[0])
    last = events[-1]
    yield _encode(GameFileHead(last.game_id, ruleset.name, ruleset.version, last.seq, last.hash.hex())) + b"\n"
    for event in events:
        yield _encode(item(event)) + b"\n"


def read(content: Iterable[bytes]) -> GameFile:
    """The game in the lines; raises `NotAGameFile`. Whether the events are sound is another question."""
    numbered = enumerate(content, start=1)
    number, first = next(numbered, (1, b""))
    try:
        head = _head(first)
        events = []
        for number, line in numbered:  # noqa: B007
            events.append(recorded(head.game, _event(line)))
    except (msgspec.DecodeError, ValueError) as error:
        raise NotAGameFile(f"line {number}: {error}") from None
    if not events:
        raise NotAGameFile("it has no events")
    return GameFile(head, events)
