"""An event is defined in one place: a class, and a sentence per language.

An import finds what is missing, and names it.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from mcmulti.domain.core import table
from mcmulti.domain.core.event import Event, events_of, published
from mcmulti.domain.core.table import Chair, SeatTaken, Table
from mcmulti.domain.core.wording.sentences import Incomplete
from mcmulti.domain.mcmulti.phases.operations import GasolineSold
from mcmulti.domain.oil.rules import production

MODULE = """
from typing import Annotated, Any, Literal

from msgspec import Meta

from mcmulti.domain.core.wording import phrases as common
from mcmulti.domain.core import every_table, table
from mcmulti.domain.core.wording.data import texts
from mcmulti.domain.core.event import Event, events_of
from mcmulti.domain.core.figures import Count, Seat
from mcmulti.domain.core.wording.sentences import Sentences
from mcmulti.domain.core.wording.telling import joined

Guilders = Annotated[int, Meta(ge=0, description="Guilders.")]


class Phrases(common.Phrases):
    __slots__ = ()
    TEMPLATES = joined(common.TEMPLATES, texts(__package__, "sentences.toml"))
    SAID = (*common.Phrases.SAID, (Guilders, "money"))

    def money(self, amount: int) -> str:
        return self.phrase("money", amount=amount)


class TulipSold(Event, frozen=True):
    seat: Seat
    price: Guilders
    bulbs: Count
    colour: Literal["red", "striped"]

    def evolve(self, state: Any) -> Any:
        return state

    def form(self, say: Phrases) -> Literal["one", "several"]:
        return "one" if self.bulbs == 1 else "several"

    def praise(self, say: Phrases) -> str:
        return say.listing(["rare", say.word(self.colour)])


EVENTS = events_of(*every_table.events_at(()), __import__("sys").modules[__name__])
SENTENCES = Sentences(EVENTS, Phrases)
"""

TEXTS = """
[phrases]
money = { en = "{amount} guilders", de = "{amount} Gulden" }

[TulipSold.one]
en = "{seat} sells a {praise} tulip for {price}."
de = "{seat} verkauft eine Tulpe für {price}."

