"""A second verifier for games of mcmulti, written from docs/reference alone: chain, dice, and signatures.

Usage: python verify.py FILE.mcmulti.jsonl [SEQ-HASH] [KEY]

It needs nothing but Python. SEQ-HASH is the ETag of a moment that you noted while the game was played, KEY a key of the
server, or its id, that you noted once. What it leaves to `mcmulti verify`: whether the rules were kept. Exit code 1 if
anything is wrong.
"""

import hashlib
import hmac
import itertools
import json
import re
import sys
from collections.abc import Iterator
from typing import Any

MEMBERS = ("seq", "type", "data", "rule", "actor", "command_id", "command", "recorded_at", "prev_hash", "hash")
"""The members of an event, in the order of a line."""


class Wrong(Exception):
    """What is wrong, in a sentence."""


def check(holds: bool, wrong: str) -> None:
    if not holds:
        raise Wrong(wrong)


def sha256(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def members(line: str) -> dict[str, str]:
    """The members of a line as written: bytes are hashed, and JSON can be written in many ways."""
    decoder, at, found = json.JSONDecoder(), 1, {}
    for number, name in enumerate(MEMBERS):
        opening = f'{"," if number else ""}"{name}":'
        if name == "command" and not line.startswith(opening, at):
            continue  # only the first event of a command has it
        check(line.startswith(opening, at), f"there is no {name} where it should be")
        start = at + len(opening)
        _, at = decoder.raw_decode(line, start)
        found[name] = line[start:at]
    check(line[0] + line[at:] == "{}", "there is more than an event")
    return found


def event_hash(game: str, event: dict[str, str], before: bytes) -> bytes:
    """SHA-256 of the hash of the previous event, the hash of the event's data, and its header."""
    payload = event["data"] if "command" not in event else f"{event['data']}\n{event['command']}"
    names = ("seq", "type", "rule", "actor", "command_id", "recorded_at")
    header = ",".join([json.dumps(game), *(event[name] for name in names)])
    return sha256(before + sha256(payload.encode()) + f"[{header}]".encode())


def draw(seed: bytes, dice: str, number: int, sides: int, entropy: str) -> int:
    """A die: HMAC-SHA256 gives words of 32 bits. The first below the greatest multiple of its sides decides."""
    block = 0
    while True:
        digest = hmac.digest(seed, f"{dice}:{number}:{block}:{entropy}".encode(), "sha256")
        for start in range(0, 32, 4):
            word = int.from_bytes(digest[start : start + 4], "big")
            if word < 2**32 - 2**32 % sides:
                return 1 + word % sides
        block += 1


def draws(value: Any) -> Iterator[dict[str, int]]:
    """Every draw, anywhere in an event."""
    if isinstance(value, dict) and set(value) == {"number", "sides", "value"}:
        yield value
    elif isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from draws(item)


P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P
ORDER = 2**252 + 27742317777372353535851937790883648493
BASE = (4 * pow(5, -1, P) % P).to_bytes(32, "little")


def plus(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    """The sum of two points of the curve, as x, y, z, and x·y/z (RFC 8032, 5.1.4)."""
    e, f = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    g, h = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    i, j, k, m = f - e, h - g, h + g, f + e
    return i * j % P, k * m % P, j * k % P, i * m % P


def times(number: int, point: tuple[int, ...]) -> tuple[int, ...]:
    found: tuple[int, ...] = (0, 1, 1, 0)
    while number:
        if number & 1:
            found = plus(found, point)
        point, number = plus(point, point), number >> 1
    return found


def point_at(content: bytes) -> tuple[int, ...]:
    """The point that 32 bytes encode: its y, and in the last bit whether its x is odd (RFC 8032, 5.1.3)."""
    odd, y = divmod(int.from_bytes(content, "little"), 2**255)
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    check(y < P and (x * x - square) % P == 0, "a key or a signature is no point of the curve")
    x = P - x if x % 2 != odd else x
    return x, y, 1, x * y % P


def signed(public: str, signature: str, content: str) -> bool:
    """Whether an Ed25519 signature is valid (RFC 8032, 5.1.7)."""
    key, both = bytes.fromhex(public), bytes.fromhex(signature)
    owner, nonce = point_at(key), point_at(both[:32])
    scalar = int.from_bytes(both[32:], "little")
    digest = int.from_bytes(hashlib.sha512(both[:32] + key + content.encode()).digest(), "little") % ORDER
    left, right = times(scalar, point_at(BASE)), plus(nonce, times(digest, owner))
    same = all((left[n] * right[2] - right[n] * left[2]) % P == 0 for n in (0, 1))
    return len(key) == 32 and len(both) == 64 and scalar < ORDER and same


def follows(before: dict[str, Any], key: dict[str, Any]) -> bool:
    """Whether both keys sign that one is the other's successor."""
    said = f"mcmulti key v1\n{before['public']}\n{key['public']}\n{key['since']}\n"
    return signed(before["public"], key["endorsed"] or "", said) and signed(key["public"], key["accepted"] or "", said)


def check_signature(file: dict[str, Any], noted: str | None) -> None:
    """Check that the head is signed by its key, and that this is the noted key or a successor of it."""
    if file["signature"] is None:
        check(noted is None, "nobody signed the head")
        return
    head = f"mcmulti head v1\n{file['game']}\n{file['seq']}\n{file['hash']}\n"
    check(signed(file["key"], file["signature"], head), "the signature is not that of its key for this head")
    ids = {sha256(bytes.fromhex(key["public"])).hex()[:16]: key["public"] for key in file.get("keys", [])}
    noted = ids.get(noted or "", noted)
    own = sha256(bytes.fromhex(file["key"])).hex()[:16]
    if noted not in (None, own, file["key"]):
        keys = file.get("keys", [])
        check(noted in [key["public"] for key in keys[:-1]], "another key signed than the one that was noted")
        check(keys[-1]["public"] == file["key"], "the last of the keys is not the one that signed")
        for before, key in itertools.pairwise(keys[[key["public"] for key in keys].index(noted) :]):
            check(follows(before, key), f"that key {key['public'][:16]}... followed is not signed by both")
            revoked = (before.get("revoked") or {}).get("since", "9999")
            check(revoked > key["since"], "a key was revoked before another followed on it")


def verify(lines: list[str], noted: str | None = None, key: str | None = None) -> str:
    """What was proven. Raises `Wrong` with the first fault."""
    file = json.loads(lines[0])
    check((file["type"], file["format"]) == ("GameFile", 1), "this is no game file")
    before, hashes, log = bytes(32), ["0-" + "0" * 64], []
    for seq, line in enumerate(lines[1:], start=1):
        event = members(line)
        check(event["seq"] == str(seq), f"event {seq} is missing")
        check(event["prev_hash"] == f'"{before.hex()}"', f"event {seq} does not name the hash of the one before it")
        before = event_hash(file["game"], event, before)
        check(event["hash"] == f'"{before.hex()}"', f"event {seq} was changed")
        hashes.append(f"{seq}-{before.hex()}")
        log.append(json.loads(event["data"]))
    check(hashes[-1] == f"{file['seq']}-{file['hash']}", "the file does not end with the head it names")
    check(noted is None or noted.strip('W/"').split(";")[0] in hashes, "the event that was noted is not in this log")

    check_signature(file, key)

    opened, last = log[0], log[-1]
    revealed = file.get("seed", last.get("seed"))  # of a table of a series, the first line has it
    if revealed is None:
        return f"{len(log)} events are chained. The seed is not revealed yet: of the dice nothing is proven."
    seed, dice = bytes.fromhex(revealed), opened.get("series", {}).get("series", file["game"])
    check(sha256(seed).hex() == opened["commitment"], "the seed is not the one that was committed to")
    entropy, number, salts = "", 0, 0
    for seq, data in enumerate(log, start=1):
        if "entropy" in data and "seat" not in data:
            entropy = data["entropy"]
        if "salt" in data:
            salts += 1
            salt = hmac.digest(seed, f"{file['game']}:salt:{salts}".encode(), "sha256")[:16].hex()
            check(data["salt"] == salt, f"event {seq} holds a wrong salt: salt {salts} is {salt}")
        for found in draws(data):
            number += 1
            check(found["number"] == number, f"event {seq} holds draw {found['number']}, not {number}")
            value = draw(seed, dice, number, found["sides"], entropy)
            check(found["value"] == value, f"event {seq} holds a wrong die: draw {number} is {value}")
    return f"{len(log)} events are chained, and {number} dice and cards are those of the seed."


if __name__ == "__main__":
    keys = [noted for noted in sys.argv[2:] if re.fullmatch("[0-9a-f]{64}|[0-9a-f]{16}", noted)]
    heads = [noted for noted in sys.argv[2:] if re.fullmatch(r'(W/)?"?\d+-[0-9a-f]{64}"?', noted)]
    if len(sys.argv) < 2 or len(keys) > 1 or len(heads) > 1 or len(keys) + len(heads) != len(sys.argv) - 2:
        sys.exit(__doc__)
    try:
        with open(sys.argv[1], encoding="utf-8", newline="\n") as file:
            print(verify(file.read().removesuffix("\n").split("\n"), heads[0] if heads else None, *keys))
    except (Wrong, OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        sys.exit(f"Wrong: {error}.")
