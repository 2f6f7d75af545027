"""Moves that were taken back are in the log and in the books, but not in statistics."""

from typing import Any
from uuid import UUID

from msgspec import UNSET

from mcmulti.domain.core.capabilities.undo import TakeBack
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import BuyAsset, EndPurchases
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.events.log.envelope import Recorded
from mcmulti.library.steps import set_up, take
from mcmulti.projections.books.ledger import balanced, entries
from mcmulti.projections.proof.proof import verify
from mcmulti.projections.reports.replay import frames
from mcmulti.projections.statistics.game import game_statistics
from mcmulti.projections.statistics.reckoning import reckoning
from tests.games import record
from tests.pure.mcmulti.situations import site

GAME = "00000000-0000-4000-8000-000000000000"
STATION, RIG = BuyAsset("station", site("1-1")), BuyAsset("rig", site("1-2"))


def played(*commands: Any) -> list[Recorded]:
    """What Ada does in the special purchase round of a game of two, in which moves can be taken back."""
    chance = SeededChance(bytes(32), GAME)
    steps = list(set_up(RULESET, Setup(seats=2, first_seat=0, undo="own"), GAME, chance))
    for command in commands:
        steps.append(take(RULESET, steps[-1].state, 0, command, chance))
    return record(UUID(GAME), steps)


def amounts(events: list[Recorded]) -> dict[tuple[str, str], int]:
    """The balances of accounts that are not empty."""
    accounts = balanced(entries(events)).accounts
    return {(name, unit): amount for name, held in accounts.items() for unit, amount in held.items() if amount}


def test_statistics_are_those_of_the_moves_that_stand() -> None:
    thought_better = played(STATION, RIG, TakeBack(2), RIG, EndPurchases())
    at_once = played(RIG, EndPurchases())
    assert game_statistics(thought_better).flows == game_statistics(at_once).flows
    assert [flow.spending for flow in game_statistics(thought_better).flows if flow.spending] == [5]


def test_the_biggest_swing_is_one_that_stands() -> None:
    """The station for 48 was taken back. The rig for 5 stays."""
    assert [swing.amounts for swing in reckoning(played(STATION, TakeBack(1), RIG)).swings] == [{0: -5}]


def test_the_books_have_both_and_come_to_the_same() -> None:
    thought_better, at_once = played(STATION, TakeBack(1), RIG), played(RIG)
    assert len(thought_better) == len(at_once) + 3
    assert amounts(thought_better) == amounts(at_once)
    assert verify(thought_better).fault is None


def test_stories_leave_out_that_a_move_can_be_taken_back() -> None:
    told = [each for frame in frames(RULESET, None, played(STATION, TakeBack(1))) for each in frame.happened]
    assert [(each.type, each.quiet) for each in told[-3:]] == [
        ("AssetBought", UNSET),
        ("MoveClosed", True),
        ("MovesTakenBack", UNSET),
    ]
