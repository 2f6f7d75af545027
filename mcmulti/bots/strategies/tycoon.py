"""A strategy that plays to win: it buys what is worth more than its price, and sells what is worth less."""

from collections.abc import Callable
from typing import Any

from mcmulti.bots.strategies.field import Ground
from mcmulti.bots.strategies.outlook import CLEAN_UP, Outlook
from mcmulti.bots.strategy import Command, Offer, View


def tycoon(view: View, offers: list[Offer], /) -> list[Command]:
    """See `Strategy`."""
    return tycoon_by(Outlook(view), offers)


def tycoon_by(outlook: Outlook, offers: list[Offer]) -> list[Command]:
    """What a tycoon with this outlook does."""
    return _PHASES[outlook.view["phase"]](outlook, offers)


def _command(offer: Offer, **fields: Any) -> Command:
    """The command of an offer; a field not given gets its only, or its greatest, value."""
    command: Command = {"type": offer["command"]}
    for name, field in offer.get("fields", {}).items():
        command[name] = fields.get(name, field["max"] if field["type"] == "Range" else field["options"][0])
    return command


def _offers_of(offers: list[Offer], command: str) -> list[Offer]:
    return [offer for offer in offers if offer["command"] == command]


# The special purchase round, and buying in general


def _purchase(outlook: Outlook, offers: list[Offer]) -> list[Command]:
    empty = [index for index in outlook.me["quadrants"] if not outlook.view["quadrants"][index]["assets"]]
    budget = outlook.cash - outlook.reserve
    if len(empty) > 1:
        budget //= len(empty)
    return [*_buying(outlook, offers, budget), {"type": "EndPurchases"}]


def _buying(outlook: Outlook, offers: list[Offer], budget: int) -> list[Command]:
    """The best value for money first, each on the most suitable site, until the budget or the space is used up."""
    buying = _offers_of(offers, "BuyAsset")
    if not buying:
        return []
    quadrant = buying[0]["fields"]["site"]["options"][0]["quadrant"]
    field = Ground(outlook.view["quadrants"][quadrant]["assets"])
    bought: dict[str, int] = {}
    commands: list[Command] = []
    while True:
        best: Offer | None = None
        best_return = outlook.least_return
        for offer in buying:
            kind = offer["fields"]["kind"]["options"][0]
            enough = kind == "rig" and field.count("rig") >= outlook.most_rigs
            if enough or offer["price"] > budget or field.place(kind) is None:
                continue
            value = outlook.keep(kind, bought.get(kind, 0)) / offer["price"]
            if value > best_return:
                best, best_return = offer, value
        if best is None:
            return commands
        kind = best["fields"]["kind"]["options"][0]
        row, column = field.build(kind)
        commands.append(_command(best, site={"quadrant": quadrant, "row": row, "column": column}))
        bought[kind] = bought.get(kind, 0) + 1
        budget -= best["price"]


# The market


def _market(outlook: Outlook, offers: list[Offer]) -> list[Command]:
    """Trade on the market with the greater gain, then roll the dice."""
    deals = [_dealing(outlook, _on_market(offers, market)) for market in ("domestic", "foreign")]
    commands, _ = max(deals, key=lambda deal: deal[1])
    return [*commands, {"type": "RollDice"}]


def _on_market(offers: list[Offer], market: str) -> list[Offer]:
    """The offers on a market: sales first, gasoline before crude."""
    dealing = [offer for offer in offers if offer.get("fields", {}).get("market", {}).get("options") == [market]]
    return sorted(dealing, key=lambda offer: (offer["command"], offer["fields"]["good"]["options"]), reverse=True)


def _dealing(outlook: Outlook, offers: list[Offer]) -> tuple[list[Command], float]:
    """The profitable deals, and their total gain."""
    commands: list[Command] = []
    budget = outlook.cash - outlook.reserve
    total = 0.0
    closing = _reaches_target(outlook, offers)
    for offer in offers:
        good = offer["fields"]["good"]["options"][0]
        value = outlook.crude if good == "crude" else outlook.gasoline
        buying = offer["command"] == "BuyBarrels"
        quantity = 0
        for price in offer["fields"]["quantity"]["prices"]:
            if buying:
                gain = value(outlook.me[good] + quantity + 1) - price
            else:
                gain = price - (0 if closing else value(outlook.me[good] - quantity))
            if gain <= 0 or (buying and (closing or price > budget)):
                break
            budget -= price if buying else 0
            quantity += 1
            total += gain
        if quantity:
            commands.append(_command(offer, quantity=quantity))
    return commands, total


def _reaches_target(outlook: Outlook, offers: list[Offer]) -> bool:
    """Whether selling all barrels here brings the cash to declare victory."""
    sales: list[int] = [sum(offer["fields"]["quantity"]["prices"]) for offer in _offers_of(offers, "SellBarrels")]
    return outlook.cash + sum(sales) >= outlook.target


