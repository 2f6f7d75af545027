"""Whose mark a sentence of the story has: that of the player it is about, not of the one whose move led to it."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from mcmulti.domain.rulesets import SHIPPED
from mcmulti.events.log.codec import event_decoder, opened_with
from mcmulti.projections.reports.replay import Happening, frames
from tests.golden.games import FILES, load
from tests.profiles import profile_of
from tests.projections.mutants import changed_file

FOLDER = Path(FILES[0]).parent


def told(name: str) -> tuple[Any, list[tuple[int, Happening]]]:
    """A recorded game: its rule set, and the events of each turn."""
    events = load(FOLDER / name)
    ruleset = opened_with(events[0])
    return ruleset, [(frame.turn, frame.happened[0]) for frame in frames(ruleset, None, events)]


def firsts(happened: list[tuple[int, Happening]]) -> Iterator[Happening]:
    """The first sentence of every turn."""
    return (now for (before, _), (turn, now) in pairwise(happened) if turn != before)


@pytest.mark.parametrize(
    ("name", "type_", "field"), [(name, *turns) for name in SHIPPED if (turns := profile_of(name).turns)]
)
def test_the_first_sentence_of_a_turn_carries_the_mark_of_its_own_player(name: str, type_: str, field: str) -> None:
    """The ghost has none. Its turn followed from another player's last move."""
    ruleset, happened = told(changed_file(name).name)
    decode = event_decoder(ruleset.name, ruleset.version)
    first = list(firsts(happened))
    assert len(first) > 3
    assert {each.type for each in first} == {type_}
    for each in first:
        event = decode(bytes(each.data))  # type: ignore[arg-type]
        assert each.about == getattr(event, field)
    assert any(each.about != each.actor for each in first)


def test_a_round_that_all_play_is_nobodys() -> None:
    _, happened = told("by-post-sales.jsonl")
    rounds = [each for _, each in happened if each.type in ("RoundBegan", "RoundClosed")]
    assert {(each.about, each.actor is None) for each in rounds} == {(None, False)}


def test_a_game_that_is_over_is_nobodys() -> None:
    for name in (name for name in SHIPPED if profile_of(name).turns):
        _, happened = told(changed_file(name).name)
        *_, (_, end), (_, revealed) = happened
        assert (end.about, revealed.type) == (None, "SeedRevealed")


def test_what_nobody_may_know_is_nobodys_sentence() -> None:
    """The voter stays secret, although the event names the seat."""
    _, happened = told("called-off.jsonl")
    votes = [each for _, each in happened if each.type == "VoteCast"]
    assert votes
    assert {each.about for each in votes} == {None}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_sentence_that_begins_with_a_name_carries_the_mark_of_that_player(path: Path) -> None:
    events = load(path)
    for frame in frames(opened_with(events[0]), None, events):
        [happened] = frame.happened
        if named := re.match(r"Seat (\d) ", happened.sentence):
            assert happened.about == int(named[1]) - 1, happened.sentence
