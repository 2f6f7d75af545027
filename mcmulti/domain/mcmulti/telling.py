"""What happened, in sentences: one small function an event, the texts in `sentences.toml`."""

from collections.abc import Callable
from typing import Any

from mcmulti.domain.core.telling import Language
from mcmulti.domain.mcmulti import events as e
from mcmulti.domain.mcmulti.components import NEWS
from mcmulti.domain.mcmulti.phrases import WORDS, Phrases
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.oil.telling import TOLD, asset_sold, one_or_several, operations, rolled, turn_began

__all__ = ["WORDS", "tell"]


def tell(before: State | None, event: Any, language: Language) -> str:
    """What happened, in a sentence; `before` is the state before the event, None before the first.

    Raises `LookupError` for what cannot have happened then, such as the move of a seat that nobody has.
    """
    return _TOLD[type(event)](Phrases(before, language), event)


# The table


def _opened(say: Phrases, event: e.GameOpened) -> str:
    setup = event.setup
    name = "fewer" if setup.fewer_seats and setup.seats > 2 else "full"
    return say.fill(f"GameOpened.{name}", seats=setup.seats, target=say.money(setup.target))


def _started(say: Phrases, event: e.GameStarted) -> str:
    """Owners are counted after empty seats are closed up; the names are known by the chairs before that."""
    chairs = [None if owner is None else event.chairs[owner] for owner in event.owners]
    return say.fill(
        "GameStarted",
        seated=say.listing([say.seated(chair, quadrant) for quadrant, chair in enumerate(chairs)]),
        cash=say.money(event.cash),
        crude=say.barrels(event.crude, "crude"),
        gasoline=say.barrels(event.gasoline, "gasoline"),
        economy=say.word(event.economy),
    )


def _start_rolled(say: Phrases, event: e.StartRolled) -> str:
    rolls = [say.told(roll.seat, str(roll.die.value)) for roll in event.rolls]
    return say.fill("StartRolled", rolls=", ".join(rolls))


def _first_player(say: Phrases, event: e.FirstPlayerChosen) -> str:
    return say.fill(
        "FirstPlayerChosen",
        who=say.who(event.seat),
        quadrant=say.quadrant(event.quadrant),
        order=say.owned(event.purchases),
    )


def _purchases_ended(say: Phrases, event: e.PurchasesEnded) -> str:
    return say.fill("PurchasesEnded", who=say.who(event.seat), quadrant=say.quadrant(event.quadrant))


# News


def _turned_over(say: Phrases, event: e.NewsTurnedOver) -> str:
    name = "under" if event.draw is None else "pile"
    return say.fill(f"NewsTurnedOver.{name}", card=say.word(event.card), place=say.phrase(event.place))


def _moved_up(say: Phrases, event: e.NewsMovedUp) -> str:
    return say.fill("NewsMovedUp", card=say.word(event.card))


def _triggered(say: Phrases, event: e.NewsTriggered) -> str:
    closes = NEWS[event.card].closes
    if closes is None:
        return say.fill("NewsTriggered.plain", card=say.word(event.card))
    return say.fill("NewsTriggered.closing", card=say.word(event.card), market=say.word(closes))


def _discarded(say: Phrases, event: e.NewsDiscarded) -> str:
    closed = NEWS[event.card].closes
    if closed is None:
        return say.fill("NewsDiscarded.plain", card=say.word(event.card))
    return say.fill("NewsDiscarded.reopening", card=say.word(event.card), market=say.word(closed))


def _levied(say: Phrases, event: e.TaxLevied) -> str:
    dues = [say.told(due.seat, say.money(due.amount)) for due in event.dues]
    return say.fill("TaxLevied", card=say.word(event.card), dues=", ".join(dues))


def _tax_paid(say: Phrases, event: e.TaxPaid) -> str:
    name = "full" if event.paid >= event.due else "part" if event.paid else "nothing"
    due, paid = say.money(event.due), say.money(event.paid)
    return say.fill(f"TaxPaid.{name}", who=say.who(event.seat), due=due, paid=paid)


