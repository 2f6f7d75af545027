"""Words that only the postal rules have."""

from typing import Literal

Deal = Literal["buy", "sell"]
AssetDeed = Literal["bought", "sold", "converted"]
BarrelDeed = Literal["bought", "sold"]
Buyer = Literal["domestic", "foreign", "consumers"]
"""Where barrels go and come from: one of the two markets, or the consumers, who buy at pumps."""
Relation = Literal["more", "at_least", "equal", "at_most", "less"]
Outcome = Literal["in_full", "in_part", "skipped"]
"""What became of a line: carried out, as far as it went, or not at all."""
