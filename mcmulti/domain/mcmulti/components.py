"""The components of `components.toml` as values."""

from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from mcmulti.domain.core.wording.data import read
from mcmulti.domain.oil.names import GOODS, EconomyName, Good, Kind, MarketName

RefinerySales = Literal["box", "postal"]
"""Which sale prices of refineries apply: those of the cards, or the different ones of the postal rules."""

NewsName = Literal[
    "debt_reduction_tax",
    "global_warming_threat",
    "state_sales_tax",
    "long_cold_winter",
    "snap_inspection",
    "world_market_uncertainty",
    "foreign_embargo",
    "domestic_price_freeze",
]


class EconomyCard(Struct, frozen=True):
    """Prices in millions of dollars; `demand` in red fields; `next` by the green die, 1 to 6."""

    name: EconomyName
    buy: dict[Kind, int]
    sell: dict[Kind, int]
    demand: int
    next: tuple[EconomyName, EconomyName, EconomyName, EconomyName, EconomyName, EconomyName]


class NewsCard(Struct, frozen=True):
    """`tax` is due for each piece of a kind, in millions of dollars; `closes` names a market."""

    name: NewsName
    lasting: bool
    tax: dict[str, int] = {}
    clean_up: int = 0
    barrels: int = 0
    red_fields: int = 0
    closes: MarketName | None = None

    @property
    def rule(self) -> str:
        """The id of the rule for the card."""
        return f"news/{self.name.replace('_', '-')}"


COMPONENTS: dict[str, Any] = read(__package__, "components.toml")

ECONOMY: dict[EconomyName, EconomyCard] = {
    card.name: card for card in msgspec.convert(COMPONENTS["economy"]["cards"], list[EconomyCard])
}
_BY_POST: dict[EconomyName, int] = COMPONENTS["economy"]["refineries_by_post"]
CARDS: dict[RefinerySales, dict[EconomyName, EconomyCard]] = {
    "box": ECONOMY,
    "postal": ECONOMY
    | {name: replace(ECONOMY[name], sell=ECONOMY[name].sell | {"refinery": price}) for name, price in _BY_POST.items()},
}
FIRST_ECONOMY: EconomyName = COMPONENTS["economy"]["start"]
ECONOMY_CHANGES_AT: int = COMPONENTS["economy"]["change_at"]

NEWS: dict[NewsName, NewsCard] = {
    card.name: card for card in msgspec.convert(COMPONENTS["news"]["cards"], list[NewsCard])
}

CAPITAL: dict[int, int] = {int(players): cash for players, cash in COMPONENTS["setup"]["capital"].items()}
STARTING_BARRELS: dict[Good, int] = {good: COMPONENTS["setup"][good] for good in GOODS}

FIELDS: int = COMPONENTS["market"]["fields"]
STEP: dict[Good, int] = COMPONENTS["market"]["step"]
FREE_AT_START: dict[Good, int] = COMPONENTS["market"]["free"]

CONSUMER_START: int = COMPONENTS["consumer"]["start_price"]
CONSUMER_PRICES: tuple[int, ...] = tuple(range(1, COMPONENTS["consumer"]["highest_price"] + 1))
RED_FIELDS: tuple[int, ...] = tuple(COMPONENTS["consumer"]["red_fields"])

STANDSTILL: int = COMPONENTS["standstill"]["rounds"]

STRIKE_STEP: int = COMPONENTS["strike"]["step"]