# Production


def _production(outlook: Outlook, offers: list[Offer]) -> list[Command]:
    """In the order of the rules: stations, refineries, wells, the rig."""
    commands: list[Command] = []
    declined = False
    for offer in offers:
        quantity = _operating(outlook, offer)
        if quantity:
            commands.append(_command(offer, quantity=quantity))
            declined = False
        elif offer["command"] != "EndProduction":
            declined = True
    if declined or not commands:
        commands.append({"type": "EndProduction"})
    return commands


def _operating(outlook: Outlook, offer: Offer) -> int:
    """How many barrels; 1 for a strike."""
    if offer["command"] == "EndProduction":
        return 0
    if offer["command"] == "StrikeOil":
        return int(outlook.keep("well") - outlook.keep("rig") > offer["price"] or _sells_well(outlook, offer["price"]))
    field = offer["fields"]["quantity"]
    most: int = field["max"]
    if offer["command"] == "SellGasoline":
        stock = outlook.me["gasoline"]
        return sum(
            price >= outlook.sale("gasoline") * 0.95 or price > 0.9 * outlook.gasoline(stock - sold)
            for sold, price in enumerate(field["prices"])
        )
    return most


def _sells_well(outlook: Outlook, price: int) -> bool:
    """Whether a new well, productive already, can be sold at once with a gain."""
    sells = outlook.view["economy"]["sell"]
    gain: bool = sells["well"] - price > max(sells["rig"], outlook.keep("rig"))
    return gain


# Assets, and the end


def _assets(outlook: Outlook, offers: list[Offer]) -> list[Command]:
    sales = _sales(outlook, offers)
    cash = outlook.cash + sum(price for price, _ in sales)
    commands = [command for _, command in sales]
    if outlook.last_turn:
        return [*commands, {"type": "EndTurn"}]
    if cash >= outlook.target and _would_win(outlook, cash):
        return [*commands, {"type": "DeclareVictory"}]
    clean_ups = _clean_ups(outlook, offers, commands)
    bought = _buying(outlook, offers, cash - CLEAN_UP * len(clean_ups) - outlook.reserve)
    return [*commands, *clean_ups, *bought, {"type": "EndTurn"}]


def _sales(outlook: Outlook, offers: list[Offer]) -> list[tuple[int, Command]]:
    """Assets that sell for more than they are worth, with their prices; any, if that brings the cash to declare
    victory.
    """
    possible = [
        (offer["price"], _command(offer, site=site))
        for offer in _offers_of(offers, "SellAsset")
        for site in offer["fields"]["site"]["options"]
    ]
    possible.sort(key=lambda sale: sale[0], reverse=True)
    sales = [(price, command) for price, command in possible if price >= outlook.keep(command["kind"])]
    missing = outlook.target - outlook.cash
    if sum(price for price, _ in sales) < missing <= sum(price for price, _ in possible):
        while sum(price for price, _ in possible[:-1]) >= missing:
            possible.pop()
        return possible
    return sales


def _clean_ups(outlook: Outlook, offers: list[Offer], sales: list[Command]) -> list[Command]:
    """Clean up refineries that repay it and are not sold."""
    sold = [sale["site"] for sale in sales]
    affordable = max(0, outlook.cash - outlook.reserve) // CLEAN_UP
    return [
        _command(offer, site=site)
        for offer in _offers_of(offers, "CleanUp")
        for site in offer["fields"]["site"]["options"][:affordable]
        if site not in sold and outlook.cleaning_pays
    ]


def _would_win(outlook: Outlook, cash: int) -> bool:
    """Whether nobody has more cash; with twice the target it is time anyway."""
    return cash >= max(seat["cash"] for seat in outlook.view["seats"]) or cash >= 2 * outlook.target


# News


def _news(outlook: Outlook, offers: list[Offer]) -> list[Command]:
    """Clean up refineries that repay it. If a tax forces a sale, sell the least useful asset."""
    clean_ups = _offers_of(offers, "CleanUp")
    if clean_ups and outlook.cleaning_pays:
        return [_command(clean_ups[0])]
    if _offers_of(offers, "EndCleanUp"):
        return [{"type": "EndCleanUp"}]
    least = min(offers, key=lambda o: (outlook.keep(o["fields"]["kind"]["options"][0]) - o["price"]) / o["price"])
    return [_command(least)]


_PHASES: dict[str, Callable[[Outlook, list[Offer]], list[Command]]] = {
    "purchase": _purchase,
    "market": _market,
    "news": _news,
    "production": _production,
    "neighbours": _production,
    "assets": _assets,
}
