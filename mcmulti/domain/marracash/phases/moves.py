"""Moves: lead all visitors of a fountain along one street to the next, past shops that they can enter."""

from msgspec import Struct
from msgspec.structs import replace

from mcmulti.domain.core.course.posting import Transfer, transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Seat
from mcmulti.domain.core.offers import Choice, Field, NumberChoice, Offer
from mcmulti.domain.marracash.commands import MoveGroup
from mcmulti.domain.marracash.components import ShopName
from mcmulti.domain.marracash.phases.customers import Entering, enter, entering
from mcmulti.domain.marracash.state import NOBODY, Bazaar, Crowd, Fountain, Play
from mcmulti.domain.marracash.town import NEIGHBOURS, STREETS_FROM


class Prospect(Struct, frozen=True, gc=False):
    """What a street to a fountain would bring: the shops on the way, in order, and who enters them."""

    to: Fountain
    passes: tuple[ShopName, ...]
    entering: tuple[Entering, ...]


class StreetChoice(Choice[Fountain], frozen=True, gc=False, omit_defaults=True, tag=True, kw_only=True):
    """A field that takes a fountain to which a street leads, with what each street would bring.

    `limited_by` is the limit that keeps other fountains out.
    """

    prospects: tuple[Prospect, ...] = ()


class GroupMoved(Event, frozen=True):
    """All `visitors` of a fountain were led along the street to another. Who enters a shop on the way follows in the
    next events.
    """

    seat: Seat
    fountain: Fountain
    to: Fountain
    visitors: Crowd

    def evolve(self, state: Bazaar) -> Bazaar:
        met = state.group(self.to).and_more(self.visitors)
        groups = replace(state, groups=state.with_group(self.fountain, NOBODY)).with_group(self.to, met)
        return replace(state, groups=groups, left=state.left - 1)

    def transfers(self) -> tuple[Transfer, ...]:
        start, end = f"fountain:{self.fountain}", f"fountain:{self.to}"
        return transfer(start, end, "visitors", len(self.visitors), "walk")


def offers(state: Bazaar, complete: bool) -> tuple[Offer, ...]:
    """Lead the group of a fountain to the next (`move/group`), with what each move would bring.

    With `complete`, includes impossible ones, with the reason.
    """
    blocked = None if state.may_move else "first_round" if state.round == 1 else "after_auction"
    if complete:
        nowhere = Offer(
            "MoveGroup",
            "move/group",
            {"fountain": NumberChoice(state.gathered, "no_group")},
            blocked_by=blocked or "no_group",
        )
        if blocked:
            return (nowhere,)
        return (*(_offer(state, number) for number in state.gathered), nowhere)
    return () if blocked else tuple([_offer(state, number) for number in state.gathered])


def _offer(state: Bazaar, fountain: int) -> Offer:
    group, seat = state.group(fountain), state.seat
    streets = STREETS_FROM[fountain]
    prospects = tuple([Prospect(each.to, each.shops, entering(state, seat, each, group)) for each in streets])
    fields: dict[str, Field] = {
        "fountain": NumberChoice((fountain,), "no_group"),
        "to": StreetChoice(options=NEIGHBOURS[fountain], limited_by="no_street", prospects=prospects),
    }
    return Offer("MoveGroup", "move/group", fields)


def move_group(play: Play, seat: int, command: MoveGroup, offer: Offer) -> None:
    streets = offer.fields["to"]
    if not isinstance(streets, StreetChoice):
        raise LookupError("an offer of MoveGroup has no streets")
    [prospect] = [each for each in streets.prospects if each.to == command.to]
    group = play.state.group(command.fountain)
    play.record(GroupMoved(seat, command.fountain, command.to, group), offer.rule)
    enter(play, seat, command.to, prospect.entering)


def can_move(state: Bazaar) -> bool:
    """Whether there is a group to move, and this turn allows it."""
    return state.may_move and any(group != NOBODY for group in state.groups)
