"""What common events say: one small function an event, the texts in `sentences.toml`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mcmulti.domain.oil import events as e
from mcmulti.domain.oil.names import KINDS
from mcmulti.domain.oil.phrases import Phrases
from mcmulti.domain.oil.state import Standing


def _seat_taken(say: Phrases, event: e.SeatTaken) -> str:
    return say.fill(f"SeatTaken.{'entropy' if event.entropy else 'plain'}", name=event.name, seat=event.seat)


def _seat_left(say: Phrases, event: e.SeatLeft) -> str:
    return say.fill("SeatLeft", who=say.who(event.seat), seat=event.seat)


def turn_began(say: Phrases, event: e.TurnBegan) -> str:
    """The turn of a player."""
    who, quadrant = say.who(event.seat), say.quadrant(event.quadrant)
    return say.fill("TurnBegan.player", turn=event.turn, who=who, quadrant=quadrant)


def rolled(say: Phrases, event: e.DiceRolled) -> str:
    """The roll of a player."""
    red, black = event.red.value, event.black.value
    double = "_double" if red == black else ""
    return say.fill(f"DiceRolled.player{double}", who=say.who(event.seat), red=red, black=black)


def operations(say: Phrases, event: e.OperationBegan) -> str:
    """What may be operated; each rule set has its own phrases for it."""
    said = []
    if event.stations:
        said.append(say.phrase("may_sell", quantity=say.up_to(event.stations, "gasoline")))
    if event.refineries:
        said.append(say.phrase("may_refine", quantity=say.up_to(event.refineries, "crude")))
    if event.wells:
        said.append(say.phrase("may_pump", quantity=say.up_to(event.wells, "crude")))
    if event.strike:
        line = say.phrase("line", row=event.strike.row, column=event.strike.column)
        said.append(say.phrase("may_strike", site=line))
    return say.listing(said)


def _dealt(say: Phrases, event: e.BarrelsBought | e.BarrelsSold) -> str:
    goods, market = say.barrels(len(event.prices), event.good), say.word(event.market)
    return _for_prices(say, type(event).__name__, event.prices, who=say.who(event.seat), goods=goods, market=market)


def _gasoline_sold(say: Phrases, event: e.GasolineSold) -> str:
    goods = say.barrels(len(event.prices), "gasoline")
    return _for_prices(say, "GasolineSold", event.prices, who=say.who(event.seat), goods=goods)


def _for_prices(say: Phrases, sentence: str, prices: Sequence[int], **phrases: str) -> str:
    """A sentence with the sum of the prices, and the first and the last if there are several."""
    first, last = say.money(prices[0]), say.money(prices[-1])
    name = f"{sentence}.{one_or_several(len(prices))}"
    return say.fill(name, sum=say.money(sum(prices)), first=first, last=last, **phrases)


def one_or_several(number: int) -> str:
    """The part of a sentence's name that tells its number."""
    return "one" if number == 1 else "several"


def _refined(say: Phrases, event: e.CrudeRefined) -> str:
    return say.fill("CrudeRefined", who=say.who(event.seat), goods=say.barrels(event.quantity, "crude"))


def _pumped(say: Phrases, event: e.CrudePumped) -> str:
    return say.fill("CrudePumped", who=say.who(event.seat), goods=say.barrels(event.quantity, "crude"))


def _asset_bought(say: Phrases, event: e.AssetBought) -> str:
    return _asset_dealt(say, "AssetBought", say.phrase(f"a_{event.kind}"), event)


def asset_sold(say: Phrases, event: e.AssetSold, sentence: str = "AssetSold.plain") -> str:
    """The sale of an asset, in a sentence of this name."""
    return _asset_dealt(say, sentence, say.phrase(f"the_{event.kind}"), event)


def _asset_dealt(say: Phrases, sentence: str, asset: str, event: e.AssetBought | e.AssetSold) -> str:
    site, price = say.site(event.site), say.money(event.price)
    return say.fill(sentence, who=say.who(event.seat), asset=asset, site=site, price=price)


def _stood_still(say: Phrases, event: e.GameStoodStill) -> str:
    return say.fill("GameStoodStill", rounds=event.rounds)


def _liquidated(say: Phrases, event: e.AssetsLiquidated) -> str:
    pieces = zip((event.rigs, event.wells, event.stations, event.refineries), KINDS, strict=True)
    return say.fill(
        "AssetsLiquidated",
        who=say.who(event.seat),
        assets=say.listing([say.pieces(number, kind) for number, kind in pieces if number]),
        proceeds=say.money(event.proceeds),
    )


def finished(say: Phrases, event: e.GameFinished) -> str:
    """Who won, and what decided it."""

    def standing(standing: Standing) -> str:
        wealth = say.money(standing.cash)
        if event.decided_by != "cash":
            wealth = say.phrase("wealth", cash=wealth, barrels=say.barrels(standing.barrels))
        return say.told(standing.seat, wealth)

    return say.fill(
        f"GameFinished.{event.decided_by}",
        winners=say.listing([say.who(seat) for seat in event.winners]),
        standings=", ".join(map(standing, event.standings)),
    )


def _revealed(say: Phrases, event: e.SeedRevealed) -> str:
    return say.fill("SeedRevealed")


TOLD: Mapping[type[e.Event], Callable[[Phrases, Any], str]] = {
    e.SeatTaken: _seat_taken,
    e.SeatLeft: _seat_left,
    e.TurnBegan: turn_began,
    e.DiceRolled: rolled,
    e.BarrelsBought: _dealt,
    e.BarrelsSold: _dealt,
    e.GasolineSold: _gasoline_sold,
    e.CrudeRefined: _refined,
    e.CrudePumped: _pumped,
    e.AssetBought: _asset_bought,
    e.AssetSold: asset_sold,
    e.GameStoodStill: _stood_still,
    e.AssetsLiquidated: _liquidated,
    e.GameFinished: finished,
    e.SeedRevealed: _revealed,
}
"""What tells each event that says the same in all rule sets."""
