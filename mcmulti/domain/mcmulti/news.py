"""News: what doubles bring, what each card does, and who must pay for it."""

from collections.abc import Callable
from functools import lru_cache
from typing import Literal

from mcmulti.domain.core.offers import Offer, SiteChoice, open_offers, plain
from mcmulti.domain.core.site import Site
from mcmulti.domain.mcmulti.commands import CleanUp, EndCleanUp
from mcmulti.domain.mcmulti.components import FIELDS, KINDS, NEWS, Kind, NewsCard, NewsName
from mcmulti.domain.mcmulti.consumer import by_red_fields
from mcmulti.domain.mcmulti.events import (
    BarrelsShifted,
    BarrelsUsedUp,
    CleanUpOrdered,
    CleanUpPaid,
    CleanUpsEnded,
    ConsumerPriceMoved,
    NewsDiscarded,
    NewsMovedUp,
    NewsTriggered,
    NewsTurnedOver,
    TaxLevied,
    TaxPaid,
)
from mcmulti.domain.mcmulti.play import Play
from mcmulti.domain.mcmulti.sales import selling
from mcmulti.domain.mcmulti.state import Due, State
from mcmulti.domain.oil.board import QUADRANTS, left, sites

WARMING: NewsName = "global_warming_threat"
CLEAN_UP_RULE = NEWS[WARMING].rule
CLEAN_UP_PRICE = NEWS[WARMING].clean_up
END_CLEAN_UP = plain("EndCleanUp", CLEAN_UP_RULE, "Leave the other refineries idle for now.")


def double(play: Play, value: int) -> None:
    """What a double brings (`news/double`)."""
    if value in (1, 3):
        _happen(play, play.state.news.likelier)
    elif value == 6:
        _happen(play, play.state.news.less_likely)
    else:
        for card in play.state.news.active:
            if NEWS[card].closes:
                play.record(NewsDiscarded(card), NEWS[card].rule)


def _happen(play: Play, name: NewsName | None) -> None:
    if name is None:
        raise LookupError("two news cards lie open from the set-up to the end")
    card = NEWS[name]
    play.record(NewsTriggered(name), "news/double")
    if card.tax:
        _levy(play, card)
    elif name in _EFFECTS:
        _EFFECTS[name](play, card)


def in_turn_order(state: State) -> tuple[int, ...]:
    """The players from the one at turn on, clockwise."""
    order: list[int] = []
    quadrant = state.now.quadrant
    for _ in QUADRANTS:
        owner = state.owners[quadrant]
        if owner is not None and owner not in order:
            order.append(owner)
        quadrant = left(quadrant)
    return tuple(order)


def _levy(play: Play, card: NewsCard) -> None:
    dues = tuple(Due(seat, _tax(play.state, seat, card)) for seat in in_turn_order(play.state))
    dues = tuple(due for due in dues if due.amount)
    if dues:
        play.record(TaxLevied(card.name, dues), card.rule)


def _tax(state: State, seat: int, card: NewsCard) -> int:
    """What a player owes by a card: so much for each piece it has (`news/debt-reduction-tax` and others)."""
    player = state.players[seat]
    assets = sum(number * card.tax.get(kind, 0) for kind, number in state.pieces(seat).items())
    return assets + player.crude * card.tax.get("crude", 0) + player.gasoline * card.tax.get("gasoline", 0)


def _order_clean_up(play: Play, card: NewsCard) -> None:
    idle = tuple(
        site for index, quadrant in enumerate(play.state.quadrants) for site in sites(index, quadrant.refineries)
    )
    if idle:
        owners = {play.state.owners[site.quadrant] for site in idle}
        seats = tuple(seat for seat in in_turn_order(play.state) if seat in owners)
        play.record(CleanUpOrdered(idle, seats), card.rule)


def _use_up_gasoline(play: Play, card: NewsCard) -> None:
    barrels = min(card.barrels, FIELDS - play.state.domestic.gasoline)
    if barrels:
        play.record(BarrelsUsedUp("domestic", "gasoline", barrels), card.rule)


def _shift_crude(play: Play, card: NewsCard) -> None:
    barrels = min(card.barrels, FIELDS - play.state.foreign.crude, play.state.domestic.crude)
    if barrels:
        play.record(BarrelsShifted("foreign", "domestic", "crude", barrels), card.rule)
    price = play.state.consumer_price
    fallen = by_red_fields(price, -card.red_fields)
    if fallen != price:
        play.record(ConsumerPriceMoved(price, fallen, 0), card.rule)


