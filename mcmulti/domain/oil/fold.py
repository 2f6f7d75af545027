"""What common events do to the state, and what several events do alike."""

from typing import TypeVar

from msgspec.structs import replace

from mcmulti.domain.oil import events as e
from mcmulti.domain.oil.market import Market
from mcmulti.domain.oil.names import Good, MarketName
from mcmulti.domain.oil.quadrant import EMPTY, placed, removed
from mcmulti.domain.oil.state import Chair, Oilfield, Player

F = TypeVar("F", bound=Oilfield)
T = TypeVar("T")
Players = tuple[Player, ...]


def seat_taken(state: F, event: e.SeatTaken) -> F:
    return _chair(state, event.seat, Chair(event.player, event.name, event.entropy))


def seat_left(state: F, event: e.SeatLeft) -> F:
    return _chair(state, event.seat, None)


def asset_bought(state: F, event: e.AssetBought) -> F:
    quadrant = placed(state.quadrants[event.site.quadrant], event.kind, event.site)
    return replace(
        state,
        players=stored(state, event.seat, -event.price),
        quadrants=put(state.quadrants, event.site.quadrant, quadrant),
        still=0,
    )


def asset_sold(state: F, event: e.AssetSold) -> F:
    quadrant = removed(state.quadrants[event.site.quadrant], event.kind, event.site)
    return replace(
        state,
        players=stored(state, event.seat, event.price),
        quadrants=put(state.quadrants, event.site.quadrant, quadrant),
        still=0,
    )


def stood_still(state: F, event: e.GameStoodStill) -> F:
    return replace(state, stood_still=True)


def liquidated(state: F, event: e.AssetsLiquidated) -> F:
    quadrants = tuple(
        EMPTY if owner == event.seat else quadrant
        for owner, quadrant in zip(state.owners, state.quadrants, strict=True)
    )
    return replace(state, players=stored(state, event.seat, event.proceeds), quadrants=quadrants)


def revealed(state: F, event: e.SeedRevealed) -> F:
    return replace(state, seed=event.seed)


# What events do to a part of the state: whoever changes several parts makes the next state once, from all of them


def freed(state: Oilfield, name: MarketName, good: Good, fields: int) -> tuple[Market, Market]:
    """The domestic and the foreign market after that many more fields of one of them became free."""
    if name == "domestic":
        return state.domestic.freed(good, fields), state.foreign
    return state.domestic, state.foreign.freed(good, fields)


def dealt(
    state: Oilfield, event: e.BarrelsBought | e.BarrelsSold, barrels: int, cash: int
) -> tuple[Market, Market, Players]:
    """The domestic and the foreign market, and the players after one of them got so many barrels and so much cash."""
    crude, gasoline = (barrels, 0) if event.good == "crude" else (0, barrels)
    domestic, foreign = state.domestic, state.foreign
    if event.market == "domestic":
        domestic = Market(domestic.crude + crude, domestic.gasoline + gasoline)
    else:
        foreign = Market(foreign.crude + crude, foreign.gasoline + gasoline)
    return domestic, foreign, stored(state, event.seat, cash, crude, gasoline)


def refined(state: Oilfield, event: e.CrudeRefined) -> Players:
    return stored(state, event.seat, 0, -event.quantity, event.quantity)


def pumped(state: Oilfield, event: e.CrudePumped) -> Players:
    return stored(state, event.seat, 0, event.quantity)


def gasoline_sold(state: Oilfield, event: e.GasolineSold) -> Players:
    return stored(state, event.seat, sum(event.prices), 0, -len(event.prices))


def stored(state: Oilfield, seat: int, cash: int, crude: int = 0, gasoline: int = 0) -> Players:
    """The players after one of them got so much more: cash in millions of dollars, barrels of both goods."""
    players = list(state.players)
    player = players[seat]
    players[seat] = Player(
        player.player, player.name, player.cash + cash, player.crude + crude, player.gasoline + gasoline
    )
    return tuple(players)


def put(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """The values with another one in this place; raises IndexError where there is none."""
    changed = list(values)
    changed[place] = value
    return tuple(changed)


def dealt_out(chairs: tuple[Chair | None, ...], cash: int, crude: int, gasoline: int) -> Players:
    """The players on the chairs, with what each starts with; raises ValueError for an empty chair."""
    players = []
    for seat, chair in enumerate(chairs):
        if chair is None:
            raise ValueError(f"seat {seat} starts, but nobody took it")
        players.append(Player(chair.player, chair.name, cash, crude, gasoline))
    return tuple(players)


def _chair(state: F, seat: int, chair: Chair | None) -> F:
    return replace(
        state,
        chairs=put(state.chairs, seat, chair),
        player_ids=put(state.player_ids, seat, None if chair is None else chair.player),
    )
