"""A second verifier for games of mcmulti, written from docs/proof.md alone: the chain and the dice, on one page.

Usage: python verify.py FILE.mcmulti.jsonl [SEQ-HASH]

It needs nothing but Python. SEQ-HASH is the ETag of a moment that you noted while the game was played. What it leaves
to `mcmulti verify`: whether the rules were kept, and the signature. Exit code 1 if anything is wrong.
"""

import hashlib
import hmac
import json
import re
import sys
from collections.abc import Iterator
from typing import Any

MEMBERS = ("seq", "type", "data", "rule", "actor", "command_id", "command", "recorded_at", "prev_hash", "hash")
"""Of an event, in the order in which a line has them."""


class Wrong(Exception):
    """What is wrong, in a sentence."""


def check(holds: bool, wrong: str) -> None:
    if not holds:
        raise Wrong(wrong)


def sha256(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def members(line: str) -> dict[str, str]:
    """The members of a line as they are written: what is hashed is bytes, and JSON can be written in many ways."""
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
    """SHA-256 over the hash of the event before, the hash of what the event says, and its header."""
    payload = event["data"] if "command" not in event else f"{event['data']}\n{event['command']}"
    names = ("seq", "type", "rule", "actor", "command_id", "recorded_at")
    header = ",".join([json.dumps(game), *(event[name] for name in names)])
    return sha256(before + sha256(payload.encode()) + f"[{header}]".encode())


def draw(seed: bytes, game: str, number: int, sides: int, entropy: str) -> int:
    """A die: HMAC-SHA256 gives words of 32 bits; the first below the greatest multiple of its sides decides."""
    block = 0
    while True:
        digest = hmac.digest(seed, f"{game}:{number}:{block}:{entropy}".encode(), "sha256")
        for start in range(0, 32, 4):
            word = int.from_bytes(digest[start : start + 4], "big")
            if word < 2**32 - 2**32 % sides:
                return 1 + word % sides
        block += 1


def draws(value: Any) -> Iterator[dict[str, int]]:
    """Every draw, wherever it stands in an event."""
    if isinstance(value, dict) and set(value) == {"number", "sides", "value"}:
        yield value
    elif isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from draws(item)


def verify(lines: list[str], noted: str | None = None) -> str:
    """What was proven. Raises `Wrong` with the first thing that is wrong."""
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

    opened, last = log[0], log[-1]
    if last["type"] != "SeedRevealed":
        return f"{len(log)} events are chained. The seed is not revealed yet: of the dice nothing is proven."
    seed = bytes.fromhex(last["seed"])
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
            value = draw(seed, file["game"], number, found["sides"], entropy)
            check(found["value"] == value, f"event {seq} holds a wrong die: draw {number} is {value}")
    return f"{len(log)} events are chained, and {number} dice and cards are those of the seed."


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3 or (sys.argv[2:] and not re.fullmatch(r'(W/)?"?\d+-[0-9a-f]{64}"?', sys.argv[2])):
        sys.exit(__doc__)
    try:
        with open(sys.argv[1], encoding="utf-8", newline="\n") as file:
            print(verify(file.read().removesuffix("\n").split("\n"), *sys.argv[2:]))
    except (Wrong, OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        sys.exit(f"Wrong: {error}.")
