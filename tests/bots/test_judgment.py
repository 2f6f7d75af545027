"""What bots answer when others propose an end or ask to take moves back, in the situations that cheats make."""

from typing import Any

import msgspec
import pytest

from mcmulti.bots.seats.player import _answers
from mcmulti.bots.strategies.judgment import ends_well, lets_take_back, money_now
from mcmulti.client.client import HttpProblem
from mcmulti.domain.core.capabilities.undo import AnswerTakeBack, AskTakeBack
from mcmulti.domain.marracash import RULESET as MARRACASH
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import BuyAsset, EndPurchases
from mcmulti.domain.millionenspiel import RULESET as MILLIONENSPIEL
from mcmulti.domain.millionenspiel.pieces import Pieces
from tests.pure.marracash import situations as bazaar
from tests.pure.mcmulti.situations import after, events, site, situation, started
from tests.pure.millionenspiel import situations as ring

Json = dict[str, Any]
YES = AnswerTakeBack(True)


def seen(ruleset: Any, state: Any, seat: int) -> Json:
    view: Json = msgspec.to_builtins(ruleset.view(state, seat))
    return view


def test_a_player_who_buys_nothing_and_proposes_an_end_on_turn_1_is_refused() -> None:
    """Ada kept 200; Ben spent 48 + 64 and would get 18 + 24 for it: 88 + 42 = 130."""
    state = situation(2, cash={0: 200, 1: 88}, assets={1: "station 1-1, refinery 3-3"}, turn=1)
    view = seen(RULESET, state, 1)
    assert (money_now(view, 0), money_now(view, 1)) == (200, 130)
    assert not ends_well(view, "rank")
    assert ends_well(view, "call_off")


def test_who_would_win_agrees_to_a_ranking_and_to_nothing_else() -> None:
    """Ben has 90 and two stations, 126; Ada has 125."""
    view = seen(RULESET, situation(2, cash={0: 125, 1: 90}, assets={3: "station 1-1, station 2-2"}), 1)
    assert ends_well(view, "rank")
    assert not ends_well(view, "call_off")


def test_a_victory_that_would_be_shared_is_played_on() -> None:
    view = seen(RULESET, situation(2), 0)
    assert (ends_well(view, "rank"), ends_well(view, "call_off")) == (False, False)


@pytest.mark.parametrize(("seat", "wins"), [(0, True), (1, False)])
def test_it_counts_dirham_and_notes_as_well(seat: int, wins: bool) -> None:
    """Ada is ahead: by 100 dirham in the bazaar, by a note at stake in the ring."""
    town = bazaar.empty_town(cash={0: 700, 1: 600, 2: 500})
    assert ends_well(seen(MARRACASH, town, seat), "rank") is wins
    staked = ring.landing(ring.RED, {}, {0: Pieces(ten_thousands=1)})
    assert ends_well(seen(MILLIONENSPIEL, staked, seat), "rank") is wins


@pytest.mark.parametrize(("moves", "lets"), [(2, True), (3, False)])
def test_moves_are_taken_back_unless_that_helps_the_asker_more(moves: int, lets: bool) -> None:
    """Ada bought a station, and Ben a rig. The rig back gives Ben 5 for 2; the station too gives Ada 48 for 18."""
    state = after(after(started(2, undo="agreed"), 0, EndPurchases()), 1, EndPurchases())
    state = after(after(state, 0, BuyAsset("station", site("1-1", 2))), 0, EndPurchases())
    state = after(after(state, 1, BuyAsset("rig", site("1-2", 3))), 0, AskTakeBack(moves))
    trial = [{"type": type(event).__name__, "data": msgspec.to_builtins(event)} for event in events(state, 1, YES)]
    assert lets_take_back(seen(RULESET, state, 1), trial) is lets


def test_where_others_still_answer_nothing_speaks_against_it() -> None:
    view = seen(RULESET, situation(3), 1)
    assert lets_take_back(view, [{"type": "TakeBackAnswered", "data": {"seat": 1, "accepted": True}}])


@pytest.mark.parametrize("status", [409, 412])
async def test_a_request_that_is_gone_by_now_is_not_answered(status: int) -> None:
    """Somebody moved between the bot's look and its trial: it looks again, and does not end."""
    tags = []

    class Moved:
        async def view(self, game: str) -> Json:
            return {"view": {}}

        async def try_out(self, game: str, commands: list[Json], if_match: str) -> Json:
            tags.append(if_match)
            raise HttpProblem(status, {"code": "undo_not_asked"})

    besides = [{"command": "AnswerTakeBack", "fields": {"accept": {"options": [False, True]}}}]
    assert await _answers(Moved(), "game", besides, "tag") == []  # type: ignore[arg-type]
    assert tags == ["tag"]
