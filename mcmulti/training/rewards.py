"""Rewards of seats. For every kind of reward, all seats add up to zero."""

from collections.abc import Sequence
from typing import Any, Literal, get_args

from mcmulti.domain.core.ruleset import Ruleset

Reward = Literal["win", "rank", "worth"]
"""What is rewarded; see `docs/how-to/train-a-bot.md`."""
REWARDS: tuple[Reward, ...] = get_args(Reward)


def worths(ruleset: Ruleset[Any], state: Any) -> tuple[int, ...]:
    """The worth of each seat's assets, in money; 0 before the start."""
    money = ruleset.books.money
    holdings = ruleset.books.gauges(state).holdings
    return tuple(has.amounts[money] if has.worth is None else has.worth for has in holdings)


def ranked(winners: Sequence[int], money: Sequence[int]) -> list[float]:
    """From 1 for the first to -1 for the last: winners first, then by money. Equal seats share their ranks."""
    keys = [(seat in winners, has) for seat, has in enumerate(money)]
    better = [sum(other > key for other in keys) for key in keys]
    worse = [sum(other < key for other in keys) for key in keys]
    return [(below - above) / (len(keys) - 1) for above, below in zip(better, worse, strict=True)]


def shares(worth: Sequence[int]) -> list[float]:
    """By how much each seat's share of the total exceeds an equal share."""
    total = sum(worth)
    return [has / total - 1 / len(worth) if total else 0.0 for has in worth]
