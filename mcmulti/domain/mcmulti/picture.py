"""A picture of the board."""

from functools import lru_cache

from mcmulti.domain.core.shown.picture import Card, Counter, Picture, Said, Track, called, result, speakers
from mcmulti.domain.core.wording.telling import Language
from mcmulti.domain.mcmulti.components import COMPONENTS, ECONOMY_CHANGES_AT, FIELDS, NEWS, STEP
from mcmulti.domain.mcmulti.gauges import gauges
from mcmulti.domain.mcmulti.news.track import next_sale, prices_of, red_fields_of
from mcmulti.domain.mcmulti.phrases import Phrases
from mcmulti.domain.mcmulti.setup import ConsumerTrack
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.oil import picture as oil
from mcmulti.domain.oil.names import MARKETS
from mcmulti.domain.oil.picture import COLOURS

_COMPASS: tuple[str, ...] = tuple(COMPONENTS["board"]["quadrants"])
_SITE = "site={quadrant},{row},{column}"
_SAID = speakers(Phrases.WORDS)


def picture(state: State, language: Language) -> Picture:
    """The board at one moment."""
    said = _SAID[language]
    started = bool(state.players)
    title, subtitle = _titles(state, said)
    turn = None if state.phase == "over" else state.turn
    at_turn, red, black = (turn.quadrant, turn.red, turn.black) if turn else (None, 0, 0)
    return Picture(
        language=language,
        title=title,
        subtitle=subtitle,
        units=oil.units(said),
        seats=oil.seats(state, said, gauges(state).holdings, state.to_move, state.declared_by),
        board=oil.quadrants(state, said, _COMPASS, at_turn, red, black, _SITE),
        kinds=oil.kinds(said),
        marks=oil.marks(said),
        dice=oil.dice(said, red, black) if red else (),
        tracks=_tracks(state, said) if started else (),
        counters=(Counter(said("difference"), state.difference, ECONOMY_CHANGES_AT),) if started else (),
        cards=(_economy(state, said), *_news(state, said)) if started else (),
        goal=state.setup.target,
        result=result(state, said, state.winners),
    )


def _titles(state: State, said: Said) -> tuple[str, str]:
    """The turn and the phase; whose turn it is, and where."""
    phase = said("game_over" if state.phase == "over" else state.phase)
    if state.phase == "over" or (state.turn is None and not state.purchases):
        return _capital(phase), ""
    if state.turn is None:
        quadrant, title = state.purchases[0], _capital(phase)
    else:
        quadrant, title = state.turn.quadrant, f"{_capital(said('turn'))} {state.turn.number} · {phase}"
    owner = state.owners[quadrant]
    name = said("ghost") if owner is None else called(state, said, owner)
    return title, f"{name} · {said(_COMPASS[quadrant])}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _tracks(state: State, said: Said) -> tuple[Track, ...]:
    frozen = {NEWS[card].closes for card in state.news.active}
    return (
        *oil.markets(state, said, STEP, FIELDS, tuple(market for market in MARKETS if market in frozen)),
        _consumers(state.setup.consumer_track, state.consumer_price, state.consumer_barrels, said),
    )


@lru_cache(maxsize=64)
def _consumers(track: ConsumerTrack | None, price: int, barrels: int, said: Said) -> Track:
    """The consumers' track, which changes seldom."""
    prices = prices_of(track)
    first = prices.index(price)
    return Track(
        said("consumers"),
        COLOURS["gasoline"],
        prices,
        said("barrels"),
        prices[first : first + barrels],
        red_fields_of(track),
        said("red_field"),
        sell=next_sale(track, price),
    )


def _economy(state: State, said: Said) -> Card:
    card = state.card
    return oil.economy(said, card.name, card.buy, card.sell, card.demand)


def _news(state: State, said: Said) -> tuple[Card, ...]:
    """The two open cards, then those in force."""
    news = state.news
    open_cards = (("likelier", news.likelier), ("less_likely", news.less_likely))
    return (
        *(Card(said(place), card and said(card)) for place, card in open_cards),
        *(Card(said("active"), said(card), in_force=True) for card in news.active),
    )
