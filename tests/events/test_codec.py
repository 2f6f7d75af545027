"""Events as bytes, and the states that they fold to."""

import msgspec
import pytest

from mcmulti.events.codec import event_decoder, fold, fold_data, opened_with
from tests.golden.test_golden_games import FILES, load

GAME = load(next(file for file in FILES if file.stem == "two-players"))
RULESET = opened_with(GAME[0])
DATA = [event.data for event in GAME]


def test_the_data_alone_folds_to_what_the_rules_make_of_the_events() -> None:
    decode = event_decoder(RULESET.name, RULESET.version)
    state = None
    for event in GAME:
        state = RULESET.evolve(state, decode(event.data))

    assert fold_data(RULESET, DATA) == state
    assert fold(RULESET, GAME) == state


@pytest.mark.parametrize("cut", [0, 1, 100, len(GAME)])
def test_a_fold_goes_on_from_the_state_it_is_given(cut: int) -> None:
    before = fold_data(RULESET, DATA[:cut])

    assert fold_data(RULESET, iter(DATA[cut:]), before) == fold_data(RULESET, DATA)
    assert fold_data(RULESET, [], before) is before


def test_no_event_at_all_folds_to_nothing() -> None:
    assert fold_data(RULESET, []) is None
    assert fold(RULESET, []) is None


@pytest.mark.parametrize("data", [b"", b"{}", b"null", b'{"type":"Unheard"}', DATA[1] + b"}"])
def test_bytes_that_are_no_event_are_refused(data: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        fold_data(RULESET, [DATA[0], data])
