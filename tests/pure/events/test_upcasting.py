"""Events of older shapes are read as today's, wherever events are read. What is stored stays unchanged.

The rule set `elder` is the box game with a made-up history: a sale had its prices in `each`, and before that a single
`price` per barrel. A table was opened for a number of `players`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from mcmulti.cli.replay.story import Story
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.rulesets import BY_VERSION
from mcmulti.events.log import codec
from mcmulti.events.log.codec import current, event_decoder, fold, opened_with, upcast
from mcmulti.events.log.envelope import START, Draft, Recorded, broken_link, head_after, seal
from mcmulti.events.log.positions import Position
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.game_index import TableRow
from mcmulti.events.store.history import History
from mcmulti.projections.books.ledger import entries
from mcmulti.projections.charts.time_series import time_series
from mcmulti.projections.proof.proof import verify
from mcmulti.projections.statistics.game import game_statistics
from tests.golden.games import FILES, load

Members = dict[str, Any]
SHAPES = sorted((Path(__file__).parents[2] / "golden" / "shapes").glob("*.json"))
GAME = load(next(file for file in FILES if file.stem == "two-players"))


def sale(was: Members) -> Members:
    """Prices were in `each`, or in a single `price`."""
    if "price" in was:
        was["prices"] = [was.pop("price")]
    if "each" in was:
        was["prices"] = was.pop("each")
    return was


def opening(was: Members) -> Members:
    """Seats were `players`."""
    if "players" in was["setup"]:
        setup = dict(was["setup"])
        was["setup"] = {"seats": setup.pop("players"), **setup}
    return was


ELDER: Ruleset[Any] = replace(RULESET, name="elder", upcasters={"BarrelsSold": sale, "GameOpened": opening})
RULESETS = {**BY_VERSION, ("elder", 1): ELDER}


@pytest.fixture(autouse=True)
def elder(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The rule set is known during the test."""
    caches = (codec.event_decoder, codec.command_decoder)
    monkeypatch.setitem(BY_VERSION, ("elder", 1), ELDER)
    yield
    for cached in caches:
        cached.cache_clear()


def written_as(events: Sequence[Recorded], old: bool) -> list[Recorded]:
    """A game as `elder` records it, in its old shapes or in those of today, with the hashes of its data."""
    sealed: list[Recorded] = []
    head = START
    for event in events:
        members = msgspec.json.decode(event.data)
        if event.type == "GameOpened":
            members["ruleset"] = "elder"
            if old:
                members["setup"] = {("players" if name == "seats" else name): v for name, v in members["setup"].items()}
        elif event.type == "BarrelsSold" and old:
            prices = members.pop("prices")
            members |= {"price": prices[0]} if len(prices) == 1 else {"each": prices}
        draft = Draft(event.type, msgspec.json.encode(members), *event[4:8])
        sealed += seal(event.game_id, head, [draft], event.recorded_at)
        head = head_after(event.game_id, head, sealed[-1:])
    return sealed


@dataclass
class Game:
    old: list[Recorded]
    new: list[Recorded]


@pytest.fixture(scope="module")
def game() -> Game:
    return Game(written_as(GAME, old=True), written_as(GAME, old=False))


def test_the_old_game_has_all_of_its_old_shapes(game: Game) -> None:
    said = [event.data for event in game.old]
    assert b'"players":2' in said[0]
    assert {b'"each":' in data for data in said if b"BarrelsSold" in data} == {True, False}
    assert not any(b'"prices"' in data for data in said if b"BarrelsSold" in data)


def test_it_folds_to_the_same_state_in_every_way(game: Game) -> None:
    state = fold(ELDER, game.new)
    assert fold(ELDER, game.old) == state
    assert opened_with(game.old[0]) is ELDER


async def test_any_moment_of_it_is_the_same_with_snapshots_and_without(game: Game) -> None:
    log = MemoryLog()
    old = game.old
    await log.create(old[0].game_id, "elder", 1, TableRow("finished"), bytes(32), old)
    history, now = (
        History(log),
        Position(old[0].game_id, ELDER, fold(ELDER, old), head_after(old[0].game_id, START, old)),
    )
    for _ in range(2):
        for seq in (1, 150, 350, 450):
            assert (await history.at(now, seq)).state == fold(ELDER, game.new[:seq])
        await history.settled()


