"""Standing instructions of neighbors: what is sold, refined, and pumped in others' turns, and what ends them."""

from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.clock import Clock
from mcmulti.domain.core.capabilities.instructions import Instruction, instruction_of
from mcmulti.domain.core.capabilities.leaving import Resign
from mcmulti.domain.core.capabilities.undo import AskTakeBack, TakeBack, Undo
from mcmulti.domain.core.capabilities.undo.trail import MoveClosed
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.commands import Command, TakeSeat
from mcmulti.domain.core.course.unasked import MovedUnasked
from mcmulti.domain.core.offers import Form, Rejection
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import (
    BuyBarrels,
    EndProduction,
    Instruct,
    OperatingOrders,
    PumpCrude,
    RefineCrude,
    SellGasoline,
)
from mcmulti.domain.mcmulti.instructions import INSTRUCTIONS, InstructionSet
from mcmulti.domain.mcmulti.phases.dice import DiceRolled
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.mcmulti.state import State
from mcmulti.events.log.envelope import Head
from mcmulti.events.log.snapshot import restored, taken
from tests.pure.mcmulti.situations import after, events, refused, rolled, rules, situation

NOTHING = OperatingOrders()
SALT = "0" * 32


def allowed(state: State, seconds: int | None = 5) -> State:
    """The same situation at a table that allows instructions."""
    return replace(state, setup=replace(state.setup, instructions=seconds))


def ordered(orders: OperatingOrders | None, seat: int = 1, **begun: Any) -> State:
    """Ada's turn, in which a seat (Ben unless given) has set orders."""
    return after(allowed(situation(**begun)), seat, Instruct(orders))


def answer(state: State) -> tuple[Command, ...]:
    """Everything the instruction of the asked player does, until another is asked."""
    given: list[Command] = []
    asked = INSTRUCTIONS.question(state)
    while asked and INSTRUCTIONS.question(state) == asked and (command := INSTRUCTIONS.answer(RULESET.flow, state)):
        given.append(command)
        state = after(state, asked[1], command)
    return tuple(given)


def off(state: State, seat: int = 1) -> str | None:
    """The reason why the instruction of a seat was turned off."""
    found = instruction_of(state, seat)
    assert found is not None
    return found.off


STATIONS = {1: "station 1-1, station 1-2, station 1-4"}
"""All in row 1 of Ben's quadrant, which a red 1 hits. Column 3 holds nothing."""


def test_table_instruct__is_offered_at_any_time_where_the_table_allows_it() -> None:
    state = allowed(situation())
    for seat in range(4):
        [offer] = [offer for offer in RULESET.besides(state, seat) if offer.command == "Instruct"]
        assert offer.rule == "table/instruct"
        assert offer.fields == {"orders": Form("OperatingOrders", optional=True)}
    assert refused(situation(), 1, Instruct(NOTHING)).code == "no_instructions"
    assert "Instruct" not in [offer.command for offer in RULESET.besides(situation(), 1)]


def test_table_instruct__is_noted_with_a_salt_of_its_own_and_may_be_empty() -> None:
    orders = OperatingOrders(sell_from=20)
    state = allowed(situation())
    assert events(state, 1, Instruct(orders)) == [InstructionSet(1, 0, SALT, orders)]
    assert rules(state, 1, Instruct(orders)) == ["table/instruct"]
    once = after(state, 1, Instruct(orders))
    assert (instruction_of(once, 1), once.salts) == (Instruction(orders), 1)
    assert instruction_of(once, 0) is instruction_of(once, 3) is None
    none = after(once, 1, Instruct(None))
    assert (instruction_of(none, 1), none.salts) == (None, 2)
    chance = SeededChance(bytes(32), "game")
    [first] = RULESET.carry_out(state, 1, Instruct(orders), RULESET.admit(state, 1, Instruct(orders)), chance).facts  # type: ignore[arg-type]
    [second] = RULESET.carry_out(once, 1, Instruct(orders), RULESET.admit(once, 1, Instruct(orders)), chance).facts  # type: ignore[arg-type]
    assert first.event.salt == chance.salt(1) != second.event.salt == chance.salt(2)  # type: ignore[attr-defined]


