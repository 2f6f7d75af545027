"""A picture of the board of a game by post."""

from mcmulti.domain.core.shown.picture import Counter, Picture, Said, Track, called, result, speakers
from mcmulti.domain.core.wording.telling import Language
from mcmulti.domain.oil import picture as oil
from mcmulti.domain.oil.picture import COLOURS
from mcmulti.domain.postal.components import CLIMATE_CHANGES, CLIMATES, COMPONENTS, FIELDS, KEY_STEPS, STEP, TARGET
from mcmulti.domain.postal.conditions.findings import consumer_price
from mcmulti.domain.postal.phrases import Phrases
from mcmulti.domain.postal.shown.gauges import gauges
from mcmulti.domain.postal.state import State

_COMPASS: tuple[str, ...] = tuple(COMPONENTS["board"]["quadrants"])
_PLOT = "plot={row},{column}"
_CONSUMER_PRICES = tuple(range(1, COMPONENTS["consumer"]["highest_price"] + 1))
_SAID = speakers(Phrases.WORDS)


def picture(state: State, language: Language) -> Picture:
    """The board at one moment, with the dice of the last turn."""
    said = _SAID[language]
    started = bool(state.players)
    title, subtitle = _titles(state, said)
    turn, climate = state.turn, CLIMATES[state.economy]
    at_turn, red, black = (turn.quadrant, turn.red, turn.black) if turn else (None, 0, 0)
    return Picture(
        language=language,
        title=title,
        subtitle=subtitle,
        units=oil.units(said),
        seats=oil.seats(state, said, gauges(state).holdings, state.to_move),
        board=oil.quadrants(state, said, _COMPASS, at_turn, red, black, _PLOT),
        kinds=oil.kinds(said),
        marks=oil.marks(said),
        dice=oil.dice(said, red, black) if red else (),
        tracks=(*oil.markets(state, said, STEP, FIELDS), _consumers(state, said)) if started else (),
        counters=(Counter(said("climate_changes"), state.climate_changes, CLIMATE_CHANGES),) if started else (),
        cards=(oil.economy(said, climate.name, climate.buy, climate.sell, climate.demand),) if started else (),
        goal=TARGET,
        result=result(state, said, state.winners),
    )


def _titles(state: State, said: Said) -> tuple[str, str]:
    """The round and what happens in it; the order of its turns."""
    phase = said("game_over" if state.phase == "over" else state.phase)
    title = f"{said('round')} {state.round} · {phase}" if state.round else phase
    return title[:1].upper() + title[1:], " · ".join(called(state, said, seat) for seat in state.order)


def _consumers(state: State, said: Said) -> Track:
    """The barrel that marks the price, if there is one; the number of barrels above it has no meaning. Key steps are
    marked.
    """
    price = consumer_price(state)
    occupied = () if price is None else (price,)
    return Track(
        said("consumers"),
        COLOURS["gasoline"],
        _CONSUMER_PRICES,
        said("barrels"),
        occupied,
        KEY_STEPS,
        said("key_step"),
        sell=price,
    )
