"""What is tallied: shops with cost and income, moves by their leaders, auctions by their auctioneers."""

from collections import Counter
from pathlib import Path

import pytest

from mcmulti.domain.core.shown.gauges import Tallied
from mcmulti.domain.core.wording.telling import LANGUAGES
from mcmulti.domain.marracash import RULESET
from mcmulti.domain.marracash.commands import MoveGroup, PassBid, PutUp
from mcmulti.domain.marracash.components import COLOURS
from mcmulti.domain.marracash.gauges import COLUMNS, tallied
from mcmulti.domain.marracash.state import Bazaar, Crowd
from mcmulti.projections.books.ledger import balanced, entries
from mcmulti.projections.reports.games import game_report
from mcmulti.projections.statistics.game import game_statistics
from mcmulti.projections.statistics.many import Tally
from tests.golden.games import load
from tests.pure.marracash.situations import ADA, BEN, CLEO, after, bidding, happened, situation

GOLDEN = Path(__file__).parents[2] / "golden"
GAMES = ("marracash-three-players", "marracash-four-players", "marracash-shared-victory", "marracash-standstill")


def added(state: Bazaar, seat: int, *commands: object) -> Counter[tuple[str, int | None, str | None, str]]:
    """What the commands of a seat add to the tables."""
    found: Counter[tuple[str, int | None, str | None, str]] = Counter()
    for command in commands:
        state, events = happened(state, seat, command)  # type: ignore[arg-type]
        for row in (row for event in events for row in tallied(state, event)):
            for column, amount in row.figures.items():
                found[row.table, row.seat, row.name, column] += amount
    return +found


def test_what_customers_bring_is_tallied_by_shop_and_by_mover() -> None:
    """Two purple visitors for P5, Ben's, its 2nd and 3rd customer: 200 + 300, of which Ada gets 100 for each."""
    state = situation(shops={"P5": (BEN, 1)}, groups={12: Crowd(purple=2)})
    assert added(state, ADA, MoveGroup(12, 11)) == {
        ("movers", ADA, None, "moves"): 1,
        ("movers", ADA, None, "to_others"): 2,
        ("movers", ADA, None, "others_taken"): 500,
        ("movers", ADA, None, "shared"): 200,
        ("shops", BEN, "p5", "customers"): 2,
        ("shops", BEN, "p5", "taken"): 500,
        ("shops", BEN, "p5", "shared"): 200,
        ("shops", BEN, "p5", "gain"): 300,
    }


def test_customers_for_ones_own_shop_are_shared_with_nobody() -> None:
    """The first customer pays 100."""
    state = situation(shops={"P5": (ADA, 0)}, groups={12: Crowd(purple=1)})
    assert added(state, ADA, MoveGroup(12, 11)) == {
        ("movers", ADA, None, "moves"): 1,
        ("movers", ADA, None, "to_own"): 1,
        ("movers", ADA, None, "own_taken"): 100,
        ("shops", ADA, "p5", "customers"): 1,
        ("shops", ADA, "p5", "taken"): 100,
        ("shops", ADA, "p5", "gain"): 100,
    }


def test_a_shop_that_another_buys_and_who_waits_beside_it() -> None:
    """Ben bids 525 for B1, which Ada put up: she gets 200. One blue visitor waits at 3 and pays 100. Nobody led it."""
    state = after(situation(groups={3: Crowd(blue=1)}, left=1), ADA, PutUp("B1", 100))
    state = bidding(state, (BEN, 525), (CLEO, None))
    _, events = happened(state, ADA, PassBid())
    rows = [row for event in events for row in tallied(state, event)]
    assert rows == [
        Tallied("shops", BEN, "b1", {"cost": 525, "gain": -525}),
        Tallied("auctioneers", BEN, None, {"bought": 1, "cost": 525}),
        Tallied("auctioneers", ADA, None, {"sold_to_others": 1, "commission": 200}),
        Tallied("shops", BEN, "b1", {"customers": 1, "taken": 100, "shared": 0, "gain": 100}),
    ]