def test_table_instruct__sells_from_a_price_on_and_keeps_so_many() -> None:
    """The cheapest consumer barrel is at 26: the next ones bring 25, 24, 23. From 24 on Ben sells two."""
    state = rolled(ordered(OperatingOrders(sell_from=24), gasoline={1: 5}, assets=STATIONS), 1, 3)
    assert state.movers == (1,)
    assert answer(state) == (SellGasoline(2), EndProduction())
    keeps = rolled(ordered(OperatingOrders(sell_from=1, keep_gasoline=4), gasoline={1: 5}, assets=STATIONS), 1, 3)
    assert answer(keeps) == (SellGasoline(1), EndProduction())
    all_that_goes = rolled(ordered(OperatingOrders(sell_from=1), gasoline={1: 5}, assets=STATIONS), 1, 3)
    assert answer(all_that_goes) == (SellGasoline(3),)  # three stations are hit; then nothing is left to do


def test_table_instruct__refines_what_it_does_not_keep_and_pumps() -> None:
    """A refinery on rows 3 and 4 is hit once by a red 3, a well on row 3 as well: one barrel refined, two pumped."""
    assets = {1: "refinery 3-4, well 3-1"}
    orders = OperatingOrders(refine=True, pump=True)
    assert answer(rolled(ordered(orders, crude={1: 2}, assets=assets), 3, 2)) == (RefineCrude(1), PumpCrude(2))
    keeps = OperatingOrders(refine=True, keep_crude=2, pump=True)
    assert answer(rolled(ordered(keeps, crude={1: 2}, assets=assets), 3, 2)) == (PumpCrude(2),)
    assert answer(rolled(ordered(NOTHING, crude={1: 2}, assets=assets), 3, 2)) == (EndProduction(),)


def test_table_instruct__answers_what_the_offers_admit_and_leads_to_the_same_events() -> None:
    state = rolled(ordered(OperatingOrders(sell_from=24), gasoline={1: 5}, assets=STATIONS), 1, 3)
    for command in answer(state):
        assert not isinstance(RULESET.admit(state, 1, command), Rejection)
        state = after(state, 1, command)
    assert state.movers == (0,)
    assert state.players[1].gasoline == 3
    assert state.players[1].cash == 100 + 25 + 24


def test_table_instruct__answers_in_the_turns_of_others_alone() -> None:
    """Ada's own station is hit in her turn: nobody answers for her."""
    state = ordered(OperatingOrders(sell_from=1), seat=0, gasoline={0: 5}, assets={0: "station 1-1"})
    assert INSTRUCTIONS.question(state) is None
    state = rolled(state, 1, 3)
    assert (state.phase, state.movers) == ("production", (0,))
    assert INSTRUCTIONS.question(state) is None
    assert answer(state) == ()


def test_table_instruct__a_question_is_one_where_nothing_is_set_as_well() -> None:
    state = rolled(allowed(situation(gasoline={1: 5}, assets=STATIONS)), 1, 3)
    assert INSTRUCTIONS.question(state) == (5, 1)
    assert answer(state) == ()
    assert INSTRUCTIONS.question(allowed(state, None)) is None


@pytest.mark.parametrize(
    ("orders", "guard"),
    [
        (OperatingOrders(cash_below=101), "cash_below"),
        (OperatingOrders(cash_below=100), None),
        (OperatingOrders(price_below=26), "price_below"),
        (OperatingOrders(price_below=25), None),
        (OperatingOrders(price_above=24), "price_above"),
        (OperatingOrders(price_above=25), None),
        (OperatingOrders(after_turn=4), "after_turn"),
        (OperatingOrders(after_turn=5), None),
    ],
)
def test_table_instruct__guards_switch_it_off_when_the_seat_is_asked(
    orders: OperatingOrders, guard: str | None
) -> None:
    """Turn 5; Ben has 100, and the next barrel of gasoline brings 25."""
    state = ordered(orders, gasoline={1: 5}, assets=STATIONS)
    assert off(state) is None
    state = rolled(state, 1, 3)
    assert off(state) == guard
    assert answer(state) == (() if guard else (EndProduction(),))


