"""The checker finds every kind of fault in histories that are wrong on purpose."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from mcmulti.events.log.envelope import Recorded
from tests.games import any_random_game, random_postal_game
from tests.slow.chaos.checker import HEARD_WITHIN, Verdict, check, taken_back, timed_out
from tests.slow.chaos.history import (
    Denied,
    Followed,
    History,
    Link,
    Moved,
    Outage,
    Outcome,
    Rewind,
    Seen,
    Sent,
    Span,
    Spare,
    Told,
    Try,
    Use,
)

GAME = any_random_game("marracash", 7)
OTHER = any_random_game("marracash", 8)
"""The game as it continued after the log had gone back: its hashes differ."""
ID = str(GAME[0].game_id)
ENDS = [
    GAME[index - 1] for index in range(1, len(GAME)) if GAME[index].command is not None and GAME[index - 1].seq > 1
] + [GAME[-1]]
"""The last event of each command, except the one that opened the game."""
NOTHING = Verdict([], [], [], [], [], [])
NOWHERE = Told(0, "")


def told(event: Recorded) -> Told:
    return Told(event.seq, event.hash.hex())


def at(number: float) -> Span:
    """When the command of this number was sent and answered: one per second."""
    return Span(number, number + 0.5)


def tried(number: int, *outcomes: Outcome) -> list[Try]:
    """Tries of the command of this number. The successful ones got its last event."""
    return [Try(at(number), outcome, told(ENDS[number]) if outcome == "ok" else None) for outcome in outcomes]


def history_of(*outcomes: tuple[Outcome, ...]) -> History:
    """Clients that sent every command of the game. The first ones are as given, the others succeeded."""
    history = History()
    for number in range(len(ENDS)):
        wanted = outcomes[number] if number < len(outcomes) else ("ok",)
        history.invoke(ID).tries.extend(tried(number, *wanted))
    return history


def found(history: History, log: Sequence[Recorded] = GAME, views: dict[Seen, str] | None = None) -> set[str]:
    """The kinds of faults that the checker finds."""
    verdict = check(history, {ID: log}, views or {})
    assert verdict.sound == (verdict == NOTHING)
    return {name for name, sentences in verdict._asdict().items() if sentences}


def test_a_history_of_what_the_log_holds_is_sound() -> None:
    history = history_of(("ok", "ok"), ("info", "ok"), ("info", "info"), ("info", "fail"))
    history.seen.append(Seen(ID, told(GAME[5]), at(3)))
    assert check(history, {ID: GAME}) == NOTHING


def test_a_command_that_was_refused_and_sent_again_is_another_one() -> None:
    history = history_of()
    history.invoke(ID).tries.append(Try(at(0), "fail"))
    assert found(history) == set()


def test_what_was_acknowledged_and_is_gone_is_lost() -> None:
    """The last command's events are missing. The rest is a sound game that is still running."""
    assert found(history_of(), GAME[: ENDS[-2].seq]) == {"lost"}


def test_a_game_that_is_gone_is_lost() -> None:
    assert found(history_of(), []) == {"lost"}


def test_another_event_in_the_place_of_one_that_was_told_is_a_loss_too() -> None:
    history = history_of()
    history.requests[3].tries[0] = Try(at(3), "ok", Told(ENDS[3].seq, "00" * 32))
    assert "lost" in found(history)


def test_a_command_in_the_log_that_nobody_sent_is_one_that_was_carried_out_twice() -> None:
    history = history_of()
    del history.requests[4]
    assert found(history) == {"doubled"}


def test_a_command_that_certainly_failed_and_is_in_the_log_all_the_same() -> None:
    assert found(history_of(("fail",))) == {"doubled"}


def test_a_repeated_request_that_is_told_something_else() -> None:
    history = history_of(("ok",), ("ok", "ok"))
    history.requests[1].tries[0] = Try(at(1), "ok", told(ENDS[0]))
    assert found(history) == {"doubled"}


