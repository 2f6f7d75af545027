"""Words that only the postal rules use."""

from typing import Literal

Deal = Literal["buy", "sell"]
AssetDeed = Literal["bought", "sold", "converted"]
BarrelDeed = Literal["bought", "sold"]
Buyer = Literal["domestic", "foreign", "consumers"]
"""The buyer or seller of barrels: one of the two markets, or the consumers, who buy at pumps."""
Relation = Literal["more", "at_least", "equal", "at_most", "less"]
Outcome = Literal["in_full", "in_part", "skipped"]
"""The outcome of a line: carried out in full, as far as possible, or not at all."""
