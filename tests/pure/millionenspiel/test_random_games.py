"""What holds in every game, whoever plays and however."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from random import Random
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.commands import LeaveSeat, StartGame
from mcmulti.domain.core.offers import Offer, Range, Rejection
from mcmulti.domain.millionenspiel import RULESET
from mcmulti.domain.millionenspiel.phases.ending import GameEnded
from mcmulti.domain.millionenspiel.phases.pensions import BuyPension
from mcmulti.domain.millionenspiel.phases.returning import PiecesExchanged
from mcmulti.domain.millionenspiel.phases.rounds import PawnBrought
from mcmulti.domain.millionenspiel.phases.staking import Stake
from mcmulti.domain.millionenspiel.phases.throwing import AcceptThrow, DeclineThrow
from mcmulti.domain.millionenspiel.picture import picture
from mcmulti.domain.millionenspiel.pieces import KINDS, VALUES
from mcmulti.domain.millionenspiel.state import Millionenspiel, Setup
from mcmulti.events.log.envelope import Head
from mcmulti.events.log.snapshot import taken
from mcmulti.library.steps import Step
from mcmulti.projections.svg.board import drawn
from mcmulti.simulation import play
from tests.pure.properties.legality import assert_decided_by_offers
from tests.thorough import examples

GAMES = 8
players = st.integers(3, 5)
seeds = st.integers(0, GAMES - 1)
moments = st.integers(0, 1500)
numbers = st.integers(0, 12)
stakes = st.builds(Stake, numbers, numbers, numbers, numbers, numbers, numbers)
payments = st.builds(BuyPension, numbers, numbers, numbers, numbers, numbers)
others = st.sampled_from([AcceptThrow(), DeclineThrow(), StartGame(), LeaveSeat()])


@lru_cache(maxsize=3 * GAMES)
def game(number: int, seed: int) -> tuple[Step, ...]:
    return tuple(play(RULESET, Setup(seats=number), seed))


def moment_of(number: int, seed: int, moment: int) -> Millionenspiel:
    steps = game(number, seed)
    state: Millionenspiel = steps[moment % len(steps)].state
    return state


def chance_of(state: Millionenspiel) -> SeededChance:
    return SeededChance(bytes(32), state.game_id)


@examples(300)
@given(players, seeds, moments, stakes | payments | others)
def test_a_command_is_accepted_only_if_an_offer_admits_it(number: int, seed: int, moment: int, command: Struct) -> None:
    """From each seat and from nobody."""
    state = moment_of(number, seed, moment)
    for seat in (None, *range(number)):
        assert_decided_by_offers(RULESET, state, seat, command, chance_of(state))


@examples(100)
@given(players, seeds, moments)
def test_one_piece_more_than_there_is_is_refused_with_the_limit(number: int, seed: int, moment: int) -> None:
    state = moment_of(number, seed, moment)
    for seat in RULESET.to_move(state):
        for offer in RULESET.offers(state, seat):
            if offer.command != "Stake":
                continue
            for name, field in offer.fields.items():
                assert isinstance(field, Range)
                refused = RULESET.decide(state, seat, Stake(**{name: field.max + 1}), chance_of(state))
                assert isinstance(refused, Rejection)
                assert (refused.code, refused.field, refused.limit) == ("purse", name, field.max)


@examples(20)
@given(players, seeds)
def test_money_and_pieces_are_conserved_and_the_books_tell_the_state(number: int, seed: int) -> None:
    """After every event, each account of a seat holds the pieces that lie there, and their value in money."""
    balances: Counter[tuple[str, str]] = Counter()
    state = None
    for step in game(number, seed):
        for fact in step.facts:
            state = RULESET.evolve(state, fact.event)
            for line in RULESET.books.transfers(fact.event):
                assert line.amount > 0
                balances[line.source, line.unit] -= line.amount
                balances[line.target, line.unit] += line.amount
            for seat, player in enumerate(state.players):
                for name, pieces in (("purse", player.purse), ("stake", player.stake)):
                    held = dict(zip(KINDS, pieces.counts, strict=True)) | {"money": pieces.worth}
                    assert all(balances[f"seat:{seat}:{name}", unit] == held[unit] >= 0 for unit in held), fact
                assert player.pension in (5, 50, 500)
        assert state == step.state
        for unit in ("money", *KINDS):
            assert sum(amount for (_, counted), amount in balances.items() if counted == unit) == 0
        in_kinds = sum(balances["bank", kind] * value for kind, value in zip(KINDS, VALUES, strict=True))
        assert balances["bank", "money"] == in_kinds


@examples(20)
@given(players, seeds)
def test_when_somebody_has_to_stake_nobody_has_more_than_ten_of_a_kind(number: int, seed: int) -> None:
    """There may be more of the highest. An exchange does not change what a player owns."""
    for step in game(number, seed):
        state: Millionenspiel = step.state
        for player in state.players:
            if state.phase == "staking":
                assert max((player.purse + player.stake).counts[:-1]) <= 10
        for fact in step.facts:
            if isinstance(fact.event, PiecesExchanged):
                assert fact.event.given.worth == fact.event.got.worth > 0


def idle_game(number: int) -> list[Step]:
    """A game in which everybody passes from the first stake on, and lets every throw stand."""

    def nothing(random: Random, offer: Offer, command: type[Struct]) -> Struct:
        return command()

    def passing(random: Random, offers: tuple[Offer, ...]) -> Offer:
        return next(offer for offer in offers if offer.command in ("Stake", "AcceptThrow"))

    return list(play(RULESET, Setup(seats=number), 1, passing, fill=nothing))


@pytest.mark.parametrize("number", [3, 4, 5])
def test_a_game_in_which_nobody_ever_stakes_ends(number: int) -> None:
    """After ten rounds, by standstill."""
    last = idle_game(number)[-1]
    [ended] = [fact.event for fact in last.facts if isinstance(fact.event, GameEnded)]
    assert (ended.reason, last.state.round) == ("standstill", 10)


def timid_game(number: int) -> Iterator[Step]:
    """A long game: everybody stakes the smallest piece there is, lets every throw stand, and buys nothing."""

    def smallest(random: Random, offer: Offer, command: type[Struct]) -> Struct:
        has = [kind for kind, field in offer.fields.items() if isinstance(field, Range) and field.max]
        return command(**dict.fromkeys(has[:1], 1))

    def staking(random: Random, offers: tuple[Offer, ...]) -> Offer:
        return next(offer for offer in offers if offer.command in ("Stake", "AcceptThrow"))

    return play(RULESET, Setup(seats=number), 1, staking, fill=smallest)


def test_nothing_but_the_log_grows_with_the_game() -> None:
    """Snapshot, view, offers, and picture are no larger after 5,000 events than after 100, apart from digits."""
    sizes: list[dict[str, int]] = []
    events = 0
    for step in timid_game(5):
        events += len(step.facts)
        state = step.state
        if events > (100, 5000)[len(sizes)] and state.phase == "staking" and state.players[state.waiting[0]].money > 9:
            shown = {
                "snapshot": taken(bytes(32), UUID(int=1), RULESET, state, Head(events, bytes(32))).state,
                "view": msgspec.json.encode(RULESET.view(state, 0)),
                "offers": msgspec.json.encode(RULESET.offers(state, state.waiting[0])),
                "picture": drawn(picture(state, "en")),
            }
            sizes.append({name: len(content) for name, content in shown.items()})
            if len(sizes) == 2:
                break
    early, late = sizes
    assert state.round > 200
    for name, size in early.items():
        assert late[name] < 1.2 * size, (name, size, late[name])


def all_in_game(number: int, seed: int) -> list[Step]:
    """A game in which everybody stakes all it has, round after round, and declines every throw."""

    def everything(random: Random, offer: Offer, command: type[Struct]) -> Struct:
        return command(**{kind: field.max for kind, field in offer.fields.items() if isinstance(field, Range)})

    def going(random: Random, offers: tuple[Offer, ...]) -> Offer:
        return next(offer for offer in offers if offer.command in ("Stake", "DeclineThrow"))

    return list(play(RULESET, Setup(seats=number), seed, going, fill=everything))


@pytest.mark.parametrize("number", [3, 4, 5])
def test_who_loses_all_again_and_again_is_never_stuck(number: int) -> None:
    """All money is at stake in every round, so it is often lost: pensions move the game on, to a million."""
    steps = all_in_game(number, 2)
    happened = Counter(type(fact.event) for step in steps for fact in step.facts)
    assert happened[PawnBrought] > 3
    assert steps[-1].state.phase == "over"
    assert happened[GameEnded] == 1


@examples(20)
@given(players, seeds)
def test_a_game_that_is_not_over_waits_for_somebody_who_can_move(number: int, seed: int) -> None:
    """Nobody else is asked, and nobody without money is asked for a stake."""
    for step in game(number, seed):
        state: Millionenspiel = step.state
        if RULESET.status(state) == "open":
            continue  # a table waits for players
        moving = RULESET.to_move(state)
        assert bool(moving) == (RULESET.status(state) != "finished")
        for seat in range(number):
            assert bool(RULESET.offers(state, seat)) == (seat in moving)
        if state.phase == "staking":
            assert state.players[moving[0]].purse
