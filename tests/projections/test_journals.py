"""Journals: bookkeeping programs accept them, agree with the game, and reject what was tampered with."""

import csv
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from io import StringIO
from pathlib import Path

import pytest

from mcmulti.domain.core.course.posting import Transfer
from mcmulti.domain.mcmulti.commands import BuyAsset, EndPurchases, SellBarrels
from mcmulti.domain.oil.names import Site
from mcmulti.events.log.codec import fold, opened_with
from mcmulti.events.log.envelope import Recorded
from mcmulti.projections.books import bookings, journals
from tests.accounts import held
from tests.games import random_game, random_postal_game
from tests.golden.games import FILES, load
from tests.needs import found
from tests.projections.bookkeeping import bean_checked, checked
from tests.projections.seated import called, seated

RANDOM = [(2, 31), (2, 32), (3, 33), (3, 34), (4, 35), (4, 36)]


def journal(form: str, events: Sequence[Recorded], names: Sequence[str] = ()) -> bytes:
    return journals.text((journals.hledger if form == "hledger" else journals.beancount)(events, called=called(names)))


def accepted(form: str, games: Mapping[str, Sequence[Recorded]], folder: Path, names: Sequence[str] = ()) -> None:
    sound, said = checked(form, {name: journal(form, events, names) for name, events in games.items()}, folder)
    assert sound, said
    assert said == ""


hledger = pytest.mark.needs("hledger")
forms = pytest.mark.parametrize("form", [pytest.param("hledger", marks=hledger), "beancount"])


@forms
def test_the_journal_of_every_golden_game_is_accepted(form: str, tmp_path: Path) -> None:
    accepted(form, {file.stem: load(file) for file in FILES}, tmp_path)


@forms
def test_the_journals_of_random_games_are_accepted(form: str, tmp_path: Path) -> None:
    games = {f"{players}-players-{seed}": random_game(players, seed) for players, seed in RANDOM}
    accepted(form, games | {f"by-post-{seed}": random_postal_game(seed) for seed in (1, 9)}, tmp_path)


@forms
@pytest.mark.parametrize("game", [partial(random_game, 3, 37), partial(random_postal_game, 3)])
def test_the_journal_of_a_game_at_any_moment_is_accepted(
    form: str, game: Callable[[], list[Recorded]], tmp_path: Path
) -> None:
    """A game that has not started, one that has just begun, and one in full swing."""
    events = game()
    accepted(form, {f"{length}": events[:length] for length in (0, 1, 3, 5, 6, 50, 333, 1000)}, tmp_path)


def test_the_program_of_beancount_says_what_it_says_when_imported(sound: dict[str, str], tmp_path: Path) -> None:
    """A golden game, the same with each kind of tampering, and none."""
    text = sound["beancount"]
    assert bean_checked(journal("beancount", load(FILES[0])), tmp_path) == (True, "")
    assert bean_checked(journal("beancount", []), tmp_path) == (True, "")
    assert bean_checked(text.encode(), tmp_path) == (True, "")
    for tampered in (
        one_more(text, nth(text, AMOUNT["beancount"], 0.5)),
        one_more(text, nth(text, ASSERTION["beancount"], 0.5)),
        *(without(text, nth(text, line["beancount"], 0.5)) for line in (POSTING, HEADING, DECLARATION, TRANSACTION)),
    ):
        accepted, said = bean_checked(tampered.encode(), tmp_path)
        assert not accepted
        assert said


