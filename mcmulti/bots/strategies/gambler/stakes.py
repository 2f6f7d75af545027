"""Stakes worth considering: fractions of the purse, and amounts that reach a million or pass another player."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from mcmulti.bots.strategies.gambler.hopes import BACK, MILLION, Fortune
from mcmulti.bots.strategies.gambler.pieces import Purse, at_least, at_most, worth

PARTS = (0, 2, 6, 12, 20, 30, 40, 50, 60, 70, 80, 90, 100)
"""Percentages of the purse that are tried."""


def usual(purse: Purse) -> Purse:
    """The assumed stake of another player before more is known: half."""
    return at_most(purse, worth(purse) // 2)


def stakes(purse: Purse, staked: Sequence[Fortune], waiting: Sequence[Fortune]) -> list[Purse]:
    """The candidate stakes, after those who staked and before those who wait; of equal sums, the first."""
    found = dict(_by_purse(tuple(purse.items())))
    for stake in _against_others(purse, staked, waiting):
        found.setdefault(worth(stake), stake)
    return list(found.values())


@lru_cache(1 << 10)
def _by_purse(pieces: tuple[tuple[str, int], ...]) -> dict[int, Purse]:
    """The candidates that depend on the purse alone, by their sums: a search asks for them again and again."""
    purse, found = dict(pieces), dict[int, Purse]()
    for stake in (*_parts(purse), *_for_a_million(purse)):
        found.setdefault(worth(stake), stake)
    return found


def _parts(purse: Purse) -> Iterator[Purse]:
    money = worth(purse)
    for part in PARTS:
        yield at_most(purse, money * part // 100)


def _for_a_million(purse: Purse) -> Iterator[Purse]:
    """The smallest stakes that can make a millionaire, by color."""
    money = worth(purse)
    for times in BACK.values():
        needed = -((money - MILLION) // (times - 1))
        if needed <= money:
            yield at_least(purse, needed)


def _against_others(purse: Purse, staked: Iterable[Fortune], waiting: Iterable[Fortune]) -> Iterator[Purse]:
    """The smallest stakes that pass another player on red or yellow, as much as another staked, and the largest that
    keep more than another has.
    """
    money = worth(purse)
    for held in staked:
        ahead = held.rest + held.stake - money
        yield at_most(purse, held.stake)
        yield at_most(purse, max(0, money - held.rest - 1))
        for colour in ("red", "yellow"):
            yield at_least(purse, held.stake + ahead // (BACK[colour] - 1) + 1)
    for held in waiting:
        theirs = held.rest + held.stake
        yield at_least(purse, theirs + (theirs - money) // (BACK["red"] - 1) + 1)