def test_table_instruct__what_is_off_stays_off_until_another_is_sent() -> None:
    state = rolled(ordered(OperatingOrders(cash_below=101), gasoline={1: 5}, assets=STATIONS), 1, 3)
    rich = replace(state, players=tuple(replace(player, cash=500) for player in state.players))
    assert off(rich) == "cash_below"
    assert answer(rich) == ()
    sent = after(rich, 1, Instruct(OperatingOrders(cash_below=101)))
    assert off(sent) is None
    assert answer(sent) == (EndProduction(),)


def test_table_instruct__what_is_sent_while_the_seat_is_asked_has_its_guards_looked_at_at_once() -> None:
    state = rolled(allowed(situation(gasoline={1: 5}, assets=STATIONS)), 1, 3)
    assert off(after(state, 1, Instruct(OperatingOrders(cash_below=101)))) == "cash_below"
    assert off(after(state, 1, Instruct(OperatingOrders(cash_below=100)))) is None
    assert off(after(state, 2, Instruct(OperatingOrders(cash_below=101))), 2) is None


def test_table_instruct__two_quadrants_of_one_player_are_one_question() -> None:
    """Ben has both neighbors of Ada's quadrant.

    He is asked in one, then in the other, and the instruction answers for both.
    """
    state = ordered(
        OperatingOrders(sell_from=24), players=2, gasoline={1: 5}, assets={1: "station 1-1", 3: "station 6-3"}
    )
    state = rolled(state, 1, 3)
    assert INSTRUCTIONS.question(state) == (5, 1)
    said = answer(state)
    for command in said:
        state = after(state, 1, command)
    assert INSTRUCTIONS.question(state) is None
    assert said[0] == SellGasoline(1)


def test_table_instruct__it_is_sealed_for_all_but_who_sent_it_until_the_game_is_over() -> None:
    redaction = RULESET.redaction("InstructionSet")
    assert redaction is not None
    state = ordered(NOTHING)
    sent = InstructionSet(1, 0, SALT, NOTHING)
    assert [redaction.sealed(state, sent, seat) for seat in (0, 1, 2, 3, None)] == [True, False, True, True, True]
    over = replace(state, phase="over")
    assert not redaction.sealed(over, sent, None)
    assert redaction.stand_in(["InstructionSet"], 1) == InstructionSet(1, 0, SALT, None)


def test_table_instruct__on_or_off_looks_alike() -> None:
    """Both are described in the same words."""
    state = allowed(situation())
    for language in ("en", "de"):
        told = {
            RULESET.texts.tell(state, InstructionSet(1, 0, SALT, orders), language)
            for orders in (None, NOTHING, OperatingOrders(sell_from=3))
        }
        assert len(told) == 1


def test_table_instruct__who_leaves_takes_it_along_and_a_substitute_may_not_read_it() -> None:
    redaction = RULESET.redaction("InstructionSet")
    assert redaction is not None
    orders = OperatingOrders(sell_from=1)
    state = after(ordered(orders, gasoline={1: 5}, assets=STATIONS), 1, Resign())
    assert instruction_of(state, 1) is None
    sent = InstructionSet(1, 0, SALT, orders)
    assert redaction.sealed(state, sent, None)
    state = after(state, None, TakeSeat("player-9", 1))
    assert instruction_of(state, 1) is None
    assert redaction.sealed(state, sent, 1)
    assert events(state, 1, Instruct(orders)) == [InstructionSet(1, 1, SALT, orders)]
    assert not redaction.sealed(state, InstructionSet(1, 1, SALT, orders), 1)


def test_table_instruct__setting_it_is_no_move_and_is_not_taken_back() -> None:
    """Ada buys a barrel and sets an instruction. The purchase is taken back, the instruction stays."""
    state = allowed(situation())
    state = replace(state, setup=replace(state.setup, undo="own"))
    start = after(state, 0, BuyBarrels("domestic", "crude", 1))
    [happened] = events(start, 0, Instruct(NOTHING))
    assert not isinstance(happened, MoveClosed)
    bought = after(after(start, 0, BuyBarrels("domestic", "crude", 1)), 0, Instruct(NOTHING))
    back = after(bought, 0, TakeBack(1))
    assert back.players[0].crude == 1
    assert instruction_of(back, 0) == Instruction(NOTHING)
    assert back.salts == 1


