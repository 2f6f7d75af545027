"""Taking moves back in the special purchase round of McMulti: everybody has 200, a station costs 48, and a rig 5."""

from collections import Counter
from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.undo import AnswerTakeBack, AskTakeBack, TakeBack, Undo
from mcmulti.domain.core.capabilities.undo.trail import MoveClosed, MovesTakenBack, TakeBackAnswered, TakeBackAsked
from mcmulti.domain.core.course.posting import Transfer
from mcmulti.domain.core.offers import Range
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import BuyAsset, BuyBarrels, EndPurchases, EndTurn, RollDice
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.oil.rules.assets import AssetBought
from mcmulti.events.log.envelope import Head
from mcmulti.events.log.snapshot import restored, taken
from tests.pure.mcmulti import situations
from tests.pure.mcmulti.situations import after, events, rules, site, started
from tests.timed import timed

STATION = BuyAsset("station", site("1-1"))
RIG = BuyAsset("rig", site("1-2"))
RULE = "table/undo"


def cash(state: State) -> list[int]:
    return [player.cash for player in state.players]


def refused(state: State, seat: int, command: Any) -> str:
    """Why the command is refused, which must be for this rule."""
    rejection = situations.refused(state, seat, command)
    assert rejection.rule == RULE
    return rejection.code


def back(state: State, seat: int, command: str = "TakeBack") -> range | None:
    """How many moves are offered."""
    for offer in RULESET.besides(state, seat):
        if offer.command != command:
            continue
        moves = offer.fields["moves"]
        assert isinstance(moves, Range)
        return moves.options
    return None


def played(*moves: tuple[int, Any], undo: Undo = "own") -> State:
    state = started(undo=undo)
    for seat, command in moves:
        state = after(state, seat, command)
    return state


def test_table_undo__what_was_bought_goes_back_and_so_does_the_price() -> None:
    """Ada has 200 and buys a station for 48. She takes it back, and has 200 and a free site again."""
    before = started(undo="own")
    assert [type(event) for event in events(before, 0, STATION)] == [AssetBought, MoveClosed]
    bought = after(before, 0, STATION)
    assert cash(bought) == [152, 200, 200, 200]
    [event] = events(bought, 0, TakeBack(1))
    assert event == MovesTakenBack(
        0,
        1,
        (
            Transfer("seat:0:station", "supply", "station", 1, "assets_bought"),
            Transfer("bank", "seat:0:cash", "dollars", 48, "assets_bought"),
        ),
    )
    assert rules(bought, 0, TakeBack(1)) == [RULE]
    again = after(bought, 0, TakeBack(1))
    assert cash(again) == [200] * 4
    assert again.quadrants == before.quadrants
    assert RULESET.offers(again, 0) == RULESET.offers(before, 0)


def test_table_undo__the_books_are_as_before() -> None:
    balances = Counter[tuple[str, str]]()
    state = started(undo="own")
    for command in (STATION, RIG, TakeBack(2)):
        for event in events(state, 0, command):
            for moved in RULESET.books.transfers(event):
                balances[moved.source, moved.unit] -= moved.amount
                balances[moved.target, moved.unit] += moved.amount
        state = after(state, 0, command)
    assert not any(balances.values())


def test_table_undo__the_last_move_or_all_of_them() -> None:
    """A station and a rig: 200 - 48 - 5 = 147. The rig goes back: 152. Or both: 200. There are no three moves."""
    state = played((0, STATION), (0, RIG))
    assert cash(state)[0] == 147
    assert back(state, 0) == range(1, 3)
    assert cash(after(state, 0, TakeBack(1)))[0] == 152
    assert back(after(state, 0, TakeBack(1)), 0) == range(1, 2)
    assert cash(after(state, 0, TakeBack(2)))[0] == 200
    assert refused(state, 0, TakeBack(3)) == "nothing_to_take_back"


def test_table_undo__out_of_turn_until_somebody_else_moves() -> None:
    """Ada ends her purchases, and it is Ben's turn. She may still change her mind, until he buys."""
    state = played((0, STATION), (0, EndPurchases()))
    assert RULESET.to_move(state) == (1,)
    assert RULESET.to_move(after(state, 0, TakeBack(1))) == (0,)
    assert back(state, 1) is None
    state = after(state, 1, BuyAsset("rig", site("1-2", 1)))
    assert back(state, 0) is None
    assert refused(state, 0, TakeBack(1)) == "undo_alone"
    assert back(state, 1) == range(1, 2)
    assert refused(state, 1, TakeBack(2)) == "undo_alone"


def test_table_undo__never_across_a_draw() -> None:
    """All end their purchases, and Ada rolls: moves before the dice are final."""
    state = played(*((seat, EndPurchases()) for seat in range(4)), undo="agreed")
    assert back(state, 0, "AskTakeBack") == range(1, 5)
    state = after(state, 0, RollDice(), (3, 4))
    assert back(state, 0) is back(state, 0, "AskTakeBack") is None
    assert refused(state, 0, TakeBack(1)) == "nothing_to_take_back"
    assert refused(state, 1, AskTakeBack(1)) == "nothing_to_take_back"


def test_table_undo__only_where_it_was_agreed_on() -> None:
    state = played((0, STATION), undo="no")
    assert [type(event) for event in events(started(), 0, STATION)] == [AssetBought]
    assert back(state, 0) is None
    assert refused(state, 0, TakeBack(1)) == "no_undo"
    assert refused(played((0, STATION)), 1, AskTakeBack(1)) == "no_undo"


