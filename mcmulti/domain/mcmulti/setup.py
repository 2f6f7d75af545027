"""The setup of a game."""

from itertools import pairwise
from typing import Annotated, Literal

from msgspec import Meta, Struct

from mcmulti.domain.core.capabilities.instructions import InstructionsOption
from mcmulti.domain.core.in_turn import SetupInTurn
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.mcmulti.components import CONSUMER_PRICES, CONSUMER_START, RefinerySales
from mcmulti.domain.mcmulti.limits import LIMITS
from mcmulti.domain.oil.names import Seat

Seats = Annotated[int, Meta(ge=2, le=4)]

_Prices = tuple[Annotated[int, Meta(ge=1, le=200, description="Millions of dollars.")], ...]


class ConsumerTrack(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """A custom price track of the consumer market (`consumer/red-fields`), in millions of dollars.

    `red_fields`: the prices of its red fields, from the lowest. `prices`: the prices of all its fields, from the
    lowest; null for 1 to 80 by 1.
    """

    red_fields: Annotated[_Prices, Meta(min_length=1, max_length=100)]
    prices: Annotated[_Prices, Meta(min_length=2, max_length=100)] | None = None


class Setup(SetupInTurn, frozen=True, gc=False, forbid_unknown_fields=True):
    """The setup of a game of McMulti.

    `seats`: how many sit at the table (`setup/seats`). `target`: the cash, in millions of dollars, that allows a
    declaration of victory (`setup/target`). `first_seat`: who starts; decided by dice if omitted
    (`setup/first-player`).
    """

    seats: Seats = 4
    target: Literal[750, 1000] = 750
    first_seat: Seat | None = None
    consumer_track: Annotated[
        ConsumerTrack | None,
        Meta(description="The consumer market of your own board (`consumer/red-fields`), null for ours."),
    ] = None
    refinery_sales: Annotated[
        RefinerySales,
        Meta(
            description="What refineries are sold for in rapid growth, prosperity, and downturn (`economy/cards`): as"
            " in the `box` game, or as in the `postal` rules."
        ),
    ] = "box"
    unpaid_clean_up: Annotated[
        Literal["idle", "sold"],
        Meta(
            description="What becomes of refineries whose clean-up is not paid (`news/global-warming-threat`): they"
            " stand `idle`, or are `sold` at once."
        ),
    ] = "idle"
    last_turns: Annotated[
        Literal["both", "one"],
        Meta(
            description="With two players, how many turns the opponent has after a declaration (`end/last-round`): one"
            " with each of `both` quadrants, or `one`."
        ),
    ] = "both"
    instructions: InstructionsOption = None


def unfit(setup: Setup) -> Rejection | None:
    """The first player must have one of the seats (`setup/first-player`); a track must be valid
    (`consumer/red-fields`).
    """
    if setup.first_seat is not None and setup.first_seat >= setup.seats:
        return LIMITS["first_seat_unknown"].rejection("first_seat", setup.seats - 1)
    return None if setup.consumer_track is None else _no_track(setup.consumer_track)


def _no_track(track: ConsumerTrack) -> Rejection | None:
    """Prices must rise from field to field. The opening barrel must have one, and red fields must be among them."""
    prices = track.prices or CONSUMER_PRICES
    code = None
    if any(low >= high for fields in (prices, track.red_fields) for low, high in pairwise(fields)):
        code = "track_falls"
    elif CONSUMER_START not in prices:
        code = "track_start"
    elif not set(track.red_fields) <= set(prices):
        code = "track_red"
    return None if code is None else LIMITS[code].rejection("consumer_track")
