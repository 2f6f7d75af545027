"""New visitors, the last round, the end."""

import pytest
from msgspec.structs import replace

from mcmulti.domain.core.offers import NumberChoice, Range, TextChoice
from mcmulti.domain.core.table import SeedRevealed
from mcmulti.domain.marracash import RULESET
from mcmulti.domain.marracash.commands import LetIn, MoveGroup, PutUp
from mcmulti.domain.marracash.phases.entrances import VisitorsLetIn
from mcmulti.domain.marracash.phases.turns import BazaarClosed, LastRoundStarted, TurnStarted
from mcmulti.domain.marracash.state import NOBODY, Bazaar, Crowd
from tests.pure.marracash.situations import (
    ADA,
    BEN,
    CLEO,
    QUEUE,
    after,
    empty_town,
    happened,
    offered,
    refused,
    situation,
)

NONE = {1: NOBODY, 8: NOBODY, 16: NOBODY}


def filling(**more: object) -> Bazaar:
    """Ada did both actions, and the three entrances are empty. A red visitor stands at 10."""
    return situation(left=0, groups=NONE | {10: Crowd(red=1)}, **more)  # type: ignore[arg-type]


def test_entrance_refill__three_empty_entrances_in_any_order_from_either_end() -> None:
    """Outside: red, blue, green, yellow, purple, and the same again. Ada lets the last four in at 16, in the order in
    which they come, the first two at 1, and three more from the front at 8. One is left, and the turn is over."""
    state = filling()
    [offer] = offered(state, ADA)["LetIn"]
    assert offer.fields == {
        "entrance": NumberChoice((1, 8, 16), "entrance_taken"),
        "end": TextChoice(("front", "back")),
        "visitors": Range(2, 4, "row"),
    }
    state, events = happened(state, ADA, LetIn(16, "back", 4))
    assert events == [VisitorsLetIn(ADA, 16, "back", ("purple", "yellow", "green", "blue"))]
    assert refused(state, ADA, LetIn(16, "back", 2)) == ("entrance_taken", "entrance/refill")
    state = after(state, ADA, LetIn(1, "front", 2))
    assert state.group(1) == Crowd(red=1, blue=1)
    state, events = happened(state, ADA, LetIn(8, "front", 3))
    assert state.group(8) == Crowd(green=1, yellow=1, purple=1)
    assert state.queue == ("red",)
    assert events[1:] == [TurnStarted(BEN, 5, 2, 2)]


def test_entrance_refill__two_to_four_and_compulsory() -> None:
    state = filling()
    assert set(offered(state, ADA)) == {"LetIn"}
    assert refused(state, ADA, LetIn(1, "front", 1)) == ("out_of_range", "entrance/refill")
    assert refused(state, ADA, MoveGroup(10, 9)) == ("out_of_phase", "turn/two-actions")
    assert refused(filling(queue=QUEUE[:3]), ADA, LetIn(1, "front", 4)) == ("queue", "entrance/refill")


def test_entrance_refill__the_last_group_of_one() -> None:
    """Three are left: two come in, then one alone. The third entrance stays empty."""
    state = after(filling(queue=QUEUE[:3]), ADA, LetIn(1, "front", 2))
    [offer] = offered(state, ADA)["LetIn"]
    assert offer.fields["visitors"] == Range(1, 1, "queue")
    state, events = happened(state, ADA, LetIn(8, "front", 1))
    assert LastRoundStarted(3, ADA, False) in events
    assert (state.group(8), state.group(16), state.seat) == (Crowd(green=1), NOBODY, BEN)


def test_entrance_refill__only_at_the_end_of_the_turn() -> None:
    """Ada moves the group of entrance 8 to 14 and back: there is nothing to fill."""
    state = after(situation(), ADA, MoveGroup(8, 14))
    assert "LetIn" not in offered(state, ADA)
    assert after(state, ADA, MoveGroup(14, 8)).seat == BEN


def test_end_last_round__each_has_one_more_turn_and_who_emptied_the_queue_the_last() -> None:
    """Ben empties the queue: Cleo, Ada, Ben. The entrances that they leave stay empty."""
    groups = {10: Crowd(red=1), 1: NOBODY}
    state = situation(seat=BEN, left=0, queue=("red", "red"), groups=groups, turn=5)
    state, events = happened(state, BEN, LetIn(1, "back", 2))
    assert events[1:] == [LastRoundStarted(3, BEN, False), TurnStarted(CLEO, 6, 2, 2)]
    order = []
    while state.phase != "over":
        order.append(state.seat)
        state, events = happened(state, state.seat, MoveGroup(10, 11))
        state, events = happened(state, state.seat, MoveGroup(11, 10))
    assert order == [CLEO, ADA, BEN]
    assert [type(event) for event in events] == [type(events[0]), BazaarClosed, SeedRevealed]


def test_end_last_round__nobody_is_let_in() -> None:
    """After a standstill there is a queue, and an entrance is left: it is still Ben's turn."""
    state = situation(groups={10: Crowd(red=1)}, last_turns=2)
    state = after(after(state, ADA, MoveGroup(8, 14)), ADA, MoveGroup(10, 9))
    assert (state.group(8), state.seat, state.queue) == (NOBODY, BEN, QUEUE)


