"""A strategy for the Millionenspiel: it stakes, buys and declines what makes it most likely that it wins."""

from mcmulti.bots.strategies.gambler.hopes import Fortune, Hopes
from mcmulti.bots.strategies.gambler.pieces import Purse, without
from mcmulti.bots.strategies.gambler.replies import Player, best_stake
from mcmulti.bots.strategies.gambler.throws import Throws, throws_from
from mcmulti.bots.strategy import Command, Offer, View

CARDS = {5: 50, 50: 500}
"""Which pension card comes after which."""


def gambler(view: View, offers: list[Offer], /) -> list[Command]:
    """See `Strategy`. The same position always leads to the same choice."""
    offered = {offer["command"]: offer for offer in reversed(offers)}
    if "StartGame" in offered:
        return [{"type": "StartGame"}]
    if "AcceptThrow" in offered:
        return [{"type": "DeclineThrow" if _declines(view) else "AcceptThrow"}]
    return [_staking(view, offered.get("BuyPension"))]


def _staking(view: View, card: Offer | None) -> Command:
    """A stake, or the card that may be bought before it."""
    hopes = Hopes(throws_of(view))
    order, held = holdings(view)
    turn = order.index(view["you"])
    staked = held[:turn]
    me, *after = (_player(view, seat) for seat in order[turn:])
    choice = best_stake(hopes, staked, me, after)
    if card is not None:
        paid: Purse = {name: field["options"][0] for name, field in card["fields"].items()}
        buyer = Player(without(me.purse, paid), CARDS[me.card], plays=True)
        if best_stake(hopes, staked, buyer, after).chance > choice.chance:
            return {"type": "BuyPension"} | paid
    return {"type": "Stake"} | choice.stake


def _declines(view: View) -> bool:
    """Whether another throw gives more hope than this one."""
    [throw] = view["throws"]
    throws, (_, held) = throws_of(view), holdings(view)
    stands = throws.standing(throw["first"]["value"], throw["second"]["value"], tuple(view["track"]), view["field"])
    return Hopes(throws).declines(held, stands)


def throws_of(view: View) -> Throws:
    """What the next throws may lead to."""
    return throws_from(tuple(view["track"]), view["field"])


def holdings(view: View) -> tuple[list[int], list[Fortune]]:
    """The seats in the order in which they stake, the roller last, and what each has in hand and at stake."""
    number = len(view["seats"])
    order = [(view["roller"] + 1 + place) % number for place in range(number)]
    return order, [_player(view, seat).staking(view["seats"][seat]["stake"]) for seat in order]


def _player(view: View, seat: int) -> Player:
    """A seat as it was before its stake."""
    found = view["seats"][seat]
    pieces = {kind: number + found["stake"][kind] for kind, number in found["purse"].items()}
    return Player(pieces, found["pension"], found["player"] is not None)
