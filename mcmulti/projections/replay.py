"""The replay: a game move by move, told in sentences, with what changed and what everybody has."""

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from msgspec import UNSET, Raw, Struct

from mcmulti.domain.core.figures import Count, RuleId, Seat, Sentence, TypeName
from mcmulti.domain.core.gauges import Holdings
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.telling import Language
from mcmulti.events.codec import event_decoder
from mcmulti.events.envelope import Recorded
from mcmulti.events.item import EventData, Seq, Timestamp
from mcmulti.projections.patches import Change, patch

By = Literal["event", "turn"]


class Happening(Struct, frozen=True, kw_only=True):
    """One event: what it says as data and as a sentence, and the rule it follows from, with the rule's text.

    `actor` is the seat whose command led to it, null for the referee. `data` is left out where the reader may
    not know it yet.
    """

    seq: Seq
    type: TypeName
    data: EventData = UNSET
    sentence: Sentence
    rule: RuleId
    rule_text: Sentence
    actor: Seat | None
    recorded_at: Timestamp


class Frame(Struct, frozen=True):
    """A step of the replay: one event, or all of one turn. `seq` is its last event's.

    `turn`: its number, 0 before the first turn. `happened`: the event, or all of the turn. `patch` turns the game's
    view before the step into the view behind it; before the first event there is no view, so the first patch holds it
    whole. `holdings` are what everybody has then.
    """

    seq: Seq
    turn: Count
    happened: tuple[Happening, ...]
    patch: tuple[Change, ...]
    holdings: Holdings


def frames(
    ruleset: Ruleset[Any],
    state: Any,
    events: Iterable[Recorded],
    *,
    seat: int | None = None,
    language: Language = "en",
    by: By = "event",
    now: Any = None,
) -> Iterator[Frame]:
    """The frames of the events, which follow on `state`; None at the start. `seat` is the reader's.

    While the game stands at `now`, what the reader may not know yet is left out; unless told, what was sealed before.
    """
    decode = event_decoder(ruleset.name, ruleset.version)
    shown = None if state is None else ruleset.view(state, seat)
    happened: list[Happening] = []
    for event in events:
        fact = decode(event.data)
        after = ruleset.evolve(state, fact)
        if by == "turn" and happened and ruleset.turn(after) != ruleset.turn(state):
            before, shown = shown, ruleset.view(state, seat)
            yield _frame(ruleset, state, happened, before, shown)
            happened = []
        hidden = event.payload is not None or (
            now is not None and ruleset.redaction is not None and ruleset.redaction.sealed(now, fact, seat)
        )
        happened.append(
            Happening(
                seq=event.seq,
                type=event.type,
                data=UNSET if hidden else Raw(event.data),
                sentence=ruleset.texts.tell(state, fact, language),
                rule=event.rule,
                rule_text=ruleset.texts.rules[language][event.rule],
                actor=event.actor,
                recorded_at=event.recorded_at,
            )
        )
        state = after
        if by == "event":
            before, shown = shown, ruleset.view(state, seat)
            yield _frame(ruleset, state, happened, before, shown)
            happened = []
    if happened:
        yield _frame(ruleset, state, happened, shown, ruleset.view(state, seat))


def _frame(ruleset: Ruleset[Any], state: Any, happened: list[Happening], before: Struct | None, after: Struct) -> Frame:
    return Frame(
        happened[-1].seq,
        ruleset.turn(state),
        tuple(happened),
        patch(before, after),
        ruleset.books.gauges(state).holdings,
    )
