"""The round of `test_round_by_hand` as a log tells it, and its report."""

from mcmulti.domain.oilfield.market import Market
from mcmulti.domain.postal.events import Event, OrdersSubmitted, RoundBegan
from mcmulti.domain.postal.report import report
from mcmulti.domain.postal.state import State
from mcmulti.domain.rounds import Past, RoundReport
from mcmulti.domain.telling import Language
from tests.postal.situations import A, B, C, D, refereed, situation
from tests.postal.test_round_by_hand import OF_A, OF_B, OF_D

FIRST = 101
"""The number of the round's first event, say."""
SHEETS = {A: OF_A, B: OF_B, D: OF_D}


def before() -> State:
    """The situation that `test_round_by_hand` begins in."""
    return situation(
        round=6,
        climate="expansion",
        cash={A: 100, B: 70, C: 21, D: 30},
        crude={A: 2, D: 6},
        gasoline={A: 4, B: 1},
        assets={
            A: "station 2-2, refinery 4-4, well 6-3, station 5-1",
            B: "rig 3-5, rig 3-1",
            C: "rig 4-2, rig 4-6, rig 1-2",
            D: "well 5-3, station 1-1, refinery 3-1",
        },
        hits={A: "station 2-2", B: "rig 3-5, rig 3-1", C: "rig 4-2, rig 4-6, rig 1-2"},
        struck={B: "3-5", C: "4-2"},
        consumer=19,
        foreign=Market(8, 6),
        conversions=1,
    )


def past() -> list[Past]:
    """All events of the round, without the beginning of the next."""
    happened, _ = refereed(before(), SHEETS, (3, 5, 4, 4, 1, 3, 5, 5))
    sent = [OrdersSubmitted(seat, 6, sheet, "00" * 16) for seat, sheet in SHEETS.items()]
    events: list[Event] = [RoundBegan(6, (B, C, D, A)), *sent, *happened[:-1]]  # type: ignore[list-item]
    return [Past(seq, event, "postal/orders") for seq, event in enumerate(events, start=FIRST)]


def reported(language: Language = "en") -> RoundReport:
    """The report of the round."""
    return report(before(), past(), language)
