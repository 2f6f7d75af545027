"""Any moment of a story, computed from nearby states."""

from typing import Any
from uuid import UUID

import pytest

from mcmulti.cli.replay import story as module
from mcmulti.cli.replay.story import STRIDE, Story, Unplayable
from mcmulti.domain.core.table import presented
from mcmulti.events.log.codec import event_decoder, fold
from mcmulti.events.log.envelope import Draft, Recorded
from tests.games import CALLED
from tests.pure.replay.golden import recorded_lines, story, turn_beginnings


def test_every_moment_is_that_of_the_whole_fold() -> None:
    game = story("four-players")
    decode = event_decoder(game.ruleset.name, game.ruleset.version)
    state: Any = None
    assert game.state(0) is None
    for event in game.events:
        state = presented(game.ruleset.evolve(state, decode(event.data)), CALLED)
        assert game.state(event.seq) == state
    assert game.last == 1010


def test_no_moment_takes_more_folding_than_a_stride(monkeypatch: pytest.MonkeyPatch) -> None:
    game = story("barrels-decide")
    folded: list[int] = []

    def counted(ruleset: Any, events: Any, state: Any) -> Any:
        folded.append(len(events))
        return fold(ruleset, events, state)

    monkeypatch.setattr(module, "fold", counted)
    for seq in range(1, game.last + 1):
        game.state(seq)
    assert max(folded) == STRIDE - 1
    assert len(folded) == game.last == len(recorded_lines("barrels-decide"))


def test_turns_begin_where_the_log_says() -> None:
    game, beginnings = story("two-players"), turn_beginnings("two-players")
    assert game.turns == max(beginnings) == len(beginnings)
    for turn, seq in beginnings.items():
        assert (game.first_of(turn), game.turn(seq), game.turn(seq - 1)) == (seq, turn, turn - 1)
        assert game.last_of(turn) == beginnings.get(turn + 1, game.last + 1) - 1
    assert (game.first_of(0), game.last_of(0)) == (1, 19)


def test_a_turn_that_is_not_in_the_log_is_its_end() -> None:
    assert story("two-players").first_of(10_000) == 748


def test_what_is_sought_is_found_in_types_and_rules() -> None:
    lines = recorded_lines("three-players")
    game = story("three-players")
    struck = tuple(line["seq"] for line in lines if line["type"] == "OilStruck")
    assert struck
    assert game.found("oilSTRUCK", "en") == game.found("OilStruck", "de") == struck
    taxed = tuple(line["seq"] for line in lines if line["rule"] == "news/state-sales-tax")
    assert taxed
    assert game.found("news/state-sales-tax", "en") == taxed


def test_what_is_sought_is_found_in_the_sentences_of_the_language() -> None:
    """All refining is described with these words, in sentences about operations and about the refining itself."""
    game = story("two-players")
    refined = {line["seq"] for line in recorded_lines("two-players") if line["type"] == "CrudeRefined"}
    assert refined
    assert refined <= set(game.found("raffin", "de"))
    assert not refined & set(game.found("raffin", "en"))


def test_players_have_the_names_they_sat_down_with() -> None:
    game = story("two-players")
    assert game.names(1) == (None, None)
    assert game.names(2) == ("Player 1", None)
    assert game.names(748) == ("Player 1", "Player 2")


def test_names_cannot_steer_the_terminal() -> None:
    """An escape sequence in a name is shown without its control character."""
    events = list(story("two-players").events)
    game = Story(events[:3], dict.fromkeys(CALLED, "\x1b[2JEve\nEve"))
    assert game.names(3) == ("[2JEve Eve", "[2JEve Eve")
    assert "[2JEve Eve" in game.lines("en")[1].sentence
    assert "\x1b" not in "".join(line.sentence for line in game.lines("en"))


def _draft(event: Recorded) -> Draft:
    return Draft(event.type, event.data, event.rule, event.actor, event.command_id, event.command)


def _changed(seq: int, **fields: Any) -> list[Recorded]:
    events = list(story("two-players").events)
    events[seq - 1] = events[seq - 1]._replace(**fields)
    return events


@pytest.mark.parametrize(
    ("events", "reason"),
    [
        (_changed(1, data=b'{"type":"GameOpened"}'), "Cannot replay the game: "),
        (_changed(1, data=b'{"ruleset":"chess","version":1}'), "there is no version 1 of rule set 'chess'"),
        (_changed(1, data=b"x"), "Cannot replay the game: "),
        (_changed(9, data=b'{"type":"AssetBought"}'), "Cannot replay event 9: "),
        (_changed(9, data=b'{"type":"CastleTaken"}'), "Cannot replay event 9: "),
        (_changed(9, rule="castle/long"), "Event 9 names an unknown rule: castle/long."),
        (_changed(4, data=b'{"type":"SeatLeft","seat":1}'), "Cannot replay event 9: "),  # nobody plays who buys
        (story("two-players").events[1:], "Cannot replay the game: "),
        ([*story("two-players").events[:7], *story("two-players").events[8:]], "Event 8 is missing: event 9 "),
    ],
)
def test_what_is_no_whole_log_is_refused(events: list[Recorded], reason: str) -> None:
    with pytest.raises(Unplayable) as refused:
        Story(events)
    assert reason in str(refused.value)
    assert str(refused.value).endswith(".")


def test_a_log_that_was_changed_is_told_with_a_doubt() -> None:
    """Event 9 is the purchase of a rig for 5. A price of 4 folds as well, but has another hash."""
    events = list(story("two-players").events)
    assert Story(events).doubt is None
    cheaper = _changed(9, data=events[8].data.replace(b'"price":5', b'"price":4'))
    assert Story(cheaper).doubt == "Event 9 was changed: its hash does not match its content."
    assert Story(cheaper).holdings(9)[1].amounts["dollars"] == 296


def test_a_part_of_the_log_of_another_game_is_noticed() -> None:
    assert Story(_changed(5, game_id=UUID(int=1))).doubt == (
        "Event 5 was changed: its hash does not match its content."
    )
