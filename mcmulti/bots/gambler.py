"""A strategy for the Millionenspiel: all or half at stake, pensions early, and throws declined for a better share."""

from collections import defaultdict
from functools import cache
from itertools import product

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
BACK = {"blue": 2, "yellow": 11, "red": 101}
"""How many times a stake comes back."""
MILLION = 1_000_000
LEAST_NOTE, DECIDED = 1000, 1000
"""What a note is worth at least, and what a four on black brings."""

LIKELY = 0.25
"""How likely yellow and red together are when all is staked."""
PART = 0.5
"""What part of the purse is staked otherwise."""
PENSIONS = 20
"""A pension card counts as much as so many of its pensions."""
ROOT = 1 / 3
"""A player's hope of winning goes by this power of its money: ten times as much is worth a little more than twice."""
THROWS = 6
"""After so many throws a move is taken to end."""

Ending = tuple[str, int]
"""How a move ends: on which colour, and how often it came to the arrow or past it."""


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
    near = sum(chance for (colour, _), chance in _endings(view, 0).items() if colour in ("yellow", "red"))
    return 1 if near > LIKELY else PART


def _declines(view: View) -> bool:
    """Whether another throw gives more hope than this one."""
    [throw] = view["throws"]
    first, second = throw["first"]["value"], throw["second"]["value"]
    stays = _hope(view, _endings(view, first + second) if first == second else {_ending(view, first + second): 1.0})
    return _hope(view, _endings(view, 0)) > stays


def _endings(view: View, gone: int) -> dict[Ending, float]:
    """How likely another throw ends the move in each way, after so many steps."""
    found: defaultdict[Ending, float] = defaultdict(float)
    for steps, chance in _moves().items():
        found[_ending(view, gone + steps)] += chance
    return found


def _ending(view: View, steps: int) -> Ending:
    laps, field = divmod(view["field"] + steps, len(view["track"]))
    return view["track"][field], laps


def _hope(view: View, endings: dict[Ending, float]) -> float:
    """How likely the own seat wins after a move that ends so."""
    return sum(chance * _settled(view, colour, laps) for (colour, laps), chance in endings.items())


def _settled(view: View, colour: str, laps: int) -> float:
    """The hope after the settlement of a colour; on black the average of what the decider does to the roller."""
    seats = view["seats"]
    stakes, rests = ([_worth(seat[place]) for seat in seats] for place in ("stake", "purse"))
    match colour:
        case "beige":
            return _share(view, rests, laps)
        case "green":
            return _share(view, stakes, laps)
        case "blue" | "yellow" | "red":
            back = BACK[colour]
            return _share(view, [rest + back * stake for rest, stake in zip(rests, stakes, strict=True)], laps)
    roller, money = view["roller"], [seat["money"] for seat in seats]
    chips = sum(_worth(_chips(seats[roller][place])) for place in ("stake", "purse"))
    decided = [
        *(_alone(money, roller, left) for left in (chips, rests[roller], stakes[roller], money[roller] + DECIDED)),
        *(_taken(money, roller, taken) for taken in (stakes, rests)),
    ]
    return sum(_share(view, each, laps) for each in decided) / len(decided)


def _alone(money: list[int], roller: int, left: int) -> list[int]:
    """What everybody has when the roller has so much."""
    return [left if seat == roller else each for seat, each in enumerate(money)]


def _taken(money: list[int], roller: int, taken: list[int]) -> list[int]:
    """What everybody has when the roller takes these from the others."""
    left = [each - lost for each, lost in zip(money, taken, strict=True)]
    left[roller] = money[roller] + sum(taken) - taken[roller]
    return left


def _share(view: View, money: list[int], laps: int) -> float:
    """How likely the own seat wins with so much by seat: surely or never with a million, else by what all have."""
    me, most = view["you"], max(money)
    if most >= MILLION:
        return float(money[me] == most)
    cards = [seat["pension"] for seat in view["seats"]]
    hopes = [(each + (laps + PENSIONS) * card) ** ROOT for each, card in zip(money, cards, strict=True)]
    return float(hopes[me] / sum(hopes))


def _chips(pieces: dict[str, int]) -> dict[str, int]:
    return {kind: number for kind, number in pieces.items() if VALUES[kind] < LEAST_NOTE}


def _worth(pieces: dict[str, int]) -> int:
    return sum(number * VALUES[kind] for kind, number in pieces.items())


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
