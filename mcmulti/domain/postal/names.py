"""Words that only the postal rules have."""

from typing import Literal

Deal = Literal["buy", "sell"]
Span = Literal["game", "round"]
