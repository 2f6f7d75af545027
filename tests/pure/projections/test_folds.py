"""Folds that continue piece by piece, and forks of them, equal the fold of a whole log."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest

from mcmulti.domain.rulesets import PLAYED_BY_ORDERS, SHIPPED
from mcmulti.events.log.codec import fold, opened_with
from mcmulti.events.log.envelope import Head, Recorded
from mcmulti.events.log.positions import Position
from mcmulti.events.store.redaction import for_reader
from mcmulti.projections.books.ledger import Daybook, entries
from mcmulti.projections.charts.time_series import Curves, time_series
from mcmulti.projections.fold import STATE, Fold, Growing
from mcmulti.projections.proof.draws import Drawn, draws_of
from mcmulti.projections.reports.rounds import RoundTrail, rounds
from mcmulti.projections.statistics.game import GameTally, game_statistics
from mcmulti.projections.statistics.reckoning import Reckoner, reckoning
from tests.games import CALLED, random_game
from tests.golden.games import files_of, load


class Kind(NamedTuple):
    """A kind of fold: how it starts, its result, and the result of the whole log."""

    start: Callable[[Any], Fold]
    answer: Callable[[Any], Any]
    whole: Callable[[Sequence[Recorded]], Any]


def seen(events: Sequence[Recorded]) -> Sequence[Recorded]:
    """What a spectator may read after these events."""
    return for_reader(standing(events), None, events)


KINDS = {
    "charts": Kind(lambda _: Curves(), lambda it: it.series(CALLED), lambda events: time_series(events, CALLED)),
    "statistics": Kind(
        GameTally, lambda it: it.named(CALLED).statistics(), lambda events: game_statistics(events, CALLED)
    ),
    "report": Kind(
        Reckoner, lambda it: it.reckoning("de", CALLED), lambda events: reckoning(seen(events), "de", CALLED)
    ),
    "books": Kind(lambda _: Daybook(), lambda it: list(it.entries), lambda events: list(entries(events))),
    "draws": Kind(
        lambda _: Drawn(),
        lambda it: (list(it.draws), it.first, it.last),
        lambda events: (draws_of(events), events[0], events[-1]),
    ),
    "rounds": Kind(RoundTrail, lambda it: it.spans(), lambda events: rounds(seen(events))),
}


def standing(events: Sequence[Recorded]) -> Position:
    """Where a game stands after these events, its first ones."""
    ruleset = opened_with(events[0])
    return Position(events[0].game_id, ruleset, fold(ruleset, events), Head(events[-1].seq, events[-1].hash))


def games() -> list[Any]:
    """Each kind of fold with a game of each rule set that has it."""
    return [
        pytest.param(kind, ruleset, id=f"{name}-{ruleset}")
        for name, kind in KINDS.items()
        for ruleset in (SHIPPED if name != "rounds" else PLAYED_BY_ORDERS)
    ]


def played(ruleset: str) -> list[Recorded]:
    """A game that is over."""
    return random_game(3, 5) if ruleset == "mcmulti" else load(files_of(ruleset)[0])


@pytest.mark.parametrize(("kind", "ruleset"), games())
def test_a_fold_that_goes_on_says_what_the_whole_log_says(kind: Kind, ruleset: str) -> None:
    """Several moments are requested in turn. Each fork continues where it fits, and leaves its origin unchanged."""
    events = played(ruleset)
    moments = [*range(3, len(events), max(1, len(events) // 6)), len(events)]
    found, at = kind.start(opened_with(events[0])), 0
    kept: list[tuple[int, Fold, Any]] = []
    for seq in moments:
        now = standing(events[:seq])
        if not found.fits(now):  # what was sealed has been revealed by now
            found, at = kind.start(opened_with(events[0])), 0
        found = found.fork()
        found.step(events[at:seq], now)
        at = seq
        answer = kind.answer(found)
        assert answer == kind.whole(events[:seq]), seq
        kept.append((seq, found, answer))
    assert all(kind.answer(fork) == answer for _, fork, answer in kept)


@pytest.mark.parametrize(("kind", "ruleset"), games())
def test_two_forks_of_one_fold_go_on_by_themselves(kind: Kind, ruleset: str) -> None:
    events = played(ruleset)
    half, more, end = len(events) // 2, len(events) * 3 // 4, len(events)
    begun = kind.start(opened_with(events[0]))
    begun.step(events[:half], standing(events[:end]))
    one, other = begun.fork(), begun.fork()
    one.step(events[half:more], standing(events))
    other.step(events[half:end], standing(events))
    one.step(events[more:end], standing(events))
    assert kind.answer(one) == kind.answer(other) == kind.whole(events)


def test_a_sheet_that_was_sealed_fits_no_more_once_it_is_open() -> None:
    """The report of a game by post does not mention a sheet before its round is refereed."""
    events = load(files_of("postal")[0])
    ruleset = opened_with(events[0])
    submitted = next(event.seq for event in events if event.type == "OrdersSubmitted")
    before, after = standing(events[:submitted]), standing(events)
    reckoner = Reckoner(ruleset)
    reckoner.step(events[:submitted], before)
    assert reckoner.fits(before)
    assert not reckoner.fits(after)
    reckoner = Reckoner(ruleset)
    reckoner.step(events[:submitted], after)
    assert reckoner.fits(after)
    assert not reckoner.fits(before)


def test_rounds_weigh_what_the_latest_one_holds() -> None:
    """A cache of folds must not take sheets of 14 KB for events of 800 bytes."""
    events = load(files_of("postal")[0])
    trail = RoundTrail(opened_with(events[0]))
    trail.step(events, standing(events))
    latest = trail.spans()[-1]
    sizes = [len(event.data) for event in events if latest.first <= event.seq <= latest.last]
    assert trail.own == 2 * STATE + 800 * len(sizes) + sum(sizes)
    assert trail.fork().own == trail.own


def test_a_list_that_grows_shares_what_forks_have_in_common_and_nothing_else() -> None:
    found: Growing[int] = Growing()
    for number in range(3):
        found.append(number)
    one, other = found.fork(), found.fork()
    one.append(3)
    other.append(4)
    other.append(5)
    assert [list(each) for each in (found, one, other)] == [[0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 4, 5]]
    assert (list(other.after(3)), other.last, one.last, len(found)) == ([4, 5], 5, 3, 3)
