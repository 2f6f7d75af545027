"""Guides for newcomers: a coach speaks at every question, and example turns end as worked out by hand."""

import random

import pytest

from mcmulti import State, load_game
from mcmulti.api.readings.guides import example_states, guide_of
from mcmulti.domain.core.wording.guide import example_of, lessons_of
from mcmulti.domain.core.wording.telling import LANGUAGES
from mcmulti.domain.rulesets import CURRENT, SHIPPED

STEPS = 400
"""Moves of a random game in which each kind of question comes up."""


def played(name: str) -> State:
    """The position after the example turn of a game."""
    example = example_of(CURRENT[name])
    assert example is not None
    return example_states(example)[-1]


@pytest.mark.parametrize("name", SHIPPED)
def test_a_coach_has_something_to_say_at_every_question(name: str) -> None:
    """For every question of a random game, and equally in every language."""
    lessons = lessons_of(CURRENT[name], "en")
    for seed in range(3):
        chosen = random.Random(seed)
        state = load_game(name).new_initial_state(seed)
        for _ in range(STEPS):
            if state.is_terminal():
                break
            asked = {offer.command for offer in state.offers()}
            assert any(asked & {*lesson.when} for lesson in lessons), asked
            actions = state.legal_actions()
            state.apply_action(actions[chosen.randrange(len(actions))])
    for language in LANGUAGES:
        assert [each.name for each in lessons_of(CURRENT[name], language)] == [each.name for each in lessons]


@pytest.mark.parametrize("name", SHIPPED)
def test_the_example_says_in_every_language_what_happens(name: str) -> None:
    guides = [guide_of(CURRENT[name], language) for language in LANGUAGES]
    assert len({len(guide.example) for guide in guides}) == 1
    for guide in guides:
        assert all(section.text and section.events for section in guide.example)
        assert {event.rule for section in guide.example for event in section.events} <= {
            *CURRENT[name].texts.rules["en"]
        }


def test_the_example_of_the_box_game() -> None:
    """70 - 16 + 25 - 10 - 48 = 21 in cash. Gasoline: 1 + 1 - 1 + 1 = 2. Crude: 1 - 1 + 2 = 2."""
    ada, ben, *_ = played("mcmulti").table.players
    assert (ada.cash, ada.gasoline, ada.crude) == (21, 2, 2)
    assert (ben.gasoline, ben.crude) == (2, 2)


def test_the_example_of_marracash() -> None:
    """Ada: 650 + 100 + 200 + 100 = 1,050. Ben: 700 - 150 + 100 = 650."""
    assert played("marracash").table.cash == (1050, 650, 500, 600)


def test_the_example_of_millionenspiel() -> None:
    """12 + 100 = 112, 6, 5 + 30 = 35, and 4 + 40 = 44."""
    assert [player.money for player in played("millionenspiel").table.players] == [112, 6, 35, 44]


def test_the_example_by_post() -> None:
    """Ada: 200 - 48 - 64 - 5 + 10 + 26 + 25 = 144; crude 3 - 2 = 1, gasoline 3 - 1 - 2 + 2 = 2."""
    ada, *others = played("postal").table.players
    assert (ada.cash, ada.crude, ada.gasoline) == (144, 1, 2)
    assert [player.cash for player in others] == [152, 152, 200]
