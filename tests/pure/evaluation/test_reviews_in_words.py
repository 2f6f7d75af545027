"""Reviews keep data: their sentences are made from it and the game, in the reader's language."""

import msgspec
import pytest
from msgspec.structs import replace

from mcmulti.evaluation.reviews.moments import CommandPlayed, moments_of
from mcmulti.evaluation.reviews.review import Reviewing
from mcmulti.evaluation.reviews.wording import told_in
from mcmulti.projections.reviews import Review
from tests.pure.evaluation.blunder import game_with_a_blunder


@pytest.fixture(scope="module")
def game() -> tuple[list[CommandPlayed], Review, Review, int]:
    """The commands of a game, the review of a blunder and what came after it in both languages, and its event."""
    record, _, seq = game_with_a_blunder(seed=1)
    reviewing = Reviewing(record, first=seq, last=seq + 6)
    for _ in reviewing.passes(2):
        pass
    return list(moments_of(record)), reviewing.result("en"), reviewing.result("de"), seq


def test_a_file_in_one_language_is_read_in_the_other(game: tuple[list[CommandPlayed], Review, Review, int]) -> None:
    """The player could have declared victory."""
    moments, english, german, seq = game
    kept = msgspec.json.decode(msgspec.json.encode(english), type=Review)
    assert told_in(kept, moments, "de") == german
    assert told_in(german, moments, "en") == english
    [blunder] = [move for move in told_in(kept, moments, "de").moves if move.seq == seq]
    assert blunder.alternative == {"type": "DeclareVictory"}
    assert "Sieg" in str(blunder.better)
    point = next(point for point in told_in(kept, moments, "de").turning_points if point.seq == seq)
    assert point.said.endswith(f"Besser: {blunder.better}")


def test_what_a_file_says_does_not_matter(game: tuple[list[CommandPlayed], Review, Review, int]) -> None:
    moments, english, _, _ = game
    moves = tuple(replace(move, said="<b>", better="<i>") for move in english.moves)
    points = tuple(replace(point, said="?") for point in english.turning_points)
    players = tuple(replace(player, name="Eve") for player in english.players)
    assert told_in(replace(english, moves=moves, turning_points=points, players=players), moments, "en") == english


def test_a_review_of_something_else_is_refused(game: tuple[list[CommandPlayed], Review, Review, int]) -> None:
    moments, english, _, _ = game
    first, *rest = english.moves
    point = english.turning_points[0]
    misfits = {
        "event 2 does not end": replace(english, moves=(replace(first, seq=2), *rest)),
        f"event {first.seq} does not end": replace(english, moves=(replace(first, player=None), *rest)),
        "the game has 2 seats": replace(english, players=english.players[:1]),
        "has 2 seats": replace(english, moves=(replace(first, chances=()), *rest)),
        "2 seats": replace(english, turning_points=(replace(point, seat=2),)),
        "event 1 was not reviewed": replace(english, turning_points=(replace(point, seq=1),)),
        "has no command .Fly": replace(english, moves=(replace(first, alternative={"type": "Fly"}), *rest)),
        "is not a command": replace(english, moves=(replace(first, alternative={}), *rest)),
        "current phase": replace(english, moves=(replace(first, alternative={"type": "RollDice"}), *rest)),
    }
    for said, misfit in misfits.items():
        with pytest.raises(ValueError, match=said):
            told_in(misfit, moments, "en")
