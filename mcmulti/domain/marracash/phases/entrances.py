"""New visitors: at the end of a turn, every empty entrance is filled from an end of the queue."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from mcmulti.domain.core.course.posting import Transfer, transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Seat
from mcmulti.domain.core.offers import Field, NumberChoice, Offer, Range, TextChoice
from mcmulti.domain.marracash.commands import LetIn
from mcmulti.domain.marracash.components import ENDS, LET_IN_LEAST, LET_IN_MOST, Colour, QueueEnd
from mcmulti.domain.marracash.state import NOBODY, Bazaar, Crowd, Fountain, Play


class VisitorsLetIn(Event, frozen=True):
    """Visitors came in from an end of the queue, in this order, and stand at an entrance that was empty."""

    seat: Seat
    entrance: Fountain
    end: QueueEnd
    visitors: Annotated[tuple[Colour, ...], Meta(max_length=4)]

    def evolve(self, state: Bazaar) -> Bazaar:
        number = len(self.visitors)
        queue = state.queue[number:] if self.end == "front" else state.queue[:-number]
        group = NOBODY
        for colour in self.visitors:
            group = group.and_more(Crowd(**{colour: 1}))
        return replace(state, queue=queue, groups=state.with_group(self.entrance, group), stirred=True)

    def transfers(self) -> tuple[Transfer, ...]:
        return transfer("queue", f"fountain:{self.entrance}", "visitors", len(self.visitors), "arrival")


def offers(state: Bazaar, seat: int, complete: bool) -> tuple[Offer, ...]:
    """Fill an empty entrance (`entrance/refill`): two to four from an end of the queue, one only if it is the last."""
    waiting = len(state.queue)
    number = Range(min(LET_IN_LEAST, waiting), min(LET_IN_MOST, waiting), "queue" if waiting < LET_IN_MOST else "row")
    fields: dict[str, Field] = {
        "entrance": NumberChoice(state.empty_entrances, "entrance_taken"),
        "end": TextChoice(ENDS),
        "visitors": number,
    }
    return (Offer("LetIn", "entrance/refill", fields),)


def let_in(play: Play, seat: int, command: LetIn, offer: Offer) -> None:
    queue = play.state.queue if command.end == "front" else play.state.queue[::-1]
    play.record(VisitorsLetIn(seat, command.entrance, command.end, queue[: command.visitors]), offer.rule)
