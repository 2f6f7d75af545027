"""Order sheets that can be enumerated: without conditions, prices, and reserves."""

from collections.abc import Sequence
from typing import Any, get_args, overload

from mcmulti.domain.oil.names import GOODS, KINDS, MARKETS, Buyable
from mcmulti.domain.postal.names import Plot
from mcmulti.domain.postal.sheets import sheet as s

BARRELS: tuple[s.Amount, ...] = (1, 2, 4, "max")
"""How many barrels a line trades."""
PUMPS: tuple[s.PumpOrder, ...] = (s.SellAtPumps(), s.SellAtPumps(10), s.SellAtPumps(20), s.HoldPumps())
"""Possible instructions for pumps."""
_PLOTS = [Plot(row, column) for row in range(1, 7) for column in range(1, 7)]
ASSET_LINES: tuple[s.OrderBase, ...] = (
    *(s.BuyAssetOrder(kind, plot) for kind in get_args(Buyable) for plot in _PLOTS),
    *(s.SellAssetOrder(kind, plot) for kind in KINDS for plot in _PLOTS),
)
"""Lines of phase 1: buy each kind, on each plot row by row; sell each kind, on each plot."""
TRADE_LINES: tuple[s.OrderBase, ...] = (
    *(s.BuyBarrelsOrder(market, good, number) for market in MARKETS for good in GOODS for number in BARRELS),
    *(s.SellBarrelsOrder(market, good, number) for market in MARKETS for good in GOODS for number in BARRELS),
)
"""Lines of phase 2: buy on each market, each good, each number of barrels; sell likewise."""


class PlainSheets(Sequence[s.OrderSheet]):
    """Every sheet with at most `assets` lines for assets and `trades` for barrels, made on demand.

    A rig with a double hit is converted first, or none is. The instruction for pumps changes fastest, then the lines
    for barrels. The rules skip lines that cannot be carried out.
    """

    def __init__(self, assets: int, trades: int) -> None:
        self.assets, self.trades = assets, trades
        self._asset_lists = _lists(ASSET_LINES, assets)
        self._trade_lists = _lists(TRADE_LINES, trades)
        self._size = 2 * self._asset_lists * self._trade_lists * len(PUMPS)

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, index: int) -> s.OrderSheet: ...
    @overload
    def __getitem__(self, index: slice) -> list[s.OrderSheet]: ...
    def __getitem__(self, index: int | slice) -> s.OrderSheet | list[s.OrderSheet]:
        places = range(self._size)[index]
        return [self._sheet(place) for place in places] if isinstance(places, range) else self._sheet(places)

    def _sheet(self, place: int) -> s.OrderSheet:
        place, pumps = divmod(place, len(PUMPS))
        place, trades = divmod(place, self._trade_lists)
        convert, assets = divmod(place, self._asset_lists)
        return plain_sheet(bool(convert), _list(ASSET_LINES, assets), _list(TRADE_LINES, trades), PUMPS[pumps])


def plain_sheet(convert: bool, assets: Sequence[Any], trades: Sequence[Any], pumps: s.PumpOrder) -> s.OrderSheet:
    """A sheet with these lines, which can first convert a rig."""
    return s.OrderSheet((*((s.ConvertRigOrder(),) if convert else ()), *assets), tuple(trades), pumps)


def _lists(lines: Sequence[Any], most: int) -> int:
    """The number of lists with at most `most` of these lines."""
    return sum(len(lines) ** length for length in range(most + 1))


def _list(lines: Sequence[Any], place: int) -> list[Any]:
    """A list of lines by its index among all, shorter ones first; within a length the last line changes fastest."""
    found = []
    while place:
        place, at = divmod(place - 1, len(lines))
        found.append(lines[at])
    return found[::-1]
