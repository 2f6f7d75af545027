"""Events as bytes, and the states that they fold to."""

from uuid import UUID

import msgspec
import pytest

from mcmulti.domain.core.commands import LeaveSeat
from mcmulti.domain.core.course.course import Fact
from mcmulti.domain.core.table import SeatLeft, SeatTaken
from mcmulti.domain.rulesets import CURRENT, SHIPPED
from mcmulti.events.log.codec import draft, event_decoder, fold, opened_with
from mcmulti.events.log.envelope import Draft
from tests.golden.games import FILES, files_of, load

GAME = load(next(file for file in FILES if file.stem == "two-players"))
RULESET = opened_with(GAME[0])
TAKEN = '{"type":"SeatTaken","seat":1,"player":"Änn","entropy":""}'.encode()


def test_what_was_decided_is_encoded_with_the_command_on_its_first_event() -> None:
    facts = [Fact(SeatLeft(1), "table/leave"), Fact(SeatTaken(1, "Änn", ""), "table/join")]
    number = UUID(int=5)

    assert draft(facts, 1, number, LeaveSeat()) == [
        Draft("SeatLeft", b'{"type":"SeatLeft","seat":1}', "table/leave", 1, number, b'{"type":"LeaveSeat"}'),
        Draft("SeatTaken", TAKEN, "table/join", 1, number, None),
    ]
    assert [one.command for one in draft(facts)] == [None, None]
    assert draft([], 1, number, LeaveSeat()) == []


@pytest.mark.parametrize("name", SHIPPED)
def test_a_game_folds_to_what_the_rules_make_of_its_events(name: str) -> None:
    game, ruleset = load(files_of(name)[0]), CURRENT[name]
    decode = event_decoder(name, ruleset.version)
    state = None
    for event in game:
        state = ruleset.evolve(state, decode(event.data))

    assert fold(ruleset, game) == state


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("cut", [0, 1, 100, 10_000])
def test_a_fold_goes_on_from_the_state_it_is_given(name: str, cut: int) -> None:
    game, ruleset = load(files_of(name)[0]), CURRENT[name]
    before = fold(ruleset, game[:cut])

    assert fold(ruleset, iter(game[cut:]), before) == fold(ruleset, game)
    assert fold(ruleset, [], before) is before


def test_no_event_at_all_folds_to_nothing() -> None:
    assert fold(RULESET, []) is None


@pytest.mark.parametrize("data", [b"", b"{}", b"null", b'{"type":"Unheard"}', GAME[1].data + b"}"])
def test_bytes_that_are_no_event_are_refused(data: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        fold(RULESET, [GAME[0], GAME[1]._replace(data=data)])
