"""The global warming threat: refineries are idle until they are cleaned up (`news/global-warming-threat`)."""

from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from mcmulti.domain.core.course.posting import Transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.offers import Offer, plain
from mcmulti.domain.mcmulti.commands import CleanUp, EndCleanUp
from mcmulti.domain.mcmulti.components import NEWS, NewsCard, NewsName
from mcmulti.domain.mcmulti.news.cards import NewsDiscarded
from mcmulti.domain.mcmulti.phrases import Phrases
from mcmulti.domain.mcmulti.state import Due, Play, State
from mcmulti.domain.oil.names import Millions, Seat, Seats, Site, SiteChoice
from mcmulti.domain.oil.rules.assets import AssetSold
from mcmulti.domain.oil.rules.board import bit, sites
from mcmulti.domain.oil.rules.transfers import pay

WARMING: NewsName = "global_warming_threat"
CLEAN_UP_RULE = NEWS[WARMING].rule
CLEAN_UP_PRICE = NEWS[WARMING].clean_up
END_CLEAN_UP = plain("EndCleanUp", CLEAN_UP_RULE)


class CleanUpOrdered(Event, frozen=True):
    """All refineries became idle. Their owners may pay for clean-ups in this order."""

    sites: Annotated[tuple[Site, ...], Meta(max_length=36)]
    seats: Seats

    def evolve(self, state: State) -> State:
        quadrants = tuple(replace(quadrant, idle=quadrant.refineries) for quadrant in state.quadrants)
        dues = tuple(Due(seat, 0) for seat in self.seats)
        return replace(state, quadrants=quadrants, turn=replace(state.now, dues=dues))

    def form(self, say: Phrases) -> Literal["one", "one_owner", "several_owners"]:
        if len(self.sites) == 1:
            return "one"
        return "one_owner" if len(self.seats) == 1 else "several_owners"


class CleanUpPaid(Event, frozen=True):
    """An idle refinery was cleaned up and works again."""

    seat: Seat
    site: Site
    price: Millions

    def evolve(self, state: State) -> State:
        quadrant = state.quadrants[self.site.quadrant]
        quadrant = replace(quadrant, idle=quadrant.idle & ~bit(self.site))
        return state.rebuilt(self.seat, -self.price, self.site.quadrant, quadrant)

    def transfers(self) -> tuple[Transfer, ...]:
        return pay(self.seat, self.price, "clean_up")


class CleanUpsEnded(Event, frozen=True):
    """A player paid for no more clean-ups when the news came."""

    seat: Seat

    def evolve(self, state: State) -> State:
        return replace(state, turn=state.now.settled)


class IdleRefinerySold(AssetSold, frozen=True):
    """A refinery whose clean-up was not paid for was immediately sold to the bank."""


def order_clean_up(play: Play, card: NewsCard) -> None:
    """Make all refineries idle, if there are any."""
    idle = tuple(
        site for index, quadrant in enumerate(play.state.quadrants) for site in sites(index, quadrant.refineries)
    )
    if idle:
        owners = {play.state.owners[site.quadrant] for site in idle}
        seats = tuple(seat for seat in play.state.in_turn_order if seat in owners)
        play.record(CleanUpOrdered(idle, seats), card.rule)


def clean_up_offer(state: State, seat: int) -> Offer:
    """Pay for the clean-up of an idle refinery, in any of the player's quadrants."""
    idle: tuple[Site, ...] = ()
    for index in idle_quadrants(state, seat):
        idle += sites(index, state.quadrants[index].idle)
    return _cleaning_up(idle, state.players[seat].cash >= CLEAN_UP_PRICE)


def idle_quadrants(state: State, seat: int) -> tuple[int, ...]:
    """The player's quadrants with an idle refinery."""
    return tuple([index for index in state.quadrants_of(seat) if state.quadrants[index].idle])


@lru_cache(maxsize=256)
def _cleaning_up(idle: tuple[Site, ...], affordable: bool) -> Offer:
    blocked = None
    if not idle:
        blocked = "not_idle"
    elif not affordable:
        blocked = "cash"
    return Offer("CleanUp", CLEAN_UP_RULE, {"site": SiteChoice(idle, "not_idle")}, CLEAN_UP_PRICE, blocked)


def clean_up(play: Play, seat: int, command: CleanUp, offer: Offer) -> None:
    play.record(CleanUpPaid(seat, command.site, offer.cost), offer.rule)


def end_clean_up(play: Play, seat: int, command: EndCleanUp, offer: Offer) -> None:
    _end(play, seat)


def _end(play: Play, seat: int) -> None:
    """Refineries not paid for stay idle or, if the table agreed on that, are sold at the current sale price."""
    if play.state.setup.unpaid_clean_up == "sold":
        for index in idle_quadrants(play.state, seat):
            for site in sites(index, play.state.quadrants[index].idle):
                play.record(IdleRefinerySold(seat, "refinery", site, play.state.card.sell["refinery"]), CLEAN_UP_RULE)
    play.record(CleanUpsEnded(seat), CLEAN_UP_RULE)


def pass_over(play: Play, due: Due) -> bool:
    """End the clean-ups of a player with nothing to clean up, or no cash for it. Returns False if there is a choice."""
    if clean_up_offer(play.state, due.seat).blocked_by is None:
        return False
    _end(play, due.seat)
    return True


def lift_warming(play: Play) -> None:
    """End the warming threat when no refinery is idle (`news/global-warming-threat`).

    After the final sale none is, but nothing follows the end of a game.
    """
    if WARMING in play.state.news.active and not play.state.idle and play.state.phase != "over":
        play.record(NewsDiscarded(WARMING), CLEAN_UP_RULE)
