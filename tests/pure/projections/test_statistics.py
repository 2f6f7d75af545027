"""Statistics: the chi-square test against tables, a game against its own events, many games against each other."""

import math
import statistics
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.gauges import luck as luck_of
from mcmulti.events.log.codec import event_decoder, fold
from mcmulti.events.log.envelope import Recorded
from mcmulti.projections.proof.fairness import die_statistics, survival
from mcmulti.projections.statistics import many as module
from mcmulti.projections.statistics.game import game_statistics
from mcmulti.projections.statistics.many import OTHERS, RulesetStatistics, Tally
from tests.games import CALLED, random_game
from tests.golden.games import FILES, load

GOLDEN = Path(FILES[0]).parent
DECODE = event_decoder(RULESET.name, RULESET.version)


@pytest.fixture(scope="module")
def game() -> list[Recorded]:
    return load(GOLDEN / "four-players.jsonl")


@pytest.fixture(scope="module")
def games() -> list[list[Recorded]]:
    """Finished games of two, three, four and four."""
    return [random_game(2, 11), random_game(3, 12), random_game(4, 13), random_game(4, 14)]


@pytest.mark.parametrize(
    ("statistic", "p_value"),
    [
        (0.554, 0.99),
        (1.145, 0.95),
        (4.351, 0.50),
        (9.236, 0.10),
        (11.070, 0.05),
        (12.833, 0.025),
        (15.086, 0.01),
        (20.515, 0.001),
    ],
)
def test_the_p_values_are_those_of_the_tables(statistic: float, p_value: float) -> None:
    """The quantiles of chi-square with five degrees of freedom, as printed in every textbook, to three decimals."""
    assert survival(statistic) == pytest.approx(p_value, rel=1e-3)


def test_no_statistic_is_certain_and_an_enormous_one_impossible() -> None:
    assert survival(0) == 1
    assert survival(10_000) == 0


def test_a_die_that_is_worked_out_by_hand() -> None:
    """60 rolls, 10 of each face expected: (25 + 4 + 1 + 4 + 0 + 100) / 10 = 13.4, between the tables' 2.5 % and 1 %."""
    die = die_statistics("red", [5, 8, 9, 8, 10, 20])
    assert die.rolls == 60
    assert die.chi_square == pytest.approx(13.4)
    assert die.p_value is not None
    assert 0.01 < die.p_value < 0.025


def test_too_few_rolls_are_not_tested() -> None:
    assert die_statistics("red", [29, 0, 0, 0, 0, 0]).p_value is None
    assert die_statistics("red", [30, 0, 0, 0, 0, 0]).p_value == pytest.approx(0, abs=1e-9)
    assert die_statistics("red", [0] * 6).chi_square == 0


def said(events: list[Recorded], kind: str) -> list[Any]:
    """The data of all events of a type."""
    return [msgspec.json.decode(event.data) for event in events if event.type == kind]


def test_the_dice_of_a_game_are_those_of_its_events(game: list[Recorded]) -> None:
    dice = {die.die: die for die in game_statistics(game).dice}
    assert list(dice) == ["start", "red", "black", "green", "all"]
    rolls = said(game, "DiceRolled")
    for color, thrown in (
        ("red", [roll["red"]["value"] for roll in rolls]),
        ("black", [roll["black"]["value"] for roll in rolls]),
        ("green", [change["green"]["value"] for change in said(game, "EconomyChanged")]),
        ("start", [roll["die"]["value"] for start in said(game, "StartRolled") for roll in start["rolls"]]),
    ):
        assert dice[color].faces == tuple(thrown.count(face) for face in range(1, 7))
    assert dice["all"].faces == tuple(
        sum(column) for column in zip(*(dice[name].faces for name in list(dice)[:-1]), strict=True)
    )


def test_length_and_winners_are_those_of_the_events(game: list[Recorded]) -> None:
    found = game_statistics(game)
    (finished,) = said(game, "GameFinished")
    (declared,) = said(game, "VictoryDeclared")
    assert found.winners == tuple(finished["winners"])
    assert found.declared_by == declared["seat"]
    assert found.events == len(game)
    assert found.turns == len(said(game, "TurnBegan"))
    assert found.seconds == (game[-1].recorded_at - game[0].recorded_at).total_seconds()
    assert (found.status, found.names) == ("finished", (None,) * 4)
    assert game_statistics(game, CALLED).names == ("Player 1", "Player 2", "Player 3", "Player 4")


def test_income_less_spending_is_the_cash_at_the_end(game: list[Recorded]) -> None:
    found = game_statistics(game)
    for seat, player in enumerate(fold(RULESET, game).players):
        mine = [flow for flow in found.flows if flow.seat == seat]
        assert sum(flow.income - flow.spending for flow in mine) == player.cash


