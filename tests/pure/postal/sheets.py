"""Random order sheets: wild ones for the interpreter, and sensible ones that bring games to their end."""

from random import Random
from typing import Any

from msgspec import Struct

from mcmulti.domain.core.offers import Form, NumberChoice, Offer, Range
from mcmulti.domain.oil.names import GOODS, KINDS, MARKETS
from mcmulti.domain.postal.components import CLIMATES
from mcmulti.domain.postal.conditions import conditions as c
from mcmulti.domain.postal.conditions import quantities as q
from mcmulti.domain.postal.names import Plot
from mcmulti.domain.postal.sheets import sheet as s
from mcmulti.domain.postal.sheets.sheet import OrderSheet
from mcmulti.simulation import any_offer, fill_in


def fill(random: Random, offer: Offer, command: type[Struct]) -> Struct:
    """A command with a sheet, usually sensible, sometimes wild, but never one that holds the round forever."""
    if isinstance(offer.fields.get("sheet"), Form):
        sheet = wild(random) if random.random() < 0.1 and offer.command != "SetStanding" else sensible(random)
        chosen = offer.fields["round"]
        assert isinstance(chosen, NumberChoice | Range)
        return command(round=random.choice(chosen.options[:3]), sheet=sheet)
    return fill_in(random, offer, command)


def mostly_orders(random: Random, offers: tuple[Offer, ...]) -> Offer:
    """Seldom hold the round, and seldom send standing orders or sheets in advance."""
    if random.random() < 0.95:
        return next((offer for offer in offers if offer.command in ("SubmitOrders", "StartGame")), offers[0])
    return any_offer(random, offers, {"SetStanding": 20})


def sensible(random: Random) -> OrderSheet:
    """What a cautious player might write: convert, buy a bit of each, trade what is there, keep a reserve."""
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


def _keep(random: Random) -> int:
    return random.choice((0, 0, 0, 2, 50))


def _order(random: Random, depth: int) -> Any:
    match random.randrange(4 if depth < 4 else 3):
        case 0:
            return s.SellAssetOrder(random.choice(KINDS), plot(random))
        case 1:
            return s.ConvertRigOrder(random.choice((None, plot(random))), _keep(random))
        case 2:
            return s.BuyAssetOrder(random.choice(("rig", "station", "refinery")), plot(random), _keep(random))
        case _:
            then = tuple(_order(random, depth + 1) for _ in range(random.randrange(4)))
            otherwise = tuple(_order(random, depth + 1) for _ in range(random.randrange(3)))
            return s.IfOrder(condition(random, 1), then, otherwise)


def _trade(random: Random, depth: int) -> Any:
    quantity: Any = random.choice(("max", 1, 2, 5, 30))
    market, good = random.choice(MARKETS), random.choice(GOODS)
    match random.randrange(3 if depth < 4 else 2):
        case 0:
            return s.BuyBarrelsOrder(market, good, quantity, _price(random), _keep(random))
        case 1:
            return s.SellBarrelsOrder(market, good, quantity, _price(random), _keep(random))
        case _:
            then = tuple(_trade(random, depth + 1) for _ in range(random.randrange(4)))
            otherwise = tuple(_trade(random, depth + 1) for _ in range(random.randrange(3)))
            return s.IfTrade(condition(random, 1), then, otherwise)


def _pumps(random: Random, depth: int) -> Any:
    match random.randrange(3 if depth < 4 else 2):
        case 0:
            return s.SellAtPumps(
                random.choice((1, 10, 30)),
                random.choice((1, 2)),
                tuple(s.PumpAt(plot(random), random.randrange(3)) for _ in range(random.randrange(3))),
                random.choice((None, 1, 3)),
                _keep(random),
            )
        case 1:
            return s.HoldPumps()
        case _:
            return s.IfPumps(condition(random, 1), _pumps(random, depth + 1), _pumps(random, depth + 1))


def condition(random: Random, depth: int) -> c.Condition:
    """Any condition, nested at most three deep."""
    least: int | None = random.choice((None, 0, 1, 5, 20, 100))
    most: int | None = random.choice((None, 0, 3, 10, 50, 300))
    seat: int | None = random.choice((None, 0, 1, 2, 3))
    kind, die = random.choice((None, *KINDS)), random.choice((None, 1, 2, 3, 4, 5, 6))
    if depth < 3 and random.random() < 0.2:
        parts = tuple(condition(random, depth + 1) for _ in range(random.randint(1, 3)))
        return random.choice((c.AllOf(parts), c.AnyOf(parts), c.Not(parts[0])))
    relation: Any = random.choice(("more", "at_least", "equal", "at_most", "less"))
    return random.choice(
        (
            c.ClimateIs(tuple(random.sample(list(CLIMATES), random.randint(1, 7)))),
            _price_is(random, least, most),
            c.ConsumerPriceIs(least, most),
            c.CashIs(least, most, seat),
            c.BarrelsAre(good=random.choice(GOODS), at_least=least, at_most=most, seat=seat),
            c.AssetsAre(least, most, kind, seat),
            c.ConversionsAre(least, most),
            c.ClimateChangesAre(least, most),
            c.RoundIs(least, most),
            c.AssetAt(plot(random), kind, seat, random.random() < 0.5),
            c.RollsAre(at_least=least, row=die, double=random.choice((None, False, True)), seat=seat),
            c.LineWas(random.randint(1, 9), random.choice((None, "in_full", "in_part", "skipped"))),
            _deals(random, least, most, seat),
            c.Compares(_quantity(random), _quantity(random), relation, random.choice((0, 3, -20))),
        )
    )


def _price_is(random: Random, least: int | None, most: int | None) -> c.Condition:
    deal: Any = random.choice(("buy", "sell"))
    market, good = random.choice(MARKETS), random.choice(GOODS)
    return c.PriceIs(deal=deal, market=market, good=good, at_least=least, at_most=most)


def _deals(random: Random, least: int | None, most: int | None, seat: int | None) -> c.Condition:
    if random.random() < 0.5:
        return c.AssetDealsAre(
            deed=random.choice(("bought", "sold", "converted")),
            kind=random.choice((None, *KINDS)),
            plot=random.choice((None, plot(random))),
            at_least=least,
            seat=seat,
        )
    return c.BarrelDealsAre(
        deed=random.choice((None, "bought", "sold")),
        good=random.choice((None, *GOODS)),
        market=random.choice((None, "consumers", *MARKETS)),
        at_most=most,
        seat=seat,
    )


def _quantity(random: Random) -> q.Quantity:
    seat: int | None = random.choice((None, 0, 1, 2, 3))
    return random.choice(
        (
            q.CashOf(seat),
            q.BarrelsOf(random.choice(GOODS), seat),
            q.AssetsOf(random.choice((None, *KINDS)), seat),
            q.PriceOf(random.choice(("buy", "sell")), random.choice(MARKETS), random.choice(GOODS)),
            q.ConsumerPriceNow(),
            q.AssetDealsOf(random.choice(("bought", "sold", "converted")), seat=seat),
            q.BarrelDealsOf(market=random.choice((None, "consumers", *MARKETS)), seat=seat),
        )
    )
