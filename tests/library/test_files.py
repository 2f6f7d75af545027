"""Everybody else can read game files of the library, and the library can read theirs."""

import random
from pathlib import Path

from click.testing import CliRunner

import mcmulti
from mcmulti.cli import cli

ROOT = Path(__file__).parents[2]


def played(seed: int) -> mcmulti.State:
    """A finished game of MarraCash."""
    luck = random.Random(seed)
    state = mcmulti.load_game("marracash", seats=3).new_initial_state(seed=seed, names=("Ada", "Ben", "Cleo"))
    while not state.is_terminal():
        state.apply_action(luck.choice(state.legal_actions()))
    return state


def test_a_saved_game_is_proven_by_the_command_and_a_changed_one_is_not(tmp_path: Path) -> None:
    state, file = played(5), tmp_path / "game.mcmulti.jsonl"
    state.record().save(file)
    proven = CliRunner().invoke(cli, ["verify", str(file)])
    assert proven.exit_code == 0, proven.output
    told = CliRunner().invoke(cli, ["replay", str(file), "--plain"])
    assert told.exit_code == 0, told.output
    assert "Cleo" in told.output
    changed = file.read_bytes().replace(b'"bid":150', b'"bid":175', 1)
    assert changed != file.read_bytes()
    file.write_bytes(changed)
    assert CliRunner().invoke(cli, ["verify", str(file)]).exit_code == 1
    assert mcmulti.load_record(file).verify().fault is not None


def test_the_example_game_is_read_proven_and_played_on() -> None:
    record = mcmulti.load_record(ROOT / "examples" / "game.mcmulti.jsonl")
    assert (record.verify().fault, record.verify().seed_revealed) == (None, True)
    assert record.state().is_terminal()
    halfway = list(record.replay())[len(list(record.replay())) // 2].state.redraw(1)
    assert not halfway.is_terminal()
    other = halfway.child(halfway.legal_actions()[-1])
    assert other.happened()[:-1] == halfway.happened()
