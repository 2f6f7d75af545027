"""A bundle: the signed folder of an arena, from which anybody can recompute the result, and see who vouches for it.

Next to `arena.json` and the games is `bundle.json`: the SHA-256 of every game file, in order, the public key of whoever
played them, and an Ed25519 signature over these bytes, which end with a line feed::

    mcmulti arena v1
    <SHA-256 of arena.json, in hexadecimal>
    <SHA-256 of the file of game 1>
    <SHA-256 of the file of game 2, and so on>

The signer vouches that the strategies were the ones named. Everything else is proven: the dice follow from the seed of
the arena, every command was legal, the seats are as scheduled, and the result follows from the games.
"""

import os
import secrets
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec import Meta, Struct

from mcmulti.arena.play import ArenaGame
from mcmulti.arena.schedule import ArenaPlan, Pairing, pairings
from mcmulti.arena.store import GAMES, PLAN, BadFolder, path_of, read_game, read_plan, reading, result_kept, write_whole
from mcmulti.domain.core.figures import Sha256
from mcmulti.events.log.signing import PublicKey, Signature, SigningKey, key_id
from mcmulti.projections.proof.proof import verify

BUNDLE = "bundle.json"


class Bundle(Struct, frozen=True, forbid_unknown_fields=True):
    """What is signed, and by which key. `games`: the SHA-256 of each game file, in order."""

    format: Literal[1]
    games: Annotated[tuple[Sha256, ...], Meta(min_length=1)]
    key: PublicKey
    signature: Signature


def key_in(path: Path) -> SigningKey:
    """The key in a file, 64 hexadecimal digits. If there is no file, creates one with a new key, readable only by its
    owner.

    Raises `BadFolder`.
    """
    try:
        with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            file.write(f"{secrets.token_bytes(32).hex()}\n")
    except FileExistsError:
        pass
    except OSError as error:
        raise BadFolder(f"{path} cannot be written: {error.strerror}.") from None
    try:
        return SigningKey(bytes.fromhex(path.read_text("ascii").strip()))
    except (OSError, ValueError):
        raise BadFolder(f"{path} is not a key: it must be 64 hexadecimal digits.") from None


def sign(folder: Path, played: Sequence[Pairing], key: SigningKey) -> None:
    """Make a bundle of a folder that contains all of these games. Raises `BadFolder`."""
    games = tuple(_file_digest(path_of(folder, pairing)) for pairing in played)
    signature = key.sign_bytes(_signed(_file_digest(folder / PLAN), games))
    bundle = Bundle(1, games, key.public, signature)
    write_whole(folder / BUNDLE, msgspec.json.format(msgspec.json.encode(bundle), indent=1) + b"\n")


def verified(folder: Path, trusted: str | None) -> tuple[ArenaPlan, list[ArenaGame], str]:
    """Verify a bundle. Returns its plan, the result of each game, and the id of the key that signed it.

    `trusted`: the required key, or its id. Raises `BadFolder`, which says what is wrong.
    """
    with reading(folder / BUNDLE, "a bundle"):
        bundle = msgspec.json.decode((folder / BUNDLE).read_bytes(), type=Bundle)
    if trusted is not None and trusted not in (bundle.key, key_id(bundle.key)):
        raise BadFolder(f"The bundle is signed with key {key_id(bundle.key)}, not with {trusted}.")
    plan = read_plan(folder)
    if not _holds(bundle, _signed(_file_digest(folder / PLAN), bundle.games)):
        raise BadFolder("The signature does not match this arena and these games.")
    wanted = pairings(plan, len(bundle.games))
    if len(wanted) != len(bundle.games):
        raise BadFolder("The last match is incomplete.")
    there = {path.name for path in (folder / GAMES).iterdir() if not path.name.startswith(".")}
    strange = there - {path_of(folder, pairing).name for pairing in wanted}
    if strange:
        raise BadFolder(f"{min(strange)!r} is not in the bundle.")
    results = []
    for pairing, digest in zip(wanted, bundle.games, strict=True):
        path = path_of(folder, pairing)
        if _file_digest(path) != digest:
            raise BadFolder(f"{path} is not what was signed.")
        results.append(_proven(plan, pairing, path))
    return plan, results, key_id(bundle.key)


def _proven(plan: ArenaPlan, pairing: Pairing, path: Path) -> ArenaGame:
    """The result of a game, verified against the rules and its dice."""
    record = read_game(path)
    proof = verify(record.events)
    if proof.fault is not None:
        raise BadFolder(f"{path}: {proof.fault}.")
    return result_kept(plan, pairing, record, path)


def _signed(plan: str, games: Sequence[str]) -> bytes:
    return "".join(f"{line}\n" for line in ("mcmulti arena v1", plan, *games)).encode()


def _file_digest(path: Path) -> str:
    with reading(path, "a file"):
        return sha256(path.read_bytes()).hexdigest()


def _holds(bundle: Bundle, content: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(bundle.key)).verify(bytes.fromhex(bundle.signature), content)
    except (ValueError, InvalidSignature):
        return False
    return True
