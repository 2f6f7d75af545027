"""Possible outside input: valid input with changes, and random bytes."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
from hypothesis import strategies as st

MOST = 200_000
"""Maximum size of generated input, in bytes."""
NUMBERS = (0, -1, 1, 2**31 - 1, 2**31, 2**63 - 1, 2**63, -(2**63), 2**64, 10**400, 1.5, 1e308, -0.0)
TEXTS = (
    "",
    "\x00",
    "\n",
    "a\n",
    "null",
    "\u202e",
    "\uff26",
    "²",
    "٣",
    "\ud7ff",
    "😀",
    "x" * 5000,
    "../..",
    "%s{0}",
    "1e9999999",
)
DEPTHS = (5, 200, 480, 950, 990, 1100, 5000, 50_000)
"""How deep something is nested. Python stops at about a thousand."""
BYTES = (
    b"\x00",
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b'"',
    b"\\",
    b"\\ud800",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\n",
    b"\r\n",
)


def changed(random: Random, valid: bytes, other: bytes) -> bytes:
    """Valid input, changed one to four times. `other` is input of the same kind."""
    found = valid
    for _ in range(random.choice((1, 1, 2, 4))):
        found = random.choice(_CHANGES)(random, found, other)
    return found[:MOST]


def _flipped(random: Random, valid: bytes, _: bytes) -> bytes:
    if not valid:
        return b"\x00"
    at = random.randrange(len(valid))
    return valid[:at] + bytes([valid[at] ^ 1 << random.randrange(8)]) + valid[at + 1 :]


def _cut(random: Random, valid: bytes, _: bytes) -> bytes:
    at, end = sorted(random.randrange(len(valid) + 1) for _ in range(2))
    return random.choice((valid[:at], valid[:at] + valid[end:], valid[:end] + valid[at:]))


def _put_in(random: Random, valid: bytes, _: bytes) -> bytes:
    at = random.randrange(len(valid) + 1)
    return valid[:at] + random.choice(BYTES) * random.choice((1, 1, 2, 1000)) + valid[at:]


def _spliced(random: Random, valid: bytes, other: bytes) -> bytes:
    return valid[: random.randrange(len(valid) + 1)] + other[random.randrange(len(other) + 1) :]


def _another_value(random: Random, valid: bytes, other: bytes) -> bytes:
    """JSON in which one value is replaced, or has one member more or less."""
    try:
        content = msgspec.json.decode(valid)
        donor = msgspec.json.decode(other)
    except (ValueError, RecursionError):
        return _flipped(random, valid, other)
    places = [*_places(content)]
    if not places:
        return msgspec.json.encode(_odd(random, donor))
    holder, key = random.choice(places)
    match random.randrange(4):
        case 0 if isinstance(holder, dict):
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder[random.choice((*TEXTS[:12], "type", "more"))] = _odd(random, donor)
        case 2 if isinstance(holder, list):
            holder.extend(holder[key : key + 1] * random.choice((1, 70, 2000)))
        case _:
            holder[key] = _odd(random, donor)
    deep = msgspec.json.encode(content)
    return _nested(random, deep, b"") if random.random() < 0.1 else deep


def _places(value: Any) -> Sequence[tuple[Any, Any]]:
    """Where a value contains others: the containers, and the keys."""
    found, waiting = [], [value]
    while waiting:
        holder = waiting.pop()
        within = holder.items() if isinstance(holder, dict) else enumerate(holder) if isinstance(holder, list) else ()
        for key, member in within:
            found.append((holder, key))
            waiting.append(member)
    return found


def _odd(random: Random, donor: Any) -> Any:
    places = _places(donor)
    taken = [holder[key] for holder, key in (random.choice(places) for _ in range(3))] if places else []
    return random.choice((random.choice(NUMBERS[:9]), random.choice(TEXTS), None, True, [], {}, *taken))


def _nested(random: Random, valid: bytes, _: bytes) -> bytes:
    """JSON that contains something deeply nested, or a long number."""
    depth = random.choice(DEPTHS)
    within = random.choice(
        (
            b"[" * depth + b"]" * depth,
            b'{"a":' * depth + b"1" + b"}" * depth,
            b'{"type":' * depth + b'"a"' + b"}" * depth,
            b"[" * depth,
            b"1" + b"0" * depth,
            b"1e" + b"9" * min(depth, 100),
        )
    )
    colons = [at for at in range(len(valid)) if valid[at : at + 1] == b":"]
    if not colons:
        return within
    at = random.choice(colons) + 1
    ends = [place for place in (valid.find(b",", at), valid.find(b"}", at)) if place > 0]
    return valid[:at] + within + valid[min(ends, default=at) :]


_CHANGES = (
    _flipped,
    _cut,
    _put_in,
    _spliced,
    _another_value,
    _another_value,
    _another_value,
    _nested,
)


def mutated(corpus: Sequence[bytes]) -> st.SearchStrategy[bytes]:
    """An input from the corpus, usually changed. One time in eight: random bytes."""
    picked = st.integers(0, len(corpus) - 1)
    changing = st.builds(
        lambda seed, one, other: changed(Random(seed), corpus[one], corpus[other]),
        st.integers(0, 2**32),
        picked,
        picked,
    )
    return st.one_of(*[changing] * 6, st.sampled_from(corpus), st.binary(max_size=200))
