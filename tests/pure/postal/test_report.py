"""The report of a round: of the one worked out by hand, and of all rounds of random games."""

from functools import lru_cache
from itertools import pairwise

import pytest
from msgspec import Struct

from mcmulti.domain.core.capabilities.rounds import Past, RoundReport, Section
from mcmulti.domain.core.wording.telling import LANGUAGES, Language
from mcmulti.domain.postal import RULESET
from mcmulti.domain.postal.conditions.conditions import CashIs
from mcmulti.domain.postal.refereeing.refereeing import OrdersSubmitted, RoundBegan
from mcmulti.domain.postal.sheets.sheet import (
    ConvertRigOrder,
    HoldPumps,
    IfOrder,
    OrderSheet,
    SellAssetOrder,
    SellBarrelsOrder,
    branches,
    lines,
)
from mcmulti.domain.postal.sheets.tracing import first_for_pumps, placed
from mcmulti.domain.postal.shown.report import report as of_round
from mcmulti.domain.postal.state import State
from mcmulti.events.log.codec import event_decoder, fold
from mcmulti.events.log.envelope import Recorded
from mcmulti.projections.reports.rounds import OpenRound, UnknownRound, report, reports, rounds
from tests.games import random_postal_game
from tests.pure.postal.reported import FIRST, past, reported
from tests.pure.postal.situations import HARMLESS, NOTHING, A, B, C, D, plot, refereed, situation

SEEDS = range(6)


@lru_cache
def game(seed: int) -> list[Recorded]:
    return random_postal_game(seed)


def section(report: RoundReport, title: str) -> Section:
    (found,) = [each for each in report.sections if each.title == title]
    return found


def told(section: Section, phase: str) -> list[tuple[int | None, str, str]]:
    """Line, outcome, and sentence of the entries of a phase, with their details."""
    return [
        (entry.line, entry.outcome, " ".join((entry.sentence, *(detail.sentence for detail in entry.details))))
        for entry in section.entries
        if entry.phase == phase
    ]


def test_the_turn_of_ben_line_by_line() -> None:
    """As `test_round_by_hand` works it out: 55 in cash at line 3, 46 at line 5. Line 7 asks about 19."""
    ben = section(reported(), "Ben")
    north_east = "of the north-east"
    assert told(ben, "Phase 1: assets") == [
        (1, "done", f"Ben converts the rig at row 3, column 5 {north_east} into a well for $20M, "
                    "conversion 2 of the game."),
        (2, "done", f"Ben sells the rig at row 3, column 1 {north_east} for $5M."),
        (3, "checked", "The condition holds (next: line 4). All of these: yes. "
                       "Climate Expansion: yes, Expansion. Own cash at least $50M: yes, $55M."),
        (4, "done", f"Ben buys a rig for $9M and places it at row 1, column 1 {north_east}."),
        (5, "skipped", "Skipped: buy a station for row 6, column 6; cash is short ($46M of $66M)."),
    ]  # fmt: skip
    assert told(ben, "Phase 2: barrels") == [
        (7, "checked", "The condition holds (next: line 8). Consumer price at most $20M: yes, $19M."),
        (8, "done", "Ben buys 2 barrels of crude on the foreign market for $19M (the first at $9M, the last at $10M)."),
        (10, "skipped", "Skipped: sell 1 barrel of gasoline on the domestic market; the turn is for the other market."),
    ]
    assert told(ben, "Phase 3: production") == [
        (None, "told", "Ben rolls red 3 and black 5."),
        (None, "told", "The dice hit assets of Ben: up to 4 barrels of crude can be pumped."),
        (None, "told", "Ben pumps 4 barrels of crude."),
    ]
    (short,) = [entry for entry in ben.entries if entry.line == 5]
    assert (short.have, short.need) == (46, 66)


