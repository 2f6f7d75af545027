"""News: the effects of doubles and of each card, and when the next card is turned over."""

from collections.abc import Callable

from mcmulti.domain.core.offers import Offer
from mcmulti.domain.mcmulti.components import NEWS, NewsCard, NewsName
from mcmulti.domain.mcmulti.news import taxes
from mcmulti.domain.mcmulti.news.cards import NewsDiscarded, NewsMovedUp, NewsTriggered, turn_over
from mcmulti.domain.mcmulti.news.shortages import shift_crude, use_up_gasoline
from mcmulti.domain.mcmulti.news.warming import (
    END_CLEAN_UP,
    WARMING,
    clean_up_offer,
    lift_warming,
    order_clean_up,
    pass_over,
)
from mcmulti.domain.mcmulti.state import Play, State

_EFFECTS: dict[NewsName, Callable[[Play, NewsCard], None]] = {
    WARMING: order_clean_up,
    "long_cold_winter": use_up_gasoline,
    "world_market_uncertainty": shift_crude,
}


def double(play: Play, value: int) -> None:
    """The effect of a double (`news/double`)."""
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
        taxes.levy(play, card)
    elif name in _EFFECTS:
        _EFFECTS[name](play, card)


def offers(state: State, seat: int, complete: bool) -> tuple[Offer, ...]:
    """Sell assets to raise what is due, or pay for clean-ups."""
    if state.now.card == WARMING:
        return (clean_up_offer(state, seat), END_CLEAN_UP)
    return taxes.offers(state, seat)


def proceed(play: Play) -> None:
    """Settle what needs no decision. When all is settled, turn over the next card."""
    settle = pass_over if play.state.now.card == WARMING else taxes.pay_due
    while play.state.now.dues:
        if not settle(play, play.state.now.dues[0]):
            return
    _turn_over_next(play)


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
