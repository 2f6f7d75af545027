"""The strategies are legal and pure, and as good or bad as intended."""

import pytest

from mcmulti.bots.strategies.outlook import Outlook
from mcmulti.bots.strategies.registry import STRATEGIES
from mcmulti.bots.strategies.tycoon import _clean_ups, tycoon
from mcmulti.domain.mcmulti.news.warming import CleanUpPaid
from mcmulti.domain.mcmulti.phases.assets import AssetSold
from mcmulti.domain.mcmulti.phases.ending import VictoryDeclared
from mcmulti.domain.mcmulti.phases.operations import CrudePumped, CrudeRefined, GasolineSold, OilStruck
from mcmulti.domain.oil.rules.assets import AssetBought
from mcmulti.domain.oil.rules.trading import BarrelsBought, BarrelsSold
from tests.bots.table import play

BOX = STRATEGIES["mcmulti"]
at_random = BOX["random"]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", BOX)
def test_every_strategy_plays_whole_games_and_sends_only_what_is_offered(name: str, players: int) -> None:
    played = play([BOX[name](seat) for seat in range(players)], seed=players)
    assert played.state.phase == "over"


def test_the_same_seed_plays_the_same_game() -> None:
    games = [play([at_random(1), at_random(2)], seed=7) for _ in range(2)]
    assert games[0] == games[1]


def test_another_seed_plays_another_game() -> None:
    games = [play([at_random(seed), at_random(2)], seed=7) for seed in range(2)]
    assert games[0].sent != games[1].sent


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_tycoon_beats_random_players(players: int) -> None:
    wins = 0
    for seed in range(6):
        tycoons_seat = seed % players
        strategies = [tycoon if seat == tycoons_seat else at_random(seed) for seat in range(players)]
        wins += play(strategies, seed).state.winners == (tycoons_seat,)
    assert wins >= 5


@pytest.mark.parametrize("target", [750, 1000])
def test_four_tycoons_come_to_an_end_within_150_turns(target: int) -> None:
    for seed in range(3):
        assert play([tycoon] * 4, seed, target).state.now.number < 150


def test_tycoons_use_all_there_is_in_the_game() -> None:
    happened = {type(fact.event) for seed in range(8) for fact in play([tycoon] * 4, seed).facts}
    assert happened >= {
        AssetBought,
        AssetSold,
        BarrelsBought,
        BarrelsSold,
        CleanUpPaid,
        CrudePumped,
        CrudeRefined,
        GasolineSold,
        OilStruck,
        VictoryDeclared,
    }


def test_a_tycoon_begins_with_a_balanced_field() -> None:
    bought = play([tycoon] * 4, seed=0).sent
    first = bought[: next(n for n, command in enumerate(bought) if command["type"] == "EndPurchases")]
    kinds = [command["kind"] for command in first]
    rigs = [command["site"] for command in first if command["kind"] == "rig"]
    assert 6 <= kinds.count("rig") <= 12
    assert kinds.count("refinery") == 1
    assert 1 <= kinds.count("station") <= 2
    assert {site["row"] for site in rigs} == {site["column"] for site in rigs} == set(range(1, 7))


def test_who_has_less_than_the_reserve_cleans_up_nothing() -> None:
    """Three sites and no money: a slice up to a negative number would have left out the last one only."""
    outlook = Outlook({"you": 0, "seats": [{"cash": 0, "quadrants": []}], "quadrants": [], "declared_by": None})
    vars(outlook)["cleaning_pays"] = True
    sites = [{"quadrant": 0, "row": row, "column": 1} for row in (1, 2, 3)]
    offer = {"command": "CleanUp", "price": 25, "fields": {"site": {"type": "SiteChoice", "options": sites}}}
    found = {}
    for cash in (0, 14, 39, 40, 65):
        vars(outlook)["cash"] = cash
        found[cash] = len(_clean_ups(outlook, [offer], []))
    assert found == {0: 0, 14: 0, 39: 0, 40: 1, 65: 2}
