"""Replays: the sentence, rule, change, and holdings of every step."""

from typing import Any
from uuid import UUID

import msgspec
import pytest
from jsonpatch import apply_patch

from mcmulti.domain.core.course.course import Fact
from mcmulti.domain.core.table import SeatLeft, SeatTaken
from mcmulti.domain.mcmulti import RULESET
from mcmulti.events.log.codec import draft, fold, opened_with
from mcmulti.events.log.envelope import Head, Recorded, seal
from mcmulti.projections.reports.replay import By, Frame, frames
from tests.games import random_game
from tests.golden.games import FILES, load

GAME = random_game(3, 5)


def seen(events: list[Recorded], seat: int | None = None) -> Any:
    """The view after the events, as JSON."""
    ruleset = opened_with(events[0])
    return msgspec.json.decode(msgspec.json.encode(ruleset.view(fold(ruleset, events), seat)))


def operations(frame: Frame) -> Any:
    return msgspec.json.decode(msgspec.json.encode(frame.patch))


@pytest.mark.parametrize("by", ["event", "turn"])
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_patches_lead_from_view_to_view(file: Any, by: By) -> None:
    """Each patch, applied by the library to the result of the ones before it, gives the view of the folded log."""
    events = load(file)
    ruleset = opened_with(events[0])
    view, state, at = None, None, 0
    for frame in frames(ruleset, None, events, by=by):
        view = apply_patch(view, operations(frame), in_place=True)
        state = fold(ruleset, events[at : frame.seq], state)
        at = frame.seq
        assert view == msgspec.json.decode(msgspec.json.encode(ruleset.view(state, None))), frame.seq
    assert at == len(events)


def test_a_frame_an_event_tells_what_the_log_says() -> None:
    told = list(frames(RULESET, None, GAME))
    assert [frame.seq for frame in told] == [event.seq for event in GAME]
    for frame, event in zip(told, GAME, strict=True):
        (happening,) = frame.happened
        assert (happening.seq, happening.type, happening.data) == (event.seq, event.type, msgspec.Raw(event.data))
        assert (happening.rule, happening.actor, happening.recorded_at) == (event.rule, event.actor, event.recorded_at)
        assert happening.rule_text == RULESET.texts.rules["en"][event.rule]


def test_a_turn_of_more_than_five_hundred_events_is_several_frames() -> None:
    """Before the start, a player sits down and leaves until the log has 1,001 events, all in turn 0: frames end with
    events 500 and 1,000, and the last one has the rest.
    """
    sat = [SeatTaken(0, str(UUID(int=7)), ""), SeatLeft(0)] * 500
    drafts = draft([Fact(event, "table/join") for event in sat], 0)
    head = Head(GAME[0].seq, GAME[0].hash)
    events = [GAME[0], *seal(GAME[0].game_id, head, drafts, GAME[0].recorded_at)]
    told = list(frames(RULESET, None, events, by="turn"))
    assert [(frame.seq, frame.turn, len(frame.happened)) for frame in told] == [
        (500, 0, 500),
        (1000, 0, 500),
        (1001, 0, 1),
    ]
    view = None
    for frame in told:
        view = apply_patch(view, operations(frame))
    assert view == seen(events)


def test_a_frame_a_turn_holds_all_of_the_turn() -> None:
    """A turn begins with `TurnBegan`, which gives its number. Everything before the first is turn 0."""
    told = list(frames(RULESET, None, GAME, by="turn"))
    assert [frame.turn for frame in told] == list(range(len(told)))
    assert [happening.seq for frame in told for happening in frame.happened] == [event.seq for event in GAME]
    for frame in told[1:]:
        assert frame.happened[0].type == "TurnBegan"
        assert msgspec.json.decode(msgspec.json.encode(frame.happened[0]))["data"]["turn"] == frame.turn
        assert all(happening.type != "TurnBegan" for happening in frame.happened[1:])


def test_a_replay_may_begin_anywhere() -> None:
    """From event 101 on, starting with the state after event 100: the same frames as in the whole replay."""
    whole = list(frames(RULESET, None, GAME))
    assert list(frames(RULESET, fold(RULESET, GAME[:100]), GAME[100:])) == whole[100:]


def test_the_patches_are_for_the_reader_s_own_view() -> None:
    """The view of seat 1 says `you: 1`."""
    first = next(frames(RULESET, None, GAME[:4], seat=1))
    assert operations(first) == [{"op": "add", "path": "", "value": seen(GAME[:1], 1)}]
    assert seen(GAME[:1], 1)["you"] == 1


def test_holdings_are_what_everybody_has() -> None:
    """Three players begin with 250 million dollars, two barrels of each good and no assets (`setup/start-capital`)."""
    started = next(frame for frame in frames(RULESET, None, GAME) if frame.happened[0].type == "GameStarted")
    assert [(h.seat, *h.amounts.values(), h.worth) for h in started.holdings] == [
        (seat, 250, 2, 2, 250) for seat in range(3)
    ]