def test_the_turn_of_dan_in_german() -> None:
    """Two of three barrels are sold, at 5 and 4. The third would bring 3. Consumers pay 43 at line 3."""
    dan = section(reported("de"), "Dan")
    assert told(dan, "Phase 1: Anlagen") == [
        (1, "skipped", "Übergangen: eine Tankstelle für Zeile 2, Spalte 2 kaufen; das Bargeld reicht nicht "
                       "(30 Mio. $ von 88 Mio. $)."),
    ]  # fmt: skip
    assert told(dan, "Phase 2: Fässer") == [
        (2, "done", "Dan verkauft auf dem Inlandsmarkt 2 Fässer Rohöl für 9 Mio. $ (das erste für 5 Mio. $, "
                    "das letzte für 4 Mio. $)."),
        (2, "curtailed", "Nur 2 von 3 Fässern, denn das nächste bringt zu wenig."),
    ]  # fmt: skip
    assert told(dan, "Phase 3: Produktion")[2:5] == [
        (None, "told", "Zeilen 3 und 5 von Dan werden geöffnet."),
        (3, "checked", "Die Bedingung gilt nicht (weiter: Zeile 5). "
                       "Verbraucherpreis mindestens 44 Mio. $: nein, 43 Mio. $."),
        (5, "done", "Die Tankstellen von Dan halten wie befohlen 1 Fass Benzin zurück."),
    ]  # fmt: skip


def test_what_the_referee_did_for_cleo_has_no_lines() -> None:
    cleo = section(reported(), "Cleo")
    assert cleo.entries[1].sentence == "Cleo sent no orders for round 6."
    assert {(entry.line, entry.outcome) for entry in cleo.entries} == {(None, "told")}
    assert told(cleo, "Phase 3: production")[1:5:3] == [
        (None, "told", "The double 4 changes the climate from Expansion to Rapid growth; the consumer price rises "
                       "from $19M to $43M."),
        (None, "told", "The dice hit assets of the neighbor Dan: 1 barrel of crude can be refined."),
    ]  # fmt: skip


def test_turns_are_told_in_operating_order() -> None:
    assert [(each.title, each.seat) for each in reported().sections] == [
        ("The orders", None),
        ("Ben", 1),
        ("Cleo", 2),
        ("Dan", 3),
        ("Ada", 0),
    ]


def test_the_round_in_a_few_sentences() -> None:
    """Ada has 92. The climate went over rapid growth to prosperity. The fourth conversion would cost 40."""
    english, german = reported("en"), reported("de")
    assert english.headline == "Ada leads with $92M."
    assert english.summary == (
        "The climate changes twice: from Expansion to Rapid growth, then to Prosperity.",
        "Consumers pay $62M for the next barrel; before the round it was $19M.",
        "The next rig to be converted costs $40M.",
        "In lines of orders a letter with a number is a site: B3 is row 2, column 3, in the quadrant of the player who "
        "sent them unless another player is named.",
    )
    assert english.closing == "I await your orders for round 7. Good luck to all of you!"
    assert german.headline == "Ada führt mit 92 Mio. $."
    assert german.summary[0] == (
        "Die Wirtschaftslage wechselt zweimal: von „Expansion“ zu „Rasches Wachstum“, dann zu „Wohlstand“."
    )
    assert (english.round, english.winners) == (6, ())


def test_letters_are_explained_where_lines_of_orders_have_them() -> None:
    """Ben's only line condition refers to Cleo by her letter, and no line names a site."""
    asks = OrderSheet((IfOrder(CashIs(seat=C, at_least=1), (ConvertRigOrder(),)),))
    sheets = {**dict.fromkeys(range(4), NOTHING), B: asks}
    told = refereed_and_told(situation(), sheets)
    written = [entry.written for entry in section(told, "Ben").entries if entry.written]
    assert written == ["if cash of C at least 1", "convert rig"]
    assert told.summary[3:] == ("In lines of orders, players are letters: A is Ada, B is Ben, C is Cleo and D is Dan.",)
    german = refereed_and_told(situation(), sheets, language="de")
    assert german.summary[3:] == (
        "In Zeilen von Aufträgen stehen Buchstaben für die Spieler: A ist Ada, B ist Ben, C ist Cleo und D ist Dan.",
    )
    assert len(refereed_and_told(situation(), dict.fromkeys(range(4), NOTHING)).summary) == 3


