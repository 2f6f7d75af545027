"""The terms of a table, where a game stands, and what else the server keeps."""

from typing import Any
from uuid import RFC_4122, UUID, uuid4

import pytest

from mcmulti.domain import mcmulti, postal
from mcmulti.domain.core.capabilities.clock import BankUsed, Clock
from mcmulti.domain.core.capabilities.leaving import SeatVacated
from mcmulti.domain.core.capabilities.rating import MOST, companion, companion_number
from mcmulti.domain.core.commands import StartGame, TakeSeat
from mcmulti.domain.core.course.deadlines import next_due
from mcmulti.domain.core.course.standing import Due, Pace
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.table import HOUSE
from mcmulti.domain.core.wording.telling import LANGUAGES
from mcmulti.events.memory.log import MemoryLog
from mcmulti.library.steps import take
from mcmulti.referee.referee import Referee
from tests.scripted_chance import ScriptedChance
from tests.toy import fair


@pytest.mark.parametrize(
    ("ruleset", "options", "attended"),
    [
        (mcmulti.RULESET, {}, []),
        (mcmulti.RULESET, {"clock": Clock(60)}, ["Timekeeper"]),
        (mcmulti.RULESET, {"instructions": 4}, ["AnswerKeeper"]),
        (mcmulti.RULESET, {"clock": Clock(600), "instructions": 4}, ["Timekeeper", "AnswerKeeper"]),
        (postal.RULESET, {}, ["Timekeeper"]),
        (fair.RULESET, {}, []),
    ],
)
async def test_a_table_has_the_attendants_that_its_terms_need(
    ruleset: Ruleset[Any], options: dict[str, Any], attended: list[str]
) -> None:
    referee = Referee(MemoryLog())
    opened = await referee.open(ruleset, ruleset.setup(**options))
    game = await referee.hand(opened.position.game_id)
    assert [type(each).__name__ for each in game.attendants] == attended


@pytest.mark.parametrize(
    ("before", "after", "due"),
    [
        (None, None, None),
        (None, Pace((1, 0), 60, 90), Due(after=90)),
        (Pace((1, 0), 60, 90), Pace((1, 0), 60, 90), None),
        (Pace((1, 0), 60, 90), Pace((1, 1), 60, 70), Due(after=70)),
        (Pace((1, 0), 60, 90), Pace((1, 0), 60, 90, granted=60), Due(longer=60)),
        (Pace((1, 0), 60, 90), None, Due()),
    ],
)
def test_a_deadline_changes_with_the_stretch_and_by_what_is_granted(
    before: Pace | None, after: Pace | None, due: Due | None
) -> None:
    assert next_due(before, after) == due


def test_only_who_comes_and_goes_changes_who_plays() -> None:
    """Three players sit down, and the second resigns in her turn.

    The record says that she left, and with whom she played.
    """
    chance, ruleset = ScriptedChance(), fair.RULESET
    opened = ruleset.open("a game", fair.RULESET.setup(seats=3), chance)
    assert not isinstance(opened, Rejection)
    state = opened.state
    for player in ("a", "b", "c"):
        state = take(ruleset, state, None, TakeSeat(player), chance).state
    begun = take(ruleset, state, 0, StartGame(), chance).state
    terms = ruleset.terms(begun.setup)
    stands = terms.standing(begun)
    assert (stands.status, stands.players, stands.to_move, stands.pace, stands.question) == (
        "running",
        ("a", "b", "c"),
        (0,),
        None,
        None,
    )
    left = SeatVacated(1, "resigned")
    assert terms.react(stands, stands, [BankUsed(0, 1, 1)]).tenures == ()
    [told] = terms.react(stands, terms.standing(left.evolve(begun)), [left]).tenures
    assert (told.player, told.against, told.result, told.resigned, told.began) == ("b", ("a", "c"), "left", 1, None)


def test_where_no_house_bots_are_nobody_can_agree_on_them() -> None:
    refused = fair.RULESET.open("a game", fair.RULESET.setup(if_left="bot"), ScriptedChance())
    assert isinstance(refused, Rejection)
    assert (refused.code, refused.rule, refused.field) == ("no_house", "table/resign", "if_left")
    assert all(fair.RULESET.texts.tell_refusal(refused, language) for language in LANGUAGES)


def test_table_practice__nothing_is_kept_of_who_plays() -> None:
    """The same resignation, in a real game and in a practice game. The rules of the game are the same."""
    kept = {}
    for practice in (False, True):
        chance, ruleset = ScriptedChance(), fair.RULESET
        opened = ruleset.open("a game", fair.RULESET.setup(seats=3, practice=practice), chance)
        assert not isinstance(opened, Rejection)
        state = opened.state
        for player in ("a", "b", "c"):
            state = take(ruleset, state, None, TakeSeat(player), chance).state
        begun = take(ruleset, state, 0, StartGame(), chance).state
        terms, left = ruleset.terms(begun.setup), SeatVacated(1, "resigned")
        told = terms.react(terms.standing(begun), terms.standing(left.evolve(begun)), [left])
        kept[practice] = [each.player for each in told.tenures]
    assert kept == {False: ["b"], True: []}


def test_table_practice__a_companion_is_a_player_of_its_own_at_one_table() -> None:
    ids = {companion(opener, game, number) for opener in "ab" for game in "gh" for number in (1, 2)}
    assert len(ids) == 8
    assert all(UUID(each).variant == RFC_4122 and UUID(each).version == 8 for each in ids)
    assert companion("a", "g", 1) == companion("a", "g", 1)
    assert [companion_number(companion("a", "g", number)) for number in range(1, MOST + 1)] == [1, 2, 3, 4, 5]
    assert companion_number(str(uuid4())) is companion_number(HOUSE[0]) is None
