"""Ceilings: a player sets the most it bids in an auction, and bids are made automatically (`auction/ceiling`).

Only its owner can read a ceiling until the game is over. Everybody sees that a seat has one. A ceiling answers as soon
as its seat is asked, by a bid or a pass as a person would send it.
"""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from mcmulti.domain.core.capabilities.instructions import tenure
from mcmulti.domain.core.course.course import Course
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Count, Salt, Seat
from mcmulti.domain.core.offers import Limit, Offer, Range, plain
from mcmulti.domain.marracash.commands import BidUpTo, WithdrawCeiling
from mcmulti.domain.marracash.components import SIGNS, STEP
from mcmulti.domain.marracash.phases import auction
from mcmulti.domain.marracash.state import Bazaar, Dirham, Play

RULE = "auction/ceiling"

LIMITS = (
    Limit("no_auction", RULE),
    Limit("out_of_auction", "auction/bids"),
    Limit("no_ceiling", RULE),
)
"""The limits for setting or withdrawing a ceiling."""


class CeilingSet(Event, frozen=True):
    """A seat set the most it bids in this auction. Only that player can read it until the game is over.

    `most`: how much, null if that is not known. `tenure`: how many players had the seat before. `salt`: keeps others
    from guessing the amount from its digest.
    """

    seat: Seat
    tenure: Count
    salt: Salt
    most: Dirham | None

    def evolve(self, state: Bazaar) -> Bazaar:
        return replace(state.with_ceiling(self.seat, self.most or 0), salts=state.salts + 1)


class CeilingWithdrawn(Event, frozen=True):
    """A seat withdrew its ceiling: it is asked again when it may bid."""

    seat: Seat

    def evolve(self, state: Bazaar) -> Bazaar:
        return state.with_ceiling(self.seat, None)


def offers(state: Bazaar, seat: int) -> tuple[Offer, ...]:
    """Set, replace, or withdraw a ceiling, asked or not. Includes blocked offers."""
    least, most = state.auction.bid + STEP if state.auction else 0, state.cash[seat] // STEP * STEP
    withdraw = plain("WithdrawCeiling", RULE, None if state.ceiling(seat) is not None else "no_ceiling")
    if blocked := _blocked(state, seat, least):
        return (plain("BidUpTo", RULE, blocked), withdraw)
    return (Offer("BidUpTo", RULE, {"most": Range(least, most, "cash", STEP)}), withdraw)


def _blocked(state: Bazaar, seat: int, least: int) -> str | None:
    """The limit that keeps a seat from bidding further in an auction."""
    if state.auction is None:
        return "no_auction"
    if seat in state.auction.passed:
        return "out_of_auction"
    if state.owned(seat) >= SIGNS:
        return "signs"
    return "cash" if state.cash[seat] < least else None


def bid_up_to(play: Play, seat: int, command: BidUpTo, offer: Offer) -> None:
    salt = play.chance.salt(play.state.salts + 1)
    play.record(CeilingSet(seat, tenure(play.state, seat), salt, command.most), offer.rule)
    if play.state.now.asked == seat:
        _answer(play, seat, command.most)


def withdraw(play: Play, seat: int, command: WithdrawCeiling, offer: Offer) -> None:
    play.record(CeilingWithdrawn(seat), offer.rule)


def answer(play: Play, seat: int) -> None:
    """Answer for a seat that is asked, by its ceiling; does nothing without one. Trials do not see it."""
    most = play.state.ceiling(seat)
    if most is not None:
        play.chance.unseal()
        _answer(play, seat, most)


def _answer(play: Play, seat: int, most: int) -> None:
    """Make the smallest bid, or pass if that is above the ceiling."""
    least = play.state.now.bid + STEP
    if least <= most:
        auction.make_bid(play, seat, least, RULE)
    else:
        auction.leave_auction(play, seat, RULE)


def had_a_part(course: Course[Any]) -> bool:
    """Whether a ceiling was set, withdrawn, or applied. Then nothing is taken back, so that nobody can probe it for
    free.
    """
    return any(fact.rule == RULE for fact in course.facts)


def stand_in(types: Sequence[str], seat: int | None) -> CeilingSet | None:
    """The stand-in to fold for a sealed ceiling; None if it has no owner."""
    return None if seat is None else CeilingSet(seat, 0, "0" * 32, None)


def unsealed(state: Bazaar) -> Bazaar:
    """The state without what anybody wants to bid at most."""
    return replace(state, ceilings=())
