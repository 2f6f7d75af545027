"""Games that begin from a position: their logs are proven, booked, described, drawn, and stored like all others."""

import json

import msgspec
import pytest

import mcmulti
from mcmulti.events.log.snapshot import state_in
from mcmulti.events.store.game_file import read
from mcmulti.library.record import Record
from mcmulti.projections.books.ledger import balanced, entries
from mcmulti.projections.proof.proof import verify
from mcmulti.projections.reports.games import game_report
from mcmulti.projections.statistics.game import game_statistics
from tests.pure.library.random_games import NAMES, middle, random_game


@pytest.mark.parametrize("name", NAMES)
def test_table_position__a_game_that_begins_so_is_proven_booked_and_told_as_any_other(name: str) -> None:
    before = middle(name)
    booked = balanced(entries(before.record().events))
    state = mcmulti.open_position(before.position(), seed=8)
    begun = balanced(entries(state.record().events))
    # Both books have the same holdings, whether these came about move by move or at once.
    places = {
        account: {unit: amount for unit, amount in units.items() if amount}
        for account, units in booked.accounts.items()
        if account.partition(":")[0] in ("seat", "market", "fountain", "queue")
        or (account, name) == ("consumers", "mcmulti")
    }
    found = {account: begun.accounts.get(account, {}) for account in places}
    assert found == places
    assert set(begun.units.values()) == {0}

    *_, state = random_game(state, 8, most=400)
    record = Record(read(bytes(state.record()).splitlines(keepends=True)))
    events = record.events
    assert json.loads(events[0].data)["origin"]["position"] == before.position()["position"]
    assert [event.type for event in events].count("PositionSetUp") == 1
    proof = record.verify()
    assert (proof.fault, proof.events) == (None, len(events))
    assert record.state().table == state.table
    ruleset = state.game.ruleset
    assert state_in(ruleset, msgspec.msgpack.encode(state.table)) == state.table
    assert game_statistics(events).events == len(events)
    if state.is_terminal():
        assert game_report(events).winners == state.winners()


@pytest.mark.parametrize("name", NAMES)
def test_table_position__books_that_open_with_more_than_stands_there_are_no_proof(name: str) -> None:
    state = mcmulti.open_position(middle(name).position(), seed=8)
    events = list(state.record().events)
    index = next(number for number, event in enumerate(events) if event.type == "PositionSetUp")
    data = json.loads(events[index].data)
    data["balances"][0]["amount"] += 1
    events[index] = events[index]._replace(data=json.dumps(data, separators=(",", ":")).encode())
    assert verify(events).fault is not None
