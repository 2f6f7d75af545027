"""How bots answer proposals to end the game and requests to take moves back: by their own evaluation.

An evaluation is the money that each seat would have if the game ended now. A player who buys nothing while others
invest has the most cash, but cannot win by proposing an end on turn 1: an agreed ranking sells the assets first, and a
bot that would not win refuses.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from mcmulti.bots.strategies.gambler.pieces import VALUES
from mcmulti.bots.strategy import View

_FINAL_SALE = {"rig": 2, "station": 18, "refinery": 24, "well": 20}
"""The proceeds of assets at the end of the oil games, in millions of dollars: the prices of the Depression."""
_WORTH = {"dollars": 1, "dirham": 1, **_FINAL_SALE, **VALUES}
"""What counts at the end, by units of the books."""

_MONEY = {"cash", "money"}
"""What a view of a game that this can evaluate calls the money of a seat."""


def ends_well(view: View, how: str) -> bool:
    """Whether to agree to an end: by rank if this seat would win alone, without a winner if it would lose.

    If victory would be shared, or if this cannot evaluate the game, play on.
    """
    if not _MONEY & view["seats"][view["you"]].keys():
        return False
    mine = money_now(view, view["you"])
    best = max((money_now(view, seat) for seat in _others(view)), default=0)
    return mine > best if how == "rank" else mine < best


def lets_take_back(view: View, returned: Sequence[dict[str, Any]]) -> bool:
    """Whether to let moves be taken back with these transfers `returned`: if this seat does not lose compared with the
    best other.
    """
    gained: Counter[int] = Counter()
    for moved in returned:
        for account, sign in ((moved["target"], 1), (moved["source"], -1)):
            owner, *rest = account.split(":")
            if owner == "seat":
                gained[int(rest[0])] += sign * moved["amount"] * _WORTH.get(moved["unit"], 0)
    return gained[view["you"]] >= max((gained[seat] for seat in _others(view)), default=0)


def money_now(view: View, seat: int) -> int:
    """What a seat would have if the game ended now, in the game's money."""
    found = view["seats"][seat]
    money: int = found["cash"] if "cash" in found else found["money"]
    for quadrant in view.get("quadrants", ()):
        if quadrant["owner"] == seat:
            money += sum(_FINAL_SALE[asset["kind"]] for asset in quadrant["assets"])
    return money


def _others(view: View) -> list[int]:
    """The other seats that are occupied: players who left cannot win."""
    return [seat["seat"] for seat in view["seats"] if seat["seat"] != view["you"] and seat["player"] is not None]
