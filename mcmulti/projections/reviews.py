"""Reviews of finished games as data, and how they are stored: what each decision cost, and what luck did."""

import re
from collections.abc import Callable, Coroutine, Sequence
from hashlib import sha256
from typing import Annotated, Any
from uuid import UUID

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from mcmulti.domain.core.figures import MOST, BySeat, Count, RulesetName, Seat, Sentence
from mcmulti.domain.core.table import Called
from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.log.digests import sealed, unsealed
from mcmulti.events.log.envelope import Head
from mcmulti.events.log.item import Seq
from mcmulti.events.ports.computed import KeptReview

EVALUATOR = 6
"""The version of the evaluator. Raise it if reviews of the same game may change: stored ones are then made again."""
_ANYBODY = re.compile("⟦([0-9]+)⟧")

ChanceToWin = Annotated[float, Meta(ge=0, le=1, description="A chance or share of victory: 1 is a victory.")]
ChanceChange = Annotated[float, Meta(ge=-MOST, le=MOST, description="A change in chances to win: 1 is a victory.")]
StandardError = Annotated[
    float, Meta(ge=0, description="Standard error of the dice; null if there was only one rollout.")
]


class Estimate(Struct, frozen=True):
    """A mean, and its standard error; null if there was only one sample."""

    value: float
    error: StandardError | None


class ReviewedMove(Struct, frozen=True):
    """A command, by the number of its last event; `player` is null for the server. `before`: the event after which it
    was decided, from which a branch can try another move.

    `chances`: of every seat after it. `gain`: what the decision changed in the player's own chance, compared with what
    fast players would have made of the position; null if that was not examined. `cost`: how much less it is worth than
    the best alternative, even if the player goes on well up to the next dice; null if there was none, or if that was
    not examined. `alternative`: that alternative as a command; null if nothing better is known. `better`: the same in
    words, and how a fast player would go on.
    `luck`: what dice or cards changed in each seat's chance; null if there were none.
    """

    seq: Seq
    before: Seq
    player: Seat | None
    said: Sentence
    chances: BySeat[Estimate]
    gain: ChanceChange | None
    cost: Estimate | None
    alternative: dict[str, Any] | None
    better: Sentence | None
    luck: BySeat[ChanceChange] | None


class ReviewedPlayer(Struct, frozen=True):
    """A seat in a review, in chances to win, 0 to 1.

    `decisions`: those that were examined and had an alternative. `error_rate`: the share of the chances that the best
    alternatives had and that these decisions gave away. `start` + `own` + `others` + `luck` = `result`: the chance
    before the first reviewed command, what the seat's own examined decisions changed, what everything else changed,
    what examined dice and cards changed, and the chance or share of victory at the end. `adjusted`: the result without
    the luck.
    """

    name: Sentence
    decisions: Count
    error_rate: ChanceToWin
    start: ChanceToWin
    own: ChanceChange
    others: ChanceChange
    luck: ChanceChange
    result: ChanceToWin
    adjusted: ChanceChange


class TurningPoint(Struct, frozen=True):
    """A command that changed a chance much, by the number of its last event, in a sentence or a few. `seat`: whose."""

    seq: Seq
    seat: Seat
    said: Sentence


class Review(Struct, frozen=True):
    """The review of a game, or of a part of it.

    `policy`: the fast players of the rollouts. `learned`: whether a network values the ends of rollouts; otherwise
    they go to the end of the game. `seed`: of the imagined dice. `commands`: how many commands there were. `examined`:
    of how many it was measured what they promised. `passes`: how often each position was rolled out, at least.
    `tried`: how often each alternative was, at least. `players`: by seat. `turning_points`: the commands that changed a
    chance most, in order. `moves`: the commands whose positions were evaluated, in order.
    """

    game: str
    ruleset: RulesetName
    version: Count
    policy: str
    learned: bool
    seed: Count
    commands: Count
    examined: Count
    passes: Count
    tried: Count
    players: BySeat[ReviewedPlayer]
    turning_points: Annotated[tuple[TurningPoint, ...], Meta(max_length=3)]
    moves: tuple[ReviewedMove, ...]


