"""A strategy for the Millionenspiel: it stakes, buys, and declines to maximize its probability of winning."""

from collections.abc import Sequence

from mcmulti.bots.strategies.gambler.hopes import Fortune, Hopes
from mcmulti.bots.strategies.gambler.pieces import Purse
from mcmulti.bots.strategies.gambler.replies import Player, best_stake
from mcmulti.bots.strategies.gambler.throws import Throws, throws_from
from mcmulti.bots.strategy import Command, Offer, View


def gambler(view: View, offers: list[Offer], /) -> list[Command]:
    """See `Strategy`. The same position always leads to the same choice."""
    offered = {offer["command"]: offer for offer in reversed(offers)}
    if "StartGame" in offered:
        return [{"type": "StartGame"}]
    if "AcceptThrow" in offered:
        return [{"type": "DeclineThrow" if _declines(view) else "AcceptThrow"}]
    return [_staking(view, offered.get("BuyPension"))]


def _staking(view: View, card: Offer | None) -> Command:
    """A stake, or the card that can be bought before it."""
    order, held = holdings(view)
    turn = order.index(view["you"])
    me, *after = (_player(view, seat) for seat in order[turn:])
    paid = None if card is None else {name: field["options"][0] for name, field in card["fields"].items()}
    return decided(Hopes(throws_of(view)), held[:turn], me, after, paid)


def decided(
    hopes: Hopes, staked: Sequence[Fortune], me: Player, after: Sequence[Player], paid: Purse | None
) -> Command:
    """A stake, or the next card if it can be `paid` with these pieces and the best stake after that is better."""
    choice = best_stake(hopes, staked, me, after)
    if paid is not None and best_stake(hopes, staked, me.buying(paid), after).chance > choice.chance:
        return {"type": "BuyPension"} | paid
    return {"type": "Stake"} | choice.stake


def _declines(view: View) -> bool:
    """Whether another throw gives more hope than this one."""
    [throw] = view["throws"]
    throws, (_, held) = throws_of(view), holdings(view)
    stands = throws.standing(throw["first"]["value"], throw["second"]["value"], tuple(view["track"]), view["field"])
    return Hopes(throws).declines(held, stands)


def throws_of(view: View) -> Throws:
    """The possible next throws."""
    return throws_from(tuple(view["track"]), view["field"])


def holdings(view: View) -> tuple[list[int], list[Fortune]]:
    """The seats in staking order, the roller last, and what each has in hand and at stake."""
    number = len(view["seats"])
    order = [(view["roller"] + 1 + place) % number for place in range(number)]
    return order, [_player(view, seat).staking(view["seats"][seat]["stake"]) for seat in order]


def _player(view: View, seat: int) -> Player:
    """A seat as it was before its stake."""
    found = view["seats"][seat]
    pieces = {kind: number + found["stake"][kind] for kind, number in found["purse"].items()}
    return Player(pieces, found["pension"], found["player"] is not None)
