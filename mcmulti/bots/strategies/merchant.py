"""A strategy for MarraCash: it bids what a shop will earn, by sealed ceilings, and leads customers into its own."""

from collections.abc import Iterator
from math import floor
from random import Random

from mcmulti.bots.strategies.bazaar import BESIDE, COLOUR, STREETS, Town, ends, income, paid_by
from mcmulti.bots.strategy import Command, Offer, View

OPENING, STEP = 100, 25
"""Its opening bid in an auction, and the steps of bids, in dirham."""
VISITORS = 45
"""The number of visitors outside at the start."""

COMING, PER_SALE = 0.5, 0.02
"""The share of the visitors that chance would lead into a shop who come in the end: other shops will be sold, and their
owners lead visitors away. The fewer are sold yet, the smaller it is: it grows with each shop that is sold.
"""
RETURN = 0.36
"""The return of a dirham that is kept for later auctions, at the start of the game."""
WHIM = 0.1
"""The standard deviation of its estimates of a shop's earnings, so that nobody can drive it to its exact limit."""
GIFT = 50
"""An extra cost of putting up a shop: it draws customers away from other shops, whoever buys it."""

Weighed = tuple[float, Command]
"""The value of a command, as a lead, and the command."""


class Merchant:
    """See `Strategy`. Its random variations follow from the seed: the same seed and position give the same decision."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def __call__(self, view: View, offers: list[Offer], /) -> list[Command]:
        offered = {offer["command"]: offer for offer in offers}
        if "StartGame" in offered:
            return [{"type": "StartGame"}]
        town = Town.seen(view)
        if "Bid" in offered:
            return [self._bidding(view, town, offered["Bid"])]
        choices = [*_entrances(town, offered["LetIn"])] if "LetIn" in offered else [*_actions(view, town, offered)]
        return [max(choices, key=lambda choice: choice[0])[1]]

    def _bidding(self, view: View, town: Town, offer: Offer) -> Command:
        """A ceiling, or, if that saves the last step against a single rival, a bid."""
        auction, bid = view["auction"], offer["fields"]["bid"]
        now, later = worth(town, auction["shop"])
        whim = max(Random(f"{self._seed} {view['turn']} {auction['shop']}").gauss(1, WHIM), 0)
        most = limit(town, now, later * whim)
        if auction["auctioneer"] == town.me:
            most -= _forgone(most, town.players)
        ceiling = min(floor(most / STEP) * STEP, bid["max"])
        if ceiling < bid["min"]:
            return {"type": "PassBid"}
        jump = _jump(view, ceiling, bid["min"])
        return {"type": "Bid", "bid": jump} if jump else {"type": "BidUpTo", "most": ceiling}


def worth(town: Town, name: str) -> tuple[float, float]:
    """The likely earnings of a shop for its buyer, in dirham: from those who wait next to it, and from all others."""
    colour, spot = COLOUR[name[0]], BESIDE.get(name)
    sold = tuple(sorted({name, *(other for other in town.shops if other[0] == name[0])}))
    chances = ends(sold)[name]
    waiting = town.groups.get(spot, {}).get(colour, 0) if spot else 0
    walking = sum(group.get(colour, 0) * chances[at] for at, group in town.groups.items() if at != spot)
    outside = town.queue.count(colour) * (chances[1] + chances[8] + chances[16]) / 3
    coming = (COMING + PER_SALE * len(town.shops)) * (walking + outside)
    paid = income(0, waiting)
    return paid + town.spent(name, waiting), paid_by(waiting + coming) - paid


def limit(town: Town, now: float, later: float) -> float:
    """The most to bid: less than it earns, as long as the rest of the money buys more."""
    return now + later / (1 + RETURN * len(town.queue) / VISITORS)


def _forgone(price: float, players: int) -> float:
    """What an auctioneer loses by buying its own shop at this price: the commission, minus its effect on others."""
    return (100 if price <= 500 else 200) * (players - 1) / players


def _jump(view: View, ceiling: int, least: int) -> int | None:
    """The bid from which steps lead exactly to what the last rival has, and not one further; None for the smallest bid.

    Only if the rival's cash, not its estimate, ends the auction: that is, if the ceiling is above it.
    """
    auction = view["auction"]
    out = {*auction["passed"], view["you"]}
    rivals = [seat["cash"] // STEP * STEP for seat in view["seats"] if seat["seat"] not in out and seat["signs"]]
    rivals = [cash for cash in rivals if cash >= least]
    if len(rivals) != 1 or rivals[0] >= ceiling or (rivals[0] - least) % (2 * STEP) == 0:
        return None
    return least + STEP


def _actions(view: View, town: Town, offered: dict[str, Offer]) -> Iterator[Weighed]:
    """Every move with the best continuation in this turn, and the shop whose auction gains most."""
    if "MoveGroup" in offered:
        yield from _moves(town, view["actions"])
    if "PutUp" in offered:
        shops = offered["PutUp"]["fields"]["shop"]["options"]
        gain, shop = max((_put_up(view, town, name), name) for name in shops)
        yield gain - GIFT + town.prospects(), {"type": "PutUp", "shop": shop, "bid": OPENING}


def _put_up(view: View, town: Town, name: str) -> float:
    """The gain by an auction, if everybody bids what the shop is worth: the shop, or the commission."""
    most = limit(town, *worth(town, name))
    rivals = [min(most, seat["cash"]) for seat in view["seats"] if seat["seat"] != town.me and seat["signs"]]
    rival = max(rivals, default=0)
    if rival < OPENING + STEP:
        return most - OPENING
    if min(most - _forgone(most, town.players), view["seats"][town.me]["cash"]) >= rival:
        return most - rival - STEP
    return (100 if rival <= 500 else 200) - max(most - rival, 0) / (town.players - 1)


def _moves(town: Town, actions: int) -> Iterator[Weighed]:
    for fountain in town.groups:
        for to in STREETS[fountain]:
            after, lead = town.led(fountain, to)
            best = max(more for more, _ in _moves(after, actions - 1)) if actions > 1 and after.groups else None
            command = {"type": "MoveGroup", "fountain": fountain, "to": to}
            yield lead + (after.prospects() if best is None else best), command


def _entrances(town: Town, offer: Offer) -> Iterator[Weighed]:
    """Every way to fill an entrance."""
    fields = offer["fields"]
    for entrance in fields["entrance"]["options"]:
        for end in fields["end"]["options"]:
            for number in range(fields["visitors"]["min"], fields["visitors"]["max"] + 1):
                command = {"type": "LetIn", "entrance": entrance, "end": end, "visitors": number}
                yield town.let_in(entrance, end, number).prospects(), command
