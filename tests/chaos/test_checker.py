"""The checker finds what it is there for, in histories that are wrong on purpose."""

from typing import Any

import pytest

from mcmulti.events.envelope import Recorded
from tests.chaos.checker import Verdict, check
from tests.chaos.history import History, Outcome, Told
from tests.games import random_bazaar

GAME = random_bazaar(7)
ID = str(GAME[0].game_id)
ENDS = [
    GAME[index - 1] for index in range(1, len(GAME)) if GAME[index].command is not None and GAME[index - 1].seq > 1
] + [GAME[-1]]
"""The last event of each command but the one that opened the game."""


def told(event: Recorded) -> Told:
    return Told(event.seq, event.hash.hex())


def history_of(*outcomes: tuple[Outcome, ...]) -> History:
    """Clients that sent every command of the game; those of the first ones are as told, the others went well."""
    history = History()
    for number, event in enumerate(ENDS):
        request = history.invoke(ID, f"key {number}")
        request.outcomes.extend(outcomes[number] if number < len(outcomes) else ("ok",))
        request.told.extend(told(event) for outcome in request.outcomes if outcome == "ok")
    return history


def found(history: History, log: list[Recorded] = GAME) -> set[str]:
    """What kinds of wrong the checker finds."""
    return {name for name, sentences in check(history, {ID: log})._asdict().items() if sentences}


def test_a_history_of_what_the_log_holds_is_sound() -> None:
    history = history_of(("ok", "ok"), ("info", "ok"), ("info", "info"), ("info", "fail"))
    history.read(ID, told(GAME[5]))
    assert check(history, {ID: GAME}) == Verdict([], [], [], [])


def test_a_command_that_was_refused_and_sent_again_is_another_one() -> None:
    history = history_of()
    history.invoke(ID, "refused").outcomes.append("fail")
    assert found(history) == set()


def test_what_was_acknowledged_and_is_gone_is_lost() -> None:
    """The last command's events are not there: the rest is a sound game that goes on."""
    assert "lost" in found(history_of(), GAME[: ENDS[-2].seq])


def test_another_event_in_the_place_of_one_that_was_told_is_a_loss_too() -> None:
    history = history_of()
    history.requests[3].told[0] = Told(ENDS[3].seq, "00" * 32)
    assert found(history) == {"lost"}


def test_a_command_in_the_log_that_nobody_sent_is_one_that_was_carried_out_twice() -> None:
    history = history_of()
    del history.requests[4]
    assert found(history) == {"doubled"}


def test_a_command_that_certainly_failed_and_is_in_the_log_all_the_same() -> None:
    assert found(history_of(("fail",))) == {"doubled"}


def test_a_repeated_request_that_is_told_something_else() -> None:
    history = history_of(("ok", "ok"))
    history.requests[0].told[1] = told(ENDS[1])
    assert found(history) == {"doubled"}


def test_two_requests_that_are_told_the_same_event() -> None:
    history = history_of()
    history.requests[1].told[0] = told(ENDS[0])
    assert found(history) == {"doubled"}


def test_a_game_that_was_shown_as_it_never_was() -> None:
    history = history_of()
    history.read(ID, Told(5, "00" * 32))
    assert found(history) == {"invented"}


@pytest.mark.parametrize("more", [{"rule": "x"}, {"data": GAME[6].data[:-1] + b" }"}])
def test_a_log_that_does_not_hang_together(more: dict[str, Any]) -> None:
    changed = [*GAME[:6], GAME[6]._replace(**more), *GAME[7:]]
    assert found(history_of(), changed) == {"unsound"}
