"""States of games in the library: actions, chance, observations, and serialization."""

import copy
import pickle
from collections.abc import Iterator
from itertools import islice, pairwise
from random import Random
from typing import Any

import msgspec
import pytest

import mcmulti
from mcmulti import FreeForm, IllegalAction, LegalActions, PlayerId, State
from mcmulti.arena.local import local_game
from mcmulti.domain.core.offers import Form, Offer
from mcmulti.domain.core.table import NOBODY, presented
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log.codec import draft
from mcmulti.library.chance import GivenChance
from mcmulti.projections.proof.draws import draws_in
from mcmulti.simulation import play
from tests.pure.library.random_games import NAMES, random_game

FROM_THE_SEED = {"commitment", "game_id", "salt", "seed"}


def last(states: Iterator[State]) -> State:
    *_, state = states
    return state


def drawn(state: State) -> list[int]:
    """The draws of a game in their order."""
    found = [draw for each in draft([f for s in state.happened() for f in s.facts]) for draw in draws_in(each.data)]
    return [draw["value"] for draw in sorted(found, key=lambda draw: int(draw["number"]))]


def open_in(event: Any) -> dict[str, Any]:
    """The data of an event, without what follows from the seed."""
    return {key: value for key, value in msgspec.to_builtins(event).items() if key not in FROM_THE_SEED}


# Actions


@pytest.mark.parametrize("name", NAMES)
def test_legal_actions_are_all_different_and_all_legal(name: str) -> None:
    random = Random(1)
    for state in islice(random_game(mcmulti.load_game(name).new_initial_state(seed=2), 5), 0, 60, 6):
        actions = state.legal_actions()
        assert isinstance(actions, LegalActions)
        listed = list(islice(actions, 3000))
        assert len(listed) == min(len(actions), 3000) > 0 or state.is_terminal()
        assert len({repr(action) for action in listed}) == len(listed)
        for action in random.sample(listed, min(8, len(listed))):
            assert actions[actions.index(action)] == action
            assert state.child(action).happened()[-1].command == action


def test_actions_can_be_indexed_as_lists_are() -> None:
    """The first bid of MarraCash: 25 shops, and bids from 100 to 1,200 in steps of 25, which are 45."""
    actions = mcmulti.load_game("marracash", seats=3).new_initial_state(seed=1).legal_actions()
    assert len(actions) == 25 * 45
    listed = list(actions)
    assert [actions[0], actions[-1], actions[44:46]] == [listed[0], listed[-1], listed[44:46]]
    assert (actions[0].bid, actions[44].bid, actions[45].bid) == (100, 1200, 100)
    with pytest.raises(IndexError, match="there are 1125 actions: 1125 is not one of them"):
        actions[1125]


def test_a_walk_counts_what_can_be_counted_by_hand() -> None:
    """Three players with five chips each stake 0 to 5. Then two dice fall, with a chance node each."""
    state = mcmulti.load_game("millionenspiel", seats=3).new_initial_state(seed=1).redraw(None)

    def leaves(state: State, depth: int) -> int:
        return sum(leaves(state.child(action), depth - 1) for action in state.legal_actions()) if depth else 1

    assert [leaves(state, depth) for depth in (1, 2, 3, 4)] == [6, 36, 216, 1296]


def test_sheets_by_post_are_listed_up_to_a_size() -> None:
    """At the start each seat may send a sheet, or one that holds from now on, or hold the round.

    A line for assets buys one of 3 kinds, or sells one of 4, on one of 36 plots: 252 lines. A line for barrels buys or
    sells, on 2 markets, 2 goods, in 4 quantities: 32 lines. A sheet may convert a rig, has up to 4 lines for assets,
    up to 3 for barrels, and 4 ways to run the pumps.
    """
    state = mcmulti.load_game("postal").new_initial_state(seed=1)
    assets, barrels = 1 + 252 + 252**2 + 252**3 + 252**4, 1 + 32 + 32**2 + 32**3
    sheets = 2 * assets * barrels * 4
    actions = state.legal_actions()
    assert len(actions) == 2 * sheets + 1
    assert [type(actions[place]).__name__ for place in (0, sheets - 1, sheets, -1)] == [
        "SubmitOrders",
        "SubmitOrders",
        "SetStanding",
        "HoldRound",
    ]
    chosen = Random(3).sample(actions, 50)
    assert len({repr(action) for action in chosen}) == 50
    for action in chosen:
        assert action in actions
        assert state.child(action).happened()[-1].command == action
    conditional = {"orders": [{"type": "IfOrder", "condition": {"type": "CashIs", "at_least": 9}, "then": []}]}
    assert state.game.action("SubmitOrders", round=1, sheet=conditional) in actions
    assert state.game.action("SubmitOrders", round=2, sheet={}) not in actions


