"""Reviews of games: a planted blunder is found, and luck is separated from decisions."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from mcmulti.cli import cli
from mcmulti.evaluation.reviews.review import StillRunning, review
from mcmulti.library.game import load_game
from mcmulti.library.record import Record
from mcmulti.projections.reviews import Review
from tests.pure.evaluation.blunder import game_with_a_blunder

AROUND = 6
"""How many events before and after the blunder are reviewed."""


@pytest.fixture(scope="module")
def blundered() -> tuple[Record, int, int]:
    return game_with_a_blunder(seed=1)


@pytest.fixture(scope="module")
def reviewed(blundered: tuple[Record, int, int]) -> Review:
    record, _, seq = blundered
    return review(record, passes=3, first=seq - AROUND, last=seq + AROUND)


def test_a_planted_blunder_is_the_costliest_decision(blundered: tuple[Record, int, int], reviewed: Review) -> None:
    _, culprit, seq = blundered
    costs = {move.seq: move.cost.value for move in reviewed.moves if move.cost is not None}
    assert max(costs, key=lambda each: costs[each]) == seq
    [blunder] = [move for move in reviewed.moves if move.seq == seq]
    assert (blunder.player, blunder.better is not None) == (culprit, True)
    assert "victory" in str(blunder.better)
    assert reviewed.players[culprit].error_rate > reviewed.players[1 - culprit].error_rate
    assert seq in [point.seq for point in reviewed.turning_points]


def test_decisions_and_luck_add_up_to_what_a_chance_became(reviewed: Review) -> None:
    for seat, player in enumerate(reviewed.players):
        gains = sum(move.gain for move in reviewed.moves if move.player == seat and move.gain is not None)
        luck = sum(move.luck[seat] for move in reviewed.moves if move.luck is not None)
        assert (player.own, player.luck) == pytest.approx((gains, luck))
        assert player.start + player.own + player.others + player.luck == pytest.approx(player.result)
        assert player.adjusted == pytest.approx(player.result - luck)
    first, second = reviewed.players
    assert first.luck == pytest.approx(-second.luck)
    assert first.others == pytest.approx(-second.own)
    assert sum(chance.value for chance in reviewed.moves[-1].chances) == pytest.approx(1)
    assert any(move.luck is not None and move.said.startswith(("Ann rolls", "Bob rolls")) for move in reviewed.moves)


def test_the_same_seed_and_passes_give_the_same_review(blundered: tuple[Record, int, int]) -> None:
    record, _, seq = blundered
    once, again = (review(record, passes=2, seed=3, first=seq, last=seq + 3) for _ in range(2))
    assert once == again
    short = review(record, seconds=1e-9, first=seq, last=seq + 3)
    assert (short.passes, short.tried) == (1, 0)


def test_the_end_of_a_game_is_what_it_was(blundered: tuple[Record, int, int]) -> None:
    record, _, _ = blundered
    last = len(record.events)
    found = review(record, passes=1, first=last, last=last)
    winners = record.state().winners()
    assert [player.result for player in found.players] == [1 / len(winners) * (seat in winners) for seat in range(2)]


def test_a_game_that_is_not_over_is_not_reviewed() -> None:
    state = load_game("marracash", seats=3).new_initial_state(seed=1)
    with pytest.raises(StillRunning):
        review(state.record())


def test_the_command_prints_tables_or_json(blundered: tuple[Record, int, int], tmp_path: Path) -> None:
    record, culprit, seq = blundered
    path, part = tmp_path / "game.mcmulti.jsonl", ["--from", str(seq), "--to", str(seq + 2), "--passes", "2"]
    record.save(path)
    printed = CliRunner().invoke(cli, ["review", str(path), *part], env={"COLUMNS": None})
    assert printed.exit_code == 0, printed.output
    for words in (
        "Turning points",
        "Costly decisions",
        "without luck",
        f"{seq}  {('Ann', 'Bob')[culprit]}, ",
        "Better:",
    ):
        assert words in printed.output
    every = CliRunner().invoke(cli, ["review", str(path), *part, "--all"])
    assert "Chances after each move" in every.output
    told = json.loads(CliRunner().invoke(cli, ["review", str(path), *part, "--json"]).output)
    assert (told["passes"], told["moves"][0]["seq"], len(told["players"])) == (2, seq, 2)
    evaluated = CliRunner().invoke(cli, ["evaluate", str(path), "--at", str(seq), "--rollouts", "2", "--moves"])
    assert evaluated.exit_code == 0, evaluated.output
    assert {"Ann", "Bob", "chance"} <= set(evaluated.output.split())
    told = json.loads(CliRunner().invoke(cli, ["evaluate", str(path), "--rollouts", "2", "--json"]).output)
    assert sum(chance["value"] for chance in told["evaluation"]["chances"]) == 1


REFUSED = {
    "an event that does not exist": (["evaluate", "--at", "9999"], "there is no event 9999"),
    "an event within a command": (["evaluate", "--at", "2"], "Cannot evaluate the position"),
    "a part without commands": (["review", "--from", "9999"], "no command of the started game is in this range"),
    "a part that ends before it begins": (["review", "--from", "9", "--to", "8"], "--to 8 is before --from 9"),
    "two budgets": (["evaluate", "--rollouts", "2", "--seconds", "2"], "either --rollouts or --seconds"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_evaluated_is_refused_with_the_reason(
    what: str, blundered: tuple[Record, int, int], tmp_path: Path
) -> None:
    (command, *options), said = REFUSED[what]
    path = tmp_path / "game.mcmulti.jsonl"
    blundered[0].save(path)
    refused = CliRunner().invoke(cli, [command, str(path), *options])
    assert (refused.exit_code != 0, said in refused.output) == (True, True), refused.output


@pytest.mark.parametrize("command", ["evaluate", "review"])
def test_running_and_tampered_games_are_refused(command: str, tmp_path: Path) -> None:
    path = tmp_path / "game.mcmulti.jsonl"
    load_game("mcmulti", seats=2).new_initial_state(seed=1).record().save(path)
    refused = CliRunner().invoke(cli, [command, str(path)])
    assert (refused.exit_code, "is not over" in refused.output) == (1, True), refused.output
    path.write_bytes(path.read_bytes().replace(b'"seats":2', b'"seats":3'))
    refused = CliRunner().invoke(cli, [command, str(path)])
    assert (refused.exit_code, "Traceback" in refused.output) == (1, False), refused.output
