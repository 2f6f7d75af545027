"""The numbers of `components.toml` as values."""

from typing import Any

import msgspec
from msgspec import Struct

from mcmulti.domain.core.wording.data import read
from mcmulti.domain.oil.names import GOODS, EconomyName, Good, Kind


class Climate(Struct, frozen=True):
    """Prices in millions of dollars; `demand` in key steps; `next` by the double, 1 to 6."""

    name: EconomyName
    buy: dict[Kind, int]
    sell: dict[Kind, int]
    demand: int
    next: tuple[EconomyName, EconomyName, EconomyName, EconomyName, EconomyName, EconomyName]


COMPONENTS: dict[str, Any] = read(__package__, "components.toml")

CLIMATES: dict[EconomyName, Climate] = {
    climate.name: climate for climate in msgspec.convert(COMPONENTS["climate"]["climates"], list[Climate])
}
FIRST_CLIMATE: EconomyName = COMPONENTS["climate"]["start"]

PLAYERS: int = COMPONENTS["setup"]["players"]
CAPITAL: int = COMPONENTS["setup"]["cash"]
STARTING_BARRELS: dict[Good, int] = {good: COMPONENTS["setup"][good] for good in GOODS}
TARGET: int = COMPONENTS["setup"]["target"]

FIELDS: int = COMPONENTS["market"]["fields"]
STEP: dict[Good, int] = COMPONENTS["market"]["step"]
FREE_AT_START: dict[Good, int] = COMPONENTS["market"]["free"]

CONSUMER_START: int = COMPONENTS["consumer"]["start_price"]
KEY_STEPS: tuple[int, ...] = tuple(COMPONENTS["consumer"]["key_steps"])
HIGHEST_PRICE = max(CONSUMER_START, *KEY_STEPS)
"""The highest possible consumer price of gasoline, in millions of dollars."""

STANDSTILL: int = COMPONENTS["standstill"]["rounds"]

STRIKE_STEP: int = COMPONENTS["strike"]["step"]
CLIMATE_CHANGES: int = COMPONENTS["rounds"]["climate_changes"]