def test_a_game_by_post_is_played_with_sheets_from_the_list() -> None:
    state = last(random_game(mcmulti.load_game("postal").new_initial_state(seed=2), 4))
    assert state.is_terminal()
    assert len(state.winners()) > 0
    assert {"SubmitOrders", "SetStanding"} <= {type(step.command).__name__ for step in state.happened()}


def test_what_is_written_and_not_listed_has_no_actions() -> None:
    offer = Offer("Instruct", "leaving/instructions", {"orders": Form("OperatingOrders")})
    with pytest.raises(FreeForm, match=r"Instruct\.orders is written, not chosen"):
        LegalActions((offer,), mcmulti.load_game("mcmulti").commands, {})


def test_sheets_of_several_seats_are_sent_in_any_order() -> None:
    state = mcmulti.load_game("postal").new_initial_state(seed=1)
    sheet = state.game.action("SubmitOrders", round=1, sheet={})
    after = state.child(sheet, player=2)
    assert (state.players_to_move(), after.players_to_move()) == ((0, 1, 2, 3), (0, 1, 3))


# Chance


@pytest.mark.parametrize("name", NAMES)
def test_with_the_same_draws_chance_nodes_lead_to_the_same_game(name: str) -> None:
    """A seeded game, played again with its draws given one by one."""
    game = mcmulti.load_game(name)
    seeded = last(random_game(game.new_initial_state(seed=4), 4, 300))
    actions = [step.command for step in seeded.happened()[2 + game.num_players() :]]
    dice = drawn(seeded)
    state = game.new_initial_state()
    for action in [None, *actions]:
        if action is not None:
            state.apply_action(action)
        while state.is_chance_node():
            assert state.current_player() == PlayerId.CHANCE
            assert sum(probability for _, probability in state.chance_outcomes()) == pytest.approx(1)
            assert not state.players_to_move()
            assert not state.offers()
            state.apply_action(dice.pop(0))
    assert dice == []
    assert [open_in(event) for event in state.events()] == [open_in(event) for event in seeded.events()]
    assert state.returns() == seeded.returns()


def test_the_same_seed_gives_the_same_luck_whatever_is_done() -> None:
    start = mcmulti.load_game("mcmulti").new_initial_state(seed=1)
    first, second, other = (last(random_game(start.redraw(seed), 3, 100)) for seed in (9, 9, 10))
    assert first.events() == second.events()
    assert drawn(first) != drawn(other)
    assert start.table == mcmulti.load_game("mcmulti").new_initial_state(seed=1).table


def test_a_draw_that_waits_can_be_drawn_from_a_seed() -> None:
    state = mcmulti.load_game("mcmulti").new_initial_state()
    assert state.is_chance_node()
    state.apply_action(3)
    drawn_now = state.redraw(5)
    assert not drawn_now.is_chance_node()
    assert drawn(drawn_now)[0] == 3
    assert state.is_chance_node()


# The same games elsewhere


@pytest.mark.parametrize("name", [name for name in NAMES if not CURRENT[name].commands.forms])
def test_a_simulated_game_is_the_same_in_the_library(name: str) -> None:
    ruleset = CURRENT[name]
    *_, final = steps = list(play(ruleset, ruleset.setup(seats=4), 6, most_steps=400))
    state = mcmulti.load_game(name, seats=4).new_initial_state(seed=6)
    for step in steps[6:]:
        assert step.command is not None
        state.apply_action(step.command, player=step.seat)
    assert presented(state.table, NOBODY) == final.state


def test_an_arena_game_has_the_same_record() -> None:
    state = mcmulti.load_game("marracash", seats=3).new_initial_state(seed=2)
    game = local_game("marracash", {"seats": 3}, seed=2)
    random = Random(1)
    while not state.is_terminal():
        action = random.choice(state.legal_actions())
        game.take(state.current_player(), action)
        state.apply_action(action)
    assert state.record().content == game.record()
    proof = state.record().verify()
    assert (proof.fault, proof.seed_revealed) == (None, True)


