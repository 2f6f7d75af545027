"""The wool fair by its rules alone."""

import ast
from collections import Counter
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from mcmulti.domain.core.capabilities import leaving, votes
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.commands import LeaveSeat, StartGame, TakeSeat
from mcmulti.domain.core.course import starting
from mcmulti.domain.core.course.unasked import MovedUnasked
from mcmulti.domain.core.event import events_of
from mcmulti.domain.core.offers import Choice, Limit, Offer, Range, Rejection
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.table import SeatLeft
from mcmulti.domain.core.wording.sentences import Incomplete
from mcmulti.domain.core.wording.telling import LANGUAGES
from mcmulti.domain.core.wording.texts import texts_in
from mcmulti.library.steps import Step, take
from mcmulti.simulation import play
from tests.scripted_chance import ScriptedChance
from tests.thorough import examples
from tests.toy import fair, fair_2
from tests.toy.fair.state import Fair, Setup, Trader
from tests.toy.fair.trading import BuyWool, SellWool, Wait

versions = st.sampled_from([fair.RULESET, fair_2.RULESET])
players = st.integers(2, 5)
seeds = st.integers(0, 19)
moments = st.integers(0, 60)
relaxed = examples(60)


@cache
def _game(version: int, number: int, seed: int) -> tuple[Step, ...]:
    ruleset = {1: fair.RULESET, 2: fair_2.RULESET}[version]
    return tuple(play(ruleset, Setup(seats=number), seed))


def _begun(*, days: int) -> Fair:
    """Ada and Ben at a fair of this many days."""
    chance = ScriptedChance()
    opened = fair.RULESET.open("a game", Setup(seats=2, days=days), chance)
    assert not isinstance(opened, Rejection)
    state = opened.state
    for player in ("a", "b"):
        state = take(fair.RULESET, state, None, TakeSeat(player), chance).state
    begun: Fair = take(fair.RULESET, state, 0, StartGame(), chance).state
    return begun


def test_a_fair_of_two_days_by_hand() -> None:
    """`fair/purse`, `fair/price`, `fair/close`.

    Both come with 20 florins, and a sack costs 5. Ada buys three for 15 and has 5 left; Ben waits. A six is thrown: a
    sack costs 2 more, 8. Ada sells her three for 24 and has 29; Ben buys two for 16 and has 4. The last day ends: his
    two go for 8 each, and he has 20. Ada wins.
    """
    chance = ScriptedChance([6])
    state = _begun(days=2)
    for seat, command in ((0, BuyWool(3)), (1, Wait()), (0, SellWool(3)), (1, BuyWool(2))):
        state = take(fair.RULESET, state, seat, command, chance).state
    assert state.traders == (Trader(29, 0), Trader(20, 0))
    assert (fair.RULESET.outcome(state).winners, fair.RULESET.status(state)) == ((0,), "finished")
    assert chance.unused == ()


def test_who_has_as_much_as_the_other_shares() -> None:
    """`fair/close`: neither trades, and both end with the 20 florins they came with."""
    state = _begun(days=1)
    for seat in (0, 1):
        state = take(fair.RULESET, state, seat, Wait(), ScriptedChance()).state
    assert state.winners == (0, 1)


@pytest.mark.parametrize(
    ("seat", "command", "code", "most"),
    [
        (0, BuyWool(5), "purse", 4),  # 20 florins at 5 each
        (0, SellWool(1), "store", None),
        (1, Wait(), "out_of_turn", None),
        (None, Wait(), "no_seat", None),
        (0, StartGame(), "game_started", None),
        (0, LeaveSeat(), "game_started", None),
        (None, TakeSeat("a"), "already_seated", None),
    ],
)
def test_what_is_not_offered_is_refused(seat: int | None, command: Struct, code: str, most: int | None) -> None:
    refused = fair.RULESET.decide(_begun(days=2), seat, command, ScriptedChance())
    assert isinstance(refused, Rejection)
    assert refused.code == code
    assert most is None or refused.limit == most