def test_how_things_stand_after_it() -> None:
    """Cash, crude, and gasoline as worked out in `test_round_by_hand`. Worth at the prices of prosperity.

    Ada: 92 + well 75 + station 60 + two refineries 200 = 427. Dan: 39 + well 75 + station 60 + refinery 100 = 274. Ben:
    27 + rig 12 + well 75 = 114. Cleo: 1 + well 75 = 76. Before, at home crude cost 6 and brought 5 with 5 fields free.
    Dan filled two of them. Abroad 11 fields of crude are free: the next costs 12 and one sold brings 11.
    """
    standing, board, markets, bank = reported().tables
    assert standing.rows == (
        ("Ada", 100, 92, 3, 3, 427),
        ("Dan", 30, 39, 5, 1, 274),
        ("Ben", 70, 27, 6, 1, 114),
        ("Cleo", 21, 1, 2, 0, 76),
    )
    assert board.rows == (("Ada", 0, 1, 1, 2), ("Dan", 0, 1, 1, 1), ("Ben", 1, 1, 0, 0), ("Cleo", 0, 1, 0, 0))
    assert markets.rows == (
        ("Crude, domestic", 6, 4, 5, 3),
        ("Gasoline, domestic", 12, 12, 10, 10),
        ("Crude, foreign", 9, 12, 8, 11),
        ("Gasoline, foreign", 14, 10, 12, 8),
        ("Consumers", None, None, 19, 62),
    )
    assert bank.rows == (("Rig", 16, 12), ("Well", None, 75), ("Station", 100, 60), ("Refinery", 160, 100))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_of_the_round_by_hand_is_told_once(language: Language) -> None:
    seqs = [entry.seq for each in reported(language).sections for entry in each.entries]
    assert seqs == list(range(FIRST, FIRST + len(past())))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_event_of_a_game_is_told_in_its_round(seed: int, language: Language) -> None:
    """From the beginning of round 1 to the end, in order, without a gap, each under its own rule."""
    log = game(seed)
    told = [entry for each in reports(log, language) for part in each.sections for entry in part.entries]
    spans = rounds(log)
    assert [each.round for each in spans] == list(range(1, len(spans) + 1))
    assert all(before.last + 1 == after.first for before, after in pairwise(spans))
    refereed = [each for each in spans if each.status == "refereed"]
    assert [entry.seq for entry in told] == list(range(refereed[0].first, refereed[-1].last + 1))
    assert [entry.rule for entry in told] == [event.rule for event in log[refereed[0].first - 1 : refereed[-1].last]]
    assert not [entry for entry in told if "{" in entry.sentence or not entry.sentence.strip()]


@pytest.mark.parametrize("seed", SEEDS)
def test_no_line_of_a_sheet_is_passed_over_in_silence(seed: int) -> None:
    """Every line of phases 1 and 2 has an entry, or is in a branch that was not taken, or in a note."""
    decode = event_decoder(RULESET.name, RULESET.version)
    log = game(seed)
    lines_told = 0
    for each in reports(log):
        entries = [entry for part in each.sections for entry in part.entries]
        closed = next(entry.seq for entry in entries if log[entry.seq - 1].type == "RoundClosed")
        sheets = fold(RULESET, log[:closed]).sheets
        for part in each.sections:
            sheet = None if part.seat is None else sheets[part.seat]
            if sheet is None:
                continue
            of_seat = [entry for entry in entries if entry.seat == part.seat and entry.line]
            known = {entry.line for entry in of_seat} | {line for note in part.notes for line in _range(note)}
            for entry in of_seat:
                event = decode(log[entry.seq - 1].data)
                if entry.outcome == "checked" and entry.line:
                    then, otherwise = map(lines, branches(placed(sheet)[entry.line]))
                    first = entry.line + 1 + (then if event.holds else 0)
                    known |= set(range(first, first + (otherwise if event.holds else then)))
            phases = set(range(1, first_for_pumps(sheet)))
            assert phases <= known, (seed, each.round, part.title)
            assert known <= set(placed(sheet))
            lines_told += len(phases)
    assert lines_told > 50


