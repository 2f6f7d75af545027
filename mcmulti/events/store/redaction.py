"""What a reader may not know yet is sealed before it is handed out."""

from collections.abc import Sequence

import msgspec

from mcmulti.events.log.codec import event_decoder, fold, opened_with
from mcmulti.events.log.envelope import Head, Recorded, sealed
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Player

_encode = msgspec.json.Encoder().encode


def for_reader(now: Position, reader: Player | None, events: Sequence[Recorded]) -> Sequence[Recorded]:
    """The events, in order, as somebody, or an onlooker without a name, may see them while the game stands at `now`.

    Raises ValueError for events behind `now`: what of them is sealed only a later state knows.
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
    """The whole log of a game, as who does not sit there may see it.

    Where it cannot be folded, and nobody knows what may be told, everything is sealed that ever is.
    """
    if not events:
        return events
    try:
        ruleset = opened_with(events[0])
    except ValueError:  # no game that anybody could know anything of
        return events
    last = events[-1]
    try:
        now = Position(last.game_id, ruleset, fold(ruleset, events), Head(last.seq, last.hash))
        return for_reader(now, None, events)
    except Exception:  # whatever is wrong with a damaged game
        return [event if ruleset.redaction(event.type) is None else sealed(event) for event in events]


def legible(events: Sequence[Recorded]) -> Sequence[Recorded]:
    """The events of a game, from its first on, with a stand-in for what each that is sealed would say.

    They can be folded, and tell nothing that is sealed. Those with a stand-in still have their `payload`. Where
    something is sealed for which there is no stand-in, they end before it.
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


def _stand_in(before: Sequence[Recorded], types: Sequence[str], actor: int | None) -> bytes | None:
    if not before:
        return None
    try:
        redaction = opened_with(before[0]).redaction(types[-1])
    except ValueError:  # what does not open a game is found by who folds it
        return None
    found = None if redaction is None else redaction.stand_in(types, actor)
    return None if found is None else _encode(found)