@relaxed
@given(versions, players, seeds, moments)
def test_every_move_that_is_offered_is_accepted(ruleset: Ruleset[Any], number: int, seed: int, moment: int) -> None:
    steps = _game(ruleset.version, number, seed)
    state = steps[min(moment, len(steps) - 1)].state
    chance = SeededChance(bytes(32), state.game_id)
    for seat in range(number):
        for offer in ruleset.offers(state, seat):
            for command in _every_move(ruleset, offer):
                assert not isinstance(ruleset.decide(state, seat, command, chance), Rejection), command
    assert bool(ruleset.to_move(state)) is (ruleset.status(state) != "finished") or moment == 0


@relaxed
@given(versions, players, seeds)
def test_the_books_hold_what_everybody_has_and_nothing_is_lost(ruleset: Ruleset[Any], number: int, seed: int) -> None:
    """The mint and the pens give what players have, and take it back: every unit sums to zero, after every event."""
    balances: Counter[tuple[str, str]] = Counter()
    state = None
    for step in _game(ruleset.version, number, seed):
        for fact in step.facts:
            state = ruleset.evolve(state, fact.event)
            assert fact.rule in ruleset.texts.rules["en"]
            for moved in ruleset.books.transfers(fact.event):
                assert moved.amount > 0
                balances[moved.source, moved.unit] -= moved.amount
                balances[moved.target, moved.unit] += moved.amount
            for unit in ("florins", "wool"):
                assert sum(amount for (_, counted), amount in balances.items() if counted == unit) == 0
            for seat, trader in enumerate(state.traders):
                assert balances[f"seat:{seat}:purse", "florins"] == trader.florins >= 0
                assert balances[f"seat:{seat}:store", "wool"] == trader.wool >= 0
        assert state == step.state


@pytest.mark.parametrize("ruleset", [fair.RULESET, fair_2.RULESET], ids=["1", "2"])
def test_all_that_happens_has_a_sentence_in_every_language(ruleset: Ruleset[Any]) -> None:
    state, told = None, set()
    for step in _game(ruleset.version, 5, 1):
        for fact in step.facts:
            said = {ruleset.texts.tell(state, fact.event, language) for language in LANGUAGES}
            assert len(said) == len(LANGUAGES)
            told.add(type(fact.event))
            state = ruleset.evolve(state, fact.event)
    elsewhere = {SeatLeft, MovedUnasked, *events_of(starting, leaving, votes)}  # all seats are taken, and nobody leaves
    assert told == set(ruleset.events) - elsewhere


@pytest.mark.parametrize("file", sorted(Path(fair.__file__).parent.parent.glob("fair*/*.py")), ids=str)
def test_the_rules_need_the_core_alone(file: Path) -> None:
    """No oil, no other game, nothing of the engine."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mcmulti"):
            assert str(node.module).startswith("mcmulti.domain.core"), file


def _every_move(ruleset: Ruleset[Any], offer: Offer) -> list[Struct]:
    """Every command that an offer lists."""
    command = next(move for move in ruleset.commands.moves if move.__name__ == offer.command)
    values = [field.options for field in offer.fields.values() if isinstance(field, Choice | Range)]
    return [command(**dict(zip(offer.fields, chosen, strict=True))) for chosen in product(*values)]


@pytest.mark.parametrize("option", ["clock", "undo", "instructions"])
def test_a_table_cannot_agree_on_what_the_fair_has_not(option: str) -> None:
    """It asks all its traders in one round: it knows neither clocks nor moves that are taken back."""
    with pytest.raises(msgspec.ValidationError, match=f"unknown field `{option}`"):
        msgspec.convert({option: None}, Setup)


def test_the_fair_has_a_text_of_every_rule_that_tables_share() -> None:
    """A player resigns: the replay names the rule, although the fair's own texts do not mention it."""
    step = take(fair.RULESET, _begun(days=3), 0, leaving.Resign(), ScriptedChance())
    for language in LANGUAGES:
        for fact in step.facts:
            assert fair.RULESET.texts.rules[language][fact.rule]


def test_an_import_fails_where_a_rule_has_no_text() -> None:
    limits = {**fair.RULESET.flow.limits, "rain": Limit("rain", "fair/rain")}
    with pytest.raises(Incomplete, match="no text of fair/rain in 'en'"):
        texts_in(
            fair.__name__,
            flow=replace(fair.RULESET.flow, limits=limits),
            events=fair.texts.EVENTS,
            phrases=fair.texts.Phrases,
            components={},
        )
