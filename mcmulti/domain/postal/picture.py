"""The board of a game by post as something to look at."""

from mcmulti.domain.core.picture import Card, Counter, Die, Field, Picture, Track
from mcmulti.domain.core.telling import Language, word
from mcmulti.domain.oil.board import Lines, lines_hit
from mcmulti.domain.oil.names import GOODS, KINDS, MARKETS
from mcmulti.domain.oil.picture import asset_prices, field, market_track, seats
from mcmulti.domain.postal.components import CLIMATE_CHANGES, CLIMATES, COMPONENTS, FIELDS, KEY_STEPS, STEP, TARGET
from mcmulti.domain.postal.findings import consumer_price
from mcmulti.domain.postal.flow import to_move
from mcmulti.domain.postal.phrases import WORDS
from mcmulti.domain.postal.state import State

_COMPASS: tuple[str, ...] = tuple(COMPONENTS["board"]["quadrants"])
_CONSUMER_PRICES = tuple(range(1, COMPONENTS["consumer"]["highest_price"] + 1))


def picture(state: State, language: Language) -> Picture:
    """The board at a moment, with the dice of the last turn."""

    def said(name: str) -> str:
        return word(WORDS, language, name)

    started = bool(state.players)
    changes = said("climate_changes")
    return Picture(
        language,
        *_titles(state, language),
        tuple(_field(state, index, said(name)) for index, name in enumerate(_COMPASS)),
        seats(state, to_move(state)),
        {kind: said(kind) for kind in KINDS},
        {good: said(good) for good in GOODS},
        _dice(state),
        (*_markets(state, language), _consumers(state, language)) if started else (),
        (Counter(changes, state.climate_changes, CLIMATE_CHANGES),) if started else (),
        (_climate(state, language),) if started else (),
        TARGET,
        ", ".join(f"{said('winner')}: {state.players[seat].name}" for seat in state.winners),
    )


def _titles(state: State, language: Language) -> tuple[str, str]:
    """The round and what goes on in it; the order of its turns."""
    phase = word(WORDS, language, "game_over" if state.phase == "over" else state.phase)
    title = f"{word(WORDS, language, 'round')} {state.round} · {phase}" if state.round else phase
    return title[:1].upper() + title[1:], " · ".join(state.players[seat].name for seat in state.order)


def _dice(state: State) -> tuple[Die, ...]:
    turn = state.turn
    return (Die("red", turn.red), Die("black", turn.black)) if turn and turn.red else ()


def _field(state: State, index: int, name: str) -> Field:
    turn = state.turn
    if turn is None:
        return field(state, index, name, Lines(0, 0), at_turn=False)
    lines = lines_hit(index, turn.quadrant, turn.red, turn.black)
    return field(state, index, name, lines, at_turn=turn.quadrant == index)


def _markets(state: State, language: Language) -> tuple[Track, ...]:
    return tuple(
        market_track(state, market, good, word(WORDS, language, f"{market}_{good}"), STEP[good], FIELDS)
        for market in MARKETS
        for good in GOODS
    )


def _consumers(state: State, language: Language) -> Track:
    """The barrel that marks the price, if there is one; how many lie above it says nothing. Key steps are marked."""
    price = consumer_price(state)
    name = word(WORDS, language, "consumers")
    return Track(name, "gasoline", _CONSUMER_PRICES, price, 1, KEY_STEPS, sell=price)


def _climate(state: State, language: Language) -> Card:
    climate = CLIMATES[state.economy]
    return Card(
        word(WORDS, language, "economy"),
        word(WORDS, language, climate.name),
        asset_prices(climate.buy, climate.sell),
        f"{word(WORDS, language, 'demand')} {climate.demand:+d}",
    )