# What players see


def test_a_sealed_sheet_is_in_the_information_of_its_player_only() -> None:
    state = mcmulti.load_game("postal").new_initial_state(seed=1)
    state.apply_action(state.game.action("SubmitOrders", round=1, sheet={}), player=1)
    mine, others = state.information_state(1), state.information_state(0)
    assert "sheet" in mine[-1]["event"]
    assert list(others[-1]["event"]) == ["type"]
    assert mine[:-1] == others[:-1]
    assert '"sheet"' not in state.information_state_string(0)


def test_an_observation_is_what_the_server_shows() -> None:
    state = mcmulti.load_game("mcmulti", seats=3).new_initial_state(seed=2, names=("Ada", "Ben", "Cleo"))
    assert msgspec.json.decode(state.observation_string(1))["you"] == 1
    assert msgspec.json.decode(state.observation_string())["you"] is None
    assert '"Cleo"' in state.observation_string(0)


def test_returns_are_those_of_the_winners() -> None:
    state = last(random_game(mcmulti.load_game("millionenspiel", seats=3).new_initial_state(seed=3), 1))
    [winner] = state.winners()
    assert [state.returns()[seat] for seat in range(3)] == [1.0 if seat == winner else -0.5 for seat in range(3)]
    assert state.current_player() == PlayerId.TERMINAL
    assert len(state.legal_actions()) == 0


# Kept and read


@pytest.mark.parametrize("seed", [None, 3])
@pytest.mark.parametrize("name", NAMES)
def test_a_state_is_the_same_after_it_was_saved(name: str, seed: int | None) -> None:
    game = mcmulti.load_game(name)
    state = game.new_initial_state(seed)
    state = last(random_game(state, 2, 70))
    for again in (game.deserialize_state(state.serialize()), pickle.loads(pickle.dumps(state)), copy.deepcopy(state)):
        assert (again.table, again.is_chance_node()) == (state.table, state.is_chance_node())
        assert again.information_state(1) == state.information_state(1)
        assert last(random_game(again, 8, 50)).events() == last(random_game(state.clone(), 8, 50)).events()
    bare = game.deserialize_state(state.serialize(history=False))
    assert (bare.table, bare.happened()) == (state.table, [])
    with pytest.raises(ValueError, match="only a game that was played from its opening"):
        bare.record()


def test_a_state_with_dice_of_ones_own_is_saved_once_it_has_others() -> None:
    start = mcmulti.load_game("millionenspiel").new_initial_state(seed=1)
    own = State(start.game, start.table, GivenChance((3, 4)))
    with pytest.raises(ValueError, match="follow from no seed"):
        own.serialize()
    assert start.game.deserialize_state(own.redraw(1).serialize()).table == start.table


def test_what_is_no_saved_state_is_refused() -> None:
    game = mcmulti.load_game("marracash")
    data = game.new_initial_state(seed=1).serialize()
    for wrong in (b"", data[:-9], data.replace(b"marracash", b"marraca5h"), b"\x93" * 5000):
        with pytest.raises(ValueError, match="these bytes are not a saved state"):
            game.deserialize_state(wrong)
    with pytest.raises(ValueError, match="this is a state of <Game marracash"):
        mcmulti.load_game("marracash", seats=3).deserialize_state(data)


