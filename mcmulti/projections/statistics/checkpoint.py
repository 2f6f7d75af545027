"""Checkpoints of the ladder: its state in bytes, so that a server starts from it and rates only what ended since."""

import inspect
from functools import cache
from hashlib import sha256
from hmac import compare_digest
from importlib.metadata import version
from uuid import UUID

import msgspec

from mcmulti.events.log.digests import SIZE, digest
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
    bare = KeptLadder(shape(), ended, head, _encode(ladder.stored_state(ended.at)))
    return sealed(key, bare)


def sealed(key: bytes, bare: KeptLadder) -> KeptLadder:
    """A copy of a ladder whose state begins with its digest."""
    return bare._replace(state=_ladder_digest(key, bare) + bare.state)


def restored(key: bytes, stored: KeptLadder) -> Ladder:
    """A stored ladder. Raises `ChangedCheckpoint`."""
    said, bare = stored.state[:SIZE], stored._replace(state=stored.state[SIZE:])
    if not compare_digest(said, _ladder_digest(key, bare)):
        raise ChangedCheckpoint("the stored ladder was changed")
    return Ladder.of(_ladder(bare.state))


def kept_assessment(key: bytes, game_id: UUID, assessment: Assessment) -> KeptAssessment:
    """An assessment of a game to store."""
    bare = KeptAssessment(game_id, shape(), _encode(assessment))
    return sealed_assessment(key, bare)


def sealed_assessment(key: bytes, bare: KeptAssessment) -> KeptAssessment:
    """A copy of an assessment that begins with its digest."""
    return bare._replace(assessment=_assessment_digest(key, bare) + bare.assessment)


def is_sound(key: bytes, stored: KeptAssessment) -> bool:
    """Whether a stored assessment is the original one of its game."""
    said, bare = stored.assessment[:SIZE], stored._replace(assessment=stored.assessment[SIZE:])
    return compare_digest(said, _assessment_digest(key, bare))


def restored_assessment(key: bytes, stored: KeptAssessment) -> Assessment:
    """A stored assessment. Raises `ChangedCheckpoint`."""
    if not is_sound(key, stored):
        raise ChangedCheckpoint(f"the stored assessment of game {stored.game_id} was changed")
    return _assessment(stored.assessment[SIZE:])


def _ladder_digest(key: bytes, bare: KeptLadder) -> bytes:
    ended, head = bare.ended, bare.head
    place = (ended.at.isoformat().encode(), ended.game_id.bytes, b"%d" % head.seq, head.hash)
    return digest(key, "ladder", _NO_GAME, bare.shape, *place, bare.state)


def _assessment_digest(key: bytes, bare: KeptAssessment) -> bytes:
    return digest(key, "assessment", bare.game_id, bare.shape, bare.assessment)
