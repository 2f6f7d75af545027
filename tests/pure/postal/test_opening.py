"""What a round reveals of the sheets, and what stays sealed until the game is over."""

from functools import lru_cache

import msgspec
import pytest
from msgspec import Struct

from mcmulti.domain.core.wording.telling import LANGUAGES
from mcmulti.domain.postal import RULESET
from mcmulti.domain.postal.commands import SubmitOrders, WithdrawOrders
from mcmulti.domain.postal.conditions import conditions as c
from mcmulti.domain.postal.refereeing.carrying_out import OrdersOpened
from mcmulti.domain.postal.sheets.sheet import (
    BuyAssetOrder,
    ConvertRigOrder,
    HoldPumps,
    IfLine,
    IfOrder,
    IfPumps,
    OpenedLine,
    OrderSheet,
    SellAssetOrder,
    SellAtPumps,
    SellBarrelsOrder,
)
from mcmulti.domain.postal.shown.picture import picture
from mcmulti.events.log.codec import fold
from mcmulti.events.log.envelope import Head, Recorded, broken_link, sealed
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Player
from mcmulti.events.store.redaction import for_reader, legible
from mcmulti.projections.books.ledger import entries
from mcmulti.projections.proof.proof import verify
from mcmulti.projections.reports.replay import frames
from mcmulti.projections.reports.rounds import reports, rounds
from mcmulti.projections.statistics.game import game_statistics
from tests.games import random_postal_game
from tests.golden.forging import chain_hash
from tests.pure.postal.situations import NOTHING, A, B, C, D, after, plot, refereed, situation, started
from tests.thorough import QUICK

ALL = dict.fromkeys(range(4), NOTHING)
RICH, POOR = c.CashIs(at_least=40), c.CashIs(at_most=39)
RIG = BuyAssetOrder("rig", plot("1-1"))
SECRET = BuyAssetOrder("refinery", plot("5-4"))


def opened(happened: list[Struct], seat: int) -> list[tuple[OpenedLine, ...]]:
    """What is revealed of a seat's sheet, each time that lines of it are."""
    return [event.lines for event in happened if isinstance(event, OrdersOpened) and event.seat == seat]


def test_postal_orders__a_branch_not_taken_stays_sealed_and_lines_keep_their_numbers() -> None:
    """Lines: 1 if, 2 rig, 3 and 4 in the other branch, 5 the end of phase 1, 6 a sale that is skipped."""
    sheet = OrderSheet(
        (IfOrder(RICH, (RIG,), (SECRET, SECRET)), ConvertRigOrder()), (SellBarrelsOrder("domestic", "crude", 1),)
    )
    happened, _ = refereed(situation(cash=40), {**ALL, A: sheet})
    assert opened(happened, A) == [
        (
            OpenedLine(1, 1, IfLine(RICH), "in_full"),
            OpenedLine(2, 1, RIG, "in_full"),
            OpenedLine(5, 1, ConvertRigOrder(), "skipped"),
            OpenedLine(6, 2, SellBarrelsOrder("domestic", "crude", 1), "skipped"),
        )
    ]


def test_postal_orders__a_condition_in_a_branch_not_taken_stays_sealed() -> None:
    sheet = OrderSheet((IfOrder(POOR, (IfOrder(c.CashIs(at_least=39), (SECRET,)),), (IfOrder(RICH, (), (RIG,)),)),))
    happened, _ = refereed(situation(cash=40), {**ALL, A: sheet})
    assert opened(happened, A) == [
        (OpenedLine(1, 1, IfLine(POOR), "skipped"), OpenedLine(4, 1, IfLine(RICH), "in_full"))
    ]


def test_postal_orders__lines_that_the_end_came_before_are_not_opened_by_the_round() -> None:
    """976 and a station for 24 win in line 2. The end of the game reveals the whole sheet anyway."""
    state = situation(cash={A: 976}, assets={A: "station 1-1"}, hits={A: "station 1-1"})
    sale = SellAssetOrder("station", plot("1-1"))
    sheet = OrderSheet((IfOrder(c.CashIs(at_least=976), (sale, SECRET)), IfOrder(RICH, (SECRET,)), SECRET))
    happened, _ = refereed(state, {**ALL, A: sheet}, ())
    assert opened(happened, A) == [
        (OpenedLine(1, 1, IfLine(c.CashIs(at_least=976)), "in_full"), OpenedLine(2, 1, sale, "in_full"))
    ]


def test_postal_orders__of_an_empty_sheet_and_of_none_nothing_is_opened() -> None:
    happened, _ = refereed(situation(gasoline=1, assets={A: "station 1-3"}), {A: NOTHING})
    assert not [event for event in happened if isinstance(event, OrdersOpened)]


def test_postal_orders__what_a_sheet_says_of_pumps_is_opened_when_they_are_hit() -> None:
    """Row 1 and column 2: only A hits its station 1-3. B's orders for pumps stay sealed."""
    pumps = IfPumps(c.CashIs(at_least=41), SellAtPumps(20), IfPumps(RICH, HoldPumps(), SellAtPumps(30)))
    state = situation(cash=40, gasoline=1, assets={A: "station 1-3", B: "station 6-6"})
    happened, _ = refereed(state, {**ALL, A: OrderSheet(pumps=pumps), B: OrderSheet(pumps=pumps)}, (1, 2) * 4)
    assert opened(happened, A)[0] == (
        OpenedLine(1, 3, IfLine(c.CashIs(at_least=41)), "skipped"),
        OpenedLine(3, 3, IfLine(RICH), "in_full"),
        OpenedLine(4, 3, HoldPumps()),
    )
    assert opened(happened, B) == []


