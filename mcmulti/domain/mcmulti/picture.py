"""The board of a game as something to look at."""

from mcmulti.domain.mcmulti.components import (
    COMPONENTS,
    ECONOMY,
    ECONOMY_CHANGES_AT,
    GOODS,
    KINDS,
    MARKETS,
    NEWS,
    RED_FIELDS,
    Good,
    Kind,
    MarketName,
)
from mcmulti.domain.mcmulti.flow import to_move
from mcmulti.domain.mcmulti.market import prices_to_buy, prices_to_sell
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.mcmulti.telling import WORDS
from mcmulti.domain.oilfield.board import Lines, bit, left, lines_of_left, lines_of_right, right, sites
from mcmulti.domain.picture import (
    Asset,
    AssetPrice,
    Card,
    Counter,
    Die,
    Field,
    HitLine,
    Picture,
    Seat,
    Track,
)
from mcmulti.domain.site import Site
from mcmulti.domain.telling import Language, word

_COMPASS: tuple[str, ...] = tuple(COMPONENTS["board"]["quadrants"])
_PLACES = ((0, 0), (1, 0), (1, 1), (0, 1))
"""Across and down, clockwise from the north-west (`board/quadrants`)."""
_CONSUMER_PRICES = tuple(range(1, COMPONENTS["consumer"]["highest_price"] + 1))
_NOWHERE = Lines(0, 0)


def picture(state: State, language: Language) -> Picture:
    """The board at a moment."""
    started = bool(state.players)
    return Picture(
        language,
        *_titles(state, language),
        tuple(_field(state, quadrant, language) for quadrant in range(4)),
        _seats(state),
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


def _lines(state: State, quadrant: int) -> Lines:
    """Where the roll of this turn hits a quadrant (`production/hit`, `neighbour/lines`)."""
    if not _rolled(state):
        return _NOWHERE
    turn = state.now
    if quadrant == turn.quadrant:
        return state.lines()
    if quadrant == left(turn.quadrant):
        return lines_of_left(turn.quadrant, turn.red, turn.black)
    if quadrant == right(turn.quadrant):
        return lines_of_right(turn.quadrant, turn.red, turn.black)
    return _NOWHERE


def _field(state: State, index: int, language: Language) -> Field:
    lines = _lines(state, index)
    quadrant = state.quadrants[index]
    idle = sites(index, quadrant.idle)
    assets = (
        Asset(kind, site.row, site.column, _hits(lines, kind, site), kind == "refinery" and site in idle)
        for kind in KINDS
        for site in sites(index, quadrant.standing(kind))
    )
    across, down = _PLACES[index]
    hit_lines = []
    if lines.row:
        hit_lines.append(HitLine("row", lines.row, "red"))
    if lines.column:
        hit_lines.append(HitLine("column", lines.column, "black"))
    return Field(
        word(WORDS, language, _COMPASS[index]),
        across,
        down,
        state.owners[index] if state.players else None,
        state.turn is not None and state.phase != "over" and state.turn.quadrant == index,
        tuple(assets),
        tuple(hit_lines),
    )


def _hits(lines: Lines, kind: Kind, site: Site) -> int:
    return lines.blocks(bit(site)) if kind == "refinery" else lines.single(bit(site))


def _seats(state: State) -> tuple[Seat, ...]:
    if not state.players:
        return tuple(Seat(seat, chair.name if chair else None) for seat, chair in enumerate(state.chairs))
    waited_for = to_move(state)
    ranks = {standing.seat: standing.rank for standing in state.standings}
    return tuple(
        Seat(
            seat,
            player.name,
            player.cash,
            player.crude,
            player.gasoline,
            seat in waited_for,
            seat == state.declared_by,
            ranks.get(seat),
        )
        for seat, player in enumerate(state.players)
    )


def _markets(state: State, language: Language) -> tuple[Track, ...]:
    return tuple(_market(state, market, good, language) for market in MARKETS for good in GOODS)


def _market(state: State, market: MarketName, good: Good, language: Language) -> Track:
    free = state.market(market).free(good)
    to_buy, to_sell = prices_to_buy(good, free), prices_to_sell(good, free)
    buy, sell = to_buy[0] if to_buy else None, to_sell[0] if to_sell else None
    return Track(
        word(WORDS, language, f"{market}_{good}"),
        good,
        prices_to_buy(good, 0),
        buy,
        len(to_buy),
        buy=buy,
        sell=sell,
        closed=any(NEWS[card].closes == market for card in state.news.active),
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
        sell=price - 1 if price > 1 else None,
    )


def _economy(state: State, language: Language) -> Card:
    card = ECONOMY[state.economy]
    return Card(
        word(WORDS, language, "economy"),
        word(WORDS, language, card.name),
        tuple(AssetPrice(kind, card.buy.get(kind), card.sell.get(kind)) for kind in KINDS),
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
