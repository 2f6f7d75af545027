"""The replay: a game move by move, in sentences, with the changes and everybody's holdings."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from mcmulti.domain.core.figures import MOST, Count, RuleId, Seat, Sentence, TypeName
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.shown.gauges import Holdings
from mcmulti.domain.core.table import NOBODY, Called, presented
from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.log.codec import event_decoder
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.item import EventData, Seq, Timestamp
from mcmulti.projections.reports.patches import Change, patch
from mcmulti.projections.reviews import ReviewedMove

By = Literal["event", "turn"]
LONGEST = 500
"""The most events of a frame: a longer turn is several frames."""
HEAVIEST = 2**20
"""The most bytes of the data of a frame's events before the last one: a turn with more is several frames."""


class Happening(Struct, frozen=True, kw_only=True, gc=False):
    """An event: its data, its sentence, and its rule, with the rule's text.

    `actor`: the seat whose command led to it, null for the referee. `about`: the seat that the sentence is about, null
    for nobody. `data`: omitted if the reader may not know it yet. `quiet`: whether stories leave it out, since nothing
    happened in it that players want to read; omitted if not.
    """

    seq: Seq
    type: TypeName
    data: EventData = UNSET
    sentence: Sentence
    rule: RuleId
    rule_text: Sentence
    actor: Seat | None
    about: Seat | None
    recorded_at: Timestamp
    quiet: bool | UnsetType = UNSET


class Frame(Struct, frozen=True, gc=False):
    """A step of the replay: one event, or all of one turn. `seq`: the number of its last event.

    `turn`: its number, 0 before the first turn. `happened`: the event, or all of the turn; a turn of more than 500
    events, or 1 MiB of them, is several frames. `patch`: turns the game's view before the step into the view after it;
    before the first event there is no view, so the first patch contains all of it. `holdings`: what everybody has then.
    `reviewed`: the commands that ended in this step, as the stored review of the game found them; omitted unless it is
    requested and there is one.
    """

    seq: Seq
    turn: Count
    happened: Annotated[tuple[Happening, ...], Meta(max_length=LONGEST)]
    patch: tuple[Change, ...]
    holdings: Holdings
    reviewed: Annotated[tuple[ReviewedMove, ...], Meta(max_length=MOST)] | UnsetType = UNSET


def frames(
    ruleset: Ruleset[Any],
    state: Any,
    events: Iterable[Recorded],
    *,
    seat: int | None = None,
    language: Language = "en",
    by: By = "event",
    now: Any = None,
    called: Called = NOBODY,
) -> Iterator[Frame]:
    """The frames of the events, which follow `state`; None at the start. `seat`: the reader's.

    `called`: the players' names.

    While the game stands at `now`, what the reader may not know yet is omitted. Without `now`, that is
    what was sealed before.
    """
    teller = Teller(ruleset, state, seat, language, by, now, called)
    yield from teller.follow(events)
    yield from teller.rest()


class Teller:
    """Makes frames of a game in pieces, like `frames` does in one go."""

    def __init__(
        self,
        ruleset: Ruleset[Any],
        state: Any,
        seat: int | None,
        language: Language,
        by: By,
        now: Any,
        called: Called = NOBODY,
    ) -> None:
        self._ruleset, self._seat, self._language, self._by = ruleset, seat, language, by
        self._state, self._now = None if state is None else presented(state, called), now
        self._called = called
        self._decode = event_decoder(ruleset.name, ruleset.version)
        self._shown = None if state is None else ruleset.view(self._state, seat)
        self._happened: list[Happening] = []
        self._bytes = 0

    def follow(self, events: Iterable[Recorded]) -> Iterator[Frame]:
        """The frames completed by these events, the next of the log."""
        ruleset = self._ruleset
        for event in events:
            fact = self._decode(event.data)
            after = presented(ruleset.evolve(self._state, fact), self._called)
            if self._by == "turn" and self._happened and self._ends(after):
                yield self._frame()
            self._happened.append(self._happening(event, fact))
            self._state = after
            if self._by == "event":
                yield self._frame()

    def _ends(self, after: Any) -> bool:
        """Whether the frame of a turn ends before the event that leads to this state."""
        full = len(self._happened) == LONGEST or self._bytes >= HEAVIEST
        return full or self._ruleset.turn(after) != self._ruleset.turn(self._state)

    def rest(self) -> Iterator[Frame]:
        """The frame of the unfinished turn."""
        if self._happened:
            yield self._frame()

    def _happening(self, event: Recorded, fact: Any) -> Happening:
        """A sealed event is described by its stand-in: the sentence must reveal no more than the reader may know."""
        ruleset, told = self._ruleset, fact
        hidden = event.payload is not None
        redaction = None if hidden or self._now is None else ruleset.redaction(event.type)
        if redaction is not None and redaction.sealed(self._now, fact, self._seat):
            hidden, told = True, redaction.stand_in((event.type,), event.actor)
        self._bytes += 0 if hidden else len(event.data)
        return Happening(
            seq=event.seq,
            type=event.type,
            data=UNSET if hidden else Raw(event.data),
            sentence=ruleset.texts.tell(self._state, told, self._language),
            rule=event.rule,
            rule_text=ruleset.texts.rules[self._language][event.rule],
            actor=event.actor,
            about=fact.about(event.actor),
            recorded_at=event.recorded_at,
            quiet=fact.quiet or UNSET,
        )

    def _frame(self) -> Frame:
        ruleset, happened, before = self._ruleset, self._happened, self._shown
        self._shown, self._happened, self._bytes = ruleset.view(self._state, self._seat), [], 0
        return Frame(
            happened[-1].seq,
            ruleset.turn(self._state),
            tuple(happened),
            patch(before, self._shown),
            ruleset.books.gauges(self._state).holdings,
        )
