"""The dice race by its rules alone, and what a game with turns needs."""

import ast
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from mcmulti.domain.core import turns
from mcmulti.domain.core.capabilities.clock import Clock, TimeOut
from mcmulti.domain.core.capabilities.leaving import Resign
from mcmulti.domain.core.capabilities.undo import TakeBack
from mcmulti.domain.core.capabilities.votes import AnswerEnd, ProposeEnd
from mcmulti.domain.core.commands import StartGame, TakeSeat
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.shown.gauges import Die
from mcmulti.domain.core.wording.sentences import Incomplete
from mcmulti.domain.core.wording.telling import LANGUAGES
from mcmulti.library.steps import take
from mcmulti.simulation import play
from tests.scripted_chance import ScriptedChance
from tests.toy import race
from tests.toy.race import RULESET, Race, Setup, Throw, Walk

FOLDER = Path(race.__file__).parent
Moves = tuple[tuple[int | None, Struct], ...]


def _begun(seats: int = 2, **setup: Any) -> Race:
    chance = ScriptedChance()
    opened = RULESET.open("a game", Setup(seats=seats, **setup), chance)
    assert not isinstance(opened, Rejection)
    state = opened.state
    for player in "abcd"[:seats]:
        state = take(RULESET, state, None, TakeSeat(player), chance).state
    begun: Race = take(RULESET, state, 0, StartGame(), chance).state
    return begun


def _after(state: Race, *moves: tuple[int | None, Struct], dice: tuple[int, ...] = ()) -> Race:
    chance = ScriptedChance(dice)
    for seat, command in moves:
        state = take(RULESET, state, seat, command, chance).state
    assert chance.unused == ()
    return state


def test_it_is_written_in_less_than_130_lines_with_its_texts() -> None:
    files = [file for file in FOLDER.iterdir() if file.is_file()]
    assert sum(len(file.read_text("utf-8").splitlines()) for file in files) < 130


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.py")), ids=lambda file: file.name)
def test_it_needs_the_core_alone(file: Path) -> None:
    imported = [
        node.module for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.ImportFrom)
    ]
    assert imported
    for module in imported:
        assert module in ("typing", "msgspec", "msgspec.structs") or str(module).startswith("mcmulti.domain.core.")


def test_a_race_of_six_spaces_by_hand() -> None:
    """`race/walk`, `race/throw`, `race/goal`.

    Ada walks to 2, Ben throws a five and stands on 5. Ada throws a one and is back at the start. Ben walks to 7, which
    is beyond 6: he wins.
    """
    state = _after(_begun(goal=6), (0, Walk()), (1, Throw()), (0, Throw()), dice=(5, 1))
    assert (state.at, state.turn, state.to_move, state.status) == ((0, 5), 4, (1,), "running")
    state = _after(state, (1, Walk()))
    assert (state.at, state.winners, state.status, state.to_move) == ((0, 7), (1,), "finished", ())
    assert state.seed is not None
    assert RULESET.outcome(state).decided_by == "most"


def test_every_field_of_its_view_is_explained() -> None:
    described = race.RaceView.__doc__ or ""
    assert [name for name in race.RaceView.__struct_fields__ if f"`{name}`: " not in described] == []


@pytest.mark.parametrize(
    ("seat", "command", "code"),
    [(1, Walk(), "out_of_turn"), (None, Walk(), "no_seat"), (0, StartGame(), "game_started")],
)
def test_what_is_not_offered_is_refused(seat: int | None, command: Struct, code: str) -> None:
    refused = RULESET.decide(_begun(), seat, command, ScriptedChance())
    assert isinstance(refused, Rejection)
    assert refused.code == code
    assert all(RULESET.texts.tell_refusal(refused, language) for language in LANGUAGES)


def test_one_player_alone_cannot_start() -> None:
    chance = ScriptedChance()
    opened = RULESET.open("a game", Setup(seats=3), chance)
    assert not isinstance(opened, Rejection)
    state = take(RULESET, opened.state, None, TakeSeat("a"), chance).state
    refused = RULESET.decide(state, 0, StartGame(), chance)
    assert isinstance(refused, Rejection)
    assert (refused.code, RULESET.texts.tell_refusal(refused, "en")) == (
        "too_few_players",
        "There are not enough players.",
    )


