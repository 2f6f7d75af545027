"""Seal what a reader may not know yet, before it is handed out."""

from collections.abc import Sequence
from copy import copy
from sys import intern
from typing import Any

import msgspec

from mcmulti.domain.core.shown.redaction import Redaction
from mcmulti.events.log.codec import event_decoder, fold, opened_with
from mcmulti.events.log.envelope import Head, Recorded, sealed
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Player

_encode = msgspec.json.Encoder().encode


def for_reader(now: Position, reader: Player | None, events: Sequence[Recorded]) -> Sequence[Recorded]:
    """The events, in order, as a reader, or an anonymous spectator, may see them while the game stands at `now`.

    Raises ValueError for events after `now`: only a later state knows what of them is sealed.
    """
    if events and events[-1].seq > now.head.seq:
        raise ValueError(f"event {events[-1].seq} is behind event {now.head.seq}, where the game stands")
    ruleset = now.ruleset
    redactions = {redaction.type: redaction for redaction in ruleset.redactions}
    if redactions.keys().isdisjoint([event.type for event in events]):
        return events
    seat = now.seat_of(reader.player_id) if reader else None
    decode = event_decoder(ruleset.name, ruleset.version)

    def hidden(event: Recorded) -> bool:
        redaction = redactions.get(event.type)
        return redaction is not None and redaction.sealed(now.state, decode(event.data), seat)

    return [sealed(event) if hidden(event) else event for event in events]


def for_onlookers(events: Sequence[Recorded]) -> Sequence[Recorded]:
    """The whole log of a game, as a spectator may see it.

    If it cannot be folded, nobody knows what is public, so everything is sealed that is ever sealed.
    """
    if not events:
        return events
    try:
        ruleset = opened_with(events[0])
    except ValueError:  # not a game that anybody could know anything about
        return events
    last = events[-1]
    try:
        now = Position(last.game_id, ruleset, fold(ruleset, events), Head(last.seq, last.hash))
        return for_reader(now, None, events)
    except Exception:  # whatever is wrong with a damaged game
        return [event if ruleset.redaction(event.type) is None else sealed(event) for event in events]


def legible(events: Sequence[Recorded]) -> Sequence[Recorded]:
    """The events of a game, from the first on, with a stand-in for each sealed event.

    They can be folded, and reveal nothing sealed. Those with a stand-in still have their `payload`. If a sealed event
    has no stand-in, they end before it.
    """
    if all(event.payload is None for event in events):
        return events
    found: list[Recorded] = []
    types: list[str] = []
    for event in events:
        types.append(event.type)
        if event.payload is None or event.data:
            found.append(event)
        elif (said := _stand_in(found, types, event.actor)) is not None:
            found.append(event._replace(data=said))
        else:
            break
    return found


class Onlooking:
    """The public log of a game, read in pieces, with stand-ins for sealed events.

    All pieces together are what `legible` makes of what `for_reader` shows a spectator.
    """

    def __init__(self) -> None:
        self._types: list[str] = []
        self._asked: list[tuple[Redaction[Any], Any, bool]] = []
        """Events that are ever sealed: the redaction, the event, and whether it is sealed now."""
        self._over = False

    def fork(self) -> "Onlooking":
        """An independent copy, which continues reading by itself."""
        found = copy(self)
        found._types, found._asked = self._types.copy(), self._asked.copy()
        return found

    def fits(self, now: Position) -> bool:
        """Whether everything read so far is sealed, or open, for the game at `now` as it was when it was read."""
        return all(redaction.sealed(now.state, said, None) == hidden for redaction, said, hidden in self._asked)

    def legible(self, events: Sequence[Recorded], now: Position) -> Sequence[Recorded]:
        """The next events as everybody may read them while the game stands at `now`.

        Ends before the first sealed event that has no stand-in.
        """
        found: list[Recorded] = []
        decode = event_decoder(now.ruleset.name, now.ruleset.version)
        redactions = {redaction.type: redaction for redaction in now.ruleset.redactions}
        for event in events if not self._over else ():
            self._types.append(intern(event.type))
            redaction = redactions.get(event.type)
            if redaction is None:
                found.append(event)
                continue
            said = decode(event.data)
            hidden = redaction.sealed(now.state, said, None)
            self._asked.append((redaction, said, hidden))
            shown = redaction.stand_in(self._types, event.actor) if hidden else None
            if hidden and shown is None:
                self._over = True
                break
            found.append(event if shown is None else sealed(event)._replace(data=_encode(shown)))
        return found


def _stand_in(before: Sequence[Recorded], types: Sequence[str], actor: int | None) -> bytes | None:
    if not before:
        return None
    try:
        redaction = opened_with(before[0]).redaction(types[-1])
    except ValueError:  # if it is not the opening of a game, folding it will fail
        return None
    found = None if redaction is None else redaction.stand_in(types, actor)
    return None if found is None else _encode(found)
