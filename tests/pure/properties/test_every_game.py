"""What holds in every game of every rule set, whoever plays and however."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcmulti.domain.core.capabilities.positions import PositionSetUp
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.course.starting import SeatsClosedUp, StartAgreedTo
from mcmulti.domain.core.course.unasked import MovedUnasked
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.table import SeatLeft
from mcmulti.domain.core.wording.telling import LANGUAGES
from mcmulti.domain.rulesets import CURRENT, PLAYED_BY_ORDERS, SHIPPED
from tests.golden.games import OIL_GAMES, files_of, load
from tests.pure.properties.leaving_games import leaving_game
from tests.pure.properties.legality import assert_decided_by_offers
from tests.pure.properties.random_games import game, moment, some_moves, steps, too_long_game
from tests.thorough import examples

GAMES = 12
MANY_SEEDS = 1000
every = pytest.mark.parametrize("name", CURRENT)
seeds = st.integers(0, GAMES - 1)
moments = st.integers(0, 1000)


@every
@examples(60)
@given(seeds, moments)
def test_every_move_that_is_offered_is_accepted_and_something_happens(name: str, seed: int, number: int) -> None:
    ruleset, state = CURRENT[name], moment(name, seed, number)
    for seat in (None, *range(len(state.chairs))):
        for offer in (*ruleset.offers(state, seat), *ruleset.besides(state, seat)):
            if offer.command == ruleset.commands.joining.__name__:
                continue
            for command in some_moves(ruleset, offer):
                decision = ruleset.decide(state, seat, command, SeededChance(bytes(32), state.game_id))
                assert not isinstance(decision, Rejection), (command, decision)
                assert decision.facts, command


@every
@examples(60)
@given(seeds, moments, moments)
def test_what_was_offered_at_another_moment_is_accepted_only_if_it_is_offered_now(
    name: str, seed: int, number: int, other: int
) -> None:
    """From each seat, from one that does not exist, and from nobody. The reason for the refusal is published."""
    ruleset, state, elsewhere = CURRENT[name], moment(name, seed, number), moment(name, seed, other)
    moves = [
        command
        for seat in range(len(state.chairs))
        for offer in ruleset.offers(elsewhere, seat)
        for command in some_moves(ruleset, offer)[:3]
    ]
    for command in (*moves, *(kind() for kind in ruleset.commands.moves if not kind.__struct_fields__)):
        for seat in (None, *range(len(state.chairs) + 1)):
            assert_decided_by_offers(ruleset, state, seat, command, SeededChance(bytes(32), state.game_id))


@every
@examples(12)
@given(seeds)
def test_the_fold_of_the_facts_is_the_state_that_was_decided_on_and_each_has_its_rule(name: str, seed: int) -> None:
    ruleset, state = CURRENT[name], None
    for step in game(name, seed):
        for fact in step.facts:
            state = ruleset.evolve(state, fact.event)
            assert fact.rule in ruleset.texts.rules["en"]
        assert state == step.state


@every
@examples(6)
@given(seeds)
def test_the_same_seed_and_commands_give_the_same_events(name: str, seed: int) -> None:
    found = game(name, seed)
    again = [step for step, _ in zip(steps(CURRENT[name], seed), found, strict=False)]
    assert [step.facts for step in again] == [step.facts for step in found]


@every
@examples(12)
@given(seeds)
def test_the_books_hold_what_everybody_has_after_every_event(name: str, seed: int) -> None:
    """A seat's property is in its accounts, and nothing is negative there."""
    ruleset, state = CURRENT[name], None
    balances = Counter[tuple[str, str]]()
    for step in game(name, seed):
        for fact in step.facts:
            state = ruleset.evolve(state, fact.event)
            for moved in ruleset.books.transfers(fact.event):
                assert moved.amount > 0
                for account, amount in ((moved.source, -moved.amount), (moved.target, moved.amount)):
                    balances[account, moved.unit] += amount
                    if account.startswith("seat:"):
                        balances[account.split(":")[1], moved.unit] += amount
            for holding in ruleset.books.gauges(state).holdings:
                for unit, amount in holding.amounts.items():
                    assert balances[str(holding.seat), unit] == amount >= 0, (fact, unit)


@every
@examples(12)
@given(seeds)
def test_somebody_is_to_move_until_the_game_is_over_and_always_has_a_move(name: str, seed: int) -> None:
    """By post, others may move as well: a sheet can be replaced until the round is refereed."""
    ruleset = CURRENT[name]
    for step in game(name, seed)[1:]:
        moving = ruleset.to_move(step.state)
        assert bool(moving) is (ruleset.status(step.state) != "finished")
        assert all(ruleset.offers(step.state, seat) for seat in moving)
        if not ruleset.flow.anybody:
            others = set(range(len(step.state.chairs))) - set(moving)
            asked = {offer.command for seat in others for offer in ruleset.offers(step.state, seat)}
            assert asked <= {kind.__name__ for kind in ruleset.flow.aside}


@every
def test_all_that_can_happen_happens_and_has_a_sentence_in_every_language(name: str) -> None:
    """Rare events in random games, such as a standstill, are in the golden games. The last one here gets too long."""
    ruleset, told = CURRENT[name], set()
    for number, played in enumerate((*(steps(ruleset, seed) for seed in range(GAMES)), too_long_game(name))):
        state = None
        for step in played:
            for fact in step.facts:
                if type(fact.event) not in told or number == 0:
                    said = [ruleset.texts.tell(state, fact.event, language) for language in LANGUAGES]
                    assert len(set(said)) == len(LANGUAGES), said
                    assert all(sentence.endswith(".") and "{" not in sentence for sentence in said), said
                told.add(type(fact.event))
                state = ruleset.evolve(state, fact.event)
    golden = {event.type for file in files_of(name) for event in load(file)}
    if name not in SHIPPED:  # it has none, and what it shares with others is tested with theirs
        golden |= {event.__name__ for each in SHIPPED.values() for event in each.events}
    seldom: set[type[object]] = {SeatLeft, PositionSetUp}  # no game here begins from a position
    if name in OIL_GAMES:
        seldom |= {SeatsClosedUp}  # the box game does it as it starts, and by post there is no need of it
    if name in PLAYED_BY_ORDERS:
        seldom |= {MovedUnasked, StartAgreedTo}  # no seat is asked that was left, and ends are agreed on as anywhere
    missing = {event for event in set(ruleset.events) - told - seldom if event.__name__ not in golden}
    for seed in range(MANY_SEEDS):  # most games need a few, short ones need many
        if not missing:
            break
        missing -= {type(fact.event) for step in leaving_game(name, seed) for fact in step.facts}
    assert missing == set()


@every
@examples(30)
@given(seeds, moments)
def test_every_offer_has_a_sentence_in_every_language(name: str, seed: int, number: int) -> None:
    ruleset, state = CURRENT[name], moment(name, seed, number)
    for seat in ruleset.to_move(state):
        for offer in ruleset.offers(state, seat):
            said = {ruleset.texts.tell_offer(state, offer, language) for language in LANGUAGES}
            assert len(said) == len(LANGUAGES), said