def named(event: Recorded) -> Sent:
    """A command that was sent for the position after this event."""
    return Sent("token", "path", {}, {"If-Match": f'"{event.seq}-{event.hash.hex()}"'})


@pytest.mark.parametrize("number", range(1, len(ENDS), 7))
def test_a_command_that_was_carried_out_elsewhere_than_at_the_position_it_names(number: int) -> None:
    """The server ignored ``If-Match``."""
    history = history_of()
    request = history.requests[number]
    history.requests[number] = request._replace(sent=named(ENDS[number - 1]))
    assert found(history) == set()
    wrong = [event for event in GAME if event.seq != ENDS[number - 1].seq]
    for event in (wrong[number % 3], GAME[ENDS[number - 1].seq], wrong[-1]):
        history.requests[number] = request._replace(sent=named(event))
        assert found(history) == {"unsound"}
    history.requests[number] = request._replace(sent=named(wrong[0]), tries=[Try(at(number), "fail")])
    history.invoke(ID).tries.extend(tried(number, "ok"))
    assert found(history) == set(), "that one was refused, and another one sent"


def test_two_requests_that_are_told_the_same_event() -> None:
    history = history_of()
    history.requests[1].tries[0] = Try(at(1), "ok", told(ENDS[0]))
    assert found(history) == {"doubled"}


def test_a_game_that_was_shown_as_it_never_was() -> None:
    """At an event that does not exist, or at one with a wrong state after it: the same tag, other cash."""
    history = history_of()
    history.seen.append(Seen(ID, Told(5, "00" * 32), at(5)))
    assert found(history) == {"invented"}
    seen = Seen(ID, told(GAME[5]), at(5), "token", "a digest")
    history.seen[:] = [seen]
    assert found(history, views={seen: "a digest"}) == set()
    assert found(history, views={seen: "another"}) == {"invented"}


def test_a_game_or_player_that_is_unknown_though_nothing_went_back() -> None:
    history = history_of()
    history.denied.append(Denied(ID, "unknown_game", 0.0, at(9)))
    assert found(history) == {"lost"}


def test_a_promise_that_was_not_kept() -> None:
    history = history_of()
    history.complaints.append("the guest ended by itself with status 1")
    assert found(history) == {"broken"}


@pytest.mark.parametrize("more", [{"rule": "x"}, {"data": GAME[6].data[:-1] + b" }"}])
def test_a_log_that_does_not_hang_together(more: dict[str, Any]) -> None:
    changed = [*GAME[:6], GAME[6]._replace(**more), *GAME[7:]]
    assert found(history_of(), changed) == {"unsound"}


def test_a_round_that_was_closed_before_its_time() -> None:
    """All sheets were in, so the round was closed at once, or one was missing."""
    game = random_postal_game(3)
    closing = next(event for event in game if event.type == "RoundClosed")
    for missing, early in (([], False), ([2], True)):
        closed = closing._replace(data=msgspec.json.encode({**msgspec.json.decode(closing.data), "missing": missing}))
        said = check(History(), {ID: [*game[: closing.seq - 1], closed]}).unsound
        assert any("before its time" in sentence for sentence in said) is early


KEPT = len(ENDS) - 4
"""The last command before the backup was made. Three more were acknowledged before it was restored."""


@dataclass
class Restored:
    """A log that went back to a backup: the last three commands are gone."""

    log: list[Recorded] = field(default_factory=lambda: GAME[: ENDS[KEPT].seq])
    gone: set[tuple[str, Told]] = field(default_factory=lambda: {(ID, told(event)) for event in GAME[ENDS[KEPT].seq :]})
    history: History = field(default_factory=history_of)

    def __post_init__(self) -> None:
        back = float(len(ENDS))
        self.rewind = Rewind(KEPT + 0.9, Span(back, back + 1), self.gone)
        self.after = back + 2
        self.history.rewinds.append(self.rewind)


@pytest.fixture(params=["looked", "could not look"])
def restored(request: pytest.FixtureRequest) -> Restored:
    """With a known loss, and without."""
    found = Restored()
    if request.param == "could not look":
        found.history.rewinds[0] = found.rewind._replace(gone=None)
    return found


