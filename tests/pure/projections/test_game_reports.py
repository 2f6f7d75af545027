"""The report of a game: who won, by which rule, and why."""

import re
from pathlib import Path

import msgspec
import pytest
from rich.cells import cell_len

from mcmulti.domain.core.capabilities.rounds import ReportTable
from mcmulti.domain.core.wording.telling import LANGUAGES, Language
from mcmulti.domain.millionenspiel.components import GAINS
from mcmulti.events.log.codec import fold, opened_with
from mcmulti.events.log.envelope import Recorded
from mcmulti.projections.reports.games import game_report
from mcmulti.projections.reports.letters import WIDTH, as_markdown, as_text
from mcmulti.projections.statistics.reckoning import Reckoning, reckoning
from tests.golden.games import FILES, load
from tests.pure.millionenspiel.three_reds import BEN, CALLED, CLEO, three_reds

LOG = three_reds()
BY_NAME = {file.stem: file for file in FILES}


def table(title: str) -> ReportTable:
    """A table of the report about it."""
    return next(each for each in game_report(LOG, called=CALLED).tables if each.title.startswith(title))


def test_who_won_and_by_which_rule() -> None:
    """5151505 are 5151400 more than Cleo's 105. The million was won in the third round."""
    told = game_report(LOG, called=CALLED)
    assert told.winners == (BEN,)
    assert told.headline == "Ben won with 5,151,505, 5,151,400 more than Cleo."
    [end] = told.sections[0].entries
    assert (end.seq, end.rule) == (len(LOG) - 1, "end/million")
    assert end.details[0].sentence.startswith(f"Turn 3, event {end.seq}: end/million. A player with 1,000,000 or more")


def test_where_the_money_came_from_and_went() -> None:
    """All of it is gain: 500, 50500, and 5100500 for Ben, 100 for Cleo.

    A stake that is returned is neither gain nor loss.
    """
    assert table("What came and went").rows == (
        ("gain", None, 5151500, 100),
        ("start", 5, 5, 5),
        ("in all", 5, 5151505, 105),
    )
    assert table("Where everybody stands").rows == (("Ben", 5151505, 3), ("Cleo", 105, 0), ("Ada", 5, 0))
    assert game_report(LOG, called=CALLED).summary == (
        "Ben was ahead at the end of 3 of 3 turns, from turn 1 to the end.",
        "What made the difference to Cleo: gain (+5,151,400).",
    )


def test_the_biggest_swings_in_order() -> None:
    swings = reckoning(LOG, called=CALLED).swings
    assert [(swing.told.turn, swing.amounts, swing.left[BEN]) for swing in swings] == [
        (1, {BEN: 500}, 505),
        (1, {CLEO: 100}, 505),
        (2, {BEN: 50500}, 51005),
        (3, {BEN: 5100500}, 5151505),
    ]
    [red, *_] = game_report(LOG, called=CALLED).sections[1].entries
    assert red.sentence == "Ben keeps the stake and gains 500 (5 × 100), 100 times as much."
    assert red.details[0].sentence == f"Turn 1, event {red.seq}, settle/colour: Ben +500, then 505."


def test_luck_is_what_all_moves_would_have_brought_on_average() -> None:
    [row] = table("Luck").rows
    actual = (1 + GAINS["red"]) * (5 + 505 + 51005)
    assert (row[0], row[1]) == ("stake", None)
    assert str(row[1 + BEN]).startswith(f"{actual:,} of ")


def test_numbers_are_written_as_the_language_writes_them() -> None:
    """Ben staked 51515 in total, which red made 101 times as much. The expectation has a decimal."""
    told = game_report(LOG, "de", CALLED)
    assert told.headline == "Ben hat mit 5.151.505 gewonnen, 5.151.400 mehr als Cleo."
    assert told.summary[-1].endswith("(+5.151.400).")
    swings = [entry.details[0].sentence for entry in told.sections[1].entries]
    assert swings[-1].endswith("Ben +5.100.500, danach 5.151.505.")
    english = next(each for each in game_report(LOG, called=CALLED).tables if each.title.startswith("Luck")).rows[0]
    german = next(each for each in told.tables if each.title.startswith("Glück")).rows[0]
    assert re.fullmatch(r"5,203,015 of 1,\d{3},\d{3}\.\d", str(english[1 + BEN]))
    assert re.fullmatch(r"5\.203\.015 von 1\.\d{3}\.\d{3},\d", str(german[1 + BEN]))