def _clean_up_ordered(say: Phrases, event: e.CleanUpOrdered) -> str:
    name = "one" if len(event.sites) == 1 else "one_owner" if len(event.seats) == 1 else "several_owners"
    return say.fill(
        f"CleanUpOrdered.{name}",
        number=len(event.sites),
        sites=say.sites(event.sites),
        order=say.listing([say.who(seat) for seat in event.seats]),
    )


def _clean_up_paid(say: Phrases, event: e.CleanUpPaid) -> str:
    return say.fill("CleanUpPaid", who=say.who(event.seat), price=say.money(event.price), site=say.site(event.site))


def _clean_ups_ended(say: Phrases, event: e.CleanUpsEnded) -> str:
    return say.fill("CleanUpsEnded", who=say.who(event.seat))


def _used_up(say: Phrases, event: e.BarrelsUsedUp) -> str:
    return say.fill(
        f"BarrelsUsedUp.{one_or_several(event.quantity)}",
        number=event.quantity,
        good=say.word(event.good),
        market=say.word(event.market),
    )


def _shifted(say: Phrases, event: e.BarrelsShifted) -> str:
    return say.fill(
        f"BarrelsShifted.{one_or_several(event.quantity)}",
        number=event.quantity,
        good=say.word(event.good),
        source=say.word(event.source),
        target=say.word(event.target),
    )


def _consumer_moved(say: Phrases, event: e.ConsumerPriceMoved) -> str:
    name = "rises" if event.after > event.before else "falls" if event.after < event.before else "stays"
    return say.fill(
        f"ConsumerPriceMoved.{name}{'_after_removal' if event.removed else ''}",
        before=say.money(event.before),
        after=say.money(event.after),
        removed=say.barrels(event.removed, "gasoline"),
    )


# A turn


def _turn_began(say: Phrases, event: e.TurnBegan) -> str:
    if event.seat is None:
        return say.fill("TurnBegan.ghost", turn=event.turn, quadrant=say.quadrant(event.quadrant))
    return turn_began(say, event)


def _rolled(say: Phrases, event: e.DiceRolled) -> str:
    if event.seat is not None:
        return rolled(say, event)
    red, black = event.red.value, event.black.value
    return say.fill(f"DiceRolled.ghost{'_double' if red == black else ''}", red=red, black=black)


def _advanced(say: Phrases, event: e.DifferenceAdvanced) -> str:
    return say.fill(f"DifferenceAdvanced.{'on' if event.by else 'stays'}", by=event.by, to=event.to)


def _economy_changed(say: Phrases, event: e.EconomyChanged) -> str:
    return say.fill(
        f"EconomyChanged.{'stays' if event.before == event.after else 'turns'}",
        green=event.green.value,
        before=say.word(event.before),
        after=say.word(event.after),
    )


def _operation_began(say: Phrases, event: e.OperationBegan) -> str:
    return say.fill(
        f"OperationBegan.{'neighbour' if event.neighbour else 'own'}",
        who=say.who(event.seat),
        quadrant=say.quadrant(event.quadrant),
        operations=operations(say, event),
    )


def _struck(say: Phrases, event: e.OilStruck) -> str:
    return say.fill(
        "OilStruck",
        who=say.who(event.seat),
        price=say.money(event.price),
        site=say.site(event.site),
        wells=event.wells,
    )


def _assets_began(say: Phrases, event: e.AssetPhaseBegan) -> str:
    return say.fill("AssetPhaseBegan", who=say.who(event.seat), quadrant=say.quadrant(event.quadrant))


def _asset_sold(say: Phrases, event: e.AssetSold) -> str:
    return asset_sold(say, event, f"AssetSold.{'forced' if say.forced else 'plain'}")


# The end


def _declared(say: Phrases, event: e.VictoryDeclared) -> str:
    order = say.owned(event.last_turns)
    return say.fill("VictoryDeclared", who=say.who(event.seat), cash=say.money(event.cash), order=order)


_TOLD: dict[type[e.Event], Callable[[Phrases, Any], str]] = {
    **TOLD,
    e.GameOpened: _opened,
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
    e.DiceRolled: _rolled,
    e.DifferenceAdvanced: _advanced,
    e.EconomyChanged: _economy_changed,
    e.OperationBegan: _operation_began,
    e.OilStruck: _struck,
    e.AssetPhaseBegan: _assets_began,
    e.AssetSold: _asset_sold,
    e.VictoryDeclared: _declared,
}
