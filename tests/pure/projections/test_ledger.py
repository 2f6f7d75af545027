"""The ledger agrees with the game at every event."""

from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.millionenspiel.pieces import KINDS as PIECES
from mcmulti.domain.oil.names import KINDS
from mcmulti.events.log.codec import event_decoder, fold, opened_with
from mcmulti.events.log.envelope import Recorded
from mcmulti.projections.books.ledger import LedgerLine, Wanted, balanced, entries, lines
from tests.accounts import held
from tests.games import random_game, random_postal_game
from tests.golden.games import files_of, load, with_quadrants

GAMES: dict[str, Callable[[], list[Recorded]]] = {
    "2 players": partial(random_game, 2, 11),
    "3 players": partial(random_game, 3, 12),
    "4 players": partial(random_game, 4, 13),
    "by post": partial(random_postal_game, 7),
}


@pytest.fixture(scope="module", params=GAMES)
def events(request: pytest.FixtureRequest) -> list[Recorded]:
    return GAMES[request.param]()


def test_the_running_balances_are_what_the_game_holds_at_every_event(events: list[Recorded]) -> None:
    """Cash, barrels, and pieces in the state, counted by `held`, and the last line of each account so far."""
    balances: dict[str, int] = {}
    by_seq: defaultdict[int, list[LedgerLine]] = defaultdict(list)
    for line in lines(entries(events)):
        by_seq[line.seq].append(line)
    ruleset = opened_with(events[0])
    decode = event_decoder(ruleset.name, ruleset.version)
    state: Any = None
    compared = 0
    for event in events:
        state = ruleset.evolve(state, decode(event.data))
        for line in by_seq[event.seq]:
            balances[line.account] = line.balance
            assert (line.turn, line.type, line.rule) == (ruleset.turn(state), event.type, event.rule)
        for account, (_, amount) in held(state).items():
            assert balances.get(account, 0) == amount, (event.seq, account)
            compared += 1
    assert compared > 20 * 1000


def test_the_trial_balance_is_zero_in_every_unit_at_every_event(events: list[Recorded]) -> None:
    sums: defaultdict[str, int] = defaultdict(int)
    booked = list(lines(entries(events)))
    for index, line in enumerate(booked):
        sums[line.unit] += line.amount
        if index + 1 == len(booked) or booked[index + 1].seq != line.seq:
            assert not any(sums.values()), line
    assert set(sums) == {"dollars", "crude", "gasoline", "rig", "well", "station", "refinery"}


def test_the_balances_at_an_event_are_the_running_ones(events: list[Recorded]) -> None:
    for length in range(0, len(events) + 1, 101):
        running: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for line in lines(entries(events[:length])):
            running[line.account][line.unit] = line.balance
        found = balanced(entries(events[:length]))
        assert found.accounts == running
        assert not any(found.units.values())


def test_the_lines_are_numbered_and_a_longer_log_only_adds_to_them(events: list[Recorded]) -> None:
    whole = list(lines(entries(events)))
    assert [line.line for line in whole] == list(range(1, len(whole) + 1))
    half = list(lines(entries(events[: len(events) // 2])))
    assert 100 < len(half) < len(whole)
    assert whole[: len(half)] == half


def test_the_two_lines_of_a_transfer_follow_each_other(events: list[Recorded]) -> None:
    found = list(lines(entries(events)))
    for giving, taking in zip(found[::2], found[1::2], strict=True):
        assert giving.amount < 0
        assert giving.amount == -taking.amount
        assert (giving.seq, giving.unit, giving.reason) == (taking.seq, taking.unit, taking.reason)
        assert giving.account != taking.account


def test_the_ledger_reads_a_stream(events: list[Recorded]) -> None:
    """It reads one event at a time: the first line comes before the second half of the log is read."""
    read = 0

    def stream() -> object:
        nonlocal read
        for event in events:
            read += 1
            yield event

    first = next(iter(lines(entries(stream()))))  # type: ignore[arg-type]
    assert first.type in ("GameStarted", "PostalGameStarted")
    assert read == first.seq


def test_filters_take_what_they_say_and_nothing_else(events: list[Recorded]) -> None:
    whole = list(lines(entries(events)))
    for wanted, expected in (
        (Wanted(), whole),
        (Wanted(account="seat:0"), [line for line in whole if line.account.split(":")[:2] == ["seat", "0"]]),
        (Wanted(account="seat:0:cash"), [line for line in whole if line.account == "seat:0:cash"]),
        (Wanted(account="sea"), []),
        (Wanted(unit="crude"), [line for line in whole if line.unit == "crude"]),
        (Wanted(reason="refining"), [line for line in whole if line.type == "CrudeRefined"]),
        (
            Wanted(account="market", unit="crude", reason="crude_bought"),
            [line for line in whole if line.type == "BarrelsBought" and line.unit == "crude" and line.amount < 0],
        ),
    ):
        found = [line for line in whole if wanted.admits(line)]
        assert found == expected
        assert found or wanted.account == "sea"


def test_cash_by_hand() -> None:
    """Start and first purchases of the recorded two-player game, worked out by hand from the log itself."""
    events = load(Path(__file__).parents[2] / "golden" / "two-players.jsonl")
    state = fold(RULESET, events)
    assert isinstance(state, State)
    spent = [0, 0]
    decode = event_decoder(RULESET.name, RULESET.version)
    cash = [line for line in lines(entries(events)) if line.account in ("seat:0:cash", "seat:1:cash")]
    assert [line.balance for line in cash[:2]] == [300, 300]
    bought = iter(cash[2:])
    for event in events:
        happened = decode(event.data)
        if event.type == "TurnBegan":
            break
        if event.type == "AssetBought":
            spent[happened.seat] += happened.price
            line = next(bought)
            assert (line.account, line.reason) == (f"seat:{happened.seat}:cash", "assets_bought")
            assert (line.amount, line.balance) == (-happened.price, 300 - spent[happened.seat])
    assert all(spent)


@pytest.mark.parametrize("file", files_of("millionenspiel"), ids=lambda file: file.stem)
def test_the_books_of_the_millionenspiel_end_with_what_is_in_hands_and_at_stake(file: Path) -> None:
    events = load(file)
    state = fold(opened_with(events[0]), events)
    accounts = balanced(entries(events)).accounts
    for seat, player in enumerate(state.players):
        for name, pieces in (("purse", player.purse), ("stake", player.stake)):
            held = accounts.get(f"seat:{seat}:{name}", {})
            assert held.get("money", 0) == pieces.worth
            assert tuple(held.get(kind, 0) for kind in PIECES) == pieces.counts


@pytest.mark.parametrize("file", with_quadrants(), ids=lambda file: file.stem)
def test_the_books_of_a_golden_game_end_with_its_standings(file: Path) -> None:
    events = load(file)
    ruleset = opened_with(events[0])
    state = fold(ruleset, events)
    accounts = balanced(entries(events)).accounts
    for standing in state.standings:
        seat = standing.seat
        assert accounts[f"seat:{seat}:cash"]["dollars"] == standing.cash
        barrels = accounts[f"seat:{seat}:crude"]["crude"] + accounts[f"seat:{seat}:gasoline"]["gasoline"]
        assert barrels == standing.barrels
        pieces = {kind: accounts.get(f"seat:{seat}:{kind}", {kind: 0})[kind] for kind in KINDS}
        assert pieces == state.pieces(seat)
        assert ruleset.name == "postal" or not any(pieces.values()), "the box game ends with a sale of everything"
