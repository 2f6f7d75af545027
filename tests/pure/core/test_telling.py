"""What McMulti tells people: every event as a sentence, in English and in German."""

import re
from string import Formatter
from typing import Any

import msgspec
import pytest

from mcmulti.domain.core.table import SeatLeft, presented
from mcmulti.domain.core.wording.data import texts
from mcmulti.domain.core.wording.sentences import OfferSentences
from mcmulti.domain.core.wording.telling import LANGUAGES, Language, account, joined, word
from mcmulti.domain.mcmulti import RULESET, phrases
from mcmulti.domain.mcmulti.components import COMPONENTS
from mcmulti.domain.mcmulti.news.warming import CleanUpOrdered
from mcmulti.domain.mcmulti.phases.operations import CrudePumped
from mcmulti.domain.mcmulti.phrases import Phrases
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.oil.names import Site
from mcmulti.domain.oil.state import Player
from mcmulti.events.log.codec import event_decoder, opened_with
from tests.golden.games import FILES, load
from tests.pure.core import offers_told
from tests.pure.core.asked import Asked, named, sentence_of
from tests.pure.core.told import ALL, FOUR, Told
from tests.pure.mcmulti.situations import CALLED

NAMES = ("Ada", "Ben", "Cleo", "Dan")


TEMPLATES = joined(*(texts(room, "sentences.toml") for room in offers_told.ROOMS), Phrases.TEMPLATES)
"""All sentences of the box game: those of capabilities, and its own."""


@pytest.fixture(scope="module")
def golden() -> list[tuple[State | None, Any, State]]:
    """Every event of every golden game of this rule set, with the states before and after it."""
    decode = event_decoder("mcmulti", 1)
    moments: list[tuple[State | None, Any, State]] = []
    for log in map(load, FILES):
        if opened_with(log[0]) is not RULESET:
            continue
        before: State | None = None
        for recorded in log:
            event = decode(recorded.data)
            after = RULESET.evolve(before, event)
            moments.append((before, event, after))
            before = after
    return moments


@pytest.mark.parametrize("told", ALL, ids=lambda told: told.en[:60])
def test_the_sentence_is_the_one_written_by_hand(told: Told) -> None:
    assert RULESET.texts.tell(told.before, told.event, "en") == told.en
    assert RULESET.texts.tell(told.before, told.event, "de") == told.de


def test_every_event_type_has_a_sentence_written_by_hand() -> None:
    assert {type(told.event) for told in ALL} == set(RULESET.events)


def test_templates_are_named_by_events_and_every_event_has_one() -> None:
    for language in LANGUAGES:
        assert {name.partition(".")[0] for name in TEMPLATES[language]} == {
            "phrases",
            *(event.__name__ for event in RULESET.events),
        }


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_template_is_without_use(monkeypatch: pytest.MonkeyPatch, language: Language) -> None:
    asked = Asked(TEMPLATES[language])
    monkeypatch.setattr(phrases.Phrases, "TEMPLATES", {language: asked})
    offers = OfferSentences(offers_told.COMMANDS, phrases.Phrases, {language: offers_told.TEMPLATES[language]})
    for each in offers_told.OFFERS:
        offers.tell(each.state, each.offer, language)
    for told in ALL:
        RULESET.texts.tell(told.before, told.event, language)
        asked.names.add(sentence_of(told.event, phrases.Phrases(told.before, language)))
    assert asked.names == set(asked)


@pytest.mark.parametrize("name", TEMPLATES["en"])
def test_both_languages_say_the_same_of_it(name: str) -> None:
    """What one language mentions in a sentence, the other mentions, too."""
    english, german = (
        {field for _, field, _, _ in Formatter().parse(TEMPLATES[language][name]) if field} for language in LANGUAGES
    )
    assert english == german


@pytest.mark.parametrize("language", LANGUAGES)
def test_golden_games_are_told_without_anything_unsaid(
    golden: list[tuple[State | None, Any, State]], language: Language
) -> None:
    types = re.compile("|".join(rf"\b{event.__name__}\b" for event in RULESET.events))
    for before, event, _ in golden:
        sentence = RULESET.texts.tell(before, event, language)
        assert not re.search(r"None|[{}_]|  ", sentence), sentence
        assert not types.search(sentence), sentence
        assert sentence.endswith("."), sentence
        assert len(sentence) <= 1000, sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_longest_sentence_is_short_enough_for_the_api(language: Language) -> None:
    """The board can hold 36 refineries at most. Names have at most 40 characters, sentences 1000."""
    sites = tuple(Site(quadrant, row, column) for quadrant in range(4) for row in (1, 3, 5) for column in (1, 3, 5))
    state = presented(FOUR, dict.fromkeys(CALLED, "W" * 40))
    assert len(RULESET.texts.tell(state, CleanUpOrdered(sites, (0, 1, 2, 3)), language)) <= 1000


