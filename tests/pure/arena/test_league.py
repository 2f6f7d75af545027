"""A signed folder: anybody can compute its result again, and tampering is refused."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mcmulti.arena.league import key_in, sign
from mcmulti.arena.local import LocalGame
from mcmulti.arena.schedule import copies, dice_of, pairings, player_id
from mcmulti.arena.store import keep_game, read_plan
from mcmulti.bots.strategy import RandomMoves
from mcmulti.cli.commands.records.arena import arena
from mcmulti.domain.marracash import RULESET
from mcmulti.library.steps import Sitter

ASKED = ["--ruleset", "marracash", "--games", "6", "merchant", "random", "random"]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a signed arena, with its key beside it."""
    folder = tmp_path_factory.mktemp("league") / "kept"
    signed = CliRunner().invoke(arena, [*ASKED, "--folder", str(folder), "--sign", str(folder.parent / "key")])
    assert signed.exit_code == 0, signed.output
    assert "Signed with key" in signed.output
    assert (folder.parent / "key").stat().st_mode & 0o077 == 0
    return folder


def _verify(folder: Path, *more: str) -> tuple[int, str]:
    done = CliRunner().invoke(arena, ["--verify", str(folder), *more])
    return done.exit_code, " ".join(done.output.split())


def test_the_result_is_computed_again_from_the_games_alone(bundle: Path) -> None:
    code, said = _verify(bundle)
    assert (code, "All 6 games are proven. Signed with key" in said) == (0, True)
    assert said.endswith("In every match, all games had the same dice.")
    again: Any = json.loads(CliRunner().invoke(arena, ["--verify", str(bundle), "--json"]).output)
    told: Any = json.loads(CliRunner().invoke(arena, [*ASKED, "--folder", str(bundle), "--json"]).output)
    assert (again["standings"], again["results"]) == (told["standings"], told["results"])


def test_the_same_seat_is_compared_on_request(bundle: Path) -> None:
    """Six games of three: 18 seats, each compared with the two others that had it."""
    assert "The same seat with the same dice, compared" in _verify(bundle, "--duplicate")[1]
    asked = ["--verify", str(bundle), "--duplicate", "--json"]
    scores = json.loads(CliRunner().invoke(arena, asked).output)["duplicate"]
    assert [score["comparisons"] for score in scores] == [12, 12, 12]
    assert sum(score["share"]["value"] for score in scores) == pytest.approx(1.5)
    refused = CliRunner().invoke(arena, ["merchant", "random", "--duplicate", "--server", "http://localhost:1"])
    assert (refused.exit_code, "has its own" in refused.output) == (2, True)


def test_the_key_that_is_trusted_has_to_have_signed(bundle: Path, tmp_path: Path) -> None:
    key, other = key_in(bundle.parent / "key"), key_in(tmp_path / "other")
    assert _verify(bundle, "--key", key.id)[0] == _verify(bundle, "--key", key.public)[0] == 0
    code, said = _verify(bundle, "--key", other.id)
    assert (code, f"not with {other.id}" in said) == (1, True)


def _first(folder: Path) -> Path:
    return folder / "games" / "000001.mcmulti.jsonl"


def _swap_games(folder: Path) -> None:
    other = folder / "games" / "000002.mcmulti.jsonl"
    first, second = _first(folder).read_bytes(), other.read_bytes()
    _first(folder).write_bytes(second)
    other.write_bytes(first)


def _swap_names(folder: Path) -> None:
    path = folder / "arena.json"
    path.write_text(path.read_text().replace("merchant", "gambler"))


def _play_with_entropy(folder: Path) -> None:
    """Play the first game again with its seed, but with a seat's entropy, which changes the dice."""
    plan = read_plan(folder)
    pairing = pairings(plan, 1)[0]
    seated = zip(pairing.seats, copies(pairing.seats), strict=True)
    sitters = [Sitter(player_id(plan, entrant, copy), plan.entrants[entrant], "lucky") for entrant, copy in seated]
    game = LocalGame(RULESET, RULESET.setup(seats=len(sitters)), *dice_of(plan, pairing.match), sitters)
    anything = RandomMoves(1)
    while game.to_move:
        seat = game.to_move[0]
        game.send(seat, anything({}, json.loads(game.offers(seat, sentences=False))))
    keep_game(folder, pairing, game.record())


TAMPERED: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "a game that was lost is taken out": (lambda folder: _first(folder).unlink(), "cannot be read", "cannot be read"),
    "a byte is another": (
        lambda folder: _first(folder).write_bytes(_first(folder).read_bytes().replace(b"merchant", b"merchanT")),
        "is not what was signed",
        "",
    ),
    "two games change places": (_swap_games, "is not what was signed", "others sit at it"),
    "who played is said to be another": (_swap_names, "The signature does not match", "others sit at it"),
    "its dice are made by entropy": (_play_with_entropy, "is not what was signed", "has other dice"),
    "a game is added": (
        lambda folder: shutil.copy(_first(folder), folder / "games" / "000099.mcmulti.jsonl"),
        "is not in the bundle",
        "is not in the bundle",
    ),
    "an event is left out": (
        lambda folder: _first(folder).write_bytes(b"".join(_first(folder).read_bytes().splitlines(keepends=True)[:-1])),
        "is not what was signed",
        "is not a game file",
    ),
    "there is no bundle": (lambda folder: (folder / "bundle.json").unlink(), "bundle.json cannot be read", ""),
}


@pytest.mark.parametrize("how", TAMPERED)
def test_what_was_tampered_with_is_refused_signed_anew_or_not(how: str, bundle: Path, tmp_path: Path) -> None:
    """A signer with a key of their own cannot make up games. Names beside a game prove nothing."""
    tamper, said, said_signed = TAMPERED[how]
    folder = Path(shutil.copytree(bundle, tmp_path / "tampered"))
    tamper(folder)
    code, output = _verify(folder)
    assert (code, said in output) == (1, True), output
    if said_signed and all((folder / "games" / f"{n:06}.mcmulti.jsonl").exists() for n in range(1, 7)):
        sign(folder, pairings(read_plan(folder), 6), key_in(tmp_path / "mine"))
        code, output = _verify(folder)
        assert (code, said_signed in output) == (1, True), output


def test_a_file_that_holds_no_key_is_refused(bundle: Path, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("sesame")
    asked = [*ASKED, "--folder", str(bundle), "--sign", str(tmp_path / "key")]
    refused = CliRunner().invoke(arena, asked)
    assert (refused.exit_code, "is not a key" in refused.output) == (1, True)
