"""The probability that each seat wins after a round, by what everybody has at stake and in hand.

Seats are in staking order: the roller is the last, and if several have the same amount when a game ends, the first of
them wins.
"""

from collections.abc import Sequence
from typing import NamedTuple

from mcmulti.bots.strategies.gambler.prospects import prospect
from mcmulti.bots.strategies.gambler.throws import Landing, Mix, Throws

MILLION = 1_000_000
BACK = {"blue": 2, "yellow": 11, "red": 101}
"""The factor with which a stake comes back."""
DECIDED = 1000
"""What a four on black brings."""
FACES = 6

_BEFORE_PENSIONS = -1e9
"""Lower than any million that is reached by a pension."""

Pair = tuple[float, float]
"""The probabilities that one seat wins, and that the roller does."""


class Fortune(NamedTuple):
    """A seat's property: money in hand and at stake, how much of both is chips, its card, and whether it is
    occupied.
    """

    rest: int
    stake: int
    chips: int
    card: int
    plays: bool = True


class Hopes:
    """The possible results of a round, with the pawn on one field: the same for any stakes that are tried."""

    def __init__(self, throws: Throws) -> None:
        self._throws = throws
        self._black = [(n, each.laps) for n, each in enumerate(throws.landings) if each.colour == "black"]
        self._known: dict[Fortune, tuple[tuple[float, ...], tuple[tuple[float, ...], ...]]] = {}
        self._chances: dict[tuple[int, tuple[Fortune, ...]], float] = {}

    def chance(self, holdings: Sequence[Fortune], seat: int) -> float:
        """The probability that a seat, by its index in staking order, wins.

        The roller declines a throw whenever another one is better.
        """
        asked = seat, tuple(holdings)
        if asked not in self._chances:  # a search reaches the same stakes in many ways
            self._chances[asked] = self._chance(holdings, seat)
        return self._chances[asked]

    def _chance(self, holdings: Sequence[Fortune], seat: int) -> float:
        own, rolled = zip(*self._ends(holdings, seat), strict=True)
        again = _average(self._throws.again, rolled)
        likely, declined = 0.0, 0.0
        for part, mix in self._throws.first:
            if len(mix) == 1:  # most throws are not doubles: they end on one field
                number = mix[0][0]
                stands, win = rolled[number], own[number]
            else:
                stands, win = _average(mix, rolled), _average(mix, own)
            if again > stands:
                declined += part
            else:
                likely += part * win
        return likely + declined * _average(self._throws.again, own)

    def declines(self, holdings: Sequence[Fortune], stands: Mix) -> bool:
        """Whether another throw gives the roller more hope than the first one."""
        rolled = [share for _, share in self._ends(holdings, len(holdings) - 1)]
        return _average(self._throws.again, rolled) > _average(stands, rolled)

    def _ends(self, holdings: Sequence[Fortune], seat: int) -> list[Pair]:
        """The probabilities that a seat and the roller win, by how the move ends."""
        known = [self._after(held) for held in holdings]
        ends = [_pair(hopes, seat) for hopes in zip(*[first for first, _ in known], strict=True)]
        for number, laps in self._black:
            ends[number] = _decided(holdings, [settled[number] for _, settled in known], laps, seat)
        return ends

    def _after(self, held: Fortune) -> tuple[tuple[float, ...], tuple[tuple[float, ...], ...]]:
        """The hopes of a seat by how the move ends: the first of each, and all of each (`_settled`)."""
        if held not in self._known:
            settled = tuple(_settled(held, landing) for landing in self._throws.landings)
            self._known[held] = tuple(hopes[0] for hopes in settled), settled
        return self._known[held]


def _settled(held: Fortune, landing: Landing) -> tuple[float, ...]:
    """What a landing leaves; on black with all, the rest, the stake, the chips, and with what a four brings."""
    match landing.colour:
        case "beige":
            left: tuple[int, ...] = (held.rest,)
        case "green":
            left = (held.stake,)
        case "black":
            money = held.rest + held.stake
            left = (money, held.rest, held.stake, held.chips, money + DECIDED)
        case colour:
            left = (held.rest + BACK[colour] * held.stake,)
    return tuple(_hope(held, money, landing.laps) for money in left)


def _hope(held: Fortune, money: int, laps: int) -> float:
    """The weight of a seat with this much; below 0 for a million, and lower the more has priority over others."""
    if not held.plays:
        return 0.0
    paid = money + laps * held.card
    if paid >= MILLION:
        return float(-paid) if money < MILLION else _BEFORE_PENSIONS - money
    return prospect(paid, held.card)


def _pair(hopes: Sequence[float], seat: int) -> Pair:
    """The probabilities that a seat and the roller win: certainly the player with the most, if that is a million."""
    least = min(hopes)
    if least < 0:
        winner = hopes.index(least)
        return float(winner == seat), float(winner == len(hopes) - 1)
    total = sum(hopes)
    return hopes[seat] / total, hopes[-1] / total


def _decided(holdings: Sequence[Fortune], hopes: Sequence[tuple[float, ...]], laps: int, seat: int) -> Pair:
    """The average over the decider's effects on the roller."""
    *others, roller = holdings
    everything, rests, stakes, _, _ = zip(*hopes[:-1], strict=True)
    money = roller.rest + roller.stake
    _, kept, staked, chips, more = hopes[-1]
    faces = (
        (*everything, chips),
        (*everything, kept),
        (*everything, staked),
        (*everything, more),
        (*rests, _hope(roller, money + sum([other.stake for other in others]), laps)),
        (*stakes, _hope(roller, money + sum([other.rest for other in others]), laps)),
    )
    own, rolled = zip(*[_pair(face, seat) for face in faces], strict=True)
    return sum(own) / FACES, sum(rolled) / FACES


def _average(mix: Mix, shares: Sequence[float]) -> float:
    return sum([part * shares[number] for number, part in mix])
