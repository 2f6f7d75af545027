"""Who wins how likely after a round, by what everybody has at stake and in hand.

Seats are in the order in which they stake: the roller is the last of them, and of several who have as much when a game
ends the first wins.
"""

from collections.abc import Sequence
from typing import NamedTuple

from mcmulti.bots.strategies.gambler.pieces import Purse, chips, without, worth
from mcmulti.bots.strategies.gambler.prospects import prospect
from mcmulti.bots.strategies.gambler.throws import Landing, Mix, Throws

MILLION = 1_000_000
BACK = {"blue": 2, "yellow": 11, "red": 101}
"""How many times a stake comes back."""
DECIDED = 1000
"""What a four on black brings."""
FACES = 6

_BEFORE_PENSIONS = -1e9
"""Lower than any million that is reached by a pension."""

Shares = Sequence[float]
"""How likely each seat wins, in the order of staking."""


class Fortune(NamedTuple):
    """What a seat has: money in hand and at stake, how much of both is chips, its card, and whether somebody plays."""

    rest: int
    stake: int
    chips: int
    card: int
    plays: bool = True


def holding(purse: Purse, stake: Purse, card: int, plays: bool) -> Fortune:
    """What a seat has that had this purse, and staked these pieces of it."""
    rest = without(purse, stake)
    return Fortune(worth(rest), worth(stake), chips(purse), card, plays)


class Hopes:
    """What a round may bring, with the pawn on one field: the same for as many stakes as are tried."""

    def __init__(self, throws: Throws) -> None:
        self._throws = throws
        self._known: dict[Fortune, tuple[tuple[float, ...], ...]] = {}

    def chances(self, holdings: Sequence[Fortune]) -> Shares:
        """How likely each seat wins, if the roller declines whatever another throw is better than."""
        ends = self._ends(holdings)
        rolled = [shares[-1] for shares in ends]
        again = _average(self._throws.again, rolled)
        likely, declined = [0.0] * len(ends), 0.0
        for chance, mix in self._throws.first:
            if again > _average(mix, rolled):
                declined += chance
            else:
                for number, part in mix:
                    likely[number] += chance * part
        for number, part in self._throws.again:
            likely[number] += declined * part
        return [sum(map(float.__mul__, likely, column)) for column in zip(*ends, strict=True)]

    def declines(self, holdings: Sequence[Fortune], stands: Mix) -> bool:
        """Whether another throw gives the roller more hope than the first one."""
        rolled = [shares[-1] for shares in self._ends(holdings)]
        return _average(self._throws.again, rolled) > _average(stands, rolled)

    def _ends(self, holdings: Sequence[Fortune]) -> list[Shares]:
        """How likely each seat wins, by how the move ends."""
        after = [self._after(held) for held in holdings]
        ends: list[Shares] = []
        for number, landing in enumerate(self._throws.landings):
            hopes = [each[number] for each in after]
            if landing.colour == "black":
                ends.append(_decided(holdings, hopes, landing.laps))
            else:
                ends.append(_shares([hope for [hope] in hopes]))
        return ends

    def _after(self, held: Fortune) -> tuple[tuple[float, ...], ...]:
        """The hopes of a seat by how the move ends; on black with all, the rest, and the stake."""
        if held not in self._known:
            self._known[held] = tuple(_settled(held, landing) for landing in self._throws.landings)
        return self._known[held]


def _settled(held: Fortune, landing: Landing) -> tuple[float, ...]:
    match landing.colour:
        case "beige":
            left = (held.rest,)
        case "green":
            left = (held.stake,)
        case "black":
            return tuple(_hope(held, money, landing.laps) for money in (held.rest + held.stake, held.rest, held.stake))
        case colour:
            left = (held.rest + BACK[colour] * held.stake,)
    return tuple(_hope(held, money, landing.laps) for money in left)


def _hope(held: Fortune, money: int, laps: int) -> float:
    """What speaks for a seat with so much; below 0 if it is a million, the lower the more comes before others."""
    if not held.plays:
        return 0.0
    paid = money + laps * held.card
    if paid >= MILLION:
        return float(-paid) if money < MILLION else _BEFORE_PENSIONS - money
    return prospect(paid, held.card)


def _shares(hopes: list[float]) -> Shares:
    """How likely each seat wins: surely the one with the most, if that is a million."""
    least = min(hopes)
    if least < 0:
        winner = hopes.index(least)
        return [float(seat == winner) for seat in range(len(hopes))]
    total = sum(hopes)
    return [hope / total for hope in hopes]


def _decided(holdings: Sequence[Fortune], hopes: list[tuple[float, ...]], laps: int) -> Shares:
    """The average of what the decider does to the roller."""
    *others, roller = holdings
    everything, rests, stakes = map(list, zip(*(hope for hope in hopes[:-1]), strict=True))
    money = roller.rest + roller.stake
    taken_stakes, taken_rests = (sum(other[place] for other in others) for place in (1, 0))
    faces = (
        (everything, roller.chips),
        (everything, roller.rest),
        (everything, roller.stake),
        (everything, money + DECIDED),
        (rests, money + taken_stakes),
        (stakes, money + taken_rests),
    )
    decided = [_shares([*left, _hope(roller, has, laps)]) for left, has in faces]
    return [sum(shares) / FACES for shares in zip(*decided, strict=True)]


def _average(mix: Mix, shares: Sequence[float]) -> float:
    return sum([part * shares[number] for number, part in mix])