def test_a_backup_may_lose_what_was_acknowledged_behind_it(restored: Restored) -> None:
    restored.history.seen.append(Seen(ID, told(GAME[-1]), at(len(ENDS) - 1)))
    assert found(restored.history, restored.log) == set()


def test_a_backup_loses_nothing_that_was_acknowledged_before_it(restored: Restored) -> None:
    assert found(restored.history, GAME[: ENDS[KEPT - 1].seq]) == {"lost"}


def test_what_was_never_in_the_log_that_went_is_no_loss_of_the_backup() -> None:
    restored = Restored(gone=set())
    assert found(restored.history, restored.log) == {"lost"}


@pytest.mark.parametrize("when", ["acknowledged", "shown", "streamed"])
def test_what_comes_when_the_log_is_back_is_not_lost_with_it(restored: Restored, when: str) -> None:
    """A server that has not noticed: it continues with what it has cached."""
    span = at(restored.after)
    if when == "acknowledged":
        restored.history.requests[-1].tries[0] = Try(span, "ok", told(ENDS[-1]))
        assert found(restored.history, restored.log) == {"lost"}
    elif when == "shown":
        restored.history.seen.append(Seen(ID, told(GAME[-1]), span))
        assert found(restored.history, restored.log) == {"invented"}
    else:
        link = Link(told(GAME[-1]), GAME[-1].prev_hash.hex(), span.ended)
        restored.history.followed.append(Followed(ID, span.began, told(GAME[-2]), [link], "cut"))
        assert found(restored.history, restored.log) == {"invented"}


def test_a_request_that_is_repeated_when_the_log_is_back_is_carried_out_again() -> None:
    """A client got the last event. What it gets then has the same number, and another hash."""
    restored = Restored(log=list(GAME), gone={(ID, Told(ENDS[-1].seq, "00" * 32))})
    last = restored.history.requests[-1].tries
    last[:] = [
        Try(at(len(ENDS) - 1), "ok", Told(ENDS[-1].seq, "00" * 32)),
        Try(at(restored.after), "ok", told(ENDS[-1])),
    ]
    assert found(restored.history, restored.log) == set()
    last[1] = last[1]._replace(span=at(len(ENDS) - 0.9))
    assert found(restored.history, restored.log) == {"doubled"}, "it was repeated before the log went back"


def test_two_commands_for_one_request_in_the_log_are_no_matter_of_the_backup() -> None:
    restored = Restored(log=list(GAME), gone=set())
    restored.history.requests[-2].tries.append(Try(at(restored.after), "ok", told(ENDS[-1])))
    del restored.history.requests[-1]
    assert found(restored.history, restored.log) == {"doubled"}


def test_a_player_who_registered_behind_the_backup_is_unknown_and_no_other(restored: Restored) -> None:
    later = at(restored.after)
    restored.history.denied.append(Denied(ID, "unauthenticated", KEPT + 1.5, later))
    assert found(restored.history, restored.log) == set()
    restored.history.denied[:] = [Denied(ID, "unauthenticated", KEPT + 1.5, at(KEPT + 2))]
    assert found(restored.history, restored.log) == {"lost"}, "the log had not gone back yet"
    restored.history.denied[:] = [Denied(ID, "unauthenticated", restored.after, at(restored.after + 1))]
    assert found(restored.history, restored.log) == {"lost"}, "it was made when the log was back"


def stream(events: Sequence[Recorded], end: str | None, began: float = 0.0, first: Told = NOWHERE) -> Followed:
    links = [Link(told(event), event.prev_hash.hex(), began + 0.1) for event in events]
    return Followed(ID, began, first, links, end)