@pytest.mark.parametrize("game", GAMES)
def test_tables_agree_with_the_books(game: str) -> None:
    events = load(GOLDEN / f"{game}.jsonl")
    found = game_statistics(events)
    booked = list(entries(events))
    balances = balanced(booked).accounts
    moved = Counter[tuple[str, str]]()
    for entry in booked:
        for each in entry.transfers:
            moved[each.reason, each.source] += each.amount if each.unit == "dirham" else 0
    shops = {row.name: row for row in found.tallies if row.table == "shops"}
    assert len(shops) == -balances["bank"]["shops"]
    for name, row in shops.items():
        assert row.figures["taken"] == -balances.get(f"shop:{name}", {}).get("dirham", 0)
        assert row.figures["gain"] == row.figures["taken"] - row.figures["shared"] - row.figures["cost"]
    for seat in range(len(found.names)):
        own = [row.figures for row in shops.values() if row.seat == seat]
        account = f"seat:{seat}:cash"
        assert sum(figures["cost"] for figures in own) == moved["price", account]
        assert sum(figures["shared"] for figures in own) == moved["customer_commission", account]
        customers = balances.get(f"seat:{seat}:customers", {"visitors": 0})
        assert sum(figures["customers"] for figures in own) == customers["visitors"]


def test_a_table_has_all_its_columns_in_their_order_and_words_for_all_of_it() -> None:
    found = game_statistics(load(GOLDEN / "marracash-four-players.jsonl"))
    assert list(dict.fromkeys(row.table for row in found.tallies)) == list(COLUMNS)
    assert all(tuple(row.figures) == COLUMNS[row.table] for row in found.tallies)
    names = {*COLUMNS, *(column for columns in COLUMNS.values() for column in columns)}
    assert all(names <= RULESET.texts.words[language].keys() for language in LANGUAGES)


def test_over_many_games_a_row_is_told_on_average() -> None:
    games = [load(GOLDEN / f"{game}.jsonl") for game in GAMES[:2]]
    tally = Tally()
    for game in games:
        tally.add(game)
    [found] = tally.statistics().rulesets
    movers = [row.figures for game in games for row in game_statistics(game).tallies if row.table == "movers"]
    [average] = [row for row in found.tallies if row.table == "movers"]
    assert (average.name, average.rows) == (None, 7)
    assert average.figures["moves"] == sum(figures["moves"] for figures in movers) / 7


def test_prices_are_what_the_dearest_shop_of_a_color_takes_from_its_next_customer() -> None:
    """R1 had one customer, so the next pays 200. R2 had none. B3 had nine, and takes 500. No other color is sold."""
    gauges = RULESET.books.gauges(situation(shops={"R1": (ADA, 1), "R2": (BEN, 0), "B3": (BEN, 9)}))
    assert gauges.prices == dict.fromkeys(COLOURS) | {"red": 200, "blue": 500}


def test_the_report_tells_the_tables_as_well() -> None:
    """In this game, each of three buys one shop for 100 at its own auction.

    Then a group goes back and forth twice a turn, in the ten quiet rounds and the last: 22 moves each. Nobody enters a
    shop, and the game ends level at 1100.
    """
    told = game_report(load(GOLDEN / "marracash-standstill.jsonl"))
    shops, movers, auctioneers = told.tables[-3:]
    assert shops.columns == ("shops", "player", "paid", "customers", "taken", "shared", "gain")
    assert {row[2:] for row in shops.rows} == {(100, 0, 0, 0, -100)}
    assert {row[0] for row in shops.rows} == {"P4", "G1", "Y1"}
    assert [row[1:] for row in movers.rows] == [(22, 0, 0, 0, 0, 0)] * 3
    assert [row[1:] for row in auctioneers.rows] == [(1, 1, 100, 0, 0)] * 3
    assert told.headline.endswith("share the victory, with 1,100 each.")
