"""The magnate: what it imagines matches the game, and its moves are legal, repeatable, in time, and good."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from benchmarks import magnate as fitting
from mcmulti.bots.seats.trouble import Watched
from mcmulti.bots.strategies.magnate import magnate as module
from mcmulti.bots.strategies.magnate.features import features
from mcmulti.bots.strategies.magnate.magnate import Magnate
from mcmulti.bots.strategies.magnate.network import Council, Network, chance_of, council
from mcmulti.bots.strategies.magnate.position import ThoughtDice, imagined
from mcmulti.bots.strategies.registry import strategy_for
from mcmulti.bots.strategies.tycoon import tycoon
from mcmulti.bots.strategy import Timed, View
from mcmulti.domain.core.offers import admitting
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.state import State
from mcmulti.library.steps import take
from mcmulti.simulation import carry_on
from tests.bots.table import started

BUILDING = ("purchase", "assets")
MOVES = {command.__name__: command for command in RULESET.commands.moves}


def _shown(state: State, seat: int) -> Any:
    """View and offers, as over HTTP."""
    return msgspec.json.decode(msgspec.json.encode((RULESET.view(state, seat), RULESET.offers(state, seat))))


def _positions(players: int, seed: int, wild: float = 0.1) -> Iterator[State]:
    """The positions of a game of tycoons that occasionally make random moves."""
    state, chance = started(players, seed)
    random = Random(seed)
    while moving := RULESET.to_move(state):
        yield state
        if random.random() < wild:
            state = next(iter(carry_on(RULESET, state, chance, random))).state
            continue
        for command in tycoon(*_shown(state, moving[0])):
            move = msgspec.convert(command, MOVES[command["type"]])
            state = take(RULESET, state, moving[0], move, chance).state


def _unnamed(view: View) -> View:
    """A view without its players, and without the commitment to the dice."""
    seats = [seat | {"player": None, "name": None} for seat in view["seats"]]
    return view | {"seats": seats, "commitment": "", "setup": view["setup"]["target"]}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_it_imagines_looks_like_what_it_is_shown_and_offers_the_same(players: int) -> None:
    compared = set()
    for state in _positions(players, seed=players):
        if state.phase not in BUILDING:
            continue
        compared.add(state.phase)
        [seat] = state.movers
        view, offers = _shown(state, seat)
        again, same = _shown(imagined(view, offers, 1).table, seat)
        assert _unnamed(again) == _unnamed(view)
        assert same == offers
    assert compared == set(BUILDING)


def test_what_a_view_does_not_show_changes_no_decision() -> None:
    states = [state for state in _positions(4, seed=3) if state.phase == "assets"][::9]
    for state in states:
        news = replace(state.news, pile=(), under=(*reversed(state.news.under), *reversed(state.news.pile)))
        other = replace(state, news=news, draws=state.draws + 7, entropy="other")
        assert RULESET.view(other, state.movers[0]) == RULESET.view(state, state.movers[0])
        decisions = [Magnate(1, float("inf"), samples=2)(*_shown(each, each.movers[0])) for each in (state, other)]
        assert decisions[0] == decisions[1]
    assert len(states) > 3


def test_who_sits_there_changes_no_decision() -> None:
    state = next(state for state in _positions(4, seed=5) if state.phase == "assets" and state.now.number > 12)
    view, offers = _shown(state, state.movers[0])
    named = view | {"seats": [seat | {"name": f"Bot {seat['seat']}"} for seat in view["seats"]], "commitment": "5" * 64}
    assert Magnate(1, float("inf"), samples=4)(view, offers) == Magnate(1, float("inf"), samples=4)(named, offers)


@settings(max_examples=25, deadline=None)
@given(players=st.integers(2, 4), seed=st.integers(0, 10_000), moves=st.integers(0, 250))
def test_whatever_happened_what_it_answers_is_offered(players: int, seed: int, moves: int) -> None:
    state, chance = started(players, seed)
    for number, step in enumerate(carry_on(RULESET, state, chance, Random(seed))):
        state = step.state
        if number >= moves and state.phase in BUILDING:
            break
    if state.phase == "over":
        return
    [seat] = state.movers
    for command in Magnate(seed, float("inf"), samples=1)(*_shown(state, seat)):
        move = msgspec.convert(command, MOVES[command["type"]])
        assert admitting(RULESET.offers(state, seat), move)
        state = take(RULESET, state, seat, move, chance).state
    assert state.phase == "over" or state.phase != "assets" or state.movers != (seat,)


GAME = """
from mcmulti.bots.strategies.magnate.magnate import Magnate
from mcmulti.bots.strategies.tycoon import tycoon
from tests.bots.table import play
print(play([Magnate(7, float("inf"), samples=1), tycoon], seed=11).sent)
"""


def test_the_same_seed_plays_the_same_game_in_every_process() -> None:
    root = Path(__file__).parents[2]
    games = {
        subprocess.run(
            [sys.executable, "-c", GAME],
            env={**os.environ, "PYTHONHASHSEED": hashed},
            cwd=root,
            check=True,
            capture_output=True,
            timeout=600,
        ).stdout
        for hashed in ("1", "2")
    }
    assert len(games) == 1
    assert b"EndTurn" in games.pop()


def test_it_answers_in_time_on_a_slow_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]

    def slowly() -> float:
        now[0] += 0.05
        return now[0]

    monkeypatch.setattr(module, "monotonic", slowly)
    for state in [state for state in _positions(4, seed=6) if state.phase in BUILDING][::5]:
        began = now[0]
        assert Magnate(1)(*_shown(state, state.movers[0]))
        assert now[0] - began < module.SECONDS + 0.5


def test_it_keeps_to_the_time_that_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    state = next(state for state in _positions(4, seed=8) if state.phase == "assets" and state.now.number > 12)
    mind = Magnate(1)
    assert isinstance(mind, Timed)
    watched = Watched(mind, name="magnate", ruleset="mcmulti", seed=1, seconds=0.5)
    assert watched(*_shown(state, state.movers[0]))
    assert mind.time_left is not None
    assert 0.4 < mind.time_left <= 0.5
    clock = iter(range(1000))
    monkeypatch.setattr(module, "monotonic", lambda: next(clock) / 100)
    mind.time_left = 0.1
    assert mind(*_shown(state, state.movers[0]))
    assert next(clock) < 30


def test_dice_to_think_with_fall_the_same_again_and_evenly() -> None:
    thrown = [ThoughtDice(5).value(number, 6, "") for number in range(3000)]
    assert thrown == [ThoughtDice(5).value(number, 6, "other") for number in range(3000)]
    assert thrown != [ThoughtDice(6).value(number, 6, "") for number in range(3000)]
    assert all(400 < thrown.count(face) < 600 for face in range(1, 7))


def test_a_network_adds_up_what_its_neurons_say() -> None:
    small = Network([[[1.0, -1.0], [2.0, 0.5]], [[3.0, 4.0], [9.0, 9.0]]], [[0.5, -1.0], [0.25, 0.0]])
    assert small([1.0, 2.0]) == 3 * 0 + 4 * 2 + 0.25
    assert chance_of(0.0) == 0.5
    assert Council([small, Network([[[0.0, 0.0]]], [[2.0]])])([1.0, 2.0]) == (8.25 + 2) / 2
    assert 0 <= chance_of(-1000.0) < chance_of(-2.0) < chance_of(2.0) < 1


def test_the_network_takes_the_features_of_every_game_and_likes_money() -> None:
    for players in (2, 3, 4):
        state = next(
            state for state in _positions(players, seed=1) if state.phase == "assets" and state.now.number > 20
        )
        [seat] = state.movers
        numbers = features(state, seat, rolls=False)
        assert {len(numbers)} == {len(row) for row in council().networks[0].weights[0]}
        assert all(abs(number) < 10 for number in numbers)
        richer = replace(state, players=state.stored(seat, 300))
        assert council()(features(richer, seat, rolls=False)) > council()(numbers)


def test_it_goes_by_its_name() -> None:
    assert isinstance(strategy_for("mcmulti", "magnate")(3), Magnate)


def test_its_weights_can_be_made_again(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        for command in (
            ["play", f"{tmp_path}/{folder}", "--games", "3", "--first", "5"],
            ["play", f"{tmp_path}/{folder}", "--games", "1", "--first", "500", "--magnates"],
            ["fit", f"{tmp_path}/{folder}", "--into", f"{tmp_path}/{folder}.json", "--epochs", "2", "--networks", "2"],
        ):
            done = CliRunner().invoke(fitting.main, command, catch_exceptions=False)
            assert done.exit_code == 0, done.output
    assert "log-loss of winning, not seen: " in done.output
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    made = msgspec.json.decode((tmp_path / "one.json").read_bytes(), type=Council)
    first, second = made.networks
    assert first != second
    ours = council().networks[0]
    assert [len(layer) for layer in first.weights] == [len(layer) for layer in ours.weights]
    assert [len(layer[0]) for layer in first.weights] == [len(layer[0]) for layer in ours.weights]