@hledger
@pytest.mark.parametrize("game", [*RANDOM[::2], "four-players", "long-game", "by-post-pumps", "by-post-sales"])
@pytest.mark.parametrize("share", [1, 2])
def test_hledger_comes_to_the_balances_of_the_game(game: tuple[int, int] | str, share: int, tmp_path: Path) -> None:
    """At the end, and halfway through. Beside cash: barrels and pieces, counted from the state."""
    events = (
        load(Path(__file__).parents[1] / "golden" / f"{game}.jsonl") if isinstance(game, str) else random_game(*game)
    )
    events = events[: len(events) // share]
    file = tmp_path / "game.hledger"
    file.write_bytes(journal("hledger", events))
    printed = subprocess.run(
        [found("hledger"), "-f", str(file), "balance", "--flat", "--output-format=csv"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    balances = dict(csv.reader(StringIO(printed)))
    state = held(fold(opened_with(events[0]), events))
    expected = {account: f"{amount} {unit}" for account, (unit, amount) in state.items() if amount}
    assert {account: amount for account, amount in balances.items() if account in state} == expected
    assert {account for account in expected if account.endswith(":cash")}
    assert balances["total"] == "0"


# Tampering


def nth(text: str, pattern: str, share: float) -> re.Match[str]:
    """One of the matches of the pattern: the first for 0, the last for 1."""
    places = list(re.finditer(pattern, text, re.MULTILINE))
    assert len(places) > 20, pattern
    return places[round(share * (len(places) - 1))]


def one_more(text: str, place: re.Match[str]) -> str:
    """The text with the number in the first group increased by one."""
    return text[: place.start(1)] + str(int(place[1]) + 1) + text[place.end(1) :]


def without(text: str, place: re.Match[str]) -> str:
    return text[: place.start()] + text[place.end() :]


AMOUNT = {
    "hledger": r"^    [a-z0-9_:]+  (-?[1-9]\d*) [a-z]+ = ",
    "beancount": r"^  [A-Z][A-Za-z0-9:-]+  (-?\d+) [A-Z]+$",
}
ASSERTION = {
    "hledger": r" = (-?\d+) [a-z]+",
    "beancount": r"^[\d-]+ balance [A-Za-z0-9:-]+  (-?\d+) [A-Z]+$",
}
POSTING = {"hledger": r"^    [a-z0-9_:]+  -?[1-9].*\n", "beancount": r"^  [A-Z][A-Za-z0-9:-]+  -?\d+ [A-Z]+\n"}
TRANSACTION = {"hledger": r"^[\d-]+ \* \(\d+\).*\n(    .*\n)+", "beancount": r'^[\d-]+ \* ".*\n(  .*\n)+'}
HEADING = {"hledger": r"^[\d-]+ \* \(\d+\).*\n", "beancount": r'^[\d-]+ \* ".*\n'}
DECLARATION = {"hledger": r"^account .*\n", "beancount": r"^[\d-]+ open .*\n"}
PLACES = {"hledger": (0, 0.5, 1), "beancount": (0, 0.01, 0.3, 0.5, 0.8, 0.99, 1)}
"""Where to tamper with a journal. hledger is a process each time."""


@pytest.fixture(scope="module")
def sound() -> dict[str, str]:
    """The journals of a game of three."""
    events = random_game(3, 38)
    return {form: journal(form, events).decode() for form in ("hledger", "beancount")}


def rejected(form: str, text: str, folder: Path) -> None:
    accepted, said = checked(form, {"game": text.encode()}, folder)
    assert not accepted
    assert said


@forms
def test_what_is_tampered_with_is_accepted_as_it_is(form: str, sound: dict[str, str], tmp_path: Path) -> None:
    assert checked(form, {"game": sound[form].encode()}, tmp_path) == (True, "")


@forms
@pytest.mark.parametrize("number", [AMOUNT, ASSERTION], ids=["amount", "assertion"])
def test_a_changed_number_is_rejected(form: str, number: dict[str, str], sound: dict[str, str], tmp_path: Path) -> None:
    text = sound[form]
    for share in PLACES[form]:
        rejected(form, one_more(text, nth(text, number[form], share)), tmp_path)


@forms
@pytest.mark.parametrize(
    "lines", [POSTING, HEADING, DECLARATION, TRANSACTION], ids=["posting", "heading", "declaration", "transaction"]
)
def test_a_missing_line_is_rejected(form: str, lines: dict[str, str], sound: dict[str, str], tmp_path: Path) -> None:
    """A whole transaction is found, too, even the last one: all balances are asserted again at the end."""
    text = sound[form]
    for share in PLACES[form]:
        rejected(form, without(text, nth(text, lines[form], share)), tmp_path)


@hledger
def test_both_amounts_of_a_transfer_changed_alike_are_rejected(sound: dict[str, str], tmp_path: Path) -> None:
    """The transaction still sums to zero, but the assertions fail."""
    text = sound["hledger"]
    for share in PLACES["hledger"]:
        place = nth(text, r"^    [a-z0-9_:]+  (-[1-9]\d*) ([a-z]+) = .*\n    [a-z0-9_:]+  ([1-9]\d*) \2 = ", share)
        less, more = str(int(place[1]) - 1), str(int(place[3]) + 1)
        changed = text[: place.start(1)] + less + text[place.end(1) : place.start(3)] + more + text[place.end(3) :]
        accepted, said = checked("hledger", {"game": changed.encode()}, tmp_path)
        assert not accepted
        assert "assertion" in said


def test_every_posting_asserts_a_balance_and_every_balance_is_right(sound: dict[str, str]) -> None:
    """The amounts are added up here again."""
    balances: dict[tuple[str, str], int] = {}
    postings = re.findall(r"^    ([a-z0-9_:]+)  (.*)$", sound["hledger"], re.MULTILINE)
    assert len(postings) > 1000
    for account, rest in postings:
        amount, unit, balance = re.fullmatch(r"(-?\d+) ([a-z]+) = (-?\d+) \2(?:  ;.*)?", rest).groups()  # type: ignore[union-attr]
        balances[account, unit] = balances.get((account, unit), 0) + int(amount)
        assert balances[account, unit] == int(balance)


def test_beancount_asserts_every_account_that_an_event_touches(sound: dict[str, str]) -> None:
    transactions = re.findall(
        r'^([\d-]+) \* "\w+" ".*"\n((?:  .*\n)+)((?:.* balance .*\n)*)', sound["beancount"], re.MULTILINE
    )
    assert len(transactions) > 300
    for _, postings, balances in transactions:
        touched = set(re.findall(r"^  ([A-Z][\w:-]+)  -?\d+ ([A-Z]+)$", postings, re.MULTILINE))
        asserted = set(re.findall(r" balance ([\w:-]+)  -?\d+ ([A-Z]+)$", balances, re.MULTILINE))
        assert touched == asserted != set()


# Income, expenses and prices


RIG = BuyAsset("rig", Site(0, 2, 5))
MOVES = [(0, RIG), *((seat, EndPurchases()) for seat in (0, 1, 0, 1)), (0, SellBarrels("domestic", "crude", 2))]
"""Ada buys a rig for 5 (`economy/cards`). Later, she sells crude on the fields for 5 and 4 (`market/start`)."""


def hledger_says(journal: bytes, folder: Path, *command: str) -> dict[str, str]:
    """The figures of a report of hledger, by account."""
    file = folder / "game.hledger"
    file.write_bytes(journal)
    ran = subprocess.run(
        [found("hledger"), "-f", str(file), *command, "--output-format=csv"],
        capture_output=True,
        text=True,
        check=True,
    )
    return {row[0]: row[-1] for row in csv.reader(StringIO(ran.stdout)) if len(row) > 1}


@hledger
def test_hledger_shows_an_income_statement(tmp_path: Path) -> None:
    """9 for two barrels, 5 for a rig. The capital of 300 each (`setup/start-capital`) is not income."""
    books = journals.text(journals.hledger(seated(["Ada", "Ben"], MOVES), called=called(["Ada", "Ben"])))
    said = hledger_says(books, tmp_path, "incomestatement")
    assert {name: amount for name, amount in said.items() if amount.endswith(" dollars") and name != "total"} == {
        "income:seat:0:crude_sold": "9 dollars",
        "expenses:seat:0:assets_bought": "5 dollars",
        "Net:": "4 dollars",
    }


@hledger
def test_hledger_values_what_everybody_has_at_the_prices_of_the_day(tmp_path: Path) -> None:
    """Ada: 304 in cash, a rig for which the bank pays 3, and two barrels of gasoline at 14.

    Ben: 300, the same gasoline, and two barrels of crude at 5 on the foreign market. The domestic one pays 3 since Ada
    sold. Together with the bank, it sums to zero.
    """
    books = journals.text(journals.hledger(seated(["Ada", "Ben"], MOVES), called=called(["Ada", "Ben"])))
    values = hledger_says(books, tmp_path, "balance", "--value=end", "--flat", "^seat")
    assert values == {
        "account": "balance",
        "seat:0:cash": "304 dollars",
        "seat:0:gasoline": "28 dollars",
        "seat:0:rig": "3 dollars",
        "seat:1:cash": "300 dollars",
        "seat:1:crude": "10 dollars",
        "seat:1:gasoline": "28 dollars",
        "total": "673 dollars",
    }
    assert hledger_says(books, tmp_path, "balance", "--value=end", "--flat")["total"] == "0"


def test_beancount_shows_an_income_statement(tmp_path: Path) -> None:
    """The same game. Here, income is negative."""
    file = tmp_path / "game.beancount"
    file.write_bytes(journals.text(journals.beancount(seated(["Ada", "Ben"], MOVES), called(["Ada", "Ben"]))))
    asked = "SELECT account, sum(number) WHERE root(account, 1) IN ('Income', 'Expenses') GROUP BY account"
    bean_query = Path(sys.executable).with_name("bean-query")
    said = subprocess.run([bean_query, "--format=csv", file, asked], capture_output=True, text=True, check=True).stdout
    rows = [[cell.strip() for cell in row] for row in csv.reader(StringIO(said))][1:]
    assert sorted(rows) == [["Expenses:Seat:0:Assets-bought", "5"], ["Income:Seat:0:Crude-sold", "-9"]]


def test_beancount_knows_the_currency_the_prices_and_the_sentences() -> None:
    text = journals.text(journals.beancount(seated(["Ada", "Ben"], MOVES), called(["Ada", "Ben"]))).decode()
    assert 'option "operating_currency" "DOLLARS"\n' in text
    assert re.findall(r"^\S+ price (.*)$", text, re.MULTILINE) == [
        "CRUDE 5 DOLLARS",
        "GASOLINE 14 DOLLARS",
        "RIG 3 DOLLARS",
    ]
    assert re.findall(r'^\S+ \* "AssetBought" (.*)$', text, re.MULTILINE) == [
        '"Ada buys a rig for $5M and places it at row 2, column 5 of the north-west."'
    ]


@hledger
@pytest.mark.parametrize("name", ["two-players", "by-post-pumps"])
def test_net_worth_in_hledger_is_that_of_the_game(name: str, tmp_path: Path) -> None:
    """Halfway through, for all players: cash, and all assets at the bank's prices."""
    events = load(Path(__file__).parents[1] / "golden" / f"{name}.jsonl")
    events = events[: len(events) // 2]
    ruleset = opened_with(events[0])
    for holding in ruleset.books.gauges(fold(ruleset, events)).holdings:
        accounts = f"^seat:{holding.seat}:(cash|rig|well|station|refinery)"
        values = hledger_says(journal("hledger", events), tmp_path, "balance", "--value=end", accounts)
        assert values["total"] == f"{holding.worth} dollars"


def test_what_one_seat_pays_another_is_the_ones_expense_and_the_others_income() -> None:
    """No rule set has such payments yet."""
    paid = bookings.split(Transfer("seat:0:cash", "seat:1:cash", "dollars", 7, "toll"), "dollars")
    assert paid == (
        Transfer("seat:0:cash", "expenses:seat:0:toll", "dollars", 7, "toll"),
        Transfer("income:seat:1:toll", "seat:1:cash", "dollars", 7, "toll"),
    )


# Names


NASTY = ['"; | "', "a  b ; date:2020-13-45", "\\", "[2020-13-45]", "\u2028account x"]


@forms
def test_a_name_can_be_anything(form: str, tmp_path: Path) -> None:
    for name in NASTY:
        names = [name, "Ben"]
        events = seated(names, MOVES)
        accepted(form, {"game": events}, tmp_path, names)
        text = journal(form, events, names).decode()
        shown = name.replace("\u2028", "\N{REPLACEMENT CHARACTER}")
        assert f"; seat:0 is {shown}\n" in text


@forms
def test_a_line_break_in_a_name_is_no_line_break(form: str, tmp_path: Path) -> None:
    """No server accepts such a name, but a log from elsewhere may contain it."""
    names = ["Ada\n2000-01-02 open Equity:Mine", "Ben"]
    text = journal(form, seated(names), names).decode()
    assert "\n2000-01-02 open" not in text
    names = ["Ada\rx", "Ben\x85x"]
    accepted(form, {"game": seated(names)}, tmp_path, names)


def test_the_day_of_an_event() -> None:
    assert [str(journals.day(seq)) for seq in (1, 30, 31, 366)] == [
        "2000-01-02",
        "2000-01-31",
        "2000-02-01",
        "2001-01-01",
    ]


@hledger
def test_a_prefix_tells_the_games_in_one_journal_apart(tmp_path: Path) -> None:
    """hledger reads two games as one journal. Their days mix, but their accounts do not."""
    both = b"".join(journals.text(journals.hledger(random_game(2, seed)[:200], f"game:{seed}:")) for seed in (39, 40))
    file = tmp_path / "games.hledger"
    file.write_bytes(both)
    ran = subprocess.run([found("hledger"), "-f", str(file), "check", "--strict"], capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")