[TulipSold.several]
en = "{seat} sells {bulbs} {colour} tulips for {price} ({price:number})."
de = "{seat} verkauft {bulbs} Tulpen für {price}."
"""

Game = Callable[[str, str], ModuleType]


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Imports a game of one file from its code and its texts."""

    def imported(module: str, texts: str) -> ModuleType:
        folder = tmp_path / "tulips"
        folder.mkdir()
        (folder / "__init__.py").write_text(module, "utf-8")
        (folder / "sentences.toml").write_text(texts, "utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "tulips", raising=False)
        return import_module("tulips")

    return imported


def test_fields_are_said_by_their_types_and_by_what_stands_behind_a_colon(game: Game) -> None:
    """Five sit at the table. Seat 4 is the last."""
    toy = game(MODULE, TEXTS)
    names = ("Ada", "Ben", "Cleo", "Dan", "Eve")
    called = {"fay": "Fay", **{name: name for name in names}}
    before = Table("game", "", tuple(Chair(name, "") for name in names), names, called=called)
    one, several = toy.TulipSold(4, 30, 1, "red"), toy.TulipSold(0, 1200, 3, "striped")
    assert toy.SENTENCES.tell(before, one, "en") == "Eve sells a rare and red tulip for 30 guilders."
    assert toy.SENTENCES.tell(before, one, "de") == "Eve verkauft eine Tulpe für 30 Gulden."
    assert toy.SENTENCES.tell(before, several, "en") == "Ada sells 3 striped tulips for 1200 guilders (1,200)."
    assert toy.SENTENCES.tell(before, SeatTaken(2, "fay", ""), "en") == "Fay sits down."


def test_where_no_name_is_known_the_seat_is_said(game: Game) -> None:
    """The name is known of Ben on seat 1, but not of the players who are on seat 0 and who take seat 2."""
    toy = game(MODULE, TEXTS)
    before = Table("game", "", (), ("ada", "ben", None), called={"ben": "Ben"})
    sold, taken = toy.TulipSold(0, 30, 1, "red"), SeatTaken(2, "cleo", "")
    assert before.names == (None, "Ben", None)
    assert toy.SENTENCES.tell(before, sold, "en") == "Seat 1 sells a rare and red tulip for 30 guilders."
    assert toy.SENTENCES.tell(before, sold, "de") == "Platz 1 verkauft eine Tulpe für 30 Gulden."
    assert toy.SENTENCES.tell(before, taken, "en") == "Somebody sits down."
    assert toy.SENTENCES.tell(before, taken, "de") == "Jemand setzt sich."


@pytest.mark.parametrize(
    ("code", "text", "missing"),
    [
        (("", ""), ('de = "{seat} verkauft eine Tulpe für {price}."', ""), "TulipSold.one.*required field `de`"),
        (("", ""), ("[TulipSold.one]", "[phrases.one]"), "sentences missing in 'en': TulipSold.one"),
        (("", ""), ("[TulipSold.one]", "[TulipSold.few]"), "sentences missing in 'en': TulipSold.one"),
        (("", ""), ("{seat} sells a", "{seller} sells a"), "TulipSold.one in 'en': the event has neither.*{seller}"),
        (("", ""), ("Tulpe für {price}", "Tulpe für {prize}"), "TulipSold.one in 'de': the event has neither.*{prize}"),
        (
            ("", ""),
            ("{price:number}", "{price:worth}"),
            "TulipSold.several in 'en': the phrases.* cannot say {price:worth}",
        ),
        (("", ""), ("{bulbs}", "{evolve}"), "TulipSold.several in 'en': the event has neither.*{evolve}"),
        (('(Guilders, "money")', ""), ("", ""), "TulipSold.one in 'en': nothing tells how {price} is said"),
        (("def evolve", "def evolves"), ("", ""), "TulipSold has no evolve"),
        (("def form", "def forms"), ("", ""), "sentences missing in 'en': TulipSold"),
        (('-> Literal["one", "several"]', "-> str"), ("", ""), "TulipSold.form must return a Literal"),
        (
            ("", ""),
            ("[phrases]", '[TulipLost]\nen = "x"\nde = "y"\n[phrases]'),
            "sentences for unknown events in 'en': TulipLost",
        ),
        (("class TulipSold(", "class SeatLeft("), ("TulipSold", "SeatLeft"), "two events are called SeatLeft"),
        (("class TulipSold(Event", "class SeatLeft(table.SeatLeft"), ("", ""), "SeatLeft in tulips has other fields"),
    ],
)
def test_an_import_fails_where_something_is_missing_and_names_it(
    game: Game, code: tuple[str, str], text: tuple[str, str], missing: str
) -> None:
    assert code[0] in MODULE
    assert text[0] in TEXTS
    module = MODULE.replace(*code) if code[0] else MODULE
    with pytest.raises((Incomplete, TypeError, ValueError), match=missing):
        game(module, TEXTS.replace(*text) if text[0] else TEXTS)


def test_a_game_takes_the_place_of_an_event_that_it_extends() -> None:
    events = events_of(production, sys.modules[GasolineSold.__module__])
    sold = [event for event in events if event.__name__ == "GasolineSold"]
    assert sold == [GasolineSold]
    assert published(GasolineSold) is production.GasolineSold
    assert published(production.GasolineSold) is production.GasolineSold


def test_the_events_of_the_table_are_those_of_every_game() -> None:
    assert [event.__name__ for event in events_of(table)] == ["SeatTaken", "SeatLeft", "SeedRevealed"]


def test_an_event_that_does_not_say_what_it_does_is_not_folded() -> None:
    class Forgotten(Event, frozen=True):
        """Something happened."""

    with pytest.raises(NotImplementedError, match="Forgotten does not say what it does"):
        Forgotten().evolve(None)
    assert Forgotten().transfers() == ()
