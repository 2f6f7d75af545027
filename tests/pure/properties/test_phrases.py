"""The short grammar of moves: every offer of every game can be written in it, and is read back as written."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcmulti.client.json_object import Json
from mcmulti.domain.core.wording.grammar import Unread, following, read, say
from mcmulti.domain.rulesets import CURRENT
from tests.pure.properties.leaving_games import leaving_game
from tests.pure.properties.random_games import moment
from tests.thorough import examples

VECTORS = json.loads((Path(__file__).parents[2] / "phrases.json").read_text("utf-8"))
"""What every implementation of the grammar must read, write, and complete alike."""

every = pytest.mark.parametrize("name", CURRENT)
seeds = st.integers(0, 11)
moments = st.integers(0, 1000)


def _offers(name: str, state: Any, seat: int) -> list[Json]:
    ruleset = CURRENT[name]
    offers = (*ruleset.offers(state, seat), *ruleset.besides(state, seat))
    return [msgspec.json.decode(msgspec.json.encode(offer)) for offer in offers]


def _end(field: Json, end: int) -> Any:
    """The minimum or maximum of a field."""
    if "schema" in field:
        return None if field.get("optional") else {}
    return field["options"][end] if "options" in field else (field["min"], field["max"])[end]


def _ends(offer: Json) -> list[Json]:
    fields = offer.get("fields", {})
    return [
        {"type": offer["command"], **{field: _end(values, end) for field, values in fields.items()}} for end in (0, -1)
    ]


def _assert_said_and_read(offers: list[Json]) -> None:
    for offer in offers:
        for command in _ends(offer):
            assert read(say(command, offers), offers) == command


@every
@examples(60)
@given(seeds, moments)
def test_the_least_and_the_greatest_of_every_offer_can_be_said_and_are_read_again(
    name: str, seed: int, number: int
) -> None:
    state = moment(name, seed, number)
    for seat in range(len(state.chairs)):
        _assert_said_and_read(_offers(name, state, seat))


@every
@examples(30)
@given(seeds, moments)
def test_so_it_is_where_people_leave_and_propose_to_end(name: str, seed: int, number: int) -> None:
    steps = leaving_game(name, seed)
    state = steps[number % len(steps)].state
    for seat in range(len(state.chairs)):
        _assert_said_and_read(_offers(name, state, seat))


@every
@examples(60)
@given(seeds, moments, st.data())
def test_who_follows_what_is_told_to_fit_comes_to_a_command_that_is_offered(
    name: str, seed: int, number: int, data: Any
) -> None:
    """Word by word: every suggested word fits, and the last makes a command that an offer admits."""
    state = moment(name, seed, number)
    offers = _offers(name, state, data.draw(st.integers(0, len(state.chairs) - 1)))
    phrase = ""
    while more := following(phrase, offers):
        word = data.draw(st.sampled_from(more))
        if ".." in word:
            word = "{}" if word == "{..}" else word.partition("..")[0]
        phrase += f"{word} "
        found = _read(phrase, offers)
        assert _admitted(found, offers) if isinstance(found, dict) else found.code != "unfit", phrase
    assert not offers or phrase


def _read(phrase: str, offers: list[Json]) -> Json | Unread:
    try:
        return read(phrase, offers)
    except Unread as error:
        return error


def _admitted(command: Json, offers: list[Json]) -> bool:
    return any(
        offer["command"] == command["type"]
        and all(_admits(field, command[name]) for name, field in offer.get("fields", {}).items())
        for offer in offers
    )


def _admits(field: Json, value: Any) -> bool:
    if "schema" in field:
        return value is None or isinstance(value, dict)
    if "options" in field:
        return value in field["options"]
    return bool(field["min"] <= value <= field["max"])


@examples(200)
@given(st.text(st.sampled_from('selcrudobuyig 0123,={}"x\t\N{ARABIC-INDIC DIGIT TWO}ß'), max_size=40), moments)
def test_whatever_is_typed_is_a_command_that_is_offered_or_refused_with_what_would_fit(
    phrase: str, number: int
) -> None:
    state = moment("mcmulti", number % 12, number)
    for seat in range(len(state.chairs)):
        offers = _offers("mcmulti", state, seat)
        following(phrase, offers)
        found = _read(phrase, offers)
        assert _admitted(found, offers) if isinstance(found, dict) else str(found)


@pytest.mark.parametrize("case", VECTORS, ids=lambda case: case["name"])
def test_the_vectors_hold(case: Json) -> None:
    offers = case["offers"]
    for vector in case["reads"]:
        read_as = _read(vector["phrase"], offers)
        if isinstance(read_as, Unread):
            error = {"code": read_as.code, "word": read_as.word, "fits": read_as.fits}
            assert vector == {"phrase": vector["phrase"], "error": error}
        else:
            assert vector == {"phrase": vector["phrase"], "command": read_as}
    for vector in case["says"]:
        assert say(vector["command"], offers) == vector["phrase"]
    for vector in case["follows"]:
        assert following(vector["phrase"], offers) == vector["fits"], vector["phrase"]


def test_the_vectors_are_of_every_code() -> None:
    codes = {vector["error"]["code"] for case in VECTORS for vector in case["reads"] if "error" in vector}
    assert codes == {"unfit", "missing", "ambiguous"}
