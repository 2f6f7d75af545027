"""Words that only the postal rules have."""

from typing import Literal

from mcmulti.domain.oil.names import MarketName

Deal = Literal["buy", "sell"]
AssetDeed = Literal["bought", "sold", "converted"]
BarrelDeed = Literal["bought", "sold"]
Buyer = MarketName | Literal["consumers"]
"""Where barrels go and come from: one of the two markets, or the consumers, who buy at pumps."""
Relation = Literal["more", "at_least", "equal", "at_most", "less"]
Outcome = Literal["in_full", "in_part", "skipped"]
"""What became of a line: carried out, as far as it went, or not at all."""
