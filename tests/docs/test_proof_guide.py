"""The guide to proofs: its commands print what it says, and its test vectors can be recomputed from its words."""

import hmac
import json
import os
import re
import shutil
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from mcmulti.domain.core.chance import SeededChance
from mcmulti.events.log.signing import SigningKey
from mcmulti.events.store.game_file import lines, record_of
from tests.docs.manual import page
from tests.docs.transcript import as_printed, commands, run
from tests.docs.vectors import BY_POST, GAME, PAGES, written_pages

ROOT = Path(__file__).parents[2]
GUIDE = page(*PAGES)
VECTORS: list[dict[str, Any]] = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", GUIDE, re.DOTALL)]


def of(key: str) -> list[dict[str, Any]]:
    """The vectors that have this key."""
    return [vector for vector in VECTORS if key in vector]


def test_the_commands_of_the_guide_print_what_it_says(tmp_path: Path) -> None:
    """On a golden game, signed with a key that is not a secret."""
    (tmp_path / "game.mcmulti.jsonl").write_bytes(b"".join(lines(record_of(GAME, SigningKey(bytes(range(32)))))))
    shutil.copy(ROOT / "examples" / "verify.py", tmp_path)
    transcript = commands(GUIDE)
    assert len(transcript) == 5
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for command, output in zip(transcript, run(transcript, tmp_path, environment), strict=True):
        assert as_printed(command.prints, output), f"$ {command.typed}\n{output}\ninstead of\n{command.prints}"


def test_the_vectors_are_those_of_the_golden_games() -> None:
    assert written_pages() == {name: page(name) for name in PAGES}, "make docs"


@pytest.mark.parametrize("vector", of("header"), ids=lambda vector: vector["hash"][:8])
def test_the_hashes_follow_from_the_words(vector: dict[str, Any]) -> None:
    payload = vector["data"].encode()
    if "command" in vector:
        payload += b"\n" + vector["command"].encode()
    digest = sha256(payload)
    assert digest.hexdigest() == vector["payload_sha256"]
    chained = bytes.fromhex(vector["prev_hash"]) + digest.digest() + vector["header"].encode()
    assert sha256(chained).hexdigest() == vector["hash"]
    event = GAME[json.loads(vector["header"])[1] - 1]
    assert (event.data.decode(), event.hash.hex()) == (vector["data"], vector["hash"])


@pytest.mark.parametrize("vector", of("hmac"), ids=lambda vector: vector["message"][37:])
def test_the_draws_follow_from_the_words(vector: dict[str, Any]) -> None:
    seed = bytes.fromhex(vector["seed"])
    assert sha256(seed).hexdigest() == vector["commitment"]
    block = hmac.new(seed, vector["message"].encode("ascii"), "sha256").digest()
    assert block.hex() == vector["hmac"]
    word, sides = int.from_bytes(block[:4], "big"), vector["sides"]
    assert word == vector["first_word"] < 2**32 - 2**32 % sides
    assert vector["value"] == 1 + word % sides
    game, number, _, entropy = vector["message"].split(":")
    assert SeededChance(seed, game).value(int(number), sides, entropy) == vector["value"]


def test_a_sealed_event_is_chained_by_the_digest_of_what_it_says() -> None:
    """The vectors are one event of a golden game by post, before its round and after."""
    (sealed,), (opened,) = of("sealed_header"), of("opened_data")
    said = f"{opened['opened_data']}\n{opened['opened_command']}".encode()
    assert sha256(said).hexdigest() == opened["payload"] == sealed["payload"]
    chained = bytes.fromhex(sealed["prev_hash"] + sealed["payload"]) + sealed["sealed_header"].encode()
    assert sha256(chained).hexdigest() == sealed["hash"]
    event = BY_POST[json.loads(sealed["sealed_header"])[1] - 1]
    assert (event.data.decode(), event.hash.hex()) == (opened["opened_data"], sealed["hash"])


def test_the_salt_follows_from_the_words() -> None:
    (vector,), (opened,) = of("salt"), of("opened_data")
    block = hmac.new(bytes.fromhex(vector["seed"]), vector["salt_message"].encode("ascii"), "sha256").digest()
    assert block.hex() == vector["salt_hmac"]
    assert block[:16].hex() == vector["salt"] == json.loads(opened["opened_data"])["salt"]
    assert json.loads(BY_POST[-1].data)["seed"] == vector["seed"]
    game, _, number = vector["salt_message"].split(":")
    assert SeededChance(bytes.fromhex(vector["seed"]), game).salt(int(number)) == vector["salt"]


def test_the_seed_of_a_bot_follows_from_the_words() -> None:
    (vector,) = of("bot_seed")
    block = hmac.new(bytes.fromhex(vector["seed"]), vector["bot_message"].encode("ascii"), "sha256").digest()
    assert block.hex() == vector["bot_hmac"]
    assert vector["bot_seed"] == int.from_bytes(block[:8], "big") // 2
    game, _, seat = vector["bot_message"].split(":")
    assert SeededChance(bytes.fromhex(vector["seed"]), game).bot_seed(int(seat)) == vector["bot_seed"]


def test_words_are_passed_over_from_where_the_guide_says() -> None:
    assert f"from {2**32 - 2**32 % 6} on are passed over" in GUIDE


def test_the_signature_follows_from_the_words() -> None:
    (vector,) = of("signature")
    public = bytes.fromhex(vector["public"])
    assert sha256(public).hexdigest()[:16] == vector["key"]
    Ed25519PublicKey.from_public_bytes(public).verify(bytes.fromhex(vector["signature"]), vector["message"].encode())
    assert vector["message"] == f"mcmulti head v1\n{GAME[0].game_id}\n{len(GAME)}\n{GAME[-1].hash.hex()}\n"
    key = SigningKey(bytes.fromhex(vector["seed"]))
    assert (key.public, key.id) == (vector["public"], vector["key"])


def test_that_a_key_follows_on_another_follows_from_the_words() -> None:
    (vector,) = of("succession")
    before, after = (SigningKey(bytes.fromhex(vector[seed])) for seed in ("seed_before", "seed_after"))
    assert (before.public, after.public) == (vector["before"], vector["public"])
    words = f"mcmulti key v1\n{before.public}\n{after.public}\n{vector['since']}\n"
    assert vector["succession"] == words
    assert vector["endorsed"] == before.sign_bytes(words.encode())
    assert vector["accepted"] == after.sign_bytes(words.encode())
    (revoked,) = of("revocation")
    assert revoked["revocation"] == f"mcmulti revoked key v1\n{before.public}\n2026-01-30T00:00:00Z\n"
    assert (revoked["by"], revoked["by_signed"]) == (after.public, after.sign_bytes(revoked["revocation"].encode()))


def test_there_are_vectors_of_all_kinds() -> None:
    assert (len(of("header")), len(of("hmac")), len(of("salt")), len(of("signature"))) == (2, 2, 1, 1)
    assert {"command" in vector for vector in of("header")} == {True, False}
