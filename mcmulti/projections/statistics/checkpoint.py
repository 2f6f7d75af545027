"""Checkpoints of the ladder: its state in bytes, so that a server starts from it and rates only what ended since."""

import inspect
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from uuid import UUID

import msgspec

from mcmulti.events.log.digests import sealed, unsealed
from mcmulti.events.log.envelope import Head
from mcmulti.events.ports.computed import KeptAssessment, KeptLadder
from mcmulti.events.ports.game_index import Ended
from mcmulti.projections.statistics import circles, ratings
from mcmulti.projections.statistics.ratings import Assessment, Ladder, LadderState

SPACING = 200
"""A checkpoint is stored after this many games."""

_NO_GAME = UUID(int=0)
_encode = msgspec.msgpack.Encoder(uuid_format="bytes").encode
_ladder = msgspec.msgpack.Decoder(LadderState).decode
_assessment = msgspec.msgpack.Decoder(Assessment).decode


class ChangedCheckpoint(ValueError):
    """A stored ladder or assessment is not what was stored."""


@cache
def shape() -> bytes:
    """32 bytes that change whenever the way in which ratings are computed may have changed."""
    code = "".join(inspect.getsource(module) for module in (ratings, circles))
    return sha256(f"{version('openskill')}\n{code}".encode()).digest()


def kept(key: bytes, ladder: Ladder, ended: Ended, head: Head) -> KeptLadder:
    """A ladder to store, after the game that ended last, whose log has this head."""
    return sealed_ladder(key, KeptLadder(shape(), ended, head, _encode(ladder.stored_state(ended.at))))


def sealed_ladder(key: bytes, bare: KeptLadder) -> KeptLadder:
    """A copy of a ladder whose state begins with its digest."""
    return bare._replace(state=sealed(key, "ladder", _NO_GAME, *_ladder_parts(bare)))


def restored(key: bytes, stored: KeptLadder) -> Ladder:
    """A stored ladder. Raises `ChangedCheckpoint`."""
    state = unsealed(key, "ladder", _NO_GAME, *_ladder_parts(stored))
    if state is None:
        raise ChangedCheckpoint("the stored ladder was changed")
    return Ladder(_ladder(state))


def kept_assessment(key: bytes, game_id: UUID, assessment: Assessment) -> KeptAssessment:
    """An assessment of a game to store."""
    return sealed_assessment(key, KeptAssessment(game_id, shape(), _encode(assessment)))


def sealed_assessment(key: bytes, bare: KeptAssessment) -> KeptAssessment:
    """A copy of an assessment that begins with its digest."""
    return bare._replace(assessment=sealed(key, "assessment", *bare))


def is_sound(key: bytes, stored: KeptAssessment) -> bool:
    """Whether a stored assessment is the original one of its game."""
    return unsealed(key, "assessment", *stored) is not None


def restored_assessment(key: bytes, stored: KeptAssessment) -> Assessment:
    """A stored assessment. Raises `ChangedCheckpoint`."""
    content = unsealed(key, "assessment", *stored)
    if content is None:
        raise ChangedCheckpoint(f"the stored assessment of game {stored.game_id} was changed")
    return _assessment(content)


def _ladder_parts(stored: KeptLadder) -> tuple[bytes, ...]:
    """What the digest of a ladder covers."""
    shape, (at, game_id), (seq, hash_), state = stored
    return (shape, at.isoformat().encode(), game_id.bytes, b"%d" % seq, hash_, state)
