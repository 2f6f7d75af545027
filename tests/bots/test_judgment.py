"""How bots answer proposals to end the game or to take moves back, in situations that cheats create."""

from collections import Counter
from itertools import product
from typing import Any

import msgspec
import pytest

from mcmulti.bots.seats.player import _answers, to_be_returned, votes_missing
from mcmulti.bots.strategies.judgment import ends_well, lets_take_back, money_now
from mcmulti.bots.strategies.registry import STRATEGIES
from mcmulti.domain.core.capabilities.undo import AnswerTakeBack, AskTakeBack
from mcmulti.domain.core.capabilities.undo.trail import MovesTakenBack
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.course.course import Course
from mcmulti.domain.marracash import RULESET as MARRACASH
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import BuyAsset, EndPurchases
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.millionenspiel import RULESET as MILLIONENSPIEL
from mcmulti.domain.millionenspiel.pieces import Pieces
from mcmulti.domain.rulesets import CURRENT, SHIPPED
from tests.pure.marracash import situations as bazaar
from tests.pure.mcmulti.situations import after, events, site, situation, started
from tests.pure.millionenspiel import situations as ring
from tests.pure.properties.random_games import moment

Json = dict[str, Any]


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


def test_in_a_game_whose_money_it_does_not_know_a_bot_plays_on() -> None:
    view = {"you": 0, "seats": [{"seat": seat, "player": str(seat)} for seat in range(2)], "at": [4, 9]}
    assert not ends_well(view, "rank")
    assert not ends_well(view, "call_off")
    assert lets_take_back(view, [{"source": "road", "target": "seat:0:run", "unit": "spaces", "amount": 3}])


@pytest.mark.parametrize("name", SHIPPED)
def test_a_bot_agrees_only_to_a_ranking_that_it_wins_alone_and_calls_off_only_what_it_loses(name: str) -> None:
    """At many moments of random games: the prediction, and the end by the rules."""
    ruleset, agreed = CURRENT[name], 0
    for seed, number in product(range(6), range(0, 400, 13)):
        state = moment(name, seed, number)
        if ruleset.status(state) != "running":
            continue
        course = Course(state, SeededChance(bytes(32), state.game_id), state.draws)
        ruleset.flow.finish(course, "table/propose-end")
        winners = ruleset.outcome(course.state).winners
        for seat in state.taken:
            view = seen(ruleset, state, seat)
            assert not ends_well(view, "rank") or winners == (seat,), (seed, number, seat)
            assert not ends_well(view, "call_off") or seat not in winners, (seed, number, seat)
            agreed += ends_well(view, "rank")
    assert agreed > 20 or name not in STRATEGIES, "a bot of no game in particular knows no money"


def asked_back(moves: int, seats: int = 2) -> tuple[State, list[Json]]:
    """Ada bought a station, and Ben a rig; she asks to take back N moves. The situation, and its events."""
    state, happened = started(seats, undo="agreed"), list[Json]()
    ends = [(seat, EndPurchases()) for seat in range(1, seats)]
    for seat, command in (
        (0, EndPurchases()),
        *ends,
        (0, BuyAsset("station", site("1-1", 2))),
        (0, EndPurchases()),
        (1, BuyAsset("rig", site("1-2", 3))),
        (0, AskTakeBack(moves)),
    ):
        for event in events(state, seat, command):
            happened.append({"type": type(event).__name__, "data": msgspec.to_builtins(event)})
        state = after(state, seat, command)
    return state, happened


@pytest.mark.parametrize(("moves", "lets"), [(2, True), (3, False)])
def test_moves_are_taken_back_unless_that_helps_the_asker_more(moves: int, lets: bool) -> None:
    """The rig back gives Ben 5 for 2; the station too gives Ada 48 for 18."""
    state, happened = asked_back(moves)
    returned = to_be_returned(happened)
    assert returned is not None
    assert lets_take_back(seen(RULESET, state, 1), returned) is lets


