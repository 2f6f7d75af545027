"""The fold: one small function an event, each the only place that knows what the event does to the state."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from mcmulti.domain.mcmulti import events as e
from mcmulti.domain.mcmulti.state import Due, News, State, Turn
from mcmulti.domain.oil.board import bit
from mcmulti.domain.oil.fold import (
    asset_bought,
    asset_sold,
    dealt,
    dealt_out,
    freed,
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
from mcmulti.domain.oil.market import Market
from mcmulti.domain.oil.quadrant import converted


def evolve(state: State | None, event: Any) -> State:
    """The state after an event. The first event of a game makes the first state."""
    if state is None:
        return _opened(event)
    return _EVOLVE[type(event)](state, event)


def _opened(event: e.GameOpened) -> State:
    empty = (None,) * event.setup.seats
    return State(event.game_id, event.commitment, chairs=empty, player_ids=empty, setup=event.setup)


def _started(state: State, event: e.GameStarted) -> State:
    market = Market(event.free["crude"], event.free["gasoline"])
    return replace(
        state,
        players=dealt_out(tuple(state.chairs[seat] for seat in event.chairs), event.cash, event.crude, event.gasoline),
        player_ids=tuple(state.player_ids[seat] for seat in event.chairs),
        owners=event.owners,
        entropy=event.entropy,
        economy=event.economy,
        domestic=market,
        foreign=market,
        consumer_price=event.consumer_price,
        consumer_barrels=1,
        news=News(pile=event.news),
    )


def _start_rolled(state: State, event: e.StartRolled) -> State:
    return replace(state, draws=event.rolls[-1].die.number)


def _first_player(state: State, event: e.FirstPlayerChosen) -> State:
    return replace(state, phase="purchase", first=event.quadrant, purchases=event.purchases)


def _purchases_ended(state: State, event: e.PurchasesEnded) -> State:
    return replace(state, purchases=state.purchases[1:])


def _turned_over(state: State, event: e.NewsTurnedOver) -> State:
    news = state.news
    if event.draw is None:
        news = replace(news, under=news.under[1:])
    else:
        news = replace(news, pile=tuple(card for card in news.pile if card != event.card))
    news = replace(news, **{event.place: event.card})
    draws = state.draws if event.draw is None else event.draw.number
    if state.phase == "news":
        return replace(state, news=news, draws=draws, phase="dice", turn=replace(state.now, card=None))
    return replace(state, news=news, draws=draws)


def _moved_up(state: State, event: e.NewsMovedUp) -> State:
    return replace(state, news=replace(state.news, likelier=event.card, less_likely=None))


def _triggered(state: State, event: e.NewsTriggered) -> State:
    news = state.news
    news = replace(
        news,
        likelier=None if news.likelier == event.card else news.likelier,
        less_likely=None if news.less_likely == event.card else news.less_likely,
        active=(*news.active, event.card),
    )
    return replace(state, news=news, phase="news", turn=replace(state.now, card=event.card))


def _discarded(state: State, event: e.NewsDiscarded) -> State:
    news = state.news
    active = tuple(card for card in news.active if card != event.card)
    return replace(state, news=replace(news, active=active, under=(*news.under, event.card)))


def _levied(state: State, event: e.TaxLevied) -> State:
    return replace(state, turn=replace(state.now, dues=event.dues))


def _tax_paid(state: State, event: e.TaxPaid) -> State:
    """Who has nothing left to pay with pays nothing, which is no change (`table/standstill`)."""
    still = 0 if event.paid else state.still
    return replace(state, players=stored(state, event.seat, -event.paid), turn=_settled(state.now), still=still)


def _clean_up_ordered(state: State, event: e.CleanUpOrdered) -> State:
    quadrants = tuple(replace(quadrant, idle=quadrant.refineries) for quadrant in state.quadrants)
    dues = tuple(Due(seat, 0) for seat in event.seats)
    return replace(state, quadrants=quadrants, turn=replace(state.now, dues=dues))


def _clean_up_paid(state: State, event: e.CleanUpPaid) -> State:
    quadrant = state.quadrants[event.site.quadrant]
    quadrant = replace(quadrant, idle=quadrant.idle & ~bit(event.site))
    return replace(
        state,
        players=stored(state, event.seat, -event.price),
        quadrants=put(state.quadrants, event.site.quadrant, quadrant),
        still=0,
    )


def _clean_ups_ended(state: State, event: e.CleanUpsEnded) -> State:
    return replace(state, turn=_settled(state.now))


def _used_up(state: State, event: e.BarrelsUsedUp) -> State:
    domestic, foreign = freed(state, event.market, event.good, event.quantity)
    return replace(state, domestic=domestic, foreign=foreign)


def _shifted(state: State, event: e.BarrelsShifted) -> State:
    quantity = event.quantity if event.source == "domestic" else -event.quantity
    return replace(
        state,
        domestic=state.domestic.freed(event.good, quantity),
        foreign=state.foreign.freed(event.good, -quantity),
    )


def _consumer_moved(state: State, event: e.ConsumerPriceMoved) -> State:
    barrels = state.consumer_barrels - event.removed
    return replace(state, consumer_price=event.after, consumer_barrels=barrels)


def _turn_began(state: State, event: e.TurnBegan) -> State:
    turn = Turn(event.turn, event.quadrant, event.seat)
    last_turns = state.last_turns if state.last_turns is None else state.last_turns[1:]
    return replace(state, phase="market", turn=turn, last_turns=last_turns, still=state.still + 1)


def _bought(state: State, event: e.BarrelsBought) -> State:
    return _dealt(state, event, len(event.prices), -sum(event.prices))


def _sold(state: State, event: e.BarrelsSold) -> State:
    return _dealt(state, event, -len(event.prices), sum(event.prices))


def _rolled(state: State, event: e.DiceRolled) -> State:
    turn = replace(state.now, red=event.red.value, black=event.black.value)
    return replace(state, phase="dice", turn=turn, draws=event.black.number)


def _advanced(state: State, event: e.DifferenceAdvanced) -> State:
    return replace(state, difference=event.to)


def _economy_changed(state: State, event: e.EconomyChanged) -> State:
    return replace(state, economy=event.after, difference=0, draws=event.green.number)


def _operation_began(state: State, event: e.OperationBegan) -> State:
    """What its owner pumped and refined in this turn is fresh in its other quadrant too (`neighbour/two-players`)."""
    turn = state.now
    if state.owners[turn.operating] == event.seat:
        turn = replace(turn, operating=event.quadrant, done=0, used=0)
    else:
        turn = replace(turn, operating=event.quadrant, done=0, used=0, fresh_crude=0, fresh_gasoline=0)
    return replace(state, phase="neighbours" if event.neighbour else "production", turn=turn)


def _gasoline_sold(state: State, event: e.GasolineSold) -> State:
    """The last barrel sold is the cheapest of the consumers'."""
    barrels = len(event.prices)
    return replace(
        state,
        players=gasoline_sold(state, event),
        consumer_price=event.prices[-1],
        consumer_barrels=state.consumer_barrels + barrels,
        turn=_operated(state.now, 0, barrels),
        still=0,
    )