def test_postal_orders__drafts_are_not_opened_at_all() -> None:
    """A replaces its sheet, and C and D withdraw theirs. Only A's last one is carried out."""
    state = started()
    for seat in (A, C, D):
        state = after(state, seat, SubmitOrders(1, OrderSheet((SECRET,))))
    for seat in (C, D):
        state = after(state, seat, WithdrawOrders(1))
    happened, _ = refereed(state, {A: OrderSheet((RIG,))})
    assert [opened(happened, seat) for seat in range(4)] == [[(OpenedLine(1, 1, RIG, "in_full"),)], [], [], []]


# What readers see follows from what they may read: whole games, cut off where their second to last round ended


@lru_cache
def running(seed: int) -> tuple[Recorded, ...]:
    """A running game, up to where a round halfway through waits, with sheets in."""
    events = random_postal_game(seed)
    spans = rounds(events)
    return tuple(events[: spans[len(spans) // 2].last])


def handed_out(events: tuple[Recorded, ...], seat: int | None = None) -> list[Recorded]:
    """What a reader gets of the log."""
    state = fold(RULESET, events)
    assert RULESET.status(state) == "running"
    last = events[-1]
    now = Position(last.game_id, RULESET, state, Head(last.seq, last.hash))
    reader = None if seat is None else Player(msgspec.convert(state.player_ids[seat], type(last.game_id)), "")
    read = for_reader(now, reader, events)
    assert any(event.payload for event in read)
    return list(read)


def as_read_by(events: tuple[Recorded, ...], seat: int | None) -> list[Recorded]:
    """The same, with placeholders for what is sealed."""
    return list(legible(handed_out(events, seat)))


SEEDS = range(1 if QUICK else 4)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_reports_follow_from_what_everybody_may_read(seed: int, language: str) -> None:
    whole = running(seed)
    told = list(reports(whole, language))  # type: ignore[arg-type]
    assert told
    assert list(reports(as_read_by(whole, None), language)) == told  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", SEEDS)
def test_reports_stay_what_they_were_when_the_game_is_over(seed: int) -> None:
    before = list(reports(running(seed)))
    assert list(reports(random_postal_game(seed)))[: len(before)] == before


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("seat", [None, A, D])
def test_a_replay_follows_from_what_its_reader_may_read(seed: int, seat: int | None) -> None:
    whole = running(seed)
    shown = list(frames(RULESET, None, whole, seat=seat, now=fold(RULESET, whole)))
    assert list(frames(RULESET, None, as_read_by(whole, seat), seat=seat)) == shown


@pytest.mark.parametrize("seed", SEEDS)
def test_books_and_figures_follow_from_what_everybody_may_read(seed: int) -> None:
    whole = running(seed)
    read = as_read_by(whole, None)
    assert list(entries(read)) == list(entries(whole))
    assert game_statistics(read) == game_statistics(list(whole))


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_offered_and_seen_follows_from_what_the_reader_may_read(seed: int) -> None:
    whole = running(seed)
    state = fold(RULESET, whole)
    for seat in (None, A, B, C, D):
        read = fold(RULESET, as_read_by(whole, seat))
        assert RULESET.view(read, seat) == RULESET.view(state, seat)
        assert RULESET.offers(read, seat) == RULESET.offers(state, seat)
        assert (RULESET.to_move(read), picture(read, "en")) == (
            RULESET.to_move(state),
            picture(state, "en"),
        )


# What can be proven meanwhile


def test_of_a_game_that_goes_on_chain_and_books_are_proven() -> None:
    """Only the commands before the first sheet are decided again: four that take seats, and the start."""
    events = handed_out(running(0))
    proof = verify(events)
    first = next(event.seq for event in events if event.payload)
    assert (proof.fault, proof.sealed, proof.seq) == (None, first, len(events))
    assert (proof.commands, proof.draws) == (5, 0)
    assert any(event.type == "DiceRolled" for event in events)


def test_nothing_but_sheets_can_be_withheld() -> None:
    """A server that seals a roll to hide the dice is found out, although its chain is intact."""
    events = handed_out(running(0))
    roll = next(index for index, event in enumerate(events) if event.type == "DiceRolled")
    events[roll] = sealed(events[roll])
    assert broken_link(events) is None
    proof = verify(events)
    assert (proof.wrong, "although its content is public" in (proof.fault or "")) == (events[roll].seq, True)
    assert [event.seq for event in legible(events)] == list(range(1, events[roll].seq))


def test_what_is_open_behind_a_sealed_sheet_must_fold() -> None:
    """A log that was chained again with a turn of a seat that does not exist."""
    events = handed_out(running(0))
    turn = next(index for index, event in enumerate(events) if event.type == "TurnBegan")
    events[turn] = events[turn]._replace(data=b'{"type":"TurnBegan","turn":1,"seat":9,"quadrant":9}')
    for index in range(turn, len(events)):
        chained = events[index]._replace(prev_hash=events[index - 1].hash)
        events[index] = chained._replace(hash=chain_hash(chained))
    assert broken_link(events) is None
    assert verify(events).wrong == events[turn].seq