def test_who_resigns_walks_on_and_wins_nothing() -> None:
    """Of three players, the first resigns.

    The default answer is given for the empty seat, and the leader of the others wins.

    Ada is walked to 2 and 4, and 6 is the goal. Of Ben on 2 and Cleo on 3, Cleo wins.
    """
    state = _after(_begun(3, goal=6), (0, Resign()))
    assert (state.at, state.to_move) == ((2, 0, 0), (1,))
    state = _after(state, (1, Walk()), (2, Throw()), dice=(3,))
    assert (state.at, state.to_move) == ((4, 2, 3), (1,))
    state = _after(state, (1, Throw()), (2, Throw()), dice=(1, 1))
    assert (state.at, state.status, state.winners) == ((6, 0, 0), "finished", (1, 2))


def test_the_last_who_stays_wins_at_once() -> None:
    state = _after(_begun(), (0, Throw()), (0, Resign()), dice=(6,))
    assert (state.at, state.winners, state.departures.ended) == ((6, 0), (1,), "left")


@pytest.mark.parametrize(("how", "winners"), [("rank", (0,)), ("call_off", ())])
def test_all_may_agree_to_end_it(how: Any, winners: tuple[int, ...]) -> None:
    """In turn 9, after four rounds of turns."""
    state = replace(_begun(goal=20), turn=9)
    state = _after(state, (0, Walk()), (1, ProposeEnd(how)), (0, AnswerEnd(how, True)))
    assert (state.status, state.winners) == ("finished", winners)


def test_nobody_agrees_on_a_ranking_before_four_rounds_of_turns_are_over() -> None:
    rank, off = ProposeEnd("rank"), ProposeEnd("call_off")
    for turn, proposal, code in ((8, rank, "ranked_too_early"), (8, off, None), (9, rank, None)):
        decided = RULESET.decide(replace(_begun(), turn=turn), 1, proposal, ScriptedChance())
        assert (decided.code if isinstance(decided, Rejection) else None) == code


def test_whoever_lets_the_time_pass_walks() -> None:
    state = _after(_begun(clock=Clock(60, misses=2)), (None, TimeOut()))
    assert (state.at, state.to_move) == ((2, 0), (1,))


def test_a_move_can_be_taken_back_until_a_die_falls() -> None:
    state = _begun(undo="own")
    assert _after(state, (0, Walk()), (0, TakeBack(1))).at == (0, 0)
    thrown = _after(state, (0, Throw()), dice=(4,))
    assert isinstance(RULESET.decide(thrown, 0, TakeBack(1), ScriptedChance()), Rejection)


def test_the_die_of_a_throw_counts_and_a_walk_has_none() -> None:
    thrown = [RULESET.dice.thrown(fact.event) for step in play(RULESET, Setup(), 4) for fact in step.facts]
    assert {len(dice) for dice in thrown} == {0, 1}
    assert {die.name for dice in thrown for die in dice} == {"die"}
    assert all(isinstance(die, Die) and 1 <= die.face <= 6 for dice in thrown for die in dice)


def test_it_is_called_by_its_name_in_every_language() -> None:
    assert RULESET.title == "The dice race"
    assert [RULESET.called(language) for language in LANGUAGES] == ["The dice race", "Das Würfelrennen"]
    assert replace(RULESET, name="unnamed").called("de") == "The dice race"


def test_an_import_fails_where_a_text_is_missing() -> None:
    """The core has none of the race's own texts."""
    with pytest.raises(Incomplete, match="RaceOpened, RunnerMoved"):
        turns.in_turns(
            race.__name__,
            name="dice_race",
            state=Race,
            view=race.RaceView,
            moves=RULESET.flow.carriers,
            offers=RULESET.flow.offers,
            defaults=RULESET.flow.defaults,
            over=lambda state: False,
            turns="race/turn",
            ends="race/goal",
            books=RULESET.books,
            phrases=turns.Phrases,
        )
