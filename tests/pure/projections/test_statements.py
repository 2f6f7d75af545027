"""Statements lead from opening to closing balances, over any span."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise

import pytest

from mcmulti.domain.core.course.posting import Transfer
from mcmulti.domain.core.table import presented
from mcmulti.domain.mcmulti import RULESET
from mcmulti.events.log.codec import fold
from mcmulti.events.log.envelope import Recorded
from mcmulti.projections.books.bookings import split
from mcmulti.projections.books.ledger import JournalEntry, balanced, entries
from mcmulti.projections.books.statements import BookSpan, Flow, Movement, Statement, flows, statements
from mcmulti.projections.pictures.seats import names
from tests.games import CALLED, OPENED, any_random_game, random_game, random_postal_game

GAMES: dict[str, Callable[[], list[Recorded]]] = {
    "2 players": partial(random_game, 2, 21),
    "3 players": partial(random_game, 3, 22),
    "4 players": partial(random_game, 4, 23),
    "by post": partial(random_postal_game, 8),
}


@pytest.fixture(scope="module", params=GAMES)
def events(request: pytest.FixtureRequest) -> list[Recorded]:
    return GAMES[request.param]()


def _entry(seq: int, turn: int, *transfers: Transfer) -> JournalEntry:
    return JournalEntry(seq, turn, "Happened", "some/rule", transfers, OPENED)


SMALL = [
    _entry(3, 0, Transfer("bank", "seat:0:cash", "dollars", 200, "start")),
    _entry(3, 0, Transfer("bank", "seat:1:cash", "dollars", 200, "start")),
    _entry(5, 1, Transfer("seat:0:cash", "bank", "dollars", 12, "crude_bought")),
    _entry(5, 1, Transfer("market:domestic:crude", "seat:0:crude", "crude", 2, "crude_bought")),
    _entry(8, 2, Transfer("seat:0:cash", "bank", "dollars", 7, "crude_bought")),
    _entry(9, 2, Transfer("bank", "seat:0:cash", "dollars", 30, "gasoline_sold")),
    _entry(11, 3, Transfer("seat:0:cash", "bank", "dollars", 5, "taxes")),
]
"""200 each. The first seat pays 12 and 7 for crude, gets 30 for gasoline, and pays 5 in taxes."""


def test_a_small_game_by_hand() -> None:
    assert statements(SMALL) == (
        Statement(
            0,
            "dollars",
            0,
            (
                Movement("start", 200),
                Movement("crude_bought", -19),
                Movement("gasoline_sold", 30),
                Movement("taxes", -5),
            ),
            206,
        ),
        Statement(0, "crude", 0, (Movement("crude_bought", 2),), 2),
        Statement(1, "dollars", 0, (Movement("start", 200),), 200),
    )


@pytest.mark.parametrize(
    "span", [BookSpan(after=5, until=9), BookSpan(from_turn=2, to_turn=2), BookSpan(after=7, to_turn=2)]
)
def test_a_span_by_hand(span: BookSpan) -> None:
    """Of events 6 to 9, which are those of turn 2. The opening is 200 - 12."""
    assert statements(SMALL, span) == (
        Statement(0, "dollars", 188, (Movement("crude_bought", -7), Movement("gasoline_sold", 30)), 211),
        Statement(0, "crude", 2, (), 2),
        Statement(1, "dollars", 200, (), 200),
    )
    assert flows(SMALL, span) == (
        Flow("seat:0:cash", "bank", "dollars", "crude_bought", 7, 1),
        Flow("bank", "seat:0:cash", "dollars", "gasoline_sold", 30, 1),
    )


def test_flows_are_added_up() -> None:
    assert Flow("seat:0:cash", "bank", "dollars", "crude_bought", 19, 2) in flows(SMALL)


def test_opening_and_movements_make_the_closing_of_any_span(events: list[Recorded]) -> None:
    """Opening and closing are the balances of the events before and in the span, added up separately."""
    booked = list(entries(events))
    last = events[-1].seq
    for after, until in ((0, last), (0, 40), (40, 41), (300, 700), (last // 2, last), (last, last)):
        before, end = (balanced(entries(events[:each])).accounts for each in (after, until))
        found = statements(booked, BookSpan(after=after, until=until))
        assert found
        for statement in found:
            assert statement.opening + sum(each.amount for each in statement.movements) == statement.closing
            account = f"seat:{statement.seat}:{'cash' if statement.unit == 'dollars' else statement.unit}"
            assert statement.opening == before.get(account, {}).get(statement.unit, 0)
            assert statement.closing == end.get(account, {}).get(statement.unit, 0)


def test_spans_of_turns_follow_on_one_another(events: list[Recorded]) -> None:
    booked = list(entries(events))
    turns = booked[-1].turn
    assert turns > 8
    parts = [BookSpan(from_turn=first, to_turn=first + 3) for first in range(0, turns + 1, 4)]
    for earlier, later in pairwise([statements(booked, part) for part in parts]):
        closing = {(each.seat, each.unit): each.closing for each in earlier}
        assert closing.items() <= {(each.seat, each.unit): each.opening for each in later}.items()
    assert {(each.seat, each.unit, each.closing) for each in statements(booked, parts[-1])} == {
        (each.seat, each.unit, each.closing) for each in statements(booked)
    }


def test_the_flow_matrix_makes_the_balances(events: list[Recorded]) -> None:
    """The trial balance is what came to an account less what went from it. Every transfer is counted."""
    found = flows(entries(events))
    for account, units in balanced(entries(events)).accounts.items():
        for unit, balance in units.items():
            came = sum(flow.amount for flow in found if (flow.target, flow.unit) == (account, unit))
            went = sum(flow.amount for flow in found if (flow.source, flow.unit) == (account, unit))
            assert came - went == balance
    assert sum(flow.count for flow in found) == sum(len(entry.transfers) for entry in entries(events))
    assert len({(flow.source, flow.target, flow.unit, flow.reason) for flow in found}) == len(found)


def test_names_are_those_they_sat_down_with() -> None:
    events = random_game(3, 1)
    for length, expected in ((1, ("", "", "")), (len(events), ("Player 1", "Player 2", "Player 3"))):
        assert names(RULESET, presented(fold(RULESET, events[:length]), CALLED)) == expected
    assert names(RULESET, fold(RULESET, events), "de") == ("Platz 1", "Platz 2", "Platz 3")


def test_a_stake_is_neither_won_nor_spent_and_lies_in_an_account_of_its_own() -> None:
    """A seat stakes 3 of 5, which double. Two 1s of its hand are lost. It then has 6, all taken back."""
    booked = [
        _entry(3, 0, Transfer("bank", "seat:0:purse", "money", 5, "start")),
        _entry(4, 1, Transfer("seat:0:purse", "seat:0:stake", "money", 3, "stake")),
        _entry(5, 1, Transfer("bank", "seat:0:stake", "money", 3, "gain")),
        _entry(6, 1, Transfer("seat:0:purse", "bank", "money", 2, "loss")),
        _entry(7, 1, Transfer("seat:0:stake", "seat:0:purse", "money", 6, "return")),
    ]
    moved = (Movement("start", 5), Movement("gain", 3), Movement("loss", -2))
    assert statements(booked) == (Statement(0, "money", 0, moved, 6),)
    assert Flow("seat:0:purse", "seat:0:stake", "money", "stake", 3, 1) in flows(booked)
    assert split(booked[1].transfers[0], "money") == booked[1].transfers


@pytest.mark.parametrize("players", [3, 5])
def test_no_movement_comes_to_nothing_unless_it_went_both_ways(players: int) -> None:
    """In a whole game of stakes and exchanges."""
    found = [
        move
        for each in statements(entries(any_random_game("millionenspiel", 3, seats=players)))
        for move in each.movements
    ]
    assert {"stake", "return"}.isdisjoint(move.reason for move in found)
    in_money = (
        each
        for each in statements(entries(any_random_game("millionenspiel", 3, seats=players)))
        if each.unit == "money"
    )
    assert all(move.reason != "exchange" for each in in_money for move in each.movements)
