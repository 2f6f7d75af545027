"""What common events do to the state, and what several events do alike."""

from typing import TypeVar

from msgspec.structs import replace

from mcmulti.domain.oilfield import events as e
from mcmulti.domain.oilfield.names import Good, MarketName
from mcmulti.domain.oilfield.quadrant import Quadrant, placed, removed
from mcmulti.domain.oilfield.state import Chair, Oilfield, Player

F = TypeVar("F", bound=Oilfield)


def seat_taken(state: F, event: e.SeatTaken) -> F:
    return _chair(state, event.seat, Chair(event.player, event.name, event.entropy))


def seat_left(state: F, event: e.SeatLeft) -> F:
    return _chair(state, event.seat, None)


def asset_bought(state: F, event: e.AssetBought) -> F:
    quadrant = placed(state.quadrants[event.site.quadrant], event.kind, event.site)
    return with_quadrant(earn(state, event.seat, -event.price), event.site.quadrant, quadrant)


def asset_sold(state: F, event: e.AssetSold) -> F:
    quadrant = removed(state.quadrants[event.site.quadrant], event.kind, event.site)
    return with_quadrant(earn(state, event.seat, event.price), event.site.quadrant, quadrant)


def deal(state: F, event: e.BarrelsBought | e.BarrelsSold) -> F:
    """Barrels change hands on a market, money with the bank."""
    bought = isinstance(event, e.BarrelsBought)
    barrels = len(event.prices) if bought else -len(event.prices)
    cash = -sum(event.prices) if bought else sum(event.prices)
    state = with_free(state, event.market, event.good, barrels)
    if event.good == "crude":
        return store(state, event.seat, cash, crude=barrels)
    return store(state, event.seat, cash, gasoline=barrels)


def refined(state: F, event: e.CrudeRefined) -> F:
    return store(state, event.seat, crude=-event.quantity, gasoline=event.quantity)


def pumped(state: F, event: e.CrudePumped) -> F:
    return store(state, event.seat, crude=event.quantity)


def gasoline_sold(state: F, event: e.GasolineSold) -> F:
    """The last barrel sold is the cheapest of the consumers'."""
    state = store(state, event.seat, cash=sum(event.prices), gasoline=-len(event.prices))
    return replace(state, consumer_price=event.prices[-1])


def revealed(state: F, event: e.SeedRevealed) -> F:
    return replace(state, seed=event.seed)


def dealt_out(chairs: tuple[Chair | None, ...], cash: int, crude: int, gasoline: int) -> tuple[Player, ...]:
    """The players on the chairs, with what each starts with; raises ValueError for an empty chair."""
    players = []
    for seat, chair in enumerate(chairs):
        if chair is None:
            raise ValueError(f"seat {seat} starts, but nobody took it")
        players.append(Player(chair.player, chair.name, cash, crude, gasoline))
    return tuple(players)


def store(state: F, seat: int, cash: int = 0, crude: int = 0, gasoline: int = 0) -> F:
    """Add to what a player has."""
    players = list(state.players)
    player = players[seat]
    players[seat] = Player(
        player.player, player.name, player.cash + cash, player.crude + crude, player.gasoline + gasoline
    )
    return replace(state, players=tuple(players))


def earn(state: F, seat: int, cash: int) -> F:
    """Add to a player's cash, in millions of dollars."""
    return store(state, seat, cash)


def with_free(state: F, name: MarketName, good: Good, freed: int) -> F:
    """That many more fields of a market are free."""
    market = state.market(name).freed(good, freed)
    return replace(state, domestic=market) if name == "domestic" else replace(state, foreign=market)


def with_quadrant(state: F, index: int, quadrant: Quadrant) -> F:
    """Another quadrant in the place of the one of this number."""
    quadrants = list(state.quadrants)
    quadrants[index] = quadrant
    return replace(state, quadrants=tuple(quadrants))


def _chair(state: F, seat: int, chair: Chair | None) -> F:
    return replace(state, chairs=(*state.chairs[:seat], chair, *state.chairs[seat + 1 :]))