def test_sources_of_money_are_those_of_the_events(game: list[Recorded]) -> None:
    flows = {(flow.seat, flow.reason): flow for flow in game_statistics(game).flows}
    consumers: Counter[int] = Counter()
    taxes: Counter[int] = Counter()
    for sale in said(game, "GasolineSold"):
        consumers[sale["seat"]] += sum(sale["prices"])
    for tax in said(game, "TaxPaid"):
        taxes[tax["seat"]] += tax["paid"]
    assert consumers
    assert taxes
    assert all(flows[seat, "consumer_sales"].income == amount for seat, amount in consumers.items())
    assert all(flows[seat, "taxes"].spending == amount for seat, amount in taxes.items() if amount)
    assert {flows[seat, "start"].income for seat in range(4)} == {200}


def test_luck_is_what_the_rules_then_let_operate(game: list[Recorded]) -> None:
    """Without news in between, each quadrant operates what its seat's luck says, kind by kind."""
    luck: dict[tuple[int, str], int] = {}
    compared = 0
    state = fold(RULESET, game[:1])
    for event in game[1:]:
        decoded = DECODE(event.data)
        if event.type == "DiceRolled":
            luck = {(one.seat, one.kind): one.actual for one in luck_of(state, decoded)}
        elif event.type in ("NewsTriggered", "TurnBegan"):
            luck = {}
        elif event.type == "OperationBegan" and luck:
            for kind, barrels in (
                ("station", decoded.stations),
                ("refinery", decoded.refineries),
                ("well", decoded.wells),
            ):
                assert luck.get((decoded.seat, kind), 0) == barrels
                compared += 1
        state = RULESET.evolve(state, decoded)
    assert compared > 100


def test_luck_adds_up_over_the_game(game: list[Recorded]) -> None:
    """The expectation is the sum over all rolls, divided by 36. Nobody expects less than nothing."""
    found = {(one.seat, one.kind): one for one in game_statistics(game).luck}
    assert found
    actual: Counter[tuple[int, str]] = Counter()
    chances: Counter[tuple[int, str]] = Counter()
    state = fold(RULESET, game[:1])
    for event in game[1:]:
        decoded = DECODE(event.data)
        for luck in luck_of(state, decoded):
            actual[luck.seat, luck.kind] += luck.actual
            chances[luck.seat, luck.kind] += luck.expected
        state = RULESET.evolve(state, decoded)
    assert {key: one.actual for key, one in found.items()} == {key: actual[key] for key in chances}
    assert {key: round(36 * one.expected) for key, one in found.items()} == chances


def test_a_game_that_just_opened_has_statistics(game: list[Recorded]) -> None:
    opened = game_statistics(game[:1])
    assert (opened.status, opened.events, opened.turns, opened.winners) == ("open", 1, 0, ())
    assert [(die.die, die.rolls, die.p_value) for die in opened.dice] == [("all", 0, None)]
    with pytest.raises(ValueError, match="without events"):
        game_statistics([])


def tallied(games: list[list[Recorded]], size: int = 1000, **options: Any) -> RulesetStatistics:
    """The statistics of the games, whose events come in pages of this size."""
    tally = Tally(**options)
    events = [event for game in games for event in game]
    for start in range(0, len(events), size):
        tally.add(events[start : start + size], CALLED)
    (found,) = tally.statistics().rulesets
    return found


@pytest.mark.parametrize("size", [1, 7, 100_000])
def test_it_does_not_matter_how_the_events_come(games: list[list[Recorded]], size: int) -> None:
    assert tallied(games, size) == tallied(games)


def test_lengths_are_those_of_the_finished_games(games: list[list[Recorded]]) -> None:
    """Compared with the standard library, over all lengths at once."""
    found = tallied([*games, games[0][:-3]])
    single = [game_statistics(game) for game in games]
    for spread, lengths in (
        (found.turns, [game.turns for game in single]),
        (found.events, [game.events for game in single]),
        (found.seconds, [game.seconds for game in single]),
    ):
        assert spread is not None
        assert spread.mean == pytest.approx(statistics.mean(lengths))
        assert spread.deviation == pytest.approx(statistics.stdev(lengths))
        assert (spread.least, spread.most) == (min(lengths), max(lengths))


def test_one_game_has_no_deviation_and_none_has_no_length(games: list[list[Recorded]]) -> None:
    one = tallied(games[:1])
    assert one.turns is not None
    assert one.turns.deviation == 0
    assert tallied([games[0][:50]]).turns is None


def test_wins_by_seat_are_counted_by_number_of_players(games: list[list[Recorded]]) -> None:
    found = {(one.players, one.seat): one for one in tallied(games).seats}
    assert {key: one.games for key, one in found.items()} == {
        **{(2, seat): 1 for seat in range(2)},
        **{(3, seat): 1 for seat in range(3)},
        **{(4, seat): 2 for seat in range(4)},
    }
    wins: Counter[tuple[int, int]] = Counter()
    for players, game in zip((2, 3, 4, 4), games, strict=True):
        (finished,) = said(game, "GameFinished")
        wins.update((players, seat) for seat in finished["winners"])
    assert {key: one.wins for key, one in found.items() if one.wins} == wins
    assert all(math.isclose(one.rate, one.wins / one.games) for one in found.values())