class FinishedReview(Struct, frozen=True):
    """A review as it is stored: in all languages, without names. `fault`: why there is none.

    `players`: the ids of all who ever sat there; where a text has ``⟦2⟧``, the name of the third one belongs.
    """

    players: tuple[str, ...]
    by_language: dict[Language, Review]
    fault: str | None = None


class HintTask(Struct, frozen=True):
    """A hint to compute: the `position` as a document, the seat that is to move, and the seconds of processor time."""

    position: dict[str, Any]
    player: int
    seconds: int
    language: Language


class HintedMove(Struct, frozen=True):
    """A move in words, with what it earns or costs, and up to the next dice how a fast player would go on.

    `chance`: of the seat to win after it. `loss`: how much less that is than after the best move.
    """

    said: Sentence
    chance: Estimate
    loss: Estimate


ChargeHint = Callable[[], Coroutine[Any, Any, None]]
"""Charges for a hint before it is computed. Raises if that is not possible."""
Hinter = Callable[[HintTask, ChargeHint], Coroutine[Any, Any, tuple[HintedMove, ...] | None]]
"""Computes a hint, after it was charged. None if too many are being computed, or if the process ended."""

_encode = msgspec.json.Encoder().encode
_finished = msgspec.json.Decoder(FinishedReview).decode


class ChangedReview(ValueError):
    """A stored review is not what was stored."""


def shape(head: Head) -> bytes:
    """32 bytes that identify the reviews of a game whose log ends like this, by this version of the evaluator."""
    return sha256(b"mcmulti review\n%d\n%d\n%b" % (EVALUATOR, head.seq, head.hash)).digest()


def kept_review(
    key: bytes, game_id: UUID, head: Head, seconds: int, finished: FinishedReview | None, work: bytes
) -> KeptReview:
    """A review to store, or as far as it has come. `seconds`: the processor time it was meant to take."""
    content = b"" if finished is None else _encode(finished)
    return sealed_review(key, KeptReview(game_id, shape(head), seconds, content, work))


def sealed_review(key: bytes, bare: KeptReview) -> KeptReview:
    """A copy whose work begins with the digest of everything."""
    return bare._replace(work=sealed(key, "review", bare.game_id, *_review_parts(bare)))


def restored_review(key: bytes, stored: KeptReview) -> tuple[FinishedReview | None, bytes]:
    """A stored review, if it is finished, and the work that it comes from. Raises `ChangedReview`."""
    work = unsealed(key, "review", stored.game_id, *_review_parts(stored))
    if work is None:
        raise ChangedReview(f"the stored review of game {stored.game_id} was changed")
    try:
        return (_finished(stored.review) if stored.review else None), work
    except (ValueError, RecursionError) as error:
        raise ChangedReview(f"the stored review of game {stored.game_id} cannot be read: {error}") from None


def placeholder(number: int) -> str:
    """What stands for the name of a player in a stored review."""
    return f"⟦{number}⟧"


def with_names(finished: FinishedReview, language: Language, called: Called, unnamed: str) -> Review:
    """A stored review in a language, with these names of players, by id. `unnamed`: for those without a name."""
    names = [called.get(player, unnamed) for player in finished.players]

    def named(found: re.Match[str]) -> str:
        number = int(found[1])
        # In the text of JSON, so that it does not matter which fields have sentences.
        return msgspec.json.encode(names[number] if number < len(names) else unnamed).decode()[1:-1]

    review = msgspec.json.encode(finished.by_language[language]).decode()
    return msgspec.json.decode(_ANYBODY.sub(named, review), type=Review)


def named_hints(moves: Sequence[HintedMove], names: Sequence[str]) -> tuple[HintedMove, ...]:
    """Hints with these names, by seat."""
    return tuple(replace(move, said=_ANYBODY.sub(lambda found: names[int(found[1])], move.said)) for move in moves)


def _review_parts(review: KeptReview) -> tuple[bytes, ...]:
    return (review.shape, b"%d" % review.seconds, review.review, review.work)