_EFFECTS: dict[NewsName, Callable[[Play, NewsCard], None]] = {
    WARMING: _order_clean_up,
    "long_cold_winter": _use_up_gasoline,
    "world_market_uncertainty": _shift_crude,
}


# Paying


def offers(state: State, seat: int, complete: bool) -> tuple[Offer, ...]:
    """Sell assets to raise what is due (`forced/sale`), or pay for clean-ups."""
    if state.now.card == WARMING:
        return (clean_up_offer(state, seat), END_CLEAN_UP)
    offers: list[Offer] = []
    for kind in KINDS:
        for index in state.quadrants_of(seat):
            standing = state.quadrants[index].standing(kind) if _forced(state.now.card, kind) else 0
            offers.append(selling(state.economy, kind, index, standing, "forced/sale", "not_forced"))
    return tuple(offers)


def _forced(card: NewsName | None, kind: Kind) -> bool:
    """Whether a kind may be sold: only stations for the sales tax, anything otherwise (`news/state-sales-tax`)."""
    return kind == "station" or card != "state_sales_tax"


def clean_up_offer(state: State, seat: int) -> Offer:
    """Pay for the clean-up of an idle refinery, whichever of the player's quadrants it stands in."""
    idle: tuple[Site, ...] = ()
    for index in idle_quadrants(state, seat):
        idle += sites(index, state.quadrants[index].idle)
    return _cleaning_up(idle, state.players[seat].cash >= CLEAN_UP_PRICE)


def idle_quadrants(state: State, seat: int) -> tuple[int, ...]:
    """The player's quadrants in which a refinery stands idle."""
    return tuple([index for index in state.quadrants_of(seat) if state.quadrants[index].idle])


@lru_cache(maxsize=256)
def _cleaning_up(idle: tuple[Site, ...], affordable: bool) -> Offer:
    blocked = None
    if not idle:
        blocked = "not_idle"
    elif not affordable:
        blocked = "cash"
    sentence = f"Clean up an idle refinery for {CLEAN_UP_PRICE}."
    return Offer("CleanUp", CLEAN_UP_RULE, sentence, {"site": SiteChoice(idle, "not_idle")}, CLEAN_UP_PRICE, blocked)


def clean_up(play: Play, seat: int, command: CleanUp) -> None:
    play.record(CleanUpPaid(seat, command.site, CLEAN_UP_PRICE), CLEAN_UP_RULE)


def end_clean_up(play: Play, seat: int, command: EndCleanUp) -> None:
    play.record(CleanUpsEnded(seat), CLEAN_UP_RULE)


def lift_warming(play: Play) -> None:
    """The warming threat is over as soon as no refinery is idle (`news/global-warming-threat`).

    After the final sale none is, but nothing follows on the end of a game.
    """
    if WARMING in play.state.news.active and not play.state.idle and play.state.phase != "over":
        play.record(NewsDiscarded(WARMING), CLEAN_UP_RULE)


def proceed(play: Play) -> None:
    """Settle what can be settled without a decision; when all is, turn over the next card."""
    while play.state.now.dues:
        due = play.state.now.dues[0]
        if play.state.now.card == WARMING:
            if clean_up_offer(play.state, due.seat).blocked_by is None:
                return
            play.record(CleanUpsEnded(due.seat), CLEAN_UP_RULE)
        else:
            cash = play.state.players[due.seat].cash
            if cash < due.amount and open_offers(offers(play.state, due.seat, False)):
                return
            rule = "forced/sale" if cash < due.amount else _rule(play.state.now.card)
            play.record(TaxPaid(due.seat, due.amount, min(cash, due.amount)), rule)
    _turn_over_next(play)


def _rule(card: NewsName | None) -> str:
    return NEWS[card].rule if card else "news/double"


# The cards


def _turn_over_next(play: Play) -> None:
    """`news/next-card`."""
    card = play.state.now.card
    if card is not None and not NEWS[card].lasting:
        play.record(NewsDiscarded(card), "news/next-card")
    lift_warming(play)
    news = play.state.news
    if news.likelier is None and news.less_likely is not None:
        play.record(NewsMovedUp(news.less_likely), "news/next-card")
    turn_over(play, "less_likely", "news/next-card")


def turn_over(play: Play, place: Literal["likelier", "less_likely"], rule: str) -> None:
    """Turn over the top card: chance decides among those whose order nobody knows (`setup/news`)."""
    news = play.state.news
    if news.pile:
        draw = play.draw(len(news.pile))
        play.record(NewsTurnedOver(news.pile[draw.value - 1], place, draw), rule)
    else:
        play.record(NewsTurnedOver(news.under[0], place, None), rule)
