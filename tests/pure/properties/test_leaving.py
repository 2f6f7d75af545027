"""What holds in every game of every rule set in which people leave, arrive, and propose an end."""

from collections import Counter
from random import Random
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcmulti.domain.core.capabilities.leaving import SeatVacated, SubstituteSatDown
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.course.unasked import MovedUnasked
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.table import SeedRevealed, people
from mcmulti.domain.core.wording.telling import LANGUAGES
from mcmulti.domain.rulesets import CURRENT, PLAYED_BY_ORDERS, SHIPPED
from mcmulti.projections.proof.proof import verify
from tests.games import record
from tests.pure.properties.leaving_games import leaving_game, sitting_down
from tests.pure.properties.random_games import some_moves
from tests.thorough import examples

SEEDS = 30
MANY_SEEDS = 1000
"""Enough for short games, in which little happens."""
every = pytest.mark.parametrize("name", CURRENT)
seeds = st.integers(0, SEEDS - 1)
moments = st.integers(0, 1000)


@every
@examples(SEEDS)
@given(seeds)
def test_the_game_waits_for_somebody_who_is_there_or_it_is_over_and_the_seed_is_shown(name: str, seed: int) -> None:
    ruleset = CURRENT[name]
    steps = leaving_game(name, seed)
    started = next(index for index, step in enumerate(steps) if ruleset.status(step.state) == "running")
    for step in steps[started:]:
        state = step.state
        if ruleset.status(state) == "running":
            assert len(people(state)) > 1
            assert set(ruleset.to_move(state)) <= set(state.taken)
            assert ruleset.to_move(state)
        else:
            outcome = ruleset.outcome(state)
            assert state.seed is not None
            assert isinstance(step.facts[-1].event, SeedRevealed)
            assert set(outcome.winners) <= set(state.taken)
            assert bool(outcome.winners) is (outcome.decided_by != "called_off")
            assert outcome.decided_by is not None
            assert not any((*ruleset.besides(state, seat), *ruleset.offers(state, seat)) for seat in state.taken)
            assert not ruleset.offers(state, None)


@every
@examples(SEEDS)
@given(seeds)
def test_the_fold_is_the_state_that_was_decided_on_and_the_books_hold_what_everybody_has(name: str, seed: int) -> None:
    ruleset, state = CURRENT[name], None
    balances = Counter[tuple[str, str]]()
    for step in leaving_game(name, seed):
        for fact in step.facts:
            state = ruleset.evolve(state, fact.event)
            assert fact.rule in ruleset.texts.rules["en"]
            for moved in ruleset.books.transfers(fact.event):
                for account, amount in ((moved.source, -moved.amount), (moved.target, moved.amount)):
                    if account.startswith("seat:"):
                        balances[account.split(":")[1], moved.unit] += amount
            for holding in ruleset.books.gauges(state).holdings:
                for unit, amount in holding.amounts.items():
                    assert balances[str(holding.seat), unit] == amount >= 0, (fact, unit)
        assert state == step.state


@every
@examples(SEEDS)
@given(seeds)
def test_the_log_proves_it_whoever_left(name: str, seed: int) -> None:
    steps = leaving_game(name, seed)
    proof = verify(record(UUID(steps[0].state.game_id), steps))
    assert proof.fault is None
    assert proof.seed_revealed is (steps[-1].state.seed is not None)


@every
@examples(60)
@given(seeds, moments)
def test_what_is_offered_at_any_time_is_accepted_and_something_happens(name: str, seed: int, number: int) -> None:
    """To seats, and to players without one.

    Whatever else is going on, nothing in the game happens to those who stay.
    """
    ruleset, steps = CURRENT[name], leaving_game(name, seed)
    state = steps[number % len(steps)].state
    for seat in range(len(state.player_ids)):
        for offer in ruleset.besides(state, seat):
            for command in some_moves(ruleset, offer):
                decision = ruleset.decide(state, seat, command, SeededChance(bytes(32), state.game_id))
                assert not isinstance(decision, Rejection), (command, decision)
                assert decision.facts, command
    for offer in ruleset.offers(state, None):
        if offer.command == "TakeSeat" and ruleset.status(state) == "running":
            command = sitting_down(state, Random(number), [offer], "newcomer")
            decision = ruleset.decide(state, None, command, SeededChance(bytes(32), state.game_id))
            assert not isinstance(decision, Rejection)
            *made_room, sat_down = [fact.event for fact in decision.facts]
            assert isinstance(sat_down, SubstituteSatDown)
            assert sat_down.player == command.player
            assert made_room in ([], [SeatVacated(sat_down.seat, "returned")])


@every
@examples(SEEDS)
@given(seeds)
def test_who_sat_where_can_be_read_from_the_events(name: str, seed: int) -> None:
    ruleset = CURRENT[name]
    steps = leaving_game(name, seed)
    started = next(step.state for step in steps if ruleset.status(step.state) == "running")
    seats: list[str | None] = list(started.player_ids)
    tenants = [[player] for player in seats]
    for step in steps:
        for fact in step.facts:
            if isinstance(fact.event, SeatVacated):
                seats[fact.event.seat] = None
            elif isinstance(fact.event, SubstituteSatDown):
                seats[fact.event.seat] = fact.event.player
                tenants[fact.event.seat].append(fact.event.player)
        if step.state.status != "open":
            assert tuple(seats) == step.state.player_ids
    if steps[-1].state.departures.tenants:
        assert steps[-1].state.departures.tenants == tuple(map(tuple, tenants))


@every
@examples(20)
@given(seeds)
def test_all_that_happens_has_a_sentence_in_every_language(name: str, seed: int) -> None:
    ruleset, state = CURRENT[name], None
    for step in leaving_game(name, seed):
        for fact in step.facts:
            said = [ruleset.texts.tell(state, fact.event, language) for language in LANGUAGES]
            assert len(set(said)) == len(LANGUAGES), said
            state = ruleset.evolve(state, fact.event)


@pytest.mark.parametrize("name", SHIPPED)
def test_in_these_games_people_leave_come_and_end_it_in_every_way(name: str) -> None:
    ended, happened = set(), set()
    moved = {MovedUnasked} if name not in PLAYED_BY_ORDERS else set()
    for seed in range(MANY_SEEDS):
        steps = leaving_game(name, seed)
        ended.add(steps[-1].state.departures.ended)
        happened |= {type(fact.event) for step in steps for fact in step.facts}
        if {"left", "agreed", "called_off"} <= ended and {SeatVacated, SubstituteSatDown} | moved <= happened:
            return
    raise AssertionError((ended, happened))