def test_a_game_that_goes_on_says_who_is_ahead() -> None:
    """After the second round, and before the first."""
    third = next(event.seq for event in LOG if event.type == "StakingBegan" and b'"round":3' in event.data)
    told = game_report(LOG[:third], called=CALLED)
    assert (told.status, told.winners, told.headline) == ("running", (), "The game goes on: Ben is ahead with 51,005.")
    assert [section.title for section in told.sections] == ["The biggest swings"]
    begun = game_report(LOG[:4])
    assert (begun.status, begun.headline, begun.tables) == ("open", "The game has not begun.", ())
    with pytest.raises(ValueError, match="without events"):
        game_report([])


@pytest.mark.parametrize(
    ("leaders", "ahead", "since"),
    [
        (((0,), (1,), (0,)), 2, 3),
        (((0,), (0, 1), (0, 1)), 3, 1),
        (((0,), (0,), (1,)), 2, None),
        (((1,), (0, 1)), 1, 2),
        ((), 0, None),
    ],
)
def test_since_when_somebody_was_ahead(leaders: tuple[tuple[int, ...], ...], ahead: int, since: int | None) -> None:
    found = reckoning(LOG, called=CALLED)._replace(leaders=leaders)
    assert (found.turns_ahead(0), found.ahead_since(0)) == (ahead, since)


def test_who_declared_the_end_need_not_have_won() -> None:
    """The declaration and the end are reported, each with its rule."""
    events = load(BY_NAME["declarer-overtaken"])
    found = reckoning(events)
    assert [told.rule for told in found.endings] == ["end/declare", "final/winner"]
    declared = next(event for event in events if event.type == "VictoryDeclared")
    assert found.endings[0].seq == declared.seq
    assert found.statistics.winners != (found.statistics.declared_by,)


@pytest.mark.parametrize(
    ("money", "headline"),
    [
        ((5, 100, 100), "Ben won with 100, as much as Cleo."),
        ((5, 100, 90), "Ben won with 100, 10 more than Cleo."),
        ((5, 90, 100), "Ben won with 90."),
    ],
)
def test_who_won_need_not_have_more_than_the_others(
    money: tuple[int, ...], headline: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tie that a rule decided, and a target that was reached before somebody got more."""
    found = reckoning(LOG, called=CALLED)._replace(money=money)
    monkeypatch.setattr("mcmulti.projections.reports.games.reckoning", lambda events, language, called: found)
    assert game_report(LOG, called=CALLED).headline == headline


def test_winners_share_a_victory() -> None:
    told = game_report(load(BY_NAME["shared-victory"]))
    assert len(told.winners) > 1
    assert "share the victory, with" in told.headline
    assert told.summary == ()


def _checked(found: Reckoning) -> None:
    """A seat's opening balance, and everything that came and went, is what it has."""
    for seat, money in enumerate(found.money):
        assert sum(found.net(seat).values()) == money


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_golden_game_is_reported_in_eighty_columns(language: Language, file: Path) -> None:
    events = load(file)
    found = reckoning(events, language)
    _checked(found)
    told = game_report(events, language)
    assert told.status == "finished"
    assert told.winners == _winners(events)
    assert all((found.statistics.names[seat] or "") in told.headline for seat in told.winners)
    letter = as_text(told)
    assert max(cell_len(line) for line in letter.splitlines()) <= WIDTH
    assert as_markdown(told).startswith("# ")
    assert msgspec.json.decode(msgspec.json.encode(told), type=type(told)) == told


def _winners(events: list[Recorded]) -> tuple[int, ...]:
    """As in the rules."""
    ruleset = opened_with(events[0])
    return ruleset.outcome(fold(ruleset, events)).winners
