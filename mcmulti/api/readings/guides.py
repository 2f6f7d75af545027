"""Guides for newcomers: an example turn with pictures, and what a coach says."""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from mcmulti.api.http.answers import Answer, encoded
from mcmulti.api.http.contract import Call, LanguageQuery, answer, operation
from mcmulti.api.http.problems import ApiError
from mcmulti.api.operations.players import known
from mcmulti.api.readings.pictures import SVG
from mcmulti.domain.core.figures import RuleId, RulesetName, Sentence
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.wording.introduction import Example, Lesson, example_of, lessons_of
from mcmulti.domain.core.wording.telling import Language
from mcmulti.domain.rulesets import CURRENT
from mcmulti.library.game import action_of
from mcmulti.library.positions import open_position
from mcmulti.library.state import State
from mcmulti.projections.svg import board as board_svg

_NAMES = ("Ada", "Ben", "Cleo", "Dan")
_MOST = 20


class ExampleEvent(Struct, frozen=True):
    """An event of the example turn, told as in any game. `rule`: the rule behind it."""

    sentence: Sentence
    rule: RuleId


class ExampleSection(Struct, frozen=True):
    """A part of the example turn. `text`: what happens, and why. `events`: what the rules make of it."""

    text: Sentence
    events: tuple[ExampleEvent, ...]


class GuideView(Struct, frozen=True, kw_only=True):
    """A guide for newcomers. `example`: an example turn, step by step; `drawExample` draws the board after each step.
    `lessons`: what a coach says. The first lesson whose `when` has an offered command belongs to what the game asks. A
    game without a guide has empty lists.
    """

    name: RulesetName
    example: tuple[ExampleSection, ...]
    lessons: tuple[Lesson, ...]


class StepQuery(LanguageQuery, frozen=True, forbid_unknown_fields=True):
    """`step`: after this step of the example turn; 0 is the position before it. `language`: of all words."""

    step: Annotated[int, Meta(ge=0, le=_MOST)] = 0


@operation(
    "GET",
    "/v1/rulesets/{ruleset}/guide",
    summary="Read a guide for newcomers: an example turn, and a coach's lessons",
    answer=GuideView,
)
async def get_guide(call: Call, query: LanguageQuery, ruleset: str) -> Answer:
    """Explains a game to people who have never played it. The rules themselves play the example turn: its events are
    those of a real game from the same position. The aim of the game and how a turn goes are rules (`getRuleset`).
    """
    return answer(_guide(known(ruleset).name, query.language))


@operation(
    "GET",
    "/v1/rulesets/{ruleset}/example.svg",
    summary="Draw the board after a step of the example turn",
    texts=(SVG,),
    problems=("no_picture",),
)
async def draw_example(call: Call, query: StepQuery, ruleset: str) -> Answer:
    """The picture is drawn like that of a game (`drawBoard`)."""
    found = known(ruleset)
    example = example_of(found)
    if example is None or found.picture is None:
        raise ApiError("no_picture", f"{found.title} has no pictures of an example turn.")
    if query.step > len(example.steps):
        raise ApiError("no_picture", f"The example turn of {found.title} has {len(example.steps)} steps.")
    return Answer(_example_board(found.name, query.step, query.language), media_type=SVG)


def guide_of(ruleset: Ruleset[Any], language: Language) -> GuideView:
    """The guide to a game."""
    example = example_of(ruleset)
    sections = () if example is None else tuple(_example_sections(ruleset, example, language))
    return GuideView(name=ruleset.name, example=sections, lessons=lessons_of(ruleset, language))


@cache
def _guide(name: str, language: Language) -> bytes:
    return encoded(guide_of(CURRENT[name], language))


@cache
def _example_board(name: str, step: int, language: Language) -> bytes:
    ruleset = CURRENT[name]
    example = example_of(ruleset)
    assert example is not None
    assert ruleset.picture is not None
    return board_svg.drawn(ruleset.picture(example_states(example)[step].table, language))


def example_states(example: Example) -> list[State]:
    """The example turn: the state before it, and after each step."""
    states = [open_position(example.position, names=_NAMES)]
    for step in example.steps:
        state = states[-1].clone()
        for move in step.moves:
            state.apply_action(action_of(state.game, msgspec.json.decode(move)))
        for value in step.draws:
            state.apply_action(value)
        states.append(state)
    return states


def _example_sections(ruleset: Ruleset[Any], example: Example, language: Language) -> Iterator[ExampleSection]:
    """Each step, with its events in sentences."""
    for step, (before, after) in zip(example.steps, pairwise(example_states(example)), strict=True):
        table, told = before.table, []
        for happened in after.happened()[len(before.happened()) :]:
            for fact in happened.facts:
                told.append(ExampleEvent(ruleset.texts.tell(table, fact.event, language), fact.rule))
                table = fact.event.evolve(table)
        yield ExampleSection(step.text[language], tuple(told))
