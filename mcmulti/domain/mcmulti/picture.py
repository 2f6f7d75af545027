"""The board of a game as something to look at."""

from mcmulti.domain.core.picture import Card, Counter, Die, Field, Picture, Track
from mcmulti.domain.core.telling import Language, word
from mcmulti.domain.mcmulti.components import COMPONENTS, ECONOMY, ECONOMY_CHANGES_AT, FIELDS, NEWS, RED_FIELDS, STEP
from mcmulti.domain.mcmulti.consumer import next_sale
from mcmulti.domain.mcmulti.flow import to_move
from mcmulti.domain.mcmulti.phrases import WORDS
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.oil.board import Lines, lines_hit
from mcmulti.domain.oil.names import GOODS, KINDS, MARKETS
from mcmulti.domain.oil.picture import asset_prices, field, market_track, seats

_COMPASS: tuple[str, ...] = tuple(COMPONENTS["board"]["quadrants"])
_CONSUMER_PRICES = tuple(range(1, COMPONENTS["consumer"]["highest_price"] + 1))


def picture(state: State, language: Language) -> Picture:
    """The board at a moment."""
    started = bool(state.players)
    return Picture(
        language,
        *_titles(state, language),
        tuple(_field(state, quadrant, language) for quadrant in range(4)),
        seats(state, to_move(state), state.declared_by),
        {kind: word(WORDS, language, kind) for kind in KINDS},
        {good: word(WORDS, language, good) for good in GOODS},
        _dice(state),
        (*_markets(state, language), _consumers(state, language)) if started else (),
        (Counter(word(WORDS, language, "difference"), state.difference, ECONOMY_CHANGES_AT),) if started else (),
        (_economy(state, language), *_news(state, language)) if started else (),
        state.setup.target,
        _result(state, language),
    )


def _titles(state: State, language: Language) -> tuple[str, str]:
    """The turn and the phase; whose turn it is, and where."""
    phase = word(WORDS, language, "game_over" if state.phase == "over" else state.phase)
    if state.phase == "over" or (state.turn is None and not state.purchases):
        return _capital(phase), ""
    if state.turn is None:
        quadrant, title = state.purchases[0], _capital(phase)
    else:
        number = f"{word(WORDS, language, 'turn')} {state.turn.number}"
        quadrant, title = state.turn.quadrant, f"{_capital(number)} · {phase}"
    owner = state.owners[quadrant]
    name = word(WORDS, language, "ghost") if owner is None else state.players[owner].name
    return title, f"{name} · {word(WORDS, language, _COMPASS[quadrant])}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _rolled(state: State) -> bool:
    return state.turn is not None and state.turn.red > 0 and state.phase != "over"


def _dice(state: State) -> tuple[Die, ...]:
    return (Die("red", state.now.red), Die("black", state.now.black)) if _rolled(state) else ()


def _field(state: State, index: int, language: Language) -> Field:
    turn, name = state.turn, word(WORDS, language, _COMPASS[index])
    if turn is None or state.phase == "over":
        return field(state, index, name, Lines(0, 0), at_turn=False)
    lines = lines_hit(index, turn.quadrant, turn.red, turn.black)
    return field(state, index, name, lines, at_turn=turn.quadrant == index)


def _markets(state: State, language: Language) -> tuple[Track, ...]:
    return tuple(
        market_track(
            state,
            market,
            good,
            word(WORDS, language, f"{market}_{good}"),
            STEP[good],
            FIELDS,
            closed=any(NEWS[card].closes == market for card in state.news.active),
        )
        for market in MARKETS
        for good in GOODS
    )


def _consumers(state: State, language: Language) -> Track:
    price = state.consumer_price
    return Track(
        word(WORDS, language, "consumers"),
        "gasoline",
        _CONSUMER_PRICES,
        price,
        state.consumer_barrels,
        RED_FIELDS,
        sell=next_sale(price),
    )


def _economy(state: State, language: Language) -> Card:
    card = ECONOMY[state.economy]
    return Card(
        word(WORDS, language, "economy"),
        word(WORDS, language, card.name),
        asset_prices(card.buy, card.sell),
        f"{word(WORDS, language, 'demand')} {card.demand:+d}",
    )


def _news(state: State, language: Language) -> tuple[Card, ...]:
    """The two open cards, then those that happened and are not done."""
    news = state.news
    open_cards = (("likelier", news.likelier), ("less_likely", news.less_likely))
    return (
        *(Card(word(WORDS, language, place), card and word(WORDS, language, card)) for place, card in open_cards),
        *(Card(word(WORDS, language, "active"), word(WORDS, language, card), in_force=True) for card in news.active),
    )


def _result(state: State, language: Language) -> str:
    """Who won."""
    names = ", ".join(state.players[seat].name for seat in state.winners)
    return f"{word(WORDS, language, 'winner')}: {names}" if names else ""
