"""Proofs of a game: its signed head, its commitment, and its dice."""

from collections.abc import Sequence
from itertools import islice
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

from mcmulti.api.caching.moments import MomentQuery, made_once, moment
from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import DEAR, Beside, Call, answer, operation
from mcmulti.api.http.received import Tags
from mcmulti.domain.core.figures import Count, Sha256
from mcmulti.events.log.item import AtMoment
from mcmulti.events.log.positions import Position
from mcmulti.events.log.signing import (
    KeyId,
    KeyStatement,
    PublicKey,
    Revocation,
    Signature,
    SigningKey,
    Since,
    key_id,
)
from mcmulti.events.ports.accounts import Player
from mcmulti.projections.proof.draws import Drawn, ProvenDraw


class Key(Struct, frozen=True):
    """A key with which this server signs heads. `key`: its short id. `algorithm`: its signature algorithm.

    It signs from `since`, `until` another key replaced it; null for the current one. `endorsed` and `accepted`: the
    succession, signed by the previous key and by this one. `revoked`: null unless it must no
    longer be trusted.
    """

    key: KeyId
    algorithm: Literal["Ed25519"]
    public: PublicKey
    since: Since
    until: Since | None
    endorsed: Signature | None
    accepted: Signature | None
    revoked: Revocation | None


class Keys(Struct, frozen=True):
    """`keys`: all keys with which this server signs or signed, the current one first.

    Note them: with them you can check signatures without a server.
    """

    keys: tuple[Key, ...]


class GameProof(AtMoment, frozen=True):
    """The proof of a game after event `seq`.

    `signature`: the head signed with the server's `key`; the guide to proofs describes the signed bytes. `commitment`:
    the SHA-256 of the seed that all dice come from. `seed`: that seed, null until it is revealed at the end. `drawn`:
    the number of draws so far. `draws`: a page of them. `next`: continues it as ``after``.
    """

    signature: Signature
    key: KeyId
    commitment: Sha256
    seed: Sha256 | None
    drawn: Count
    draws: Annotated[tuple[ProvenDraw, ...], Meta(max_length=1000)]
    next: Count | None


class ProofQuery(MomentQuery, frozen=True, forbid_unknown_fields=True):
    """`at`: after this event instead of now. `after`: only draws after the one with this number. `limit`: the most
    draws.
    """

    after: Count = 0
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100


@operation("GET", "/v1/keys", tag="service", summary="List the keys that sign heads", answer=Keys)
async def list_keys(call: Call) -> Answer:
    """The keys are Ed25519. All servers on one database sign with the same key, and switch to a new one within 10
    seconds.
    """
    key = await call.service.signing_key()
    return answer(keys_of(key.statements), Cache_Control="no-cache")


def keys_of(statements: Sequence[KeyStatement]) -> Keys:
    """A server's keys in the response format; `statements` begin with the first key."""
    ends = (*(statement.since for statement in statements[1:]), None)
    found = [
        Key(key_id(each.public), "Ed25519", each.public, each.since, end, each.endorsed, each.accepted, each.revoked)
        for each, end in zip(statements, ends, strict=True)
    ]
    return Keys(tuple(reversed(found)))


async def signed_with(call: Call, position: Position, past: bool) -> Beside:
    """The key that signs now, and the seed of a table whose series is over, which its own log does not reveal."""
    key = await call.service.signing_key()
    seed = None if past else await call.service.series.seed(position)
    return Beside((key, seed), (key.id, seed))


@operation(
    "GET",
    "/v1/games/{game}/proof",
    tag="log",
    summary="Read the signed head, the commitment, and the dice",
    answer=GameProof,
    cost=DEAR,
    readers="all",
    beside=signed_with,
)
async def get_proof(call: Call, query: ProofQuery, caller: Player | None, game: UUID, if_none_match: Tags) -> Answer:
    """Returns the head of the log, signed by this server, so that the server cannot change the past unnoticed, and
    every die and card so far. After the game it also has the seed, from which anyone can draw them again.
    """
    at = await moment(call, game, query.at)
    key, seed = at.beside.value

    async def made() -> GameProof:
        drawn = await call.service.folds.reach(at.position, Drawn, Drawn)
        return await call.service.apart(proof_of, at.position, drawn, key, query.after, query.limit, seed)

    return await made_once(call, at, if_none_match, made)


def proof_of(
    at: Position, drawn: Drawn, key: SigningKey, after: int, limit: int, beside: str | None = None
) -> GameProof:
    """The proof of a game at a position, given its draws, of which those after number `after` are included. `beside`:
    the seed, if it was revealed beside the log.
    """
    game, head, first, last = at.game_id, at.head, drawn.first, drawn.last
    if first is None or last is None:
        raise ValueError("a game without events has no proof")
    page = tuple(islice((draw for draw in drawn.draws if draw.number > after), limit))
    return GameProof(
        game,
        head.seq,
        head.hash.hex(),
        key.sign(game, head),
        key.id,
        msgspec.json.decode(first.data, type=_Committed).commitment,
        msgspec.json.decode(last.data, type=_Revealed).seed if last.type == "SeedRevealed" else beside,
        len(drawn.draws),
        page,
        page[-1].number if page and page[-1].number < drawn.draws.last.number else None,
    )


class _Committed(Struct):
    commitment: str


class _Revealed(Struct):
    seed: str
