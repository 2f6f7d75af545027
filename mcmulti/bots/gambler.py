"""A strategy for the Millionenspiel: it stakes high where yellow and red are near, and buys pensions."""

from collections import defaultdict
from functools import cache
from itertools import product
from math import log
from typing import Any

from mcmulti.bots.strategy import Command, Offer, View

VALUES = {
    "ones": 1,
    "tens": 10,
    "hundreds": 100,
    "thousands": 1000,
    "ten_thousands": 10_000,
    "hundred_thousands": 100_000,
}
"""What a piece of each kind is worth."""
LIKELY = 0.25
"""How likely yellow and red together are when all is staked."""
PART = 0.5
"""What part of the purse is staked otherwise."""
THROWS = 6
"""After so many throws a move is taken to end."""
LEAST_NOTE, DECIDED = 1000, 1000
"""What a note is worth at least, and what a four on black brings."""


def gambler(view: View, offers: list[Offer], /) -> list[Command]:
    """See `Strategy`."""
    names = [offer["command"] for offer in offers]
    if "StartGame" in names:
        return [{"type": "StartGame"}]
    if "AcceptThrow" in names:
        return [{"type": "DeclineThrow" if _declines(view) else "AcceptThrow"}]
    if "BuyPension" in names:
        return [_command(offers[names.index("BuyPension")])]
    return [_staking(view, offers[names.index("Stake")])]


def _command(offer: Offer) -> Command:
    """The command of an offer that leaves no choice."""
    return {"type": offer["command"]} | {name: field["options"][0] for name, field in offer["fields"].items()}


def _staking(view: View, offer: Offer) -> Command:
    """The highest pieces that come to no more than the part that is to be staked."""
    has = {kind: field["max"] for kind, field in offer["fields"].items()}
    target = _part(view) * _worth(has)
    stake = dict.fromkeys(has, 0)
    for kind in sorted(has, key=VALUES.__getitem__, reverse=True):
        stake[kind] = min(has[kind], int(target // VALUES[kind]))
        target -= stake[kind] * VALUES[kind]
    return {"type": "Stake"} | stake


def _part(view: View) -> float:
    near = sum(chance for steps, chance in _moves().items() if _colour(view, steps) in ("yellow", "red"))
    return 1 if near > LIKELY else PART


def _declines(view: View) -> bool:
    """Whether another throw brings more on average; what counts is how many digits there are."""
    [throw] = view["throws"]
    first, second = throw["first"]["value"], throw["second"]["value"]
    stays = _outlook(view, first + second) if first == second else _digits(view, first + second)
    return _outlook(view, 0) > stays


def _outlook(view: View, gone: int) -> float:
    """What is to be expected of a throw, after so many steps."""
    return sum(chance * _digits(view, gone + steps) for steps, chance in _moves().items())


def _digits(view: View, steps: int) -> float:
    """What the roller has after a move of so many steps, as a logarithm."""
    seats, mine = view["seats"], view["seats"][view["you"]]
    stake, rest = _worth(mine["stake"]), _worth(mine["purse"])
    match _colour(view, steps):
        case "black":
            others = [seat for seat in seats if seat is not mine]
            chips = sum(_worth(_chips(mine[place])) for place in ("stake", "purse"))
            total = stake + rest
            faces = [
                chips,
                rest,
                stake,
                total + DECIDED,
                total + sum(_worth(seat["stake"]) for seat in others),
                total + sum(_worth(seat["purse"]) for seat in others),
            ]
            return sum(map(_log, faces)) / len(faces)
        case "beige":
            return _log(rest)
        case "green":
            return _log(stake)
        case colour:
            return _log(rest + stake * {"blue": 2, "yellow": 11, "red": 101}[colour])


def _log(money: int) -> float:
    return log(1 + money)


def _chips(pieces: dict[str, int]) -> dict[str, int]:
    return {kind: number for kind, number in pieces.items() if VALUES[kind] < LEAST_NOTE}


def _worth(pieces: dict[str, int]) -> int:
    return sum(number * VALUES[kind] for kind, number in pieces.items())


def _colour(view: View, steps: int) -> Any:
    return view["track"][(view["field"] + steps) % len(view["track"])]


@cache
def _moves() -> dict[int, float]:
    """How likely a throw takes the pawn so many steps, with all that follow after doubles."""
    ending: defaultdict[int, float] = defaultdict(float)
    going_on = {0: 1.0}
    for number in range(1, THROWS + 1):
        doubled: defaultdict[int, float] = defaultdict(float)
        for (steps, chance), (first, second) in product(going_on.items(), product(range(1, 7), repeat=2)):
            goes_on = first == second and number < THROWS
            (doubled if goes_on else ending)[steps + first + second] += chance / 36
        going_on = doubled
    return ending