def test_what_is_returned_is_what_the_rules_return() -> None:
    state, happened = asked_back(3)
    [back] = [event for event in events(state, 1, AnswerTakeBack(True)) if isinstance(event, MovesTakenBack)]
    assert Counter(map(str, to_be_returned(happened) or ())) == Counter(map(str, msgspec.to_builtins(back.returned)))


@pytest.mark.parametrize("skipped", ["TakeBackAsked", "MoveClosed"])
def test_without_the_events_that_say_what_is_asked_nothing_is_known(skipped: str) -> None:
    _, happened = asked_back(3)
    assert to_be_returned([event for event in happened if event["type"] != skipped]) is None


def test_moves_that_were_taken_back_are_not_returned_again() -> None:
    """A move for 5, one for 7 that was taken back, a draw, one for 9: one move can be returned, and no second."""
    five, seven, nine = ({"amount": amount} for amount in (5, 7, 9))
    moves = [
        {"type": "MoveClosed", "data": {"final": False, "returns": [five]}},
        {"type": "MoveClosed", "data": {"final": False, "returns": [seven]}},
        {"type": "MovesTakenBack", "data": {"moves": 1}},
    ]
    asks = [{"type": "TakeBackAsked", "data": {"moves": moves}} for moves in (1, 2)]
    drawn = {"type": "MoveClosed", "data": {"final": True, "returns": []}}
    last = {"type": "MoveClosed", "data": {"final": False, "returns": [nine]}}
    assert to_be_returned([*moves, asks[0]]) == [five]
    assert to_be_returned([*moves, drawn, last, asks[0]]) == [nine]
    assert to_be_returned([*moves, drawn, last, asks[1]]) is None


def test_who_has_not_voted_yet_follows_from_the_log() -> None:
    """Four play: one proposes, then a second agrees. After somebody left this is unknown."""
    proposed = {"type": "EndProposed", "data": {}}
    agreed = {"type": "EndAgreedTo", "data": {"agreed": 2}}
    fell = {"type": "EndProposalFell", "data": {}}
    left = {"type": "SeatVacated", "data": {}}
    assert votes_missing([proposed, agreed, fell, proposed], 4) == 3
    assert votes_missing([proposed, agreed], 4) == 2
    assert votes_missing([proposed, agreed, left], 3) is None
    assert votes_missing([agreed], 4) is None


class Log:
    """A server at which an end is proposed to three: Ada, who proposes it, Ben, a bot, and Cleo."""

    def __init__(self, state: State, cleo: str, *later: Json) -> None:
        self.state = state
        self.kinds = ("human", "bot", cleo)
        self.happened = [{"type": "EndProposed", "data": {"seat": 0}}, *later]

    async def view(self, game: str) -> Json:
        seats = [{"state": "taken", "kind": kind} for kind in self.kinds]
        return {"view": seen(RULESET, self.state, 1), "seq": 2, "table": {"seats": seats}}

    async def events(self, game: str, after: int, limit: int) -> bytes:
        return msgspec.json.encode({"events": self.happened})


@pytest.mark.parametrize(
    ("ahead", "cleo", "agreed", "answer"),
    [
        (True, "human", None, None),
        (True, "human", 2, True),
        (True, "bot", None, True),
        (False, "human", None, False),
    ],
    ids=["a person is missing", "nobody else is missing", "bots are missing", "refused at once"],
)
async def test_a_bot_agrees_last(ahead: bool, cleo: str, agreed: int | None, answer: bool | None) -> None:
    """Otherwise Ada proposes a ranking while Ben leads, he agrees, she sells what she has kept, and then
    Cleo agrees.
    """
    state = situation(3, cash={0: 100, 1: 130 if ahead else 90, 2: 50})
    later = [] if agreed is None else [{"type": "EndAgreedTo", "data": {"agreed": agreed}}]
    besides = [{"command": "AnswerEnd", "fields": {"how": {"options": ["rank"]}, "accept": {"options": [True]}}}]
    answers = await _answers(Log(state, cleo, *later), "game", besides)  # type: ignore[arg-type]
    expected = [] if answer is None else [{"type": "AnswerEnd", "how": "rank", "accept": answer}]
    assert answers == expected