@pytest.mark.parametrize("undo", ["own", "agreed"])
@pytest.mark.parametrize("orders", [OperatingOrders(sell_from=20, price_below=25), OperatingOrders(sell_from=20)])
def test_table_instruct__after_a_seat_was_asked_nothing_before_it_is_taken_back(
    undo: Undo, orders: OperatingOrders
) -> None:
    """Ada sells a barrel to the consumers, and the next brings 24 instead of 25. Ben is asked.

    His guard trips, or he has none. She may take back neither, alone or with consent, so she learns nothing for free.
    """
    both = {**STATIONS, 0: "station 1-1"}
    state = ordered(orders, gasoline={0: 5, 1: 5}, assets=both)
    state = rolled(replace(state, setup=replace(state.setup, undo=undo)), 1, 3)
    sold = after(state, 0, SellGasoline(1))
    assert off(sold) == ("price_below" if orders.price_below else None)
    assert sold.movers == (1,)
    assert refused(sold, 0, TakeBack(1)).code == "nothing_to_take_back"
    assert refused(sold, 0, AskTakeBack(1)).code == ("no_undo" if undo == "own" else "nothing_to_take_back")


def test_table_instruct__where_the_table_allows_none_undo_is_as_ever() -> None:
    """Ada ends her production, and Ben is asked. She may still change her mind."""
    both = {**STATIONS, 0: "station 1-1"}
    state = situation(gasoline={0: 5, 1: 5}, assets=both)
    state = rolled(replace(state, setup=replace(state.setup, undo="own")), 1, 3)
    assert after(after(state, 0, EndProduction()), 0, TakeBack(1)).movers == (0,)


def test_table_instruct__a_snapshot_keeps_it() -> None:
    state = replace(ordered(OperatingOrders(sell_from=7, pump=True)), called={})
    assert (
        restored(bytes(32), UUID(int=1), RULESET, taken(bytes(32), UUID(int=1), RULESET, state, Head(1, bytes(32))))
        == state
    )


def test_table_instruct__answers_come_before_the_clock_is_up() -> None:
    """An answer has eight commands at most, each up to half a second late.

    8 x 5.5 s are less than 45 s, but not less than 44 s.
    """
    chance = SeededChance(bytes(32), "game")
    late = RULESET.open("game", Setup(instructions=5, clock=Clock(44)), chance)
    assert isinstance(late, Rejection)
    assert (late.code, late.field, late.limit) == ("answers_too_late", "instructions", 4)
    assert not isinstance(RULESET.open("game", Setup(instructions=5, clock=Clock(45)), chance), Rejection)


def test_table_instruct__what_is_not_offered_is_not_done_nor_anything_else() -> None:
    """Orders for four barrels, where three stations were hit, do not answer, not even with three."""
    state = rolled(ordered(OperatingOrders(sell_from=1), gasoline={1: 5}, assets=STATIONS), 1, 3)
    greedy = replace(INSTRUCTIONS, following=lambda state, seat, orders, offers: SellGasoline(4))
    assert greedy.answer(RULESET.flow, state) is None
    modest = replace(INSTRUCTIONS, following=lambda state, seat, orders, offers: SellGasoline(3))
    assert modest.answer(RULESET.flow, state) == SellGasoline(3)


def test_table_instruct__the_answer_may_lead_to_a_roll_of_nobody() -> None:
    """Cleo, whose turn it is, has left, and the ghost comes next. After Ben's answer it rolls at once, a 3 and a 4.

    Ben's well in column 3 pumped for Cleo's roll of 1 and 3.
    """
    state = allowed(situation(3, quadrant=2, assets={1: "well 2-3, well 4-4"}))
    state = after(state, 1, Instruct(OperatingOrders(pump=True)))
    state = after(rolled(state, 1, 3), 2, Resign())
    assert INSTRUCTIONS.answer(RULESET.flow, state) == PumpCrude(2)
    happened = events(state, 1, PumpCrude(2), (3, 4))
    assert [event.move for event in happened if isinstance(event, MovedUnasked)] == ["EndTurn"]
    assert DiceRolled in [type(event) for event in happened]
