"""The round of `test_round_by_hand` as a log, and its report."""

from mcmulti.domain.core.capabilities.rounds import Past, RoundReport
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.wording.telling import Language
from mcmulti.domain.postal.refereeing.refereeing import OrdersSubmitted, RoundBegan
from mcmulti.domain.postal.shown.report import report
from tests.pure.postal.round_by_hand import DICE, SHEETS, before
from tests.pure.postal.situations import A, B, C, D, refereed

FIRST = 101
"""The number of the round's first event."""


def past() -> list[Past]:
    """All events of the round, without the beginning of the next."""
    happened, _ = refereed(before(), SHEETS, DICE)
    sent = [OrdersSubmitted(seat, 6, sheet, "00" * 16) for seat, sheet in SHEETS.items()]
    events: list[Event] = [RoundBegan(6, (B, C, D, A), ()), *sent, *happened[:-1]]  # type: ignore[list-item]
    return [Past(seq, event, "postal/orders") for seq, event in enumerate(events, start=FIRST)]


def reported(language: Language = "en") -> RoundReport:
    """The report of the round."""
    return report(before(), past(), language)
