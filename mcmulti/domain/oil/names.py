"""Names of goods, markets, assets, and economies."""

from typing import Literal, get_args

Good = Literal["crude", "gasoline"]
MarketName = Literal["domestic", "foreign"]
Kind = Literal["rig", "well", "station", "refinery"]
Buyable = Literal["rig", "station", "refinery"]
EconomyName = Literal["recovery", "expansion", "rapid_growth", "prosperity", "downturn", "recession", "depression"]

GOODS: tuple[Good, ...] = get_args(Good)
MARKETS: tuple[MarketName, ...] = get_args(MarketName)
KINDS: tuple[Kind, ...] = get_args(Kind)