def test_a_sentence_knows_no_more_than_its_event(golden: list[tuple[State | None, Any, State]]) -> None:
    """It only uses names, owners, and running news of the state. Everything else may be unknown."""
    for before, event, _ in golden:
        if before is None:
            continue
        bare = State(
            before.game_id,
            "",
            before.chairs,
            before.player_ids,
            setup=before.setup,
            phase="news" if before.phase == "news" else "market",
            players=(Player(),) * len(before.players),
            owners=before.owners,
        )
        assert RULESET.texts.tell(bare, event, "en") == RULESET.texts.tell(before, event, "en")


def test_what_nobody_can_have_done_is_not_told() -> None:
    with pytest.raises(LookupError):
        RULESET.texts.tell(State("game", "", (None,) * 4, (None,) * 4, setup=FOUR.setup), SeatLeft(4), "en")


def test_a_name_with_braces_is_said_as_it_is() -> None:
    state = presented(FOUR, {"player-0": "{who} O'Neil"})
    assert RULESET.texts.tell(state, CrudePumped(0, 2), "en") == "{who} O'Neil pumps 2 barrels of crude."


# Words


def test_everything_that_is_named_in_golden_games_has_a_word(golden: list[tuple[State | None, Any, State]]) -> None:
    names: set[str] = set()
    for _, event, after in golden:
        names |= set(named(msgspec.to_builtins(event)))
        names |= set(named(msgspec.to_builtins(RULESET.view(after, None))))
        gauges = RULESET.books.gauges(after)
        names |= {gauges.period or "", *gauges.prices}
        for moved in event.transfers():
            names |= {moved.unit, moved.reason}
            for name in (moved.source, moved.target):
                names |= {part for part in name.split(":") if not part.isdigit()} - {"seat"}
    assert {"rapid_growth", "domestic_crude", "consumer_sales", "less_likely", "rig", "supply"} <= names
    for language in LANGUAGES:
        assert names <= set(Phrases.WORDS[language]), names - set(Phrases.WORDS[language])


def test_everything_that_the_data_names_has_a_word() -> None:
    names = {
        *COMPONENTS["board"]["quadrants"],
        *(card["name"] for card in COMPONENTS["economy"]["cards"]),
        *(card["name"] for card in COMPONENTS["news"]["cards"]),
        *("rig", "rigs", "well", "wells", "station", "stations", "refinery", "refineries"),
        *("seating", "purchase", "market", "dice", "news", "production", "neighbours", "assets", "over"),
        *("cash", "barrels", "shared"),
    }
    for language in LANGUAGES:
        assert names <= set(Phrases.WORDS[language])


def test_words_are_those_of_the_game() -> None:
    assert word(Phrases.WORDS, "en", "rapid_growth") == "Rapid growth"
    assert word(Phrases.WORDS, "de", "depression") == "Depression"
    assert word(Phrases.WORDS, "de", "wells") == "Ölquellen"
    assert word(Phrases.WORDS, "de", "supply") == "Grundvorrat"
    assert word(Phrases.WORDS, "de", "something_new") == "something new"


@pytest.mark.parametrize(
    ("name", "english", "german"),
    [
        ("seat:0:cash", "Ada: cash", "Ada: Kasse"),
        ("seat:3:refinery", "Dan: refinery", "Dan: Raffinerie"),
        ("market:domestic:crude", "domestic market: crude", "Inlandsmarkt: Rohöl"),
        ("market:foreign:gasoline", "foreign market: gasoline", "Auslandsmarkt: Benzin"),
        ("bank", "bank", "Bank"),
        ("consumers", "consumers", "Verbraucher"),
    ],
)
def test_accounts_have_names_for_people(name: str, english: str, german: str) -> None:
    assert account(Phrases.WORDS, "en", NAMES, name) == english
    assert account(Phrases.WORDS, "de", NAMES, name) == german