def test_table_undo__others_moves_if_all_others_agree() -> None:
    """Ada has ended her purchases and Ben bought a rig. She asks for both moves, and all three others agree."""
    state = played((0, STATION), (0, EndPurchases()), (1, BuyAsset("rig", site("1-2", 1))), undo="agreed")
    assert back(state, 0, "AskTakeBack") == range(1, 4)
    assert refused(state, 1, AnswerTakeBack(True)) == "undo_not_asked"
    assert events(state, 0, AskTakeBack(2)) == [TakeBackAsked(0, 2)]
    state = after(state, 0, AskTakeBack(2))
    assert refused(state, 1, AskTakeBack(3)) == "undo_asked"
    assert refused(state, 0, AnswerTakeBack(True)) == "undo_not_asked"
    for seat in (2, 1):
        assert events(state, seat, AnswerTakeBack(True)) == [TakeBackAnswered(seat, True)]
        state = after(state, seat, AnswerTakeBack(True))
    assert [type(event) for event in events(state, 3, AnswerTakeBack(True))] == [TakeBackAnswered, MovesTakenBack]
    state = after(state, 3, AnswerTakeBack(True))
    assert cash(state) == [152, 200, 200, 200]
    assert (RULESET.to_move(state), state.undoing.appeal, state.undoing.wary) == ((0,), None, (1, 2, 3))


def test_table_undo__who_was_refused_cannot_ask_again_before_the_next_move() -> None:
    state = played((0, EndPurchases()), (1, BuyAsset("rig", site("1-2", 1))), (0, AskTakeBack(2)), undo="agreed")
    assert events(state, 2, AnswerTakeBack(False)) == [TakeBackAnswered(2, False)]
    state = after(state, 2, AnswerTakeBack(False))
    assert refused(state, 1, AnswerTakeBack(True)) == "undo_not_asked"
    assert refused(state, 0, AskTakeBack(2)) == "undo_asked"
    assert back(after(state, 1, EndPurchases()), 0, "AskTakeBack") == range(1, 4)


def test_table_undo__a_refusal_keeps_nobody_else_from_asking() -> None:
    """Cleo refuses Ada's request. Dan may ask for the same, once."""
    state = played((0, EndPurchases()), (1, BuyAsset("rig", site("1-2", 1))), (0, AskTakeBack(2)), undo="agreed")
    state = after(after(state, 2, AnswerTakeBack(False)), 3, AskTakeBack(2))
    assert refused(state, 1, AskTakeBack(2)) == "undo_asked"
    state = after(state, 1, AnswerTakeBack(False))
    assert [back(state, seat, "AskTakeBack") for seat in range(4)] == [None, range(2, 3), range(1, 3), None]


def test_table_undo__with_a_clock_only_who_is_asked_asks_in_its_own_time_and_for_nothing_of_an_earlier_turn() -> None:
    """Turn 5 was Ada's: she ended it, and Ben bought a barrel.

    He may ask for his own move, but not for hers, which would give her a minute more. She may ask for nothing, since
    she would take Ben's time. The trail begins with her rig.
    """
    began = timed(situations.assets_phase(situations.situation()))
    began = replace(began, setup=replace(began.setup, undo="agreed"))
    state = after(after(after(began, 0, RIG), 0, EndTurn()), 1, BuyBarrels("domestic", "crude", 1))
    assert back(state, 1) == range(1, 2)
    assert back(state, 1, "AskTakeBack") is back(state, 0, "AskTakeBack") is back(state, 0) is None
    untimed = replace(state, setup=replace(state.setup, clock=None))
    assert back(untimed, 0, "AskTakeBack") == range(1, 3)


def test_table_undo__who_was_asked_may_take_its_own_move_back_instead() -> None:
    state = played((0, EndPurchases()), (1, BuyAsset("rig", site("1-2", 1))), (0, AskTakeBack(2)), undo="agreed")
    state = after(state, 1, TakeBack(1))
    assert (cash(state), state.undoing.appeal) == ([200] * 4, None)


def test_table_undo__no_more_than_thirty_two_moves() -> None:
    """A rig that is bought for 5 and taken back is not a move. 33 moves that stay are one too many."""
    state = started(undo="own")
    for number in range(33):
        row, column = divmod(number, 6)
        state = after(state, 0, BuyAsset("rig", site(f"{row + 1}-{column + 1}")))
    assert back(state, 0) == range(1, 33)
    assert cash(after(state, 0, TakeBack(32)))[0] == 195


@pytest.mark.parametrize("seat", [0, 1])
def test_table_undo__a_snapshot_holds_what_can_be_taken_back(seat: int) -> None:
    state = played((0, STATION), (0, EndPurchases()), (1, BuyAsset("rig", site("1-2", 1))), undo="agreed")
    state = replace(state, called={})  # which is for show only
    kept = restored(bytes(32), UUID(int=1), RULESET, taken(bytes(32), UUID(int=1), RULESET, state, Head(7, bytes(32))))
    assert kept == state
    assert RULESET.offers(kept, seat) == RULESET.offers(state, seat)
    assert after(kept, 1, TakeBack(1)) == after(state, 1, TakeBack(1))


def test_table_undo__who_asks_is_told_to_all_and_others_are_wary_until_they_move() -> None:
    state = played((0, STATION), (0, TakeBack(1)))
    assert state.undoing.wary == (1, 2, 3)
    state = after(after(state, 0, EndPurchases()), 1, EndPurchases())
    assert state.undoing.wary == (2, 3)
