"""The flow of a game: who decides what, and what happens automatically between two decisions."""

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import cast

from mcmulti.domain.core.commands import Command, StartGame
from mcmulti.domain.core.flow import GameFlow
from mcmulti.domain.core.in_turn import in_turn
from mcmulti.domain.core.offers import Limit, NumberChoice, Offer, by_code, open_offers
from mcmulti.domain.marracash import commands, table
from mcmulti.domain.marracash.commands import LetIn, MoveGroup, PassBid, PutUp
from mcmulti.domain.marracash.components import LEAST_BID, LEAST_PLAYERS, LET_IN_LEAST
from mcmulti.domain.marracash.phases import auction, ceilings, entrances, moves, turns
from mcmulti.domain.marracash.state import Bazaar, Play


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
"""The default answer to every question for an absent player, by phase (`table/clock`, `table/vacant`)."""


LIMITS = by_code(
    # Turn order
    Limit("game_over", "end/winner"),
    Limit("out_of_turn", "turn/two-actions"),
    Limit("out_of_phase", "turn/two-actions"),
    # The table
    Limit("too_few_players", "setup/seats"),
    # Auctions
    Limit("cash", "auction/bids"),
    Limit("signs", "auction/signs"),
    Limit("sold", "auction/offer"),
    *ceilings.LIMITS,
    # Moves
    Limit("first_round", "round/first"),
    Limit("after_auction", "turn/two-actions"),
    Limit("no_group", "move/group"),
    Limit("no_street", "move/group"),
    # Entrances
    Limit("entrance_taken", "entrance/refill"),
    Limit("queue", "entrance/refill"),
    Limit("row", "entrance/refill"),
)


def _actions(state: Bazaar, seat: int, complete: bool) -> tuple[Offer, ...]:
    return (*auction.offers_putting_up(state, complete), *moves.offers(state, complete))


def _bidding(state: Bazaar, seat: int, complete: bool) -> tuple[Offer, ...]:
    return (*auction.offers_bidding(state, seat, complete), *ceilings.offers(state, seat))


def _beside(state: Bazaar, seat: int) -> tuple[Offer, ...]:
    return () if seat in state.movers and state.auction else ceilings.offers(state, seat)


def _proceed_with_auction(play: Play) -> None:
    asked = play.state.now.asked
    if asked is None:
        auction.sell(play)
    else:
        ceilings.answer(play, asked)


def _end_turn(play: Play) -> None:
    if not turns.to_be_filled(play.state):
        turns.end_turn(play)


FLOW: GameFlow[Bazaar] = GameFlow(
    capabilities=in_turn(table.opening, longest=6_000, unsealed=ceilings.unsealed),
    limits=LIMITS,
    carriers={
        StartGame: table.start_game,
        commands.PutUp: auction.put_up,
        commands.Bid: auction.bid,
        commands.PassBid: auction.pass_bid,
        commands.BidUpTo: ceilings.bid_up_to,
        commands.WithdrawCeiling: ceilings.withdraw,
        commands.MoveGroup: moves.move_group,
        commands.LetIn: entrances.let_in,
    },
    defaults=DEFAULTS,
    fewest=LEAST_PLAYERS,
    turn=attrgetter("turn"),
    at_turn=lambda state: state.seat if state.turn else None,
    finish=turns.finish,
    offers={"actions": _actions, "bidding": _bidding, "entrances": entrances.offers},
    beside=_beside,
    stands=ceilings.had_a_part,
    steps={
        "setting_up": turns.start_first,
        "bidding": _proceed_with_auction,
        "actions": turns.lapse,
        "entrances": _end_turn,
    },
)
