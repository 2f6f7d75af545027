"""Who played a game, with what result, as stored in the log."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from mcmulti.domain.core.course.tenure import TenureChange
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.events.log.codec import event_decoder, fold
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.ports.game_index import TenureRow


def tenures(ruleset: Ruleset[Any], events: Sequence[Recorded]) -> tuple[TenureRow, ...]:
    """All tenures, from the first event on."""
    decode, state = event_decoder(ruleset.name, ruleset.version), fold(ruleset, events)
    terms = ruleset.terms(ruleset.setup_of(state))
    happened = [decode(event.data) for event in events]
    return rows(ruleset.name, terms.react(None, terms.standing(state), happened).tenures, events)


def rows(ruleset: str, changed: Sequence[TenureChange], events: Sequence[Recorded]) -> tuple[TenureRow, ...]:
    """The rows for what these events of a game of this rule set changed."""
    return tuple(
        TenureRow(
            UUID(each.player),
            ruleset,
            tuple(map(UUID, each.against)),
            None if each.began is None else events[each.began].recorded_at,
            each.substitute,
            each.result,
            each.missed,
            each.resigned,
            each.vacated,
        )
        for each in changed
    )
