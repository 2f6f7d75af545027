"""Order sheets at random: wild ones for the interpreter, and sensible ones that bring games to their end."""

from random import Random
from typing import Any

from msgspec import Struct

from mcmulti.domain.core.offers import Form, NumberChoice, Offer
from mcmulti.domain.oil.names import GOODS, KINDS, MARKETS
from mcmulti.domain.postal import conditions as c
from mcmulti.domain.postal import sheet as s
from mcmulti.domain.postal.components import CLIMATES
from mcmulti.domain.postal.places import Plot
from mcmulti.domain.postal.sheet import OrderSheet
from mcmulti.simulation import any_offer, fill_in


def fill(random: Random, offer: Offer, command: type[Struct]) -> Struct:
    """A command with a sensible sheet, mostly, sometimes a wild one."""
    if isinstance(offer.fields.get("sheet"), Form):
        sheet = sensible(random) if random.random() < 0.9 else wild(random)
        chosen = offer.fields["round"]
        assert isinstance(chosen, NumberChoice)
        (this,) = chosen.options
        return command(round=this, sheet=sheet)
    return fill_in(random, offer, command)


def mostly_orders(random: Random, offers: tuple[Offer, ...]) -> Offer:
    """Seldom hold the round."""
    if random.random() < 0.95:
        return next((offer for offer in offers if offer.command in ("SubmitOrders", "StartGame")), offers[0])
    return any_offer(random, offers, {})


def sensible(random: Random) -> OrderSheet:
    """What a cautious player might write: convert, buy a bit of each, trade what lies about, keep a reserve."""
    orders: list[Any] = [s.ConvertRigOrder()]
    for _ in range(3):
        kind = random.choice(("rig", "rig", "rig", "station", "refinery"))
        buy = s.BuyAssetOrder(kind, plot(random))  # type: ignore[arg-type]
        reserve = {"rig": 30, "station": 90, "refinery": 110}[kind]
        orders.append(s.IfOrder(c.CashIs(at_least=reserve), (buy,)))
    market = random.choice(MARKETS)
    trades = (
        s.IfTrade(
            c.BarrelsAre(good="gasoline", at_least=8),
            (s.SellBarrelsOrder(market, "gasoline", 4, not_below=14),),
        ),
        s.IfTrade(
            c.BarrelsAre(good="crude", at_least=12),
            (s.SellBarrelsOrder(market, "crude", 6, not_below=4),),
            (s.BuyBarrelsOrder(market, "crude", 2, not_above=6),),
        ),
    )
    return OrderSheet(tuple(orders), trades, s.SellAtPumps(random.choice((1, 5, 10))))


def plot(random: Random) -> Plot:
    return Plot(random.randint(1, 6), random.randint(1, 6))


def wild(random: Random) -> OrderSheet:
    """Anything that fits the schema and the limits."""
    sheet = OrderSheet(
        tuple(_order(random, 1) for _ in range(random.randrange(8))),
        tuple(_trade(random, 1) for _ in range(random.randrange(6))),
        _pumps(random, 1),
    )
    assert sheet.measures()["sheet_depth"] <= s.DEPTH
    return sheet


def _price(random: Random) -> int | None:
    return random.choice((None, 1, 3, 6, 14, 40))


def _order(random: Random, depth: int) -> Any:
    match random.randrange(4 if depth < 4 else 3):
        case 0:
            return s.SellAssetOrder(random.choice(KINDS), plot(random))
        case 1:
            return s.ConvertRigOrder(random.choice((None, plot(random))))
        case 2:
            return s.BuyAssetOrder(random.choice(("rig", "station", "refinery")), plot(random))
        case _:
            then = tuple(_order(random, depth + 1) for _ in range(random.randrange(4)))
            otherwise = tuple(_order(random, depth + 1) for _ in range(random.randrange(3)))
            return s.IfOrder(condition(random, 1), then, otherwise)


def _trade(random: Random, depth: int) -> Any:
    quantity: Any = random.choice(("max", 1, 2, 5, 30))
    match random.randrange(3 if depth < 4 else 2):
        case 0:
            return s.BuyBarrelsOrder(random.choice(MARKETS), random.choice(GOODS), quantity, _price(random))
        case 1:
            return s.SellBarrelsOrder(random.choice(MARKETS), random.choice(GOODS), quantity, _price(random))
        case _:
            then = tuple(_trade(random, depth + 1) for _ in range(random.randrange(4)))
            otherwise = tuple(_trade(random, depth + 1) for _ in range(random.randrange(3)))
            return s.IfTrade(condition(random, 1), then, otherwise)


def _pumps(random: Random, depth: int) -> Any:
    match random.randrange(3 if depth < 4 else 2):
        case 0:
            return s.SellAtPumps(random.choice((1, 10, 30)))
        case 1:
            return s.HoldPumps()
        case _:
            return s.IfPumps(condition(random, 1), _pumps(random, depth + 1), _pumps(random, depth + 1))


def condition(random: Random, depth: int) -> c.Condition:
    """Any condition, at most three deep within itself."""
    least: int | None = random.choice((None, 0, 1, 5, 20, 100))
    most: int | None = random.choice((None, 0, 3, 10, 50, 300))
    seat: int | None = random.choice((None, 0, 1, 2, 3))
    match random.randrange(11 if depth < 3 else 8):
        case 0:
            return c.ClimateIs(tuple(random.sample(list(CLIMATES), random.randint(1, 7))))
        case 1:
            return c.PriceIs(
                deal=random.choice(("buy", "sell")),
                market=random.choice(MARKETS),
                good=random.choice(GOODS),
                at_least=least,
                at_most=most,
            )
        case 2:
            return c.ConsumerPriceIs(least, most)
        case 3:
            return c.CashIs(least, most, seat)
        case 4:
            return c.BarrelsAre(good=random.choice(GOODS), at_least=least, at_most=most)
        case 5:
            return c.AssetsAre(least, most, random.choice((None, *KINDS)), seat)
        case 6:
            return c.ConversionsAre(least, most, random.choice(("game", "round")))
        case 7:
            return c.ClimateChangesAre(least, most)
        case 8:
            return c.AllOf(tuple(condition(random, depth + 1) for _ in range(random.randint(1, 3))))
        case 9:
            return c.AnyOf(tuple(condition(random, depth + 1) for _ in range(random.randint(1, 3))))
        case _:
            return c.Not(condition(random, depth + 1))
