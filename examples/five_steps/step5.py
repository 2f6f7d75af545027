"""A learned value: how likely you are to win from here, judged by the games that learn.py has seen."""

import json
from operator import mul
from pathlib import Path

from step2 import count, mine
from step4 import LookAhead

from mcmulti.bots.types import McMultiView, SeatView

KINDS = ("rig", "station", "refinery", "well")
CARDS = ("recovery", "expansion", "rapid_growth", "prosperity", "downturn", "recession", "depression")
WEIGHTS = Path(__file__).with_name("weights.json")


class Learned(LookAhead):
    """Looks ahead as step 4 does, and lets a small network evaluate what it sees."""

    def __init__(self) -> None:
        self.layers: list[tuple[list[list[float]], list[float]]] = json.loads(WEIGHTS.read_text("utf-8"))

    def value(self, view: McMultiView) -> float:
        """The greater, the more likely you are to win."""
        numbers = features(view)
        for weights, biases in self.layers[:-1]:
            numbers = [
                max(0.0, sum(map(mul, each, numbers)) + bias) for each, bias in zip(weights, biases, strict=True)
            ]
        [last], [bias] = self.layers[-1]
        return sum(map(mul, last, numbers), bias)


def features(view: McMultiView) -> list[float]:
    """A position in numbers of about one."""
    seat, target = mine(view), view["setup"]["target"]
    others = [each for each in view["seats"] if each["seat"] != seat["seat"]]
    cash = [each["cash"] for each in others]
    return [
        seat["cash"] / target,
        max(cash) / target,
        sum(cash) / len(cash) / target,
        seat["crude"] / 10,
        seat["gasoline"] / 10,
        *(count(view, kind) / 10 for kind in KINDS),
        idle(view, seat) / 10,
        *(sum(count(view, kind, each) for each in others) / 20 for kind in KINDS),
        sum(each["crude"] for each in others) / 20,
        sum(each["gasoline"] for each in others) / 20,
        *(price / 40 for good in ("crude", "gasoline") for price in prices(view, good)),
        (view["consumer"]["next_sale"] or 0) / 40,
        view["consumer"]["barrels"] / 10,
        view["economy"]["difference"] / 8,
        len(view["news"]["active"]) / 2,
        (view["turn"]["number"] if view["turn"] else 0) / 50,
        float(view["declared_by"] is not None),
        float(view["declared_by"] == seat["seat"]),
        *(float(view["economy"]["card"] == card) for card in CARDS),
    ]


def idle(view: McMultiView, seat: SeatView) -> int:
    """How many refineries of a seat wait for their clean-up."""
    return sum(asset["idle"] for number in seat["quadrants"] for asset in view["quadrants"][number]["assets"])


def prices(view: McMultiView, good: str) -> tuple[int, int]:
    """The cost of a barrel on the cheaper market, 60 if there is none, and its price on the more expensive one."""
    markets = [market for market in view["markets"] if market["good"] == good]
    buy = min((market["buy"] for market in markets if market["buy"]), default=60)
    return buy, max(market["sell"] or 0 for market in markets)
