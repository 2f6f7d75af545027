"""A strategy for MarraCash: it buys shops for less than they are likely to bring, and leads customers into its own."""

from collections.abc import Iterator

from mcmulti.bots.bazaar import BESIDE, COLOUR, STREETS, Town, income
from mcmulti.bots.strategy import Command, Offer, View

OPENING = 100
"""With how much it opens an auction: who wants the shop may bid more, and pays for a commission then."""
REACHED = 0.9
"""What part of the visitors of a colour that are left find their way into some shop."""
KEPT = 0.5
"""What part of their money stays with the owner, and comes before the end."""

Weighed = tuple[float, Command]
"""What a command is worth, as a lead, and the command."""


def merchant(view: View, offers: list[Offer], /) -> list[Command]:
    """See `Strategy`."""
    offered = {offer["command"]: offer for offer in offers}
    if "StartGame" in offered:
        return [{"type": "StartGame"}]
    town = Town.seen(view)
    if "Bid" in offered:
        return [_bidding(view["auction"], town, offered["Bid"])]
    choices = [*_entrances(town, offered["LetIn"])] if "LetIn" in offered else [*_actions(view, town, offered)]
    return [max(choices, key=lambda choice: choice[0])[1]]


def _bidding(auction: View, town: Town, offer: Offer) -> Command:
    """The least bid, as long as the shop is worth it; an auctioneer forgoes its commission."""
    bid = offer["fields"]["bid"]["min"]
    forgone = (100 if auction["bid"] <= 500 else 200) if auction["auctioneer"] == town.me else 0
    return {"type": "Bid", "bid": bid} if bid + forgone <= _worth(town, auction["shop"]) else {"type": "PassBid"}


def _worth(town: Town, name: str) -> float:
    """What a shop is likely to bring who buys it now: of those who wait beside it, and of a share of the others."""
    colour = COLOUR[name[0]]
    waiting = town.groups.get(BESIDE.get(name, 0), {}).get(colour, 0)
    others = sum(group.get(colour, 0) for group in town.groups.values()) + town.queue.count(colour) - waiting
    rivals = sum(COLOUR[other[0]] == colour for other in town.shops)
    customers = waiting + others * REACHED / (1 + rivals)
    whole = int(customers)
    at_once = income(0, waiting)
    later = income(0, whole) + (customers - whole) * income(whole, 1) - at_once
    return at_once + KEPT * later


def _actions(view: View, town: Town, offered: dict[str, Offer]) -> Iterator[Weighed]:
    """Every move with the best that may follow it in this turn, and the shop that is worth most."""
    if "MoveGroup" in offered:
        yield from _moves(town, view["actions"])
    if "PutUp" in offered:
        shops = offered["PutUp"]["fields"]["shop"]["options"]
        worth, shop = max((_worth(town, name), name) for name in shops)
        yield worth - OPENING + town.prospects(), {"type": "PutUp", "shop": shop, "bid": OPENING}


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
