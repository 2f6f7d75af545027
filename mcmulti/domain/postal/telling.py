"""What happened, in sentences: one small function an event, the texts in `sentences.toml`."""

from collections.abc import Callable
from typing import Any

from mcmulti.domain.core.telling import Language, Words
from mcmulti.domain.oil import phrases as common
from mcmulti.domain.oil.data import texts
from mcmulti.domain.oil.telling import TOLD, finished, operations
from mcmulti.domain.postal import events as e
from mcmulti.domain.postal.components import COMPONENTS, TARGET
from mcmulti.domain.postal.state import State

__all__ = ["WORDS", "tell"]

WORDS: Words = common.words(texts(__package__, "words.toml"))
TEMPLATES: Words = common.templates(texts(__package__, "sentences.toml"))

_QUADRANTS: list[str] = COMPONENTS["board"]["quadrants"]

_REASONS = {"cash": "cash_short", "barrels": "barrels_short"}
"""Words for reasons whose codes mean something else besides."""


class Phrases(common.Phrases):
    """Phrases of all rule sets, and why lines are skipped."""

    __slots__ = ()

    def __init__(self, state: State | None, language: Language) -> None:
        super().__init__(state, language, WORDS, TEMPLATES, _QUADRANTS)

    def reason(self, code: str) -> str:
        """Why a line could not be carried out."""
        return self.word(_REASONS.get(code, code))


def tell(before: State | None, event: Any, language: Language) -> str:
    """What happened, in a sentence; `before` is the state before the event, None before the first.

    Raises `LookupError` for what cannot have happened then, such as the move of a seat that nobody has.
    """
    return _TOLD[type(event)](Phrases(before, language), event)


def _opened(say: Phrases, event: e.PostalGameOpened) -> str:
    return say.fill("PostalGameOpened", hours=event.setup.round_hours, grace=event.setup.grace_hours)


def _started(say: Phrases, event: e.PostalGameStarted) -> str:
    return say.fill(
        "PostalGameStarted",
        cash=say.money(event.cash),
        crude=say.barrels(event.crude, "crude"),
        gasoline=say.barrels(event.gasoline, "gasoline"),
        economy=say.word(event.economy),
        price=say.money(event.consumer_price),
    )


def _round_began(say: Phrases, event: e.RoundBegan) -> str:
    return say.fill("RoundBegan", round=event.round, order=say.listing([say.who(seat) for seat in event.order]))


def _submitted(say: Phrases, event: e.OrdersSubmitted) -> str:
    return say.fill("OrdersSubmitted", who=say.who(event.seat), round=event.round)


def _withdrawn(say: Phrases, event: e.OrdersWithdrawn) -> str:
    return say.fill("OrdersWithdrawn", who=say.who(event.seat), round=event.round)


def _hold_changed(say: Phrases, event: e.HoldChanged) -> str:
    return say.fill(f"HoldChanged.{'on' if event.hold else 'off'}", who=say.who(event.seat), round=event.round)


def _round_closed(say: Phrases, event: e.RoundClosed) -> str:
    if not event.missing:
        return say.fill("RoundClosed.all", round=event.round)
    missing = say.listing([say.who(seat) for seat in event.missing])
    return say.fill("RoundClosed.missing", round=event.round, missing=missing)


def _orders_missing(say: Phrases, event: e.OrdersMissing) -> str:
    return say.fill("OrdersMissing", who=say.who(event.seat), round=event.round)


def _orders_opened(say: Phrases, event: e.OrdersOpened) -> str:
    opened = [str(each.line) for each in event.lines]
    name = f"OrdersOpened.{'one' if len(opened) == 1 else 'several'}"
    return say.fill(name, who=say.who(event.seat), lines=say.listing(opened))


def _checked(say: Phrases, event: e.ConditionChecked) -> str:
    return say.fill(f"ConditionChecked.{'yes' if event.holds else 'no'}", who=say.who(event.seat), line=event.line)


def _skipped(say: Phrases, event: e.OrderSkipped) -> str:
    figures = "" if event.need is None else say.phrase("figures", have=event.have, need=event.need)
    reason = say.reason(event.code)
    return say.fill("OrderSkipped", who=say.who(event.seat), line=event.line, reason=reason, figures=figures)


def _curtailed(say: Phrases, event: e.OrderCurtailed) -> str:
    return say.fill(
        "OrderCurtailed",
        who=say.who(event.seat),
        line=event.line,
        done=event.done,
        asked=event.asked,
        reason=say.reason(event.code),
    )


def _converted(say: Phrases, event: e.RigConverted) -> str:
    return say.fill(
        "RigConverted",
        who=say.who(event.seat),
        site=say.site(event.site),
        price=say.money(event.price),
        number=event.conversions,
    )


def _voided(say: Phrases, event: e.DoubleVoided) -> str:
    return say.fill("DoubleVoided", who=say.who(event.seat), number=event.red.value)


def _climate_changed(say: Phrases, event: e.ClimateChanged) -> str:
    before, after = event.price_before, event.price_after
    name = "opens" if not before else "rises" if after > before else "stays"
    return say.fill(
        f"ClimateChanged.{name}",
        number=event.double,
        before=say.word(event.before),
        after=say.word(event.after),
        price_before=say.money(event.price_before),
        price_after=say.money(event.price_after),
    )


def _operation_began(say: Phrases, event: e.OperationBegan) -> str:
    name = f"OperationBegan.{'neighbour' if event.neighbour else 'own'}"
    return say.fill(name, who=say.who(event.seat), operations=operations(say, event))


def _pumps_held(say: Phrases, event: e.PumpsHeld) -> str:
    return say.fill(
        "PumpsHeld", who=say.who(event.seat), line=event.line, goods=say.barrels(event.quantity, "gasoline")
    )


def _finished(say: Phrases, event: e.GameFinished) -> str:
    if event.decided_by != "target":
        return finished(say, event)
    standings = ", ".join(say.told(standing.seat, say.money(standing.cash)) for standing in event.standings)
    return say.fill(
        "GameFinished.target", winner=say.who(event.winners[0]), target=say.money(TARGET), standings=standings
    )


_TOLD: dict[type[e.Event], Callable[[Phrases, Any], str]] = {
    **TOLD,
    e.PostalGameOpened: _opened,
    e.PostalGameStarted: _started,
    e.RoundBegan: _round_began,
    e.OrdersSubmitted: _submitted,
    e.OrdersWithdrawn: _withdrawn,
    e.HoldChanged: _hold_changed,
    e.RoundClosed: _round_closed,
    e.OrdersMissing: _orders_missing,
    e.OrdersOpened: _orders_opened,
    e.ConditionChecked: _checked,
    e.OrderSkipped: _skipped,
    e.OrderCurtailed: _curtailed,
    e.RigConverted: _converted,
    e.DoubleVoided: _voided,
    e.ClimateChanged: _climate_changed,
    e.OperationBegan: _operation_began,
    e.PumpsHeld: _pumps_held,
    e.GameFinished: _finished,
}