def test_wins_by_strategy_are_compared_with_what_is_fair(games: list[list[Recorded]]) -> None:
    """Player 1 plays in all four games. A fair share is (1/2 + 1/3 + 1/4 + 1/4) / 4 = 1/3. The others count as one."""
    counted = tallied(games, strategist=lambda name: "first" if name == "Player 1" else "rest")
    found = {one.strategy: one for one in counted.strategies}
    assert found["first"].seats == 4
    assert found["first"].fair == pytest.approx(1 / 3)
    assert found["rest"].seats == 1 + 2 + 3 + 3
    winners = [said(game, "GameFinished")[0]["winners"] for game in games]
    assert found["first"].wins == sum(0 in seats for seats in winners)
    assert found["rest"].wins == sum(seat != 0 for seats in winners for seat in seats)


def test_strategies_beyond_the_bound_are_counted_together(
    games: list[list[Recorded]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_STRATEGIES", 2)
    found = {one.strategy: one.seats for one in tallied(games).strategies}
    assert found == {"Player 1": 4, "Player 2": 4, OTHERS: 3 + 2}


def test_a_shared_victory_counts_for_both() -> None:
    found = tallied([load(GOLDEN / "shared-victory.jsonl")])
    assert [(one.seat, one.wins) for one in found.seats] == [(0, 1), (1, 1)]


def test_money_is_averaged_over_the_players_of_finished_games(games: list[list[Recorded]]) -> None:
    """Every player starts with 300, 250 or 200: (2 * 300 + 3 * 250 + 8 * 200) / 13."""
    flows = {flow.reason: flow for flow in tallied([*games, games[1][:-3]]).flows}
    assert flows["start"].income == pytest.approx(2950 / 13)
    sold = sum(sum(sale["prices"]) for game in games for sale in said(game, "GasolineSold"))
    assert flows["consumer_sales"].income == pytest.approx(sold / 13)


def test_dice_and_luck_are_added_up(games: list[list[Recorded]]) -> None:
    found = tallied(games)
    single = [game_statistics(game) for game in games]
    red = [next(die for die in one.dice if die.die == "red") for one in single]
    (all_red,) = (die for die in found.dice if die.die == "red")
    assert all_red.faces == tuple(sum(column) for column in zip(*(die.faces for die in red), strict=True))
    (wells,) = (luck for luck in found.luck if luck.kind == "well")
    mine = [luck for one in single for luck in one.luck if luck.kind == "well"]
    assert wells.actual == sum(luck.actual for luck in mine)
    assert wells.expected == pytest.approx(sum(luck.expected for luck in mine))


def test_unfinished_games_are_counted_as_what_they_are(games: list[list[Recorded]]) -> None:
    found = tallied([games[0], games[1][:100], games[2][:3], games[3]])
    assert [(one.players, one.status, one.games) for one in found.games] == [
        (2, "finished", 1),
        (3, "running", 1),
        (4, "finished", 1),
        (4, "open", 1),
    ]


def test_games_that_cannot_be_read_are_counted_and_left_out(games: list[list[Recorded]]) -> None:
    """One of an unknown rule set, one with an invalid event, and one without its beginning."""
    first, second, third, fourth = games
    unknown = [first[0]._replace(data=first[0].data.replace(b'"ruleset":"mcmulti"', b'"ruleset":"chess"')), *first[1:]]
    broken = [*second[:50], second[50]._replace(data=b'{"type":"Nothing"}'), *second[51:]]
    tally = Tally()
    for game in (unknown, broken, third[1:], fourth):
        tally.add(game, CALLED)
    found = tally.statistics()
    assert (found.games, found.unreadable) == (4, 3)
    assert found.events == len(first) + len(second) + len(third) - 1 + len(fourth)
    (whole,) = found.rulesets
    assert whole == tallied([fourth])


def test_of_a_damaged_game_nothing_stays_that_was_counted(games: list[list[Recorded]]) -> None:
    """Whether its beginning was counted, could not be read, or never came."""
    first, second, third, fourth = games
    tally = Tally()
    tally.add(first, CALLED)
    tally.add(second[:100], CALLED)
    tally.pass_over(second[0].game_id)
    tally.add([third[0]._replace(data=b"{}")], CALLED)
    tally.pass_over(third[0].game_id)
    tally.pass_over(fourth[0].game_id)
    found = tally.statistics()
    assert (found.games, found.damaged, found.unreadable, found.events) == (4, 3, 0, len(first) + 101)
    assert found.rulesets == (tallied([first]),)


def test_of_no_games_there_is_nothing_to_tell() -> None:
    found = Tally().statistics()
    assert (found.events, found.games, found.unreadable, found.rulesets) == (0, 0, 0, ())