def test_it_is_proven(game: Game) -> None:
    """Every command is decided again, and leads to the recorded events. Hashes cover what is stored."""
    for events in (game.old, game.new):
        proof = verify(events)
        assert proof.fault is None
        assert proof.events == len(GAME)
        assert proof.seed_revealed
        assert broken_link(events) is None
    assert game.old[-1].hash != game.new[-1].hash


def test_a_wrong_price_in_an_old_shape_is_found(game: Game) -> None:
    at = next(index for index, event in enumerate(game.old) if b'"price":' in event.data)
    wrong = game.old[at]._replace(data=game.old[at].data.replace(b'"price":', b'"price":1'))
    drafts = [Draft(*event[2:8]) for event in (*game.old[:at], wrong)]
    forged = [seal(wrong.game_id, START, drafts[:1], wrong.recorded_at)[0]]
    for event, draft in zip((*game.old[1:at], wrong), drafts[1:], strict=True):
        forged += seal(wrong.game_id, head_after(wrong.game_id, START, forged), [draft], event.recorded_at)
    proof = verify(forged)
    assert proof.wrong == at + 1
    assert "is not what its command leads to" in str(proof.fault)


def test_books_replay_statistics_and_story_are_the_same(game: Game) -> None:
    old, new = game.old, game.new
    assert list(entries(old)) == list(entries(new))
    assert game_statistics(old) == game_statistics(new)
    assert time_series(old) == time_series(new)
    assert [line.sentence for line in Story(old).lines("en")] == [line.sentence for line in Story(new).lines("en")]


def test_what_is_handed_out_is_what_is_stored(game: Game) -> None:
    shown = next(event for event in game.old if b'"each":' in event.data)
    assert current(ELDER, shown).data != shown.data
    assert current(RULESET, shown) is shown


@pytest.mark.parametrize("file", SHAPES, ids=lambda file: file.stem)
def test_every_shape_that_was_ever_written_is_read(file: Path) -> None:
    name, version = file.stem.rsplit("-", 1)
    ruleset = RULESETS[name, int(version)]
    shapes = msgspec.json.decode(file.read_bytes())
    assert {shape["was"]["type"] for shape in shapes} == set(ruleset.upcasters), "each upcaster, and no other"
    for shape in shapes:
        was, is_ = (msgspec.json.encode(shape[key]) for key in ("was", "is"))
        assert msgspec.json.decode(upcast(ruleset.upcasters, was)) == shape["is"]
        assert upcast(ruleset.upcasters, is_) is is_, "today's shape is left alone"
        assert event_decoder(name, int(version))(was) == event_decoder(name, int(version))(is_)


def test_every_rule_set_with_older_shapes_has_them_recorded() -> None:
    older = {f"{name}-{version}" for (name, version), ruleset in RULESETS.items() if ruleset.upcasters}
    assert older == {file.stem for file in SHAPES}


def test_an_upcaster_that_cannot_read_is_no_crash() -> None:
    with pytest.raises(ValueError, match="this GameOpened has no shape that was ever written"):
        event_decoder("elder", 1)(b'{"type":"GameOpened"}')


def test_the_type_of_an_event_stays() -> None:
    """It is in the envelope as well, and hashed there."""
    renaming = {"BarrelsSold": lambda was: {**was, "type": "Sold"}}
    data = b'{"type":"BarrelsSold","seat":0}'
    assert upcast(renaming, data) is data


def test_a_rule_set_without_older_shapes_pays_nothing() -> None:
    """Its decoder is msgspec's own."""
    assert isinstance(event_decoder(RULESET.name, RULESET.version).__self__, msgspec.json.Decoder)  # type: ignore[attr-defined]


def test_the_guide_adds_one_that_works() -> None:
    guide = (Path(__file__).parents[3] / "docs" / "decisions" / "events-of-older-shapes.md").read_text("utf-8")
    (snippet,) = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    scope: Members = {"Any": Any}
    exec(snippet, scope)
    assert msgspec.json.decode(upcast({"BarrelsSold": scope["sold"]}, b'{"type":"BarrelsSold","price":5}')) == {
        "type": "BarrelsSold",
        "prices": [5],
    }
    assert upcast({"BarrelsSold": scope["sold"]}, today := b'{"type":"BarrelsSold","prices":[5]}') is today
