"""House bots: who may take a seat that was left, who comes back, and that no bot plays for nobody."""

import pytest
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.clock import Clock, bank
from mcmulti.domain.core.capabilities.leaving import LastRemained, Resign, SeatVacated, SubstituteSatDown
from mcmulti.domain.core.capabilities.votes import AnswerEnd, EndAgreed, EndAgreedTo, ProposeEnd
from mcmulti.domain.core.commands import TakeSeat
from mcmulti.domain.core.table import HOUSE, people
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import EndTurn
from mcmulti.domain.mcmulti.state import State
from tests.leaving import agreed_on, players, sits_down
from tests.pure.mcmulti.situations import after, assets_phase, events, refused, rules, situation

ADA, BEN, CLEO, DAN = range(4)
BOT, OTHER = HOUSE[:2]
BACK = sits_down(player="player-2")
LATE = 17
"""The first turn after four rounds of turns, of four quadrants each."""


def left(state: State | None = None, seat: int = CLEO) -> State:
    """It is Ada's turn, at a table with house bots, and one player has just left."""
    return after(agreed_on(state or situation(), "bot"), seat, Resign())


def kept(state: State | None = None, seat: int = CLEO) -> State:
    """The same, after a house bot has taken over."""
    return after(left(state, seat), None, sits_down(seat, BOT))


def test_table_house__takes_a_seat_that_was_left_as_it_stands() -> None:
    state = left(situation(cash={CLEO: 70}))
    assert events(state, None, sits_down(player=BOT)) == [SubstituteSatDown(CLEO, BOT)]
    assert rules(state, None, sits_down(player=BOT)) == ["table/house"]
    assert kept(situation(cash={CLEO: 70})).players[CLEO].cash == 70


@pytest.mark.parametrize(
    ("state", "command", "code"),
    [
        (left(), sits_down(), "reserved"),
        (left(), sits_down(CLEO), "reserved"),
        (kept(), sits_down(CLEO), "reserved"),
        (kept(), sits_down(CLEO, OTHER), "reserved"),
        (kept(), sits_down(player=BOT), "already_seated"),
        (left(), sits_down(DAN, BOT), "seat_not_vacant"),
        (left(left(), DAN), sits_down(DAN, "player-2"), "seat_not_vacant"),
        (kept(), sits_down(entropy="late", player="player-2"), "entropy_late"),
        (agreed_on(situation(), "bot"), sits_down(player=BOT), "game_started"),
        (agreed_on(situation(), "bot"), sits_down(), "game_started"),
    ],
)
def test_table_house__the_seat_is_kept_for_the_house_and_for_who_left_it(
    state: State, command: TakeSeat, code: str
) -> None:
    assert refused(state, None, command).code == code


def test_table_house__who_left_comes_back_before_the_bot() -> None:
    assert events(left(), None, BACK) == [SubstituteSatDown(CLEO, "player-2")]


def test_table_house__the_bot_gets_up_for_who_left() -> None:
    state = kept(situation(cash={CLEO: 70}))
    assert events(state, None, BACK) == [SeatVacated(CLEO, "returned"), SubstituteSatDown(CLEO, "player-2")]
    assert rules(state, None, BACK) == ["table/house", "table/house"]
    back = after(state, None, BACK)
    assert players(back) == ["0", "1", "2", "3"]
    assert back.departures.tenants[CLEO] == ("player-2", BOT, "player-2")
    assert back.players[CLEO].cash == 70


def test_table_house__who_comes_back_may_leave_and_come_back_again() -> None:
    state = after(kept(), None, BACK)
    for _ in range(3):
        state = after(after(state, CLEO, Resign()), None, sits_down(CLEO, BOT))
        state = after(state, None, BACK)
    assert players(state) == ["0", "1", "2", "3"]


