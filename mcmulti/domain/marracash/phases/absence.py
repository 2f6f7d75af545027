"""The default answers for an absent player (`table/clock`, `table/vacant`)."""

from collections.abc import Callable, Iterator
from typing import cast

from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.offers import NumberChoice, open_offers
from mcmulti.domain.marracash.commands import LetIn, MoveGroup, PassBid, PutUp
from mcmulti.domain.marracash.components import LEAST_BID, LET_IN_LEAST
from mcmulti.domain.marracash.phases import moves
from mcmulti.domain.marracash.state import Bazaar


def _act(state: Bazaar, seat: int) -> Command:
    """Move the group that brings the shops the fewest customers. Put up a shop only if nothing can move."""
    walks = sorted(_walks(state), key=lambda walk: walk[0])
    return walks[0][1] if walks else PutUp(state.unsold[0], LEAST_BID)


def _walks(state: Bazaar) -> Iterator[tuple[int, MoveGroup]]:
    """Every possible move, with the number of visitors that it brings into shops."""
    for offer in open_offers(moves.offers(state, False)):
        (fountain,) = cast(NumberChoice, offer.fields["fountain"]).options
        for prospect in cast(moves.StreetChoice, offer.fields["to"]).prospects:
            yield sum(entering.customers for entering in prospect.entering), MoveGroup(fountain, prospect.to)


def _let_in(state: Bazaar, seat: int) -> Command:
    return LetIn(state.empty_entrances[0], "front", min(LET_IN_LEAST, len(state.queue)))


DEFAULTS: dict[str, Callable[[Bazaar, int], Command]] = {
    "actions": _act,
    "bidding": lambda state, seat: PassBid(),
    "entrances": _let_in,
}
"""The default answer to every question, by phase."""
