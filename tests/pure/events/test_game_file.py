"""Game files: there is one way to write a game, and every byte matters."""

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mcmulti.api.app import ROUTES
from mcmulti.api.openapi import document
from mcmulti.api.openapi.committed import file_schema
from mcmulti.events.log.envelope import Recorded, broken_link, sealed
from mcmulti.events.log.item import item, recorded
from mcmulti.events.log.signing import SigningKey, is_signed
from mcmulti.events.store.game_file import NotAGameFile, lines, read, record_of
from tests.golden.games import FILES, load
from tests.thorough import examples

GAME = load(next(file for file in FILES if file.stem == "shared-victory"))
WRITTEN = list(lines(record_of(GAME, SigningKey(bytes(32)))))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_is_written_is_read_again(file: Path) -> None:
    record = record_of(load(file), SigningKey(bytes(32)))
    assert read(lines(record)) == record
    assert list(lines(read(lines(record)))) == list(lines(record))


def test_the_first_line_says_what_it_is() -> None:
    first = json.loads(WRITTEN[0])
    assert list(first) == ["type", "format", "game", "ruleset", "version", "seq", "hash", "signature", "key"]
    assert (first["type"], first["format"], first["seq"]) == ("GameFile", 1, len(GAME))
    assert is_signed(first["key"], first["signature"], GAME[0].game_id, read(WRITTEN).file.head)


def test_a_game_may_be_written_without_a_key() -> None:
    first = json.loads(next(lines(record_of(GAME))))
    assert (first["signature"], first["key"]) == (None, None)


@pytest.mark.parametrize(
    ("number", "pattern", "instead"),
    [
        (1, b'"format":1', b'"format":2'),
        (1, b'"GameFile"', b'"GameFiles"'),
        (1, b'"format":1', b'"format":1,"more":1'),
        (1, b'"seq":1009', b'"seq":1008'),
        (1, b'"hash":".', b'"hash":"g'),
        (1, b"{", b"["),
        (2, b'"seq":1', b'"seq":1.0'),
        (2, b'"seq":1', b'"seq": 1'),
        (2, b'"seq":1,', b'"seq":1,"seq":1,'),
        (2, b'"actor":null,', b'"actor":null,"more":0,'),
        (2, b'"actor":null,', b""),
        (2, b'"2026-01-01T00:00:00Z"', b'"2026-01-01T00:00:00+00:00"'),
        (2, b'"2026-01-01T00:00:00Z"', b'"2026-01-01T00:00:00"'),
        (3, b'"command_id":"(.*?)"', b'"command_id":"{0}"'),
        (3, b"\n", b"\r\n"),
        (3, b"\n", b" \n"),
        (3, b"\n", b"\n\n"),
        (4, b"^.*$", b"\xff\xfe"),
        (4, b"^.*$", b"[" * 100_000),
    ],
)
def test_what_is_written_otherwise_is_refused_with_the_number_of_the_line(
    number: int, pattern: bytes, instead: bytes
) -> None:
    changed = list(WRITTEN)
    changed[number - 1] = re.sub(pattern, instead, changed[number - 1], count=1)
    assert changed != WRITTEN
    with pytest.raises(NotAGameFile) as refused:
        read(b"".join(changed).splitlines(keepends=True))
    assert re.match(rf"line [{number}{number + 1}]: |it ends with event {len(GAME)}", str(refused.value))


@pytest.mark.parametrize("content", [[], [b""], [b"{}"], [b"\x00"], WRITTEN[:1], WRITTEN[:-1], WRITTEN[1:]])
def test_half_a_file_is_none(content: list[bytes]) -> None:
    with pytest.raises(NotAGameFile):
        read(content)


@examples(200, derandomize=False)
@given(st.integers(0, 4), st.integers(0, 2**16), st.binary(max_size=3))
def test_whatever_bytes_are_put_into_a_file_nothing_but_a_refusal_comes_of_it(
    number: int, where: int, content: bytes
) -> None:
    """Unless the file can still be read. Then it is written again in the only way there is."""
    changed = list(WRITTEN)
    place = where % len(changed[number])
    changed[number] = changed[number][:place] + content + changed[number][place + 1 :]
    whole = b"".join(changed)
    try:
        record = read(whole.splitlines(keepends=True))
    except NotAGameFile:
        return
    assert b"".join(lines(record)) == whole


def half_sealed() -> list[Recorded]:
    """The game with two events that its reader may not see yet: one with its command, and one without."""
    without = next(index for index, event in enumerate(GAME) if index and event.command is None)
    return [sealed(event) if index in (9, without) else event for index, event in enumerate(GAME)]


def test_a_sealed_event_is_written_and_read_again_and_keeps_its_place_in_the_chain() -> None:
    hidden = half_sealed()
    assert [event.payload is None for event in hidden].count(False) == 2
    record = read(lines(record_of(hidden)))
    assert record.events == hidden
    assert broken_link(record.events) is None
    shown, whole = json.loads(list(lines(record))[10]), json.loads(WRITTEN[10])
    assert shown.pop("payload") == sha256(GAME[9].data + b"\n" + (GAME[9].command or b"")).hexdigest()
    assert shown == {name: value for name, value in whole.items() if name not in ("data", "command")}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_event_is_the_same_after_it_was_handed_out(file: Path) -> None:
    for event in load(file):
        assert recorded(event.game_id, item(event)) == event
        assert recorded(event.game_id, item(sealed(event))) == sealed(event)


@pytest.mark.parametrize(
    ("pattern", "instead", "reason"),
    [
        (rb'"rule"', b'"data":{},"rule"', "event 10 has a payload"),
        (rb'"recorded_at"', b'"command":{},"recorded_at"', "event 10 has a payload"),
        (rb'"rule"', b'"data":null,"rule"', "event 10 has a null"),
        (rb'"recorded_at"', b'"command":null,"recorded_at"', "event 10 has a null"),
        (rb',"payload":"\w+"', b"", "event 10 has neither data nor a payload"),
        (rb'"payload":"\w', b'"payload":"', r"length >= 64|matching regex"),
        (rb'"payload":"\w', b'"payload":"G', "matching regex"),
        (rb'"payload":"\w+"', b'"payload":null', "Expected `str`, got `null`"),
    ],
)
def test_an_event_that_is_neither_open_nor_sealed_is_refused(pattern: bytes, instead: bytes, reason: str) -> None:
    changed = list(lines(record_of(half_sealed())))
    changed[10] = re.sub(pattern, instead, changed[10], count=1)
    with pytest.raises(NotAGameFile, match=f"line 11: .*({reason})"):
        read(changed)


def test_every_line_fits_the_schema() -> None:
    schema: dict[str, Any] = json.loads(file_schema(document(ROUTES)))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for number, line in enumerate(WRITTEN):
        if number % 10 == 0:
            validator.validate(json.loads(line))
    for broken in ({}, {**json.loads(WRITTEN[0]), "format": 2}, {**json.loads(WRITTEN[1]), "seq": "1"}):
        assert not validator.is_valid(broken)
    types = {event.type for event in GAME}
    assert types <= set(schema["$defs"])
