"""What a reader may not know yet is sealed before it is handed out."""

from collections.abc import Sequence

from mcmulti.events.codec import event_decoder
from mcmulti.events.envelope import Recorded, sealed
from mcmulti.events.log import Player
from mcmulti.watch import Position


def for_reader(now: Position, reader: Player | None, events: Sequence[Recorded]) -> Sequence[Recorded]:
    """The events, in order, as somebody, or an onlooker without a name, may see them while the game stands at `now`.

    Raises ValueError for events behind `now`: what of them is sealed only a later state knows.
    """
    if events and events[-1].seq > now.head.seq:
        raise ValueError(f"event {events[-1].seq} is behind event {now.head.seq}, where the game stands")
    ruleset = now.ruleset
    if ruleset.sealed is None:
        return events
    seat = now.seat_of(reader.player_id) if reader else None
    decode = event_decoder(ruleset.name, ruleset.version)
    return [sealed(event) if ruleset.sealed(now.state, decode(event.data), seat) else event for event in events]


def legible(events: Sequence[Recorded]) -> Sequence[Recorded]:
    """The events up to the first that is sealed."""
    seen = next((index for index, event in enumerate(events) if event.payload is not None), len(events))
    return events[:seen]
