"""The fold: what each event does to the state."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from mcmulti.domain.oil.board import Lines, bit
from mcmulti.domain.oil.fold import (
    asset_bought,
    asset_sold,
    dealt,
    dealt_out,
    gasoline_sold,
    liquidated,
    pumped,
    put,
    refined,
    revealed,
    seat_left,
    seat_taken,
    stood_still,
    stored,
)
from mcmulti.domain.oil.hits import productive_assets
from mcmulti.domain.oil.market import Market
from mcmulti.domain.oil.quadrant import converted, removed
from mcmulti.domain.postal import events as e
from mcmulti.domain.postal.state import State, Turn


def evolve(state: State | None, event: Any) -> State:
    """The state after an event. The first event of a game makes the first state."""
    if state is None:
        return _opened(event)
    return _EVOLVE[type(event)](state, event)


def _opened(event: e.PostalGameOpened) -> State:
    empty = (None,) * event.setup.seats
    return State(event.game_id, event.commitment, chairs=empty, player_ids=empty, setup=event.setup)


def _started(state: State, event: e.PostalGameStarted) -> State:
    market = Market(event.free["crude"], event.free["gasoline"])
    return replace(
        state,
        players=dealt_out(state.chairs, event.cash, event.crude, event.gasoline),
        owners=tuple(range(len(state.chairs))),
        entropy=event.entropy,
        economy=event.economy,
        domestic=market,
        foreign=market,
        consumer_price=event.consumer_price,
    )


def _round_began(state: State, event: e.RoundBegan) -> State:
    return replace(
        state,
        phase="orders",
        round=event.round,
        order=event.order,
        sheets=(None,) * len(event.order),
        holds=(False,) * len(event.order),
        climate_changes=0,
        conversions_in_round=0,
    )


def _submitted(state: State, event: e.OrdersSubmitted) -> State:
    return replace(state, sheets=put(state.sheets, event.seat, event.sheet), salts=state.salts + 1)


def _hold_changed(state: State, event: e.HoldChanged) -> State:
    return replace(state, holds=put(state.holds, event.seat, event.hold))


def _withdrawn(state: State, event: e.OrdersWithdrawn) -> State:
    return replace(state, sheets=put(state.sheets, event.seat, None))


def _round_closed(state: State, event: e.RoundClosed) -> State:
    return replace(state, phase="refereeing")


def _turn_began(state: State, event: e.TurnBegan) -> State:
    return replace(state, turn=Turn(event.turn, event.quadrant), still=state.still + 1)


def _told(state: State, event: e.Event) -> State:
    """What is for people to read only."""
    return state


def _asset_sold(state: State, event: e.AssetSold) -> State:
    hits = removed(state.hits[event.seat], event.kind, event.site)
    return replace(asset_sold(state, event), hits=put(state.hits, event.seat, hits), struck=_spent(state, event))


def _converted(state: State, event: e.RigConverted) -> State:
    """The new well was not there when the dice fell, so it was not hit."""
    quadrant = converted(state.quadrants[event.seat], event.site)
    hits = removed(state.hits[event.seat], "rig", event.site)
    return replace(
        state,
        players=stored(state, event.seat, -event.price),
        quadrants=put(state.quadrants, event.seat, quadrant),
        hits=put(state.hits, event.seat, hits),
        struck=_spent(state, event),
        conversions=event.conversions,
        conversions_in_round=state.conversions_in_round + 1,
        still=0,
    )


def _bought(state: State, event: e.BarrelsBought) -> State:
    return _dealt(state, event, len(event.prices), -sum(event.prices))


def _sold(state: State, event: e.BarrelsSold) -> State:
    return _dealt(state, event, -len(event.prices), sum(event.prices))


def _rolled(state: State, event: e.DiceRolled) -> State:
    seat, lines = state.now.seat, Lines(event.red.value, event.black.value)
    quadrant = state.quadrants[seat]
    return replace(
        state,
        draws=event.black.number,
        turn=replace(state.now, red=event.red.value, black=event.black.value),
        hits=put(state.hits, seat, productive_assets(quadrant, lines)),
        struck=put(state.struck, seat, lines.crossing(quadrant.rigs)),
    )


def _voided(state: State, event: e.DoubleVoided) -> State:
    return replace(state, draws=event.black.number)


def _climate_changed(state: State, event: e.ClimateChanged) -> State:
    return replace(
        state,
        economy=event.after,
        consumer_price=event.price_after,
        climate_changes=state.climate_changes + 1,
    )


def _gasoline_sold(state: State, event: e.GasolineSold) -> State:
    """After each sale the price falls by 1; after one at 1 there is none (`postal/pump`)."""
    return replace(state, still=0, players=gasoline_sold(state, event), consumer_price=event.prices[-1] - 1)


def _refined(state: State, event: e.CrudeRefined) -> State:
    return replace(state, players=refined(state, event), still=0)


def _pumped(state: State, event: e.CrudePumped) -> State:
    return replace(state, players=pumped(state, event), still=0)


def _finished(state: State, event: e.GameFinished) -> State:
    return replace(state, phase="over", standings=event.standings, winners=event.winners)


def _dealt(state: State, event: e.BarrelsBought | e.BarrelsSold, barrels: int, cash: int) -> State:
    """After a player got so many barrels and so much cash on a market."""
    domestic, foreign, players = dealt(state, event, barrels, cash)
    turn = replace(state.now, market=event.market)
    return replace(state, domestic=domestic, foreign=foreign, players=players, turn=turn, still=0)


def _spent(state: State, event: e.AssetSold | e.RigConverted) -> tuple[int, ...]:
    """The rigs that may still be converted after one of them is gone."""
    return put(state.struck, event.seat, state.struck[event.seat] & ~bit(event.site))


_EVOLVE: dict[type[e.Event], Callable[[State, Any], State]] = {
    e.SeatTaken: seat_taken,
    e.SeatLeft: seat_left,
    e.PostalGameStarted: _started,
    e.RoundBegan: _round_began,
    e.OrdersSubmitted: _submitted,
    e.OrdersWithdrawn: _withdrawn,
    e.HoldChanged: _hold_changed,
    e.RoundClosed: _round_closed,
    e.TurnBegan: _turn_began,
    e.OrdersMissing: _told,
    e.OrdersOpened: _told,
    e.ConditionChecked: _told,
    e.OrderSkipped: _told,
    e.OrderCurtailed: _told,
    e.AssetBought: asset_bought,
    e.AssetSold: _asset_sold,
    e.RigConverted: _converted,
    e.BarrelsBought: _bought,
    e.BarrelsSold: _sold,
    e.DiceRolled: _rolled,
    e.DoubleVoided: _voided,
    e.ClimateChanged: _climate_changed,
    e.OperationBegan: _told,
    e.PumpsHeld: _told,
    e.GasolineSold: _gasoline_sold,
    e.CrudeRefined: _refined,
    e.CrudePumped: _pumped,
    e.GameStoodStill: stood_still,
    e.AssetsLiquidated: liquidated,
    e.GameFinished: _finished,
    e.SeedRevealed: revealed,
}
