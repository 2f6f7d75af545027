"""Double entry: common transfers of several events, in dollars, barrels, and pieces, with their reasons.

Accounts: ``seat:<n>:cash``, ``seat:<n>:crude``, ``seat:<n>:gasoline``, ``seat:<n>:<asset>``, ``bank``,
``market:<market>:<good>``, ``consumers`` and ``supply``.
"""

from collections.abc import Callable

from mcmulti.domain.core.course.posting import CAPITAL, Transfer, transfer
from mcmulti.domain.oil.names import GOODS, MARKETS, Good, MarketName
from mcmulti.domain.oil.state import Oilfield

Transfers = tuple[Transfer, ...]


def pay(seat: int, amount: int, reason: str) -> Transfers:
    """From a player to the bank; reversed if negative."""
    return transfer(f"seat:{seat}:cash", "bank", "dollars", amount, reason)


def held(seat: int, cash: int, crude: int, gasoline: int) -> Transfers:
    """What a player starts with."""
    dealt = transfer("supply", f"seat:{seat}:crude", "crude", crude, CAPITAL)
    dealt += transfer("supply", f"seat:{seat}:gasoline", "gasoline", gasoline, CAPITAL)
    return pay(seat, -cash, CAPITAL) + dealt


def dealt_out(players: int, cash: int, crude: int, gasoline: int) -> Transfers:
    """What every player starts with."""
    return tuple(moved for seat in range(players) for moved in held(seat, cash, crude, gasoline))


def filled(fields: int, free: Callable[[MarketName, Good], int]) -> Transfers:
    """The barrels that both markets start with, on all fields of each good except the free ones."""
    return tuple(
        moved
        for market in MARKETS
        for good in GOODS
        for moved in transfer("supply", f"market:{market}:{good}", good, fields - free(market, good), CAPITAL)
    )


def drilled(seat: int, price: int) -> Transfers:
    """A rig becomes a well."""
    reason = "drilling"
    rig = transfer(f"seat:{seat}:rig", "supply", "rig", 1, reason)
    return pay(seat, price, reason) + rig + transfer("supply", f"seat:{seat}:well", "well", 1, reason)


def opening(state: Oilfield, fields: int) -> Transfers:
    """What the books of a game that begins from a position open with: money from the bank, all else from the supply."""
    moved: list[Transfer] = []
    for seat, player in enumerate(state.players):
        moved += held(seat, player.cash, player.crude, player.gasoline)
        for kind, number in state.pieces(seat).items():
            moved += transfer("supply", f"seat:{seat}:{kind}", kind, number, CAPITAL)
    return (*moved, *filled(fields, lambda market, good: state.market(market).free(good)))
