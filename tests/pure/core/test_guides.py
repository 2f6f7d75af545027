"""Guides for newcomers: a coach speaks at every question, and example turns end as worked out by hand."""

import random

import pytest

from mcmulti import load_game
from mcmulti.api.readings.guides import guide_of
from mcmulti.domain.core.wording.introduction import lessons_of
from mcmulti.domain.core.wording.telling import LANGUAGES
from mcmulti.domain.rulesets import CURRENT, SHIPPED

STEPS = 400
"""Moves of a random game in which each kind of question comes up."""


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