def test_end_winner__most_cash_and_shops_do_not_count() -> None:
    """Cleo has the last turn and spends her 100 on a shop. Ada and Ben have 90 each, and share the victory."""
    state = empty_town(seat=CLEO, cash={ADA: 90, BEN: 90, CLEO: 100}, left=1, last_turns=0)
    state, events = happened(state, CLEO, PutUp("R1", 100))
    assert events[-2] == BazaarClosed((ADA, BEN), left=False)
    assert RULESET.to_move(state) == ()
    assert refused(state, ADA, MoveGroup(1, 2)) == ("game_over", "end/winner")


def test_end_winner__alone() -> None:
    state = empty_town(seat=CLEO, cash={ADA: 90, BEN: 95, CLEO: 100}, left=1, last_turns=0)
    assert after(state, CLEO, PutUp("R1", 100)).winners == (BEN,)


@pytest.mark.parametrize(
    ("cash", "english", "german"),
    [
        (
            (1090, 2095, 2000),
            "The game is over: Ben wins with the most cash (Ben: 2,095 dirham, Cleo: 2,000 dirham, Ada: 1,090 dirham).",
            "Das Spiel ist aus: Ben gewinnt mit dem meisten Bargeld (Ben: 2.095 Dirham, Cleo: 2.000 Dirham, Ada: 1.090"
            " Dirham).",
        ),
        (
            (1090, 90, 1090),
            "The game is over: Ada and Cleo share the victory with equal cash, the most of all (Ada: 1,090 dirham,"
            " Cleo: 1,090 dirham, Ben: 90 dirham).",
            "Das Spiel ist aus: Ada und Cleo teilen sich den Sieg mit gleich viel und dem meisten Bargeld (Ada: 1.090"
            " Dirham, Cleo: 1.090 Dirham, Ben: 90 Dirham).",
        ),
    ],
)
def test_end_winner__the_story_says_what_all_have(cash: tuple[int, int, int], english: str, german: str) -> None:
    state = situation(cash=dict(enumerate(cash)))
    winners = tuple(seat for seat in range(3) if cash[seat] == max(cash))
    assert RULESET.texts.tell(state, BazaarClosed(winners, left=False), "en") == english
    assert RULESET.texts.tell(state, BazaarClosed(winners, left=False), "de") == german


def test_end_winner__the_story_names_who_left_behind_all_others() -> None:
    state = situation(cash={ADA: 300, BEN: 200, CLEO: 900})
    state = replace(state, player_ids=("player-0", "player-1", None))
    assert RULESET.texts.tell(state, BazaarClosed((ADA,), left=False), "en") == (
        "The game is over: Ada wins with the most cash (Ada: 300 dirham, Ben: 200 dirham, Seat 3, who left: 900"
        " dirham)."
    )
    state = replace(state, player_ids=(None, "player-1", None))
    assert RULESET.texts.tell(state, BazaarClosed((BEN,), left=True), "en") == (
        "The game is over: all others have left, and Ben wins (Ben: 200 dirham, Seat 3, who left: 900 dirham, Seat 1,"
        " who left: 300 dirham)."
    )


def test_chance_reveal__when_the_game_is_over() -> None:
    state = empty_town(seat=CLEO, cash={ADA: 90, BEN: 95, CLEO: 100}, left=1, last_turns=0)
    state, events = happened(state, CLEO, PutUp("R1", 100))
    assert isinstance(events[-1], SeedRevealed)
    assert RULESET.view(state, None).seed == state.seed is not None  # type: ignore[attr-defined]


def _idle_turn(state: Bazaar) -> Bazaar:
    """A group goes back and forth."""
    return after(after(state, state.seat, MoveGroup(10, 11)), state.seat, MoveGroup(11, 10))


def test_table_standstill__ten_full_rounds_in_which_nothing_happens() -> None:
    """Ada begins every round.

    Ada, Ben, and Cleo lead a red visitor back and forth for ten rounds, 2 to 11. Then each has one more turn, and Cleo
    the last. The queue stays outside.
    """
    state = situation(groups={10: Crowd(red=1)}, turn=4)
    for turn in range(29):
        assert state.last_turns is None, turn
        state = _idle_turn(state)
    state, events = happened(after(state, CLEO, MoveGroup(10, 11)), CLEO, MoveGroup(11, 10))
    assert events[1:] == [LastRoundStarted(3, CLEO, True), TurnStarted(ADA, 34, 12, 2)]
    assert (state.last_turns, state.seat, state.round) == (2, ADA, 12)
    for _ in range(2):
        state = _idle_turn(state)
    assert (state.phase, state.seat) == ("actions", CLEO)
    assert _idle_turn(state).phase == "over"


@pytest.mark.parametrize("what", ["a sale", "a customer", "a newcomer"])
def test_table_standstill__what_happens_begins_the_count_anew(what: str) -> None:
    """In the ninth quiet round, something happens. So the game goes on after ten rounds, and ends after ten more."""
    state = replace(situation(groups={10: Crowd(red=1), 14: Crowd(green=1)}, shops={"G4": (ADA, 0)}), quiet=9)
    if what == "a sale":
        state = after(after(state, ADA, MoveGroup(10, 11)), ADA, PutUp("R1", 1000))
    elif what == "a customer":
        state = after(after(state, ADA, MoveGroup(10, 11)), ADA, MoveGroup(14, 8))
    else:
        state = after(after(state, ADA, MoveGroup(10, 11)), ADA, MoveGroup(8, 9))
        state = after(state, ADA, LetIn(8, "front", 2))
    while state.seat != ADA:
        start = 11 if state.group(11) else 10
        step = after(state, state.seat, MoveGroup(start, 21 - start))
        state = after(step, step.seat, MoveGroup(21 - start, start))
    assert (state.last_turns, state.quiet, state.round) == (None, 0, 3)
