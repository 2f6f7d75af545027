"""The components of `components.toml` as values."""

from typing import Any, Literal, cast, get_args

from mcmulti.domain.core.wording.data import read

Colour = Literal["black", "blue", "yellow", "green", "red", "beige"]
Card = Literal[5, 50, 500]
"""A pension card, by the amount it pays."""
Fate = Literal["notes_lost", "stake_lost", "rest_lost", "thousand_won", "stakes_taken", "rests_taken"]

COMPONENTS: dict[str, Any] = read(__package__, "components.toml")
PROPERTIES: dict[str, str] = read(__package__, "properties.toml")

LEAST_PLAYERS: int = COMPONENTS["setup"]["least_players"]
ONES_AT_START: int = COMPONENTS["setup"]["ones"]
FIRST_CARD: Card = COMPONENTS["setup"]["pension"]

TRACK: tuple[Colour, ...] = tuple(
    cast(Colour, sector if colour == "colour" else colour)
    for sector in COMPONENTS["track"]["sectors"]
    for colour in COMPONENTS["track"]["sector"]
)
"""The colors of the fields, starting with the black one with the arrow (`track/fields`)."""
FIELDS = len(TRACK)

GAINS: dict[Colour, int] = COMPONENTS["settlement"]["gains"]
"""How many times its stake a player gets in addition to it (`settle/colour`)."""
MOST_GAIN = max(GAINS.values())
FACES: tuple[Fate, ...] = tuple(COMPONENTS["decider"]["faces"])
"""The effects of the decider, from 1 to 6 (`settle/decider`)."""
THOUSAND: int = COMPONENTS["decider"]["won"]

CARDS: tuple[Card, ...] = get_args(Card)
PRICES: dict[Card, int] = {cast(Card, int(card)): price for card, price in COMPONENTS["pension"]["prices"].items()}

MILLION: int = COMPONENTS["end"]["million"]
STANDSTILL: int = COMPONENTS["standstill"]["rounds"]
