"""What holds for absent players in every game of every rule set: the contract of the default answers."""

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.clock import Clock, TimeOut
from mcmulti.domain.core.capabilities.clock.timing import Timing
from mcmulti.domain.core.capabilities.undo.trail import Undoing
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.course.course import Fact
from mcmulti.domain.core.course.unasked import MovedUnasked
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.rulesets import CURRENT
from mcmulti.library.steps import set_up, take
from tests.pure.properties.random_games import game, moment, readings, seats_of, some_moves
from tests.thorough import examples

ASKING = [name for name, ruleset in CURRENT.items() if ruleset.flow.defaults]
asking = pytest.mark.parametrize("name", ASKING)
seeds = st.integers(0, 11)
moments = st.integers(0, 1000)


def _decided(ruleset: Ruleset[Any], state: Any, seat: int | None, command: Any) -> Any:
    decision = ruleset.decide(state, seat, command, SeededChance(bytes(32), state.game_id))
    assert not isinstance(decision, Rejection), (command, decision)
    return decision


def _paid(ruleset: Ruleset[Any], facts: tuple[Fact, ...], seat: int) -> bool:
    """Whether anything left the accounts of a seat."""
    moved = (each for fact in facts for each in ruleset.books.transfers(fact.event))
    return any(each.amount and each.source.startswith(f"seat:{seat}:") for each in moved)


def _drawn(before: Any, after: Any) -> bool:
    return bool(after.draws != before.draws)


def test_every_game_but_those_by_post_has_default_answers() -> None:
    assert {name for name in CURRENT if name not in ASKING} == {"postal"}


@asking
@examples(200)
@given(seeds, moments)
def test_the_default_answer_is_legal(name: str, seed: int, number: int) -> None:
    ruleset, state = CURRENT[name], moment(name, seed, number)
    for seat in ruleset.to_move(state) if ruleset.status(state) == "running" else ():
        answer = ruleset.flow.default_answer(state, seat)
        assert any(offer.admits(answer) for offer in ruleset.offers(state, seat))
        _decided(ruleset, state, seat, answer)


@asking
@examples(200)
@given(seeds, moments)
def test_the_default_answer_pays_nothing_if_another_answer_pays_nothing(name: str, seed: int, number: int) -> None:
    """Money, barrels, assets: what leaves the accounts of a seat by its own answer, before any dice fall."""
    ruleset, state = CURRENT[name], moment(name, seed, number)
    for seat in ruleset.to_move(state) if ruleset.status(state) == "running" else ():
        by_default = _decided(ruleset, state, seat, ruleset.flow.default_answer(state, seat))
        own = by_default.facts[:1] if _drawn(state, by_default.state) else by_default.facts
        if not _paid(ruleset, own, seat):
            continue
        for offer in ruleset.offers(state, seat):
            for command in some_moves(ruleset, offer):
                other = _decided(ruleset, state, seat, command)
                if _drawn(state, other.state):
                    continue  # whether it pays anything the dice decide
                assert _paid(ruleset, other.facts, seat), (state.phase, command)


@asking
@examples(100)
@given(seeds, moments)
def test_an_absent_player_gets_what_a_present_one_gets_who_answers_so(name: str, seed: int, number: int) -> None:
    """The same events in the same order, so the same dice, money, and goods: being absent is never better."""
    ruleset, state = CURRENT[name], moment(name, seed, number)
    if ruleset.status(state) != "running":
        return
    setup = replace(state.setup, clock=Clock(60), undo="no")
    state = replace(state, setup=setup, timing=Timing(), undoing=Undoing())
    [seat] = ruleset.to_move(state)
    chance = SeededChance(bytes(32), state.game_id)
    absent = ruleset.decide(state, None, TimeOut(), chance)
    assert not isinstance(absent, Rejection)
    events: list[Struct] = []
    present = state
    moved = [fact.event for fact in absent.facts if isinstance(fact.event, MovedUnasked)]
    for _ in moved:
        step = take(ruleset, present, seat, ruleset.flow.default_answer(present, seat), chance)
        events += [fact.event for fact in step.facts]
        present = step.state
    assert [fact.event for fact in absent.facts if not isinstance(fact.event, MovedUnasked)] == events
    assert ruleset.books.gauges(absent.state) == ruleset.books.gauges(present)


@asking
def test_a_game_in_which_everybody_is_absent_ends(name: str) -> None:
    ruleset = CURRENT[name]
    for number in seats_of(name):
        chance = SeededChance(bytes([number] * 32), "game")
        setup = msgspec.convert({"seats": number, **readings(ruleset.setup, Random(number))}, ruleset.setup)
        *_, started = set_up(ruleset, setup, "game", chance)
        state = started.state
        for _ in range(5_000):
            if ruleset.status(state) == "finished":
                break
            [seat] = ruleset.to_move(state)
            state = take(ruleset, state, seat, ruleset.flow.default_answer(state, seat), chance).state
        else:
            raise AssertionError("the game goes on for ever")


def test_by_post_the_referee_decides_what_becomes_of_a_seat_without_a_sheet() -> None:
    """`postal/no-orders`."""
    ruleset, state = CURRENT["postal"], game("postal", 0)[10].state
    with pytest.raises(LookupError):
        ruleset.flow.default_answer(state, 0)


def test_no_production_that_needs_no_decision_is_lost() -> None:
    """Wherever wells may pump in random games, an absent player's pump everything, in its own turn and in others'."""
    ruleset, phases = CURRENT["mcmulti"], set[str]()
    for seed in range(12):
        for step in game("mcmulti", seed):
            state = step.state
            for seat in ruleset.to_move(state) if ruleset.status(state) == "running" else ():
                pumps = [offer for offer in ruleset.offers(state, seat) if offer.command == "PumpCrude"]
                if pumps:
                    [quantity] = pumps[0].fields.values()
                    answer: Any = ruleset.flow.default_answer(state, seat)
                    assert (type(answer).__name__, answer.quantity) == ("PumpCrude", quantity.max)  # type: ignore[attr-defined]
                    phases.add(state.phase)
    assert phases == {"production", "neighbours"}