def test_a_reader_who_is_told_that_the_log_went_back(restored: Restored) -> None:
    restored.history.followed.append(stream(GAME, "WentBack", KEPT + 1))
    restored.history.followed.append(stream(GAME, "cut", KEPT + 1))
    restored.history.followed.append(stream(restored.log, None, restored.after))
    restored.history.followed.append(stream(restored.log, "WentBack", restored.after))  # its server had not looked yet
    assert found(restored.history, restored.log) == set()


def test_a_reader_who_is_not_told_that_the_log_went_back(restored: Restored) -> None:
    restored.history.followed.append(stream(GAME, None, KEPT + 1))
    assert found(restored.history, restored.log) == {"misled"}


def test_a_reader_who_is_told_one_story_behind_another(restored: Restored) -> None:
    """The numbers of the events continue, but their hashes do not."""
    restored.history.followed.append(stream([*GAME[:10], *OTHER[10:12]], "cut", KEPT + 1))
    assert "misled" in found(restored.history, GAME)


def test_a_reader_whose_stream_leaves_something_out() -> None:
    history = history_of()
    history.followed.append(stream([*GAME[:4], *GAME[5:]], "over"))
    assert found(history) == {"misled"}
    history.followed[:] = [stream(GAME[4:], "over", first=told(GAME[2]))]
    assert found(history) == {"misled"}
    history.followed[:] = [stream(GAME, "over"), stream(GAME[4:], "over", first=told(GAME[3]))]
    assert found(history) == set()


def test_a_reader_who_is_told_that_the_log_went_back_though_it_did_not() -> None:
    history = history_of()
    history.followed.append(stream(GAME[:5], "WentBack"))
    assert found(history) == {"misled"}


MADE = 1.0
REVOKED = Span(10.0, 11.0)
SOON, LATER = REVOKED.ended + 1, REVOKED.ended + HEARD_WITHIN + 1


def with_token(use: Use, revoked: Span | None = REVOKED) -> History:
    """A token that was made, sent once, and revoked."""
    history = history_of()
    revoking = None if revoked is None else revoked.began
    history.spares.append(Spare("mcm_x", "id", 0.0, MADE, revoking, revoked, [use]))
    return history


@pytest.mark.parametrize(
    ("use", "wrong"),
    [
        (Use(at(2), True), set()),
        (Use(at(2), False), {"lost"}),
        (Use(at(REVOKED.began), True), set()),
        (Use(at(REVOKED.began), False), set()),
        (Use(at(SOON), True), set()),
        (Use(at(SOON), True, anew=True), {"lost"}),
        (Use(at(LATER), True), {"lost"}),
        (Use(at(LATER), False, anew=True), set()),
    ],
)
def test_a_token_is_taken_from_when_it_was_made_until_it_was_revoked(use: Use, wrong: set[str]) -> None:
    assert found(with_token(use)) == wrong


def test_a_token_that_was_not_revoked_is_taken_for_ever() -> None:
    assert found(with_token(Use(at(LATER), True, anew=True), None)) == set()
    assert found(with_token(Use(at(LATER), False, anew=True), None)) == {"lost"}


def test_a_backup_may_bring_a_revoked_token_back_and_lose_one_that_was_made() -> None:
    """It was made before the token was revoked, or before its player registered, but not when it was made later."""
    for use, kept in ((Use(at(LATER), True, anew=True), REVOKED.ended), (Use(at(6), False), MADE + 2)):
        for backup, wrong in ((kept - 2, set()), (kept + 0.5, {"lost"})):
            history = with_token(use)
            history.spares[0].since = MADE
            history.rewinds.append(Rewind(backup, Span(kept + 0.6, kept + 0.7), set()))
            assert found(history) == wrong, (use, backup)


OUTAGE = Outage("7", 100.0, 108.5)


def test_an_outage_is_given_back_to_every_game_once() -> None:
    history = history_of()
    history.outages += [Outage("6", 98.0, 100.0), OUTAGE]
    history.moved += [Moved("7", ID, 8.5), Moved("7", "another game", 8.5)]
    assert found(history) == set()


