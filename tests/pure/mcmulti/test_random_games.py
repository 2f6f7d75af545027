"""What holds in every box game, whoever plays and however."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import product

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.offers import Choice, Field, Offer, Range, Rejection
from mcmulti.domain.mcmulti import RULESET, commands
from mcmulti.domain.mcmulti.components import FIELDS
from mcmulti.domain.mcmulti.phases.dice import DiceRolled
from mcmulti.domain.mcmulti.phases.operations import CrudeRefined, GasolineSold
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.mcmulti.state import State
from mcmulti.library.steps import Step
from mcmulti.simulation import play
from tests.accounts import held
from tests.pure.properties.commands import any_command
from tests.pure.properties.legality import assert_decided_by_offers
from tests.thorough import examples

players = st.integers(2, 4)
seeds = st.integers(0, 39)
moments = st.integers(0, 400)


@lru_cache(maxsize=3 * 40)
def game(number: int, seed: int) -> tuple[Step, ...]:
    return tuple(play(RULESET, Setup(seats=number), seed, most_steps=400))


def chance_of(steps: tuple[Step, ...]) -> SeededChance:
    return SeededChance(bytes(32), steps[0].state.game_id)


def every_move(offer: Offer) -> list[Struct]:
    """Every command that an offer lists."""
    command = getattr(commands, offer.command)
    values = [every_value(field) for field in offer.fields.values()]
    return [command(**dict(zip(offer.fields, chosen, strict=True))) for chosen in product(*values)]


def every_value(field: Field) -> Sequence[object]:
    if isinstance(field, Choice):
        return field.options
    assert isinstance(field, Range)
    return range(field.min, field.max + 1, field.step)


@examples(300)
@given(players, seeds, moments, any_command)
def test_a_command_is_accepted_only_if_an_offer_admits_it(
    number: int, seed: int, moment: int, command: Command
) -> None:
    """From each seat, from one that does not exist, and from nobody."""
    steps = game(number, seed)
    state: State = steps[min(moment, len(steps) - 1)].state
    for seat in (None, 0, 1, 2, 3):
        assert_decided_by_offers(RULESET, state, seat, command, chance_of(steps))


@examples(100)
@given(players, seeds, moments)
def test_one_more_than_the_most_is_refused_with_the_limit(number: int, seed: int, moment: int) -> None:
    steps = game(number, seed)
    state: State = steps[min(moment, len(steps) - 1)].state
    for seat in RULESET.to_move(state):
        for offer in RULESET.offers(state, seat):
            quantity = offer.fields.get("quantity")
            if not isinstance(quantity, Range):
                continue
            most = every_move(offer)[-1]
            over = msgspec.structs.replace(most, quantity=quantity.max + 1)
            refused = RULESET.decide(state, seat, over, chance_of(steps))
            assert isinstance(refused, Rejection)
            assert (refused.code, refused.field, refused.limit) == (quantity.limited_by, "quantity", quantity.max)


@examples(40)
@given(players, seeds)
def test_cash_and_barrels_are_never_negative(number: int, seed: int) -> None:
    for step in game(number, seed):
        state: State = step.state
        assert all(min(player.cash, player.crude, player.gasoline) >= 0 for player in state.players)
        for market in (state.domestic, state.foreign):
            assert 0 <= market.crude <= FIELDS
            assert 0 <= market.gasoline <= FIELDS


@examples(40)
@given(players, seeds)
def test_no_site_holds_two_assets(number: int, seed: int) -> None:
    """The assets in a quadrant cover as many sites as their parts: 4 a refinery, 1 anything else."""
    for step in game(number, seed):
        for quadrant in step.state.quadrants:
            ones = quadrant.rigs.bit_count() + quadrant.wells.bit_count() + quadrant.stations.bit_count()
            assert quadrant.occupied.bit_count() == ones + 4 * quadrant.refineries.bit_count()
            assert quadrant.occupied < 2**36
            assert quadrant.idle & ~quadrant.refineries == 0


@examples(40)
@given(players, seeds)
def test_every_event_posts_to_zero_and_the_books_tell_the_state(number: int, seed: int) -> None:
    """Barrels and money are conserved: at every event, the accounts add up to what players and markets hold."""
    balances: Counter[tuple[str, str]] = Counter()
    state: State | None = None
    for step in game(number, seed):
        for fact in step.facts:
            for moved in RULESET.books.transfers(fact.event):
                assert moved.amount > 0
                balances[moved.source, moved.unit] -= moved.amount
                balances[moved.target, moved.unit] += moved.amount
            state = fact.event.evolve(state)
            accounts = held(state)
            assert {account: amount for account, amount in balances.items() if amount and account[0] in accounts} == {
                (account, unit): amount for account, (unit, amount) in accounts.items() if amount
            }, fact


@examples(40)
@given(players, seeds)
def test_nobody_sells_or_refines_in_a_turn_what_came_in_it(number: int, seed: int) -> None:
    """Stations and refineries together use no more than was in store when the dice fell (`production/order`)."""
    state: State | None = None
    store: list[list[int]] = []
    for step in game(number, seed):
        for fact in step.facts:
            event = fact.event
            if isinstance(event, DiceRolled):
                assert state is not None
                store = [[player.crude, player.gasoline] for player in state.players]
            if isinstance(event, GasolineSold):
                store[event.seat][1] -= len(event.prices)
            if isinstance(event, CrudeRefined):
                store[event.seat][0] -= event.quantity
            assert all(min(barrels) >= 0 for barrels in store), fact
            state = event.evolve(state)
