"""A strategy for MarraCash: it bids what a shop will earn, by sealed ceilings, and leads customers into its own."""

from collections.abc import Iterator
from math import floor
from random import Random

from mcmulti.bots.strategies.bazaar import BESIDE, COLOUR, STREETS, Town, ends, income, paid_by
from mcmulti.bots.strategy import Command, Offer, View

OPENING, STEP = 100, 25
"""With how much it opens an auction, and by how much bids rise, in dirham."""
VISITORS = 45
"""How many wait outside in the beginning."""

COMING, PER_SALE = 0.5, 0.02
"""What part of the visitors that chance would lead into a shop come in the end: others will be sold, and their owners
lead better than chance; the less, the fewer are sold. It is more for each shop that is sold."""
RETURN = 0.36
"""How much a dirham brings in the beginning of the game that is kept for later auctions, besides itself."""
WHIM = 0.1
"""How far its idea of what a shop earns strays, as a standard deviation: nobody can drive it to the last step."""
GIFT = 50
"""What it costs to put up a shop, besides: whoever gets it buys what is left of the others' attention."""

Weighed = tuple[float, Command]
"""What a command is worth, as a lead, and the command."""


class Merchant:
    """See `Strategy`. Its whims follow from the seed: with the same seed and position it decides the same."""

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
        """A ceiling where the shop is worth no more; a bid in its place that saves the last step against one rival."""
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
    """What a shop is likely to earn who buys it now, in dirham: of those who wait beside it, and of all others."""
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
    """Up to how much to bid: less than it earns as long as what is kept buys more."""
    return now + later / (1 + RETURN * len(town.queue) / VISITORS)


def _forgone(price: float, players: int) -> float:
    """What an auctioneer loses who buys its shop for so much: the commission, but for its part in others' loss."""
    return (100 if price <= 500 else 200) * (players - 1) / players


def _jump(view: View, ceiling: int, least: int) -> int | None:
    """The bid that leads step by step to exactly what the last rival has, and not to one more; None where it is least.

    Only where its cash, and not its mind, ends the auction: that is, if the ceiling is above it.
    """
    auction = view["auction"]
    out = {*auction["passed"], view["you"]}
    rivals = [seat["cash"] // STEP * STEP for seat in view["seats"] if seat["seat"] not in out and seat["signs"]]
    rivals = [cash for cash in rivals if cash >= least]
    if len(rivals) != 1 or rivals[0] >= ceiling or (rivals[0] - least) % (2 * STEP) == 0:
        return None
    return least + STEP


def _actions(view: View, town: Town, offered: dict[str, Offer]) -> Iterator[Weighed]:
    """Every move with the best that may follow it in this turn, and the shop that it gains most by putting up."""
    if "MoveGroup" in offered:
        yield from _moves(town, view["actions"])
    if "PutUp" in offered:
        shops = offered["PutUp"]["fields"]["shop"]["options"]
        gain, shop = max((_put_up(view, town, name), name) for name in shops)
        yield gain - GIFT + town.prospects(), {"type": "PutUp", "shop": shop, "bid": OPENING}


def _put_up(view: View, town: Town, name: str) -> float:
    """What it gains by an auction, if everybody bids what the shop is worth: the shop, or the commission."""
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