def _refined(state: State, event: e.CrudeRefined) -> State:
    turn = _operated(state.now, 1, event.quantity)
    turn = replace(turn, fresh_gasoline=turn.fresh_gasoline + event.quantity)
    return replace(state, players=refined(state, event), turn=turn, still=0)


def _pumped(state: State, event: e.CrudePumped) -> State:
    turn = _operated(state.now, 2, event.quantity)
    turn = replace(turn, fresh_crude=turn.fresh_crude + event.quantity)
    return replace(state, players=pumped(state, event), turn=turn, still=0)


def _struck(state: State, event: e.OilStruck) -> State:
    quadrant = converted(state.quadrants[event.site.quadrant], event.site)
    return replace(
        state,
        players=stored(state, event.seat, -event.price),
        quadrants=put(state.quadrants, event.site.quadrant, quadrant),
        turn=replace(state.now, done=3, used=0),
        still=0,
    )


def _assets_began(state: State, event: e.AssetPhaseBegan) -> State:
    return replace(state, phase="assets")


def _declared(state: State, event: e.VictoryDeclared) -> State:
    return replace(state, declared_by=event.seat, last_turns=event.last_turns)


def _finished(state: State, event: e.GameFinished) -> State:
    return replace(state, phase="over", standings=event.standings, winners=event.winners)


# What several events do alike


def _dealt(state: State, event: e.BarrelsBought | e.BarrelsSold, barrels: int, cash: int) -> State:
    """After a player got so many barrels and so much cash on a market."""
    domestic, foreign, players = dealt(state, event, barrels, cash)
    turn = state.now
    if turn.market is None:
        turn = replace(turn, market=event.market)
    return replace(state, domestic=domestic, foreign=foreign, players=players, turn=turn, still=0)


def _operated(turn: Turn, done: int, barrels: int) -> Turn:
    """After operating the kind that has `done` kinds before it."""
    return replace(turn, done=done, used=barrels + (turn.used if turn.done == done else 0))


def _settled(turn: Turn) -> Turn:
    """After the seat that the news waited for."""
    return replace(turn, dues=turn.dues[1:])


_EVOLVE: dict[type[e.Event], Callable[[State, Any], State]] = {
    e.SeatTaken: seat_taken,
    e.SeatLeft: seat_left,
    e.GameStarted: _started,
    e.StartRolled: _start_rolled,
    e.FirstPlayerChosen: _first_player,
    e.PurchasesEnded: _purchases_ended,
    e.NewsTurnedOver: _turned_over,
    e.NewsMovedUp: _moved_up,
    e.NewsTriggered: _triggered,
    e.NewsDiscarded: _discarded,
    e.TaxLevied: _levied,
    e.TaxPaid: _tax_paid,
    e.CleanUpOrdered: _clean_up_ordered,
    e.CleanUpPaid: _clean_up_paid,
    e.CleanUpsEnded: _clean_ups_ended,
    e.BarrelsUsedUp: _used_up,
    e.BarrelsShifted: _shifted,
    e.ConsumerPriceMoved: _consumer_moved,
    e.TurnBegan: _turn_began,
    e.BarrelsBought: _bought,
    e.BarrelsSold: _sold,
    e.DiceRolled: _rolled,
    e.DifferenceAdvanced: _advanced,
    e.EconomyChanged: _economy_changed,
    e.OperationBegan: _operation_began,
    e.GasolineSold: _gasoline_sold,
    e.CrudeRefined: _refined,
    e.CrudePumped: _pumped,
    e.OilStruck: _struck,
    e.AssetPhaseBegan: _assets_began,
    e.AssetBought: asset_bought,
    e.AssetSold: asset_sold,
    e.VictoryDeclared: _declared,
    e.GameStoodStill: stood_still,
    e.AssetsLiquidated: liquidated,
    e.GameFinished: _finished,
    e.SeedRevealed: revealed,
}