def _range(text: str) -> range:
    """The lines that ``line 3``, ``lines 3 and 4``, or ``lines 3 to 5`` name."""
    words = text.replace(")", " ").replace(".", " ").replace(",", " ").split()
    for place, word in enumerate(words):
        if word in ("line", "lines"):
            first = int(words[place + 1])
            return range(first, 1 + (int(words[place + 3]) if word == "lines" else first))
    return range(0)


def refereed_and_told(
    state: State, sheets: dict[int, OrderSheet], dice: tuple[int, ...] = HARMLESS, language: Language = "en"
) -> RoundReport:
    """The report of a round in which everybody sent a sheet."""
    sent: list[Struct] = [OrdersSubmitted(seat, state.round, sheet, "00" * 16) for seat, sheet in sheets.items()]
    decided = [
        event for event in refereed(state, sheets, dice)[0] if not isinstance(event, OrdersSubmitted | RoundBegan)
    ]
    events = [RoundBegan(state.round, state.order, ()), *sent, *decided]
    return of_round(state, [Past(seq, event, "postal/orders") for seq, event in enumerate(events)], language)


def test_what_the_end_came_before_is_told() -> None:
    """Ada has 980 and sells a station for 24 in line 1: 1004, before phase 2, before dice, before all others."""
    state = situation(cash={A: 980}, crude={A: 3}, assets={A: "station 2-2, rig 1-1"}, hits={A: "station 2-2"})
    sheet = OrderSheet(
        (SellAssetOrder("station", plot("2-2")),), (SellBarrelsOrder("domestic", "crude", 1),), HoldPumps()
    )
    told = refereed_and_told(state, {A: sheet, B: NOTHING, C: NOTHING, D: NOTHING}, ())
    assert (told.headline, told.winners) == ("Ada has won, with $1,004M!", (A,))
    assert told.closing == "That was the game. Thank you for playing!"
    assert [each.title for each in told.sections] == ["The orders", "Ada", "The end"]
    assert section(told, "Ada").notes == ("The game was over before line 2 could be carried out.",)
    assert section(told, "The end").notes == ("The game was over before Ben, Cleo and Dan had a turn.",)


def test_dice_and_hits_that_come_to_nothing_are_told() -> None:
    """Ada's roll hits her refinery, and she has no crude. The others' rolls, row 1 and column 2, hit nothing."""
    state = situation(assets={A: "refinery 5-5"})
    told = refereed_and_told(state, dict.fromkeys(range(4), NOTHING), (5, 1, 1, 2, 1, 2, 1, 2))
    hit = section(told, "Ada").entries[-1]
    assert hit.sentence == "The dice hit assets of Ada: 1 barrel of crude can be refined."
    assert [detail.sentence for detail in hit.details] == ["There is no crude in store to refine."]
    assert [section(told, name).notes for name in ("Ada", "Ben")] == [(), ("The dice hit nothing.",)]


def test_a_round_that_waits_for_orders_has_no_report() -> None:
    log = game(0)
    second = rounds(log)[1]
    with pytest.raises(OpenRound, match="Round 2 has not been refereed yet"):
        report(log[: second.first], 2)
    assert rounds(log[: second.first])[-1].status == "open"
    assert [each.round for each in reports(log[: second.first])] == [1]
    with pytest.raises(UnknownRound, match="no round 3"):
        report(log[: second.first], 3)
    assert list(reports(log[:3])) == []


def test_a_barrel_is_sold_at_1_and_then_consumers_buy_nothing() -> None:
    """From 1: A's pump sells for 1. The report mentions it at the sale, at the price, in the table, and at B's pump."""
    before = situation(gasoline={A: 2, B: 2}, assets={A: "station 2-1", B: "station 5-1"}, consumer=1)
    told = refereed_and_told(before, dict.fromkeys(range(4), NOTHING), (2, 6, 5, 4, 1, 3, 1, 3))
    ada, ben = (section for section in told.sections if section.title in ("Ada", "Ben"))
    assert "Ada sells 1 barrel of gasoline to the consumers for $1M." in [entry.sentence for entry in ada.entries]
    (note,) = [detail.sentence for entry in ben.entries for detail in entry.details]
    assert note == told.summary[1] == "Consumers buy nothing until the climate changes."
    assert told.tables[2].rows[-1] == ("Consumers", None, None, 1, None)
