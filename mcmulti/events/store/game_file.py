"""The game file: one game in one portable file, one JSON document per line.

The first line is a header; each further line is an event, as the API returns it. There is only one way to write a game:
no spaces, fields in their order, times in UTC. So two files are the same game if they are the same bytes.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Annotated, Literal, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

from mcmulti.domain.core.figures import Count, PlayerId, PlayerName, RulesetName, Sha256
from mcmulti.domain.core.table import NOBODY, Called
from mcmulti.events.log.codec import opened_with
from mcmulti.events.log.envelope import Head, Recorded
from mcmulti.events.log.item import EventItem, Hash, Seq, item, recorded
from mcmulti.events.log.signing import KeyStatement, PublicKey, Signature, SigningKey
from mcmulti.events.store.names import can_be_shown


class NotAGameFile(ValueError):
    """The lines are not those of a game file. The message says which one, and why."""


class GameFile(Struct, frozen=True, forbid_unknown_fields=True, tag=True, omit_defaults=True):
    """The first line of a game file. `format`: the version of this format.

    `seq` and `hash` are the head, that is, the last event in the file. `signature`: the head signed with the server's
    `key`, both null if the writer of the file has none. `keys`: all keys that the server has had, if it has had
    several: the first one first, `key` last.

    `names`: the players' names, by id. They are outside the log: nobody signs them, and no proof covers them. `seed`:
    at a table of a series that is over, the seed of the dice; in other games it is in the log.
    """

    format: Annotated[Literal[1], Meta(description="Version of the format.")]
    game: UUID
    ruleset: RulesetName
    version: Count
    seq: Seq
    hash: Hash
    signature: Signature | None
    key: PublicKey | None
    keys: Annotated[tuple[KeyStatement, ...], Meta(max_length=1000)] = ()
    names: Annotated[dict[PlayerId, PlayerName], Meta(max_length=1000)] = {}
    seed: Sha256 | None = None

    @property
    def head(self) -> Head:
        """The end of the log in the file."""
        return Head(self.seq, bytes.fromhex(self.hash))


class GameRecord(NamedTuple):
    """The contents of a game file: its first line, and the events."""

    file: GameFile
    events: Sequence[Recorded]


class _Seated(Struct):
    """An event that names the player who sits down."""

    player: str


_seated = msgspec.json.Decoder(_Seated).decode
_encode = msgspec.json.Encoder().encode
_encode_lines = msgspec.json.Encoder().encode_lines
_file = msgspec.json.Decoder(GameFile).decode
_event = msgspec.json.Decoder(EventItem).decode


def heading(
    game: UUID,
    ruleset: str,
    version: int,
    head: Head,
    key: SigningKey | None,
    called: Called = NOBODY,
    seed: str | None = None,
) -> GameFile:
    """The header of a game of a rule set, whose log ends at `head`; signed if there is a key. `seed`: if it was
    revealed beside the log.
    """
    signature = key.sign(game, head) if key else None
    public = key.public if key else None
    keys = key.statements if key and len(key.statements) > 1 else ()
    names = dict(sorted(called.items()))
    return GameFile(1, game, ruleset, version, head.seq, head.hash.hex(), signature, public, keys, names, seed)


def record_of(events: Sequence[Recorded], key: SigningKey | None = None, called: Called = NOBODY) -> GameRecord:
    """A whole log, at least one event, as a game file."""
    first, ruleset, head = events[0], opened_with(events[0]), Head(events[-1].seq, events[-1].hash)
    return GameRecord(heading(first.game_id, ruleset.name, ruleset.version, head, key, called), events)


def line(content: Struct) -> bytes:
    """A line of the file, with its line feed."""
    return _encode(content) + b"\n"


def event_lines(events: Iterable[Recorded]) -> bytes:
    """The lines of events, each with its line feed. Writing them together takes two thirds of the time."""
    return _encode_lines([item(event) for event in events])


def lines(record: GameRecord) -> Iterator[bytes]:
    """The lines of a game file, each with its line feed."""
    yield line(record.file)
    for event in record.events:
        yield line(item(event))


def read(content: Iterable[bytes]) -> GameRecord:
    """Parse the lines of a game file. Raises `NotAGameFile`. Does not check whether the events are sound."""
    numbered = enumerate(content, start=1)
    number, first = next(numbered, (1, b""))
    try:
        file = _file(first)
        _as_written(first, file)
        _check_names(file.names)
        events = []
        for number, found in numbered:  # noqa: B007
            event = recorded(file.game, _event(found))
            _as_written(found, item(event))
            events.append(event)
    except (msgspec.DecodeError, ValueError, RecursionError, OverflowError) as error:
        raise NotAGameFile(f"line {number}: {error}") from None
    if not events:
        raise NotAGameFile("it has no events")
    if file.head != (events[-1].seq, events[-1].hash):
        raise NotAGameFile(f"it ends with event {events[-1].seq}, which is not the head that line 1 names")
    return GameRecord(file, events)


def players_in(events: Iterable[Recorded]) -> set[str]:
    """The ids of all who ever sat at a game, as far as its events are open."""
    found = set()
    for event in events:
        if b'"player":' in event.data:  # which few events have
            with suppress(msgspec.DecodeError, RecursionError):
                found.add(_seated(event.data).player)
    return found


def _check_names(names: Called) -> None:
    """Refuse names that nobody could have registered."""
    for player, name in names.items():
        if str(UUID(player)) != player:
            raise ValueError(f"{player!r} is not the id of a player")
        if not can_be_shown(name) or name != name.strip():
            raise ValueError(f"the name of player {player} cannot be shown")


def _as_written(found: bytes, content: Struct) -> None:
    """Refuse an equivalent but different encoding: hashes cover bytes."""
    if found.rstrip(b"\n") != _encode(content):
        raise ValueError("it means something, but is not written as game files are: compact, in order, in UTC")
