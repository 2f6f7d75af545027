"""Positions as data: written, read, checked, and played on from."""

import json
from collections.abc import Callable, Mapping
from itertools import islice
from random import Random
from typing import Any

import pytest

import mcmulti
from mcmulti import BadPosition, State
from mcmulti.domain.rulesets import CURRENT, SHIPPED
from mcmulti.library.game import Game
from tests.profiles import profile_of
from tests.pure.library.random_games import random_game
from tests.toy.race import RULESET as RACE
from tests.toy.race import Setup as RaceSetup

GAMES = [(name, setup) for name in SHIPPED for setup in ({}, *profile_of(name).setups)]


def played(name: str, steps: int, seed: int = 1, **setup: Any) -> State:
    """A game after this many random actions."""
    state = mcmulti.load_game(name, **setup).new_initial_state(seed=seed)
    for now in islice(random_game(state, seed), steps + 1):
        assert now is state
    return state


def refused(document: Any) -> BadPosition:
    with pytest.raises(BadPosition) as raised:
        mcmulti.open_position(document)
    return raised.value


@pytest.mark.parametrize(("name", "setup"), GAMES)
def test_every_position_of_a_game_is_legal_and_the_same_when_it_is_read(name: str, setup: Mapping[str, Any]) -> None:
    for seed in (3, 4):
        state = mcmulti.load_game(name, **setup).new_initial_state(seed=seed)
        for number, now in enumerate(random_game(state, seed, most=900)):
            if now.is_terminal() or number % 7:
                continue
            document = now.position()
            again = mcmulti.open_position(json.dumps(document), seed=5)
            assert again.position() == document
            assert again.players_to_move() == now.players_to_move()
            for seat in now.players_to_move():
                assert again.offers(seat) == now.offers(seat)


@pytest.mark.parametrize(("name", "setup"), GAMES)
def test_a_game_goes_on_from_a_position_to_its_end(name: str, setup: Mapping[str, Any]) -> None:
    document = played(name, profile_of(name).early, **setup).position()
    first, second = (list(random_game(mcmulti.open_position(document, seed=7), 9, most=20_000))[-1] for _ in range(2))
    assert first.is_terminal()
    assert first.winners() == second.winners() != ()
    assert first.events() == second.events()


def test_a_position_has_chance_nodes_without_a_seed_and_names_if_you_give_them() -> None:
    document = played("mcmulti", 30, seats=2).position()
    state = mcmulti.open_position(document, names=("Ann", "Ben"))
    assert state.table.names == ("Ann", "Ben")
    roll = state.game.action("RollDice")
    random = Random(1)
    while roll not in state.legal_actions():
        state.apply_action(random.choice(state.legal_actions()))
    assert state.child(roll).chance_outcomes() == [(face, 1 / 6) for face in range(1, 7)]
    assert state.game.deserialize_state(state.serialize()).position() == state.position()
    with pytest.raises(ValueError, match="3 names for 2 players"):
        mcmulti.open_position(document, names=("Ann", "Ben", "Cleo"))


def test_what_is_no_position_to_go_on_from_is_not_written() -> None:
    state = played("mcmulti", 30, seats=2)
    random = Random(1)
    while state.game.action("RollDice") not in state.legal_actions():
        state.apply_action(random.choice(state.legal_actions()))
    with pytest.raises(ValueError, match="a draw is pending"):
        state.redraw(None).child(state.game.action("RollDice")).position()
    with pytest.raises(ValueError, match="the game is over"):
        list(random_game(played("millionenspiel", 0), 1, most=20_000))[-1].position()
    left = state.clone()
    left.table = left.table.vacated(1)
    with pytest.raises(ValueError, match="nobody sits on seat 2"):
        left.position()


def _set(document: dict[str, Any], path: str, value: Any) -> None:
    *way, last = path.replace("[", ".#").replace("]", "").split(".")
    place: Any = document
    for step in way:
        place = place[int(step[1:])] if step[0] == "#" else place[step]
    place[int(last[1:]) if last[0] == "#" else last] = value


@pytest.mark.parametrize(
    ("name", "path", "value", "field", "reason"),
    [(name, *each) for name in SHIPPED for each in profile_of(name).wrong_positions],
)
def test_a_position_that_no_game_can_stand_in_is_refused_with_field_and_reason(
    name: str, path: str, value: Any, field: str, reason: str
) -> None:
    state = played(name, profile_of(name).early)
    if name == "mcmulti":
        while state.table.turn is None:
            state.apply_action(state.game.action("EndPurchases"))
    document = state.position()
    if path == "players[0].purse.ones":
        document["position"]["players"][0]["purse"]["hundred_thousands"] = 1
    _set(document["position"], path, value)
    bad = refused(document)
    assert bad.readable
    assert any(fault.field == field and reason in fault.reason for fault in bad.faults), bad.faults
    assert f"{field}: " in str(bad)


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        (lambda d: d.pop("position"), "", "missing required field `position`"),
        (lambda d: d.update(format=2), "format", "Invalid enum value 2"),
        (lambda d: d.update(more=1), "", "unknown field `more`"),
        (lambda d: d.update(ruleset="chess"), "ruleset", "there is no game 'chess'"),
        (lambda d: d.update(setup={"seats": 9}), "setup.seats", "Expected `int` <= 4"),
        (lambda d: d.update(version=99), "version", "not 99"),
        (lambda d: d["position"].pop("players"), "players", "it is missing"),
        (lambda d: d["position"].update(colour="red"), "colour", "there is no such field"),
        (lambda d: d["position"]["players"][0].update(debts=3), "players[0].debts", "there is no such field"),
        (lambda d: d["position"]["players"][0].update(cash="much"), "players[0].cash", "Expected `int`, got `str`"),
        (lambda d: d["position"].update(economy="boom"), "economy", "Invalid enum value 'boom'"),
        (lambda d: d["position"].update(seed="00" * 32), "seed", "there is no such field"),
    ],
)
def test_what_cannot_be_read_is_refused_with_field_and_reason(
    change: Callable[[dict[str, Any]], object], field: str, reason: str
) -> None:
    document = played("mcmulti", 30).position()
    change(document)
    for form in (document, json.dumps(document)):
        bad = refused(form)
        assert not bad.readable
        [fault] = bad.faults
        assert fault.field == field
        assert reason in fault.reason


@pytest.mark.parametrize("document", ["", "[]", "{", b"\xff", '{"format": 1}', "[" * 100_000, {1: 2}, {}])
def test_what_is_no_document_is_refused(document: Any) -> None:
    assert not refused(document).readable


def test_a_toy_game_has_positions_without_saying_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CURRENT, "dice_race", RACE)
    state = Game(RACE, RaceSetup(goal=9)).new_initial_state(seed=1)
    state.apply_action(state.game.action("Walk"))
    document = state.position()
    assert document["position"] == {"phase": "racing", "turn": 2, "at_turn": 1, "winners": [], "at": [2, 0]}
    document["position"]["at"] = [0, 8]
    near = mcmulti.open_position(document)
    near.apply_action(near.game.action("Walk"))
    assert near.winners() == (1,)
    for field, value in (("at_turn", 7), ("phase", "over"), ("phase", "resting")):
        assert refused({**document, "position": {**document["position"], field: value}}).readable