def test_a_record_is_read_and_played_on() -> None:
    state = last(random_game(mcmulti.load_game("mcmulti", seats=2).new_initial_state(seed=5), 5, 200))
    record = mcmulti.load_record(bytes(state.record()))
    moments = list(record.replay())
    assert [moment.action for moment in moments] == [step.command for step in state.happened()]
    assert moments[-1].state.table == record.state().table == state.table
    halfway = moments[len(moments) // 2]
    assert record.state(halfway.seq).information_state(0) == halfway.state.information_state(0)
    assert last(random_game(halfway.state.redraw(1), 2)).is_terminal()
    inner = next(moment.seq + 1 for moment, after in pairwise(moments) if after.seq > moment.seq + 1)
    with pytest.raises(ValueError, match=f"event {inner} is in the middle of what a command led to, which ends at"):
        record.state(inner)
    with pytest.raises(ValueError, match=f"there is no event 9999: they are 1 to {len(record.events)}"):
        record.state(9999)


def test_a_record_that_was_changed_has_a_fault() -> None:
    record = last(random_game(mcmulti.load_game("marracash").new_initial_state(seed=5), 5)).record()
    changed = bytes(record).replace(b'"bid":150', b'"bid":175', 1)
    assert changed != bytes(record)
    assert record.verify().fault is None
    assert "hash" in (mcmulti.load_record(changed).verify().fault or "")
    with pytest.raises(ValueError, match="line 1"):
        mcmulti.load_record(b"{}\n")


@pytest.mark.parametrize("seed", [None, 1])
def test_only_a_game_of_one_seed_has_a_record(seed: int | None) -> None:
    state = mcmulti.load_game("marracash").new_initial_state(seed)
    with pytest.raises(ValueError, match="only a game that was played from its opening with one seed"):
        (state if seed is None else state.redraw(2)).record()


# What is wrong


def test_a_game_that_cannot_be_is_refused_with_the_reason() -> None:
    with pytest.raises(ValueError, match="there is no game 'chess': mcmulti, postal"):
        mcmulti.load_game("chess")
    with pytest.raises(ValueError, match=r"marracash cannot be set up like this: Expected `int` >= 3 - at `\$.seats`"):
        mcmulti.load_game("marracash", seats=2)
    with pytest.raises(ValueError, match="unknown field `players`"):
        mcmulti.load_game("marracash", players=3)
    game = mcmulti.load_game("marracash", seats=3)
    with pytest.raises(ValueError, match="2 names for 3 players"):
        game.new_initial_state(seed=1, names=("Ada", "Ben"))
    for seed in (-1, 1.5, True, b"short", "7"):
        with pytest.raises(ValueError, match="a seed is a number from 0, or 32 bytes"):
            game.new_initial_state(seed=seed)  # type: ignore[arg-type]


def test_an_action_that_cannot_be_is_refused_and_nothing_happens() -> None:
    game = mcmulti.load_game("marracash", seats=3)
    state = game.new_initial_state(seed=1)
    before, player = state.table, state.current_player()
    kind: Any = type(state.legal_actions()[0])
    with pytest.raises(IllegalAction) as refused:
        state.apply_action(game.action("PutUp", shop="R1", bid=5000))
    assert (refused.value.rejection.field, refused.value.rejection.limit) == ("bid", 1200)
    with pytest.raises(IllegalAction, match="It is not your move"):
        state.apply_action(state.legal_actions()[0], player=(player + 1) % 3)
    with pytest.raises(TypeError, match="1 is not an action of marracash"):
        state.apply_action(1)
    with pytest.raises(TypeError, match=r"RollDice\(\) is not an action of marracash"):
        state.apply_action(mcmulti.load_game("mcmulti").action("RollDice"))
    for wrong in (kind(shop="R1", bid="100"), kind(shop=["R1"], bid=100), kind(shop="R1", bid=True)):
        with pytest.raises(ValueError, match="PutUp: "):
            state.apply_action(wrong)
    with pytest.raises(ValueError, match="marracash has no command 'Castle'"):
        game.action("Castle")
    with pytest.raises(ValueError, match=r"PutUp: .*`bid`"):
        game.action("PutUp", shop="R1")
    for nobody in (3, -1):
        with pytest.raises(ValueError, match="there is no player"):
            state.observation(nobody)
    with pytest.raises(ValueError, match="this is not a chance node"):
        state.chance_outcomes()
    assert state.table is before


def test_an_outcome_that_cannot_be_is_refused() -> None:
    state = mcmulti.load_game("millionenspiel").new_initial_state()
    with pytest.raises(ValueError, match="the outcomes are 1 to 6: 7 is not one of them"):
        state.apply_action(7)
    for wrong in (True, 1.0, "1", None):
        with pytest.raises(TypeError, match="this is a chance node: apply a number from 1 to 6"):
            state.apply_action(wrong)
    assert state.is_chance_node()


def test_nothing_follows_on_the_end() -> None:
    state = last(random_game(mcmulti.load_game("millionenspiel").new_initial_state(seed=1), 1))
    with pytest.raises(ValueError, match="the game is over"):
        state.apply_action(state.game.action("AcceptThrow"))
