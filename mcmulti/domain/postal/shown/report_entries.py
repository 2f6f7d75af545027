"""The entries of a round's report for each event."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from mcmulti.domain.core.capabilities.rounds import Detail, Entry, Past
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.wording.telling import Language
from mcmulti.domain.oil.rules.assets import AssetBought
from mcmulti.domain.postal.notation.writing import order_text
from mcmulti.domain.postal.refereeing.acting import OrderSkipped
from mcmulti.domain.postal.refereeing.assets import AssetSold, RigConverted
from mcmulti.domain.postal.refereeing.carrying_out import ConditionChecked, OrdersOpened
from mcmulti.domain.postal.refereeing.dice import DiceRolled, DoubleVoided
from mcmulti.domain.postal.refereeing.production import OperationBegan, PumpsHeld
from mcmulti.domain.postal.refereeing.refereeing import OrdersSubmitted
from mcmulti.domain.postal.refereeing.trading import OrderCurtailed
from mcmulti.domain.postal.rounds import stand_in
from mcmulti.domain.postal.sheets.defaults import OrdersMissing
from mcmulti.domain.postal.sheets.sheet import IfLine, OpenedLine
from mcmulti.domain.postal.sheets.tracing import traced
from mcmulti.domain.postal.shown.wording import Wording
from mcmulti.domain.postal.state import State
from mcmulti.domain.postal.telling import TEXTS

_PHASE_1 = (OrdersMissing, AssetBought, AssetSold, RigConverted)
_OF_LINES = (ConditionChecked, OrderSkipped, OrderCurtailed)
_DICE = (DiceRolled, DoubleVoided)


class Moment(NamedTuple):
    """An event of the round, and the state before it."""

    past: Past
    before: State

    @property
    def event(self) -> Any:
        """What happened."""
        return self.past.event


class Reporter:
    """Makes entries of events, from the parts of sheets that they open. `after` is the state after the round."""

    def __init__(self, after: State, language: Language) -> None:
        self._say = Wording(after, language)
        self._language: Language = language
        self._opened: list[dict[int, OpenedLine]] = [{} for _ in after.players]

    def entries(self, seat: int | None, moments: Sequence[Moment]) -> Iterator[Entry]:
        """The entries of a section; `seat`: whose turn it covers, None for none."""
        events = [moment.event for moment in moments]
        dice = next((number for number, event in enumerate(events) if isinstance(event, _DICE)), len(events))
        opened = next((event for event in events[:dice] if isinstance(event, OrdersOpened)), None)
        lines_of = traced(opened, events[:dice]) if opened else {}
        for number, moment in enumerate(moments):
            if isinstance(moment.event, OrdersOpened):
                self._opened[moment.event.seat] = {opened.line: opened for opened in moment.event.lines}
            phase = None
            if seat is not None and number:
                phase = 3 if number >= dice else self._phase(moment.event)
            entry = Entry(
                moment.past.seq,
                None if phase is None else self._say.fill(f"letter.phase_{phase}"),
                lines_of.get(number),
                seat if number in lines_of else None,
                "done" if number in lines_of else "told",
                TEXTS.tell(moment.before, moment.event, self._language),
                (),
                moment.past.rule,
            )
            told = _TOLD.get(type(moment.event))
            yield self._with_line(told(self, entry, moment, seat) if told else entry)

    def _with_line(self, entry: Entry) -> Entry:
        """An entry with the line of a sheet that caused it."""
        if entry.line is None or entry.seat is None:
            return entry
        opened = self._opened[entry.seat].get(entry.line)
        return replace(entry, written=order_text(opened.order)) if opened else entry

    def _phase(self, event: Any) -> int | None:
        """The phase before the dice; lines are opened before phase 1."""
        if isinstance(event, OrdersOpened):
            return None
        if isinstance(event, _OF_LINES):
            return self._opened[event.seat][event.line].phase
        return 1 if isinstance(event, _PHASE_1) else 2

    def _sent(self, entry: Entry, moment: Moment, seat: int | None) -> Entry:
        """It is described as others see it, even after the game is over."""
        sealed = stand_in((), moment.event.seat)
        return replace(entry, sentence=TEXTS.tell(moment.before, sealed, self._language))

    def _checked(self, entry: Entry, moment: Moment, seat: int | None) -> Entry:
        event: ConditionChecked = moment.event
        opened = self._opened[event.seat]
        order = opened[event.line].order
        if not isinstance(order, IfLine):
            raise TypeError(f"line {event.line} has no condition")
        following = next((line for line in opened if line > event.line), None)
        branch = "" if following is None else self._say.fill("line.branch", lines=self._say.lines(following, 1))
        sentence = self._say.fill(f"line.{'holds' if event.holds else 'fails'}", branch=branch)
        if event.seat != seat:
            who = self._say.who(event.seat)
            sentence = self._say.fill("line.condition_of", line=event.line, who=who, sentence=sentence)
        details = self._say.condition(order.condition, event.findings)
        return replace(entry, line=event.line, seat=event.seat, outcome="checked", sentence=sentence, details=details)

    def _skipped(self, entry: Entry, moment: Moment, seat: int | None) -> Entry:
        event: OrderSkipped = moment.event
        sentence = self._say.fill(
            "line.skipped",
            order=self._say.order(self._opened[event.seat][event.line].order),
            reason=self._say.reason(event.code),
            figures=event.figures(self._say),
        )
        return replace(
            entry,
            line=event.line,
            seat=event.seat,
            outcome="skipped",
            sentence=sentence,
            have=event.have,
            need=event.need,
        )

    def _curtailed(self, entry: Entry, moment: Moment, seat: int | None) -> Entry:
        event: OrderCurtailed = moment.event
        reason = self._say.fill(f"why.{event.code}")
        sentence = self._say.fill("line.curtailed", done=event.done, asked=event.asked, reason=reason)
        return replace(entry, line=event.line, seat=event.seat, outcome="curtailed", sentence=sentence)

    def _held(self, entry: Entry, moment: Moment, seat: int | None) -> Entry:
        event: PumpsHeld = moment.event
        sentence = self._say.fill(
            "line.held" if event.seat == seat else "line.held_of",
            who=self._say.who(event.seat),
            goods=self._say.barrels(event.quantity, "gasoline"),
            line=event.line,
        )
        return replace(entry, line=event.line, seat=event.seat, outcome="done", sentence=sentence)

    def _began(self, entry: Entry, moment: Moment, seat: int | None) -> Entry:
        """Hits without an effect are included."""
        event: OperationBegan = moment.event
        player = moment.before.players[event.seat]
        idle = {
            "no_gasoline": event.stations and not player.gasoline,
            "no_price": event.stations and player.gasoline and not moment.before.consumer_price,
            "no_crude": event.refineries and not player.crude,
        }
        details = tuple(Detail(0, self._say.fill(f"note.{name}")) for name, so in idle.items() if so)
        return replace(entry, details=details)


_TOLD: dict[type[Event], Callable[[Reporter, Entry, Moment, int | None], Entry]] = {
    OrdersSubmitted: Reporter._sent,
    ConditionChecked: Reporter._checked,
    OrderSkipped: Reporter._skipped,
    OrderCurtailed: Reporter._curtailed,
    PumpsHeld: Reporter._held,
    OperationBegan: Reporter._began,
}
