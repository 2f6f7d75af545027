"""Selling assets to the bank, in any phase that allows it."""

from functools import lru_cache

from mcmulti.domain.core.offers import Offer, TextChoice
from mcmulti.domain.oil.names import KINDS, Kind, SiteChoice
from mcmulti.domain.oil.rules.board import sites

ONE_KIND: dict[Kind, TextChoice] = {kind: TextChoice((kind,)) for kind in KINDS}
"""The field of an offer for a single kind of asset."""


@lru_cache(maxsize=4096)
def selling(price: int, kind: Kind, quadrant: int, standing: int, rule: str, limit: str) -> Offer:
    """Sell one of the standing assets, given as bits, at this price."""
    return Offer(
        "SellAsset",
        rule,
        {"kind": ONE_KIND[kind], "site": SiteChoice(sites(quadrant, standing), limit)},
        price,
        None if standing else limit,
    )