@pytest.mark.parametrize(
    "more",
    [
        [Moved("7", ID, 8.5)],
        [Moved("7", "another game", 17.0)],
        [Moved("8", "another game", 8.5)],
        [Outage("8", 100.0, 109.0)],
    ],
    ids=["twice", "too much", "for none", "kept twice"],
)
def test_an_outage_that_is_given_back_otherwise(more: list[Any]) -> None:
    history = history_of()
    history.outages += [OUTAGE, *(each for each in more if isinstance(each, Outage))]
    history.moved += [Moved("7", ID, 8.5), *(each for each in more if isinstance(each, Moved))]
    assert found(history) == {"unsound"}


@pytest.mark.parametrize(("seconds", "wrong"), [(4.9, True), (5.0, False)])
def test_a_stretch_that_ends_twice(seconds: float, wrong: bool) -> None:
    """Between two that end, there is time for a move. The change of the log is found, too."""
    opened = msgspec.json.decode(GAME[0].data)
    opened["setup"]["clock"] = {"move_seconds": 5}
    log = [GAME[0]._replace(data=msgspec.json.encode(opened)), *GAME[1:]]
    for index, later in ((8, 0.0), (9, seconds)):
        moment = GAME[8].recorded_at + timedelta(seconds=later)
        log[index] = log[index]._replace(command=b'{"type":"TimeOut"}', recorded_at=moment)
    assert len(timed_out(log)) == 2
    assert any("apart" in sentence for sentence in check(history_of(), {ID: log}).unsound) is wrong


def test_what_the_server_does_on_its_own_is_no_command_of_a_client() -> None:
    """The change of the log is found, too."""
    history, event = history_of(), ENDS[4]
    del history.requests[4]
    index = next(index for index in range(ENDS[3].seq, event.seq) if GAME[index].command is not None)
    log = [*GAME[:index], GAME[index]._replace(command=b'{"type":"TimeOut"}'), *GAME[index + 1 :]]
    assert "doubled" in found(history)
    assert "doubled" not in found(history, log)


def moves(log: Sequence[Recorded], *kinds: str) -> list[Recorded]:
    """A log whose commands end with moves that stand or may be taken back, or that take some back."""
    changed = list(log)
    for event, kind in zip(ENDS, kinds, strict=False):
        data = {"moves": int(kind)} if kind.isdigit() else {"final": kind == "stands"}
        name = "MovesTakenBack" if kind.isdigit() else "MoveClosed"
        changed[event.seq - 1] = event._replace(type=name, data=msgspec.json.encode(data))
    return changed


@pytest.mark.parametrize(
    ("kinds", "back"),
    [
        (("stands", "may", "1"), {1}),
        (("may", "may", "2"), {0, 1}),
        (("may", "may", "1", "may", "2"), {0, 1, 3}),
        (("may", "stands", "may", "1"), {2}),
    ],
)
def test_which_moves_were_taken_back(kinds: tuple[str, ...], back: set[int]) -> None:
    assert taken_back(moves(GAME, *kinds)) == {ENDS[index].seq for index in back}


@pytest.mark.parametrize(("number", "undone"), [(1, True), (1, False), (3, True), (3, False)])
def test_an_old_request_is_told_whether_its_moves_were_taken_back(number: int, undone: bool) -> None:
    """The second move was, the fourth was not. The change of the log is found, too."""
    log = moves(GAME, "stands", "may", "1", "may")
    history = history_of()
    again = Try(at(99), "ok", told(ENDS[number]), undone)
    history.repeated.append((history.requests[number], again))
    assert ("misled" in found(history, log)) is (undone is not (number == 1))
    history.repeated.clear()
    history.requests[number].tries.append(again)
    assert ("misled" in found(history, log)) is (undone and number == 3), "before it was taken back it was not"


@pytest.mark.parametrize("again", [Try(at(99), "ok", told(ENDS[2])), Try(at(99), "fail")])
def test_an_old_request_that_gets_another_answer_when_all_is_quiet(again: Try) -> None:
    history = history_of()
    history.repeated.append((history.requests[1], again))
    assert found(history) == {"doubled"}