def test_table_house__who_comes_back_has_no_more_time_than_was_left() -> None:
    """A bot moves for Ben. He comes back in the middle of its move: the rest of the move and of the bank is his."""
    clock = Clock(move_seconds=60, bank_seconds=100)
    state = agreed_on(assets_phase(situation()), "bot")
    state = replace(state, setup=replace(state.setup, clock=clock), timing=state.timing.with_used(BEN, 30))
    state = after(after(after(state, BEN, Resign()), None, sits_down(BEN, BOT)), ADA, EndTurn())
    assert RULESET.deadlines is not None
    before = RULESET.deadlines.pace(state)
    back = after(state, None, sits_down(BEN, "player-1"))
    assert (back.to_move, RULESET.deadlines.pace(back), bank(back, BEN)) == ((BEN,), before, 70)


def test_table_house__plays_on_when_its_turn_comes() -> None:
    state = after(kept(assets_phase(situation()), BEN), ADA, EndTurn())
    assert (state.phase, state.to_move) == ("market", (BEN,))


def test_table_house__several_seats_have_a_bot_each() -> None:
    state = after(kept(), DAN, Resign())
    assert refused(state, None, sits_down(player=BOT)).code == "already_seated"
    state = after(state, None, sits_down(player=OTHER))
    assert people(state) == (ADA, BEN)
    assert players(after(state, None, sits_down(player="player-3")))[DAN] == "3"


@pytest.mark.parametrize(("turn", "hows"), [(LATE - 1, ("call_off",)), (LATE, ("rank", "call_off"))])
def test_table_house__lets_nobody_agree_on_a_ranking_earlier(turn: int, hows: tuple[str, ...]) -> None:
    state = kept(situation(turn=turn))
    found = {
        seat: offer.fields["how"].options  # type: ignore[attr-defined]
        for seat in range(4)
        for offer in RULESET.besides(state, seat)
        if offer.command == "ProposeEnd"
    }
    assert found == dict.fromkeys((ADA, BEN, DAN), hows)


def test_table_house__is_not_asked_about_an_end() -> None:
    state = after(kept(situation(turn=LATE)), ADA, ProposeEnd("rank"))
    assert {offer.command for offer in RULESET.besides(state, CLEO)} == {"Resign"}
    assert events(state, BEN, AnswerEnd("rank", True))[1:] == [EndAgreedTo(2, 3)]
    state = after(state, BEN, AnswerEnd("rank", True))
    assert events(state, DAN, AnswerEnd("rank", True))[1:3] == [EndAgreedTo(3, 3), EndAgreed("rank")]


def test_table_house__may_win_what_it_plays_for() -> None:
    """Cleo's seat has most: the bot wins when all agree to end the game."""
    state = after(kept(situation(3, turn=LATE, cash={ADA: 100, BEN: 100, CLEO: 900})), ADA, ProposeEnd("rank"))
    assert after(state, BEN, AnswerEnd("rank", True)).winners == (CLEO,)


def test_table_house__who_comes_back_is_asked_about_the_end() -> None:
    state = after(after(kept(situation(turn=LATE)), ADA, ProposeEnd("rank")), None, BACK)
    for seat in (BEN, DAN):
        state = after(state, seat, AnswerEnd("rank", True))
    assert state.status == "running"
    assert after(state, CLEO, AnswerEnd("rank", True)).status == "finished"


def test_table_last__house_bots_do_not_count() -> None:
    """The bot plays for Cleo, whose seat has most. Then Ben leaves: Ada is the last, and wins."""
    state = kept(situation(3, cash={ADA: 28, BEN: 100, CLEO: 900}))
    happened = events(state, BEN, Resign())
    assert happened[:3] == [SeatVacated(BEN, "resigned"), SeatVacated(CLEO, "last"), LastRemained(ADA)]
    assert after(state, BEN, Resign()).winners == (ADA,)


def test_table_last__at_a_table_for_two_no_house_bot_comes() -> None:
    assert left(situation(2), BEN).winners == (ADA,)
