"""What holds in every game by post, whoever plays and however."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from random import Random
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.commands import Command, LeaveSeat, StartGame, TakeSeat
from mcmulti.domain.core.event import published
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.mcmulti import RULESET as BOX
from mcmulti.domain.postal import RULESET
from mcmulti.domain.postal import commands as k
from mcmulti.domain.postal.components import FIELDS
from mcmulti.domain.postal.refereeing.refereeing import OrdersSubmitted
from mcmulti.domain.postal.rounds import pace
from mcmulti.domain.postal.sheets.checking import check, forecast
from mcmulti.domain.postal.sheets.sheet import ConvertRigOrder, OrderSheet
from mcmulti.domain.postal.shown.picture import picture
from mcmulti.domain.postal.state import PostalSetup, State
from mcmulti.events.log.codec import event_decoder
from mcmulti.events.log.envelope import Recorded
from mcmulti.library.steps import Step, set_up, take
from mcmulti.projections.books.ledger import balanced, entries
from mcmulti.projections.proof.proof import verify
from mcmulti.simulation import carry_on, play
from tests.accounts import held
from tests.games import record
from tests.pure.postal.sheets import fill, mostly_orders, sensible, wild
from tests.pure.postal.situations import HARMLESS, refereed, situation
from tests.pure.properties.legality import assert_decided_by_offers
from tests.thorough import QUICK, examples

GAMES = 6 if QUICK else 16
GAME_IDS = tuple(f"00000000-0000-4000-8000-{seed:012x}" for seed in range(GAMES))
seeds = st.integers(0, GAMES - 1)
moments = st.integers(0, 400)
sheets = st.integers(0, 10_000).map(lambda seed: wild(Random(seed)))


@lru_cache(maxsize=GAMES)
def game(seed: int) -> tuple[Step, ...]:
    """A game, up to 400 commands of it."""
    return tuple(steps(seed))


def steps(seed: int) -> Iterator[Step]:
    """Sometimes the deadline of a round passes before all sheets are in."""
    random = Random(seed)
    chance = chance_of(seed)
    for latest in set_up(RULESET, PostalSetup(), GAME_IDS[seed], chance):
        yield latest
    for _ in range(400):
        state: State = latest.state
        if state.phase == "over":
            return
        if random.random() < 0.05:
            latest = take(RULESET, state, None, k.CloseRound(state.round), chance)
        else:
            (latest,) = carry_on(RULESET, state, chance, random, mostly_orders, 1, fill)
        yield latest


def chance_of(seed: int) -> SeededChance:
    """The chance of a game."""
    return SeededChance(bytes([seed] * 32), GAME_IDS[seed])


def moment_of(seed: int, moment: int) -> State:
    played = game(seed)
    state: State = played[min(moment, len(played) - 1)].state
    return state


any_command: st.SearchStrategy[Command] = st.one_of(
    st.sampled_from([LeaveSeat(), StartGame()]),
    st.builds(k.HoldRound, st.booleans()),
    st.builds(k.CloseRound, st.integers(0, 50)),
    st.builds(k.SubmitOrders, sheets),
    st.just(k.SubmitOrders(1, OrderSheet((ConvertRigOrder(),) * 200))),
    st.builds(TakeSeat, st.text(), st.none() | st.integers(0, 3)),
)


@examples(400)
@given(seeds, moments, st.none() | st.integers(0, 3), any_command)
def test_a_command_is_accepted_only_if_an_offer_admits_it(
    seed: int, moment: int, seat: int | None, command: Command
) -> None:
    assert_decided_by_offers(RULESET, moment_of(seed, moment), seat, command, chance_of(seed))


def sound(state: State) -> None:
    """No debts, no barrels or fields beyond their bounds, and no site with two assets."""
    assert all(min(player.cash, player.crude, player.gasoline) >= 0 for player in state.players)
    for market in (state.domestic, state.foreign):
        assert 0 <= market.crude <= FIELDS
        assert 0 <= market.gasoline <= FIELDS
    assert 0 <= state.consumer_price <= 80
    assert 0 <= state.climate_changes <= 2
    for quadrant, hits, struck in zip(state.quadrants, state.hits, state.struck, strict=True):
        ones = quadrant.rigs.bit_count() + quadrant.wells.bit_count() + quadrant.stations.bit_count()
        assert quadrant.occupied.bit_count() == ones + 4 * quadrant.refineries.bit_count()
        assert quadrant.occupied < 2**36
        for kind in ("rigs", "wells", "stations", "refineries"):
            assert getattr(hits, kind) & ~getattr(quadrant, kind) == 0
        assert struck & ~hits.rigs == 0
        assert struck.bit_count() <= 1


@pytest.mark.parametrize("seed", range(GAMES))
def test_every_state_is_sound_and_the_books_tell_it(seed: int) -> None:
    """At every event, the accounts add up to what players and markets hold."""
    balances: Counter[tuple[str, str]] = Counter()
    state: State | None = None
    for step in game(seed):
        for fact in step.facts:
            for moved in RULESET.books.transfers(fact.event):
                assert moved.amount > 0
                assert moved.reason in RULESET.texts.words["de"]
                balances[moved.source, moved.unit] -= moved.amount
                balances[moved.target, moved.unit] += moved.amount
            state = fact.event.evolve(state)
            sound(state)
            accounts = held(state)
            assert {account: amount for account, amount in balances.items() if amount and account[0] in accounts} == {
                (account, unit): amount for account, (unit, amount) in accounts.items() if amount
            }, fact
            assert fact.rule in RULESET.texts.rules["en"]
        assert state == step.state


def test_a_game_has_a_pace_as_long_as_it_runs() -> None:
    for seed in range(GAMES):
        for step in game(seed)[1:]:
            assert bool(pace(step.state)) is (RULESET.status(step.state) == "running")


def test_most_random_games_come_to_their_end() -> None:
    """The simulation continues with sheets that a filler writes."""
    played = [play(RULESET, PostalSetup(), seed, mostly_orders, 2000, fill) for seed in range(8)]
    assert sum(list(each)[-1].state.phase == "over" for each in played) >= 6


def recorded(seed: int) -> list[Recorded]:
    """The log of a game."""
    return record(UUID(GAME_IDS[seed]), game(seed))


def test_recorded_games_are_proven_and_balance() -> None:
    """This includes deadlines and salts."""
    finished = [seed for seed in range(GAMES) if game(seed)[-1].state.phase == "over"][:3]
    for seed in finished:
        events = recorded(seed)
        proof = verify(events)
        assert proof.fault is None
        assert proof.seed_revealed
        assert not any(balanced(entries(events)).units.values())


def test_a_sheet_in_the_log_that_was_changed_is_found() -> None:
    events = recorded(next(seed for seed in range(GAMES) if game(seed)[-1].state.phase == "over"))
    index = next(index for index, event in enumerate(events) if event.type == "OrdersSubmitted")
    happened = event_decoder("postal", 1)(events[index].data)
    assert isinstance(happened, OrdersSubmitted)
    other = msgspec.structs.replace(happened, salt="f" * 32)
    events[index] = events[index]._replace(data=msgspec.json.encode(other))
    assert f"event {events[index].seq} was changed" in (verify(events).fault or "")


def test_pictures_and_gauges_of_any_moment() -> None:
    for step in game(0):
        shown = picture(step.state, "en")
        assert isinstance(shown.board, tuple)
        assert len(shown.board) == 4
        holdings = RULESET.books.gauges(step.state).holdings
        assert [each.amounts["dollars"] for each in holdings] == [player.cash for player in step.state.players]
        for seat in (None, 0, 3):
            msgspec.json.encode(RULESET.view(step.state, seat))


def test_no_name_of_an_event_or_command_means_two_things() -> None:
    """Where both rule sets have the same concept, they use the same type."""
    box = {kind.__name__: published(kind) for kind in (*BOX.events, *BOX.commands.moves, BOX.commands.joining)}
    for kind in (*RULESET.events, *RULESET.commands.moves, *RULESET.commands.automatic, RULESET.commands.joining):
        assert box.get(kind.__name__, published(kind)) is published(kind)


# The interpreter of sheets


@examples(600)
@given(sheets, sheets, seeds, moments)
def test_any_sheet_is_carried_out_without_breaking_a_rule(
    one: OrderSheet, other: OrderSheet, seed: int, moment: int
) -> None:
    """In any running state, twice with the same result. It can also be tried and checked."""
    state = moment_of(seed, moment)
    if state.phase != "orders":
        return
    told = []
    for _ in range(2):
        decision = RULESET.decide(
            msgspec.structs.replace(state, sheets=(one, other, one, None), holds=(False,) * 4),
            3,
            k.SubmitOrders(state.round, other),
            chance_of(seed),
        )
        assert not isinstance(decision, Rejection)
        after = state
        for fact in decision.facts:
            after = fact.event.evolve(after)
            sound(after)
        told.append([fact.event for fact in decision.facts])
    assert told[0] == told[1]
    assert not isinstance(forecast(state, 0, one), Rejection)
    check(state, 0, one, "en")


@examples(500)
@given(st.integers(0, 10_000))
def test_what_the_checker_calls_unreachable_is_never_reached(seed: int) -> None:
    """No condition that is reported as never true was ever true, in any of the sheet's rounds, and vice versa."""
    sheet = wild(Random(seed))
    remarks = {(remark.line, remark.code) for remark in check(situation(), 0, sheet, "en")}
    for cash, price, climate in ((0, 1, "recovery"), (60, 26, "prosperity"), (400, 80, "depression")):
        state = situation(
            cash=cash,
            crude=4,
            gasoline=4,
            consumer=price,
            climate=climate,  # type: ignore[arg-type]
            assets={0: "station 1-1, rig 3-3, refinery 5-5"},
            hits={0: "rig 3-3"},
            struck={0: "3-3"},
        )
        happened, _ = refereed(state, dict.fromkeys(range(4), sheet), HARMLESS)
        for event in happened:
            if type(event).__name__ == "ConditionChecked" and event.seat == 0:  # type: ignore[attr-defined]
                never = "never_then" if event.holds else "never_else"  # type: ignore[attr-defined]
                assert (event.line, never) not in remarks  # type: ignore[attr-defined]


def test_sheets_go_through_json_unchanged() -> None:
    for seed in range(300):
        for sheet in (wild(Random(seed)), sensible(Random(seed))):
            assert msgspec.json.decode(msgspec.json.encode(sheet), type=OrderSheet) == sheet
