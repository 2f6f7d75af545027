"""What McMulti by post tells people."""

from collections.abc import Iterator
from string import Formatter
from typing import Any

import msgspec
import pytest

from mcmulti.domain.core.capabilities.positions import PositionSetUp
from mcmulti.domain.core.chance import Draw
from mcmulti.domain.core.course.positions import Moment
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.table import SeatLeft
from mcmulti.domain.core.wording.data import texts
from mcmulti.domain.core.wording.telling import LANGUAGES, joined
from mcmulti.domain.postal import RULESET, telling
from mcmulti.domain.postal.phrases import Phrases
from mcmulti.domain.postal.refereeing.acting import OrderSkipped
from mcmulti.domain.postal.refereeing.carrying_out import OrdersOpened
from mcmulti.domain.postal.refereeing.dice import ClimateChanged, DiceRolled
from mcmulti.domain.postal.refereeing.production import GasolineSold, OperationBegan, PumpsHeld
from mcmulti.domain.postal.refereeing.refereeing import OrdersSubmitted, TurnBegan
from mcmulti.domain.postal.refereeing.trading import OrderCurtailed
from mcmulti.domain.postal.sheets.sheet import ConvertRigOrder, HoldPumps, OpenedLine
from mcmulti.domain.postal.state import State
from mcmulti.domain.postal.table import PostalGameStarted
from mcmulti.events.log.codec import event_decoder
from tests.golden.games import FILES, load
from tests.pure.core.asked import Asked, named, sentence_of
from tests.pure.mcmulti.situations import site
from tests.pure.postal.games import postal_game, whimsically
from tests.pure.postal.situations import NOTHING, A, B, D, situation, table

STARTED = PostalGameStarted(",,,", 200, 3, 3, "recovery", {"crude": 5, "gasoline": 5}, 26)

SENTENCES: list[tuple[Event, str, str]] = [
    (
        STARTED,
        "The game starts: each player gets $200M, 3 barrels of crude and 3 barrels of gasoline; the climate is "
        "Recovery, and the consumer price is $26M.",
        "Das Spiel beginnt: Jeder Spieler erhält 200 Mio. $, 3 Fässer Rohöl und 3 Fässer Benzin; die Wirtschaftslage "
        "ist „Erholung“, und der Verbraucherpreis ist 26 Mio. $.",
    ),
    (
        TurnBegan(7, D, D),
        "Turn 7: Dan plays in the south-west.",
        "Zug 7: Dan ist im Südwesten am Zug.",
    ),
    (
        DiceRolled(B, Draw(1, 6, 4), Draw(2, 6, 4)),
        "Ben rolls a double 4.",
        "Ben würfelt einen 4er-Pasch.",
    ),
    (
        ClimateChanged(4, "recovery", "expansion", 26, 43),
        "The double 4 changes the climate from Recovery to Expansion; the consumer price rises from $26M to $43M.",
        "Der 4er-Pasch ändert die Wirtschaftslage von „Erholung“ zu „Expansion“; der Verbraucherpreis steigt von "
        "26 Mio. $ auf 43 Mio. $.",
    ),
    (
        OperationBegan(A, A, False, 2, 1, 4, site("3-5", A)),
        "The dice hit assets of Ada: up to 2 barrels of gasoline can be sold, 1 barrel of crude can be refined, up to "
        "4 barrels of crude can be pumped and the rig at row 3, column 5 has a double hit.",
        "Die Würfel treffen Anlagen von Ada: bis zu 2 Fässer Benzin zu verkaufen, 1 Fass Rohöl zu raffinieren, bis zu "
        "4 Fässer Rohöl zu fördern und der Bohrturm in Zeile 3, Spalte 5 doppelt getroffen.",
    ),
    (
        PumpsHeld(A, 4, 1),
        "The stations of Ada hold back 1 barrel of gasoline, as line 4 says.",
        "Die Tankstellen von Ada halten 1 Fass Benzin zurück, wie Zeile 4 sagt.",
    ),
    (  # 25 + 24 = 49
        GasolineSold(A, (25, 24)),
        "Ada sells 2 barrels of gasoline to the consumers for $49M (the first at $25M, the last at $24M).",
        "Ada verkauft 2 Fässer Benzin an die Verbraucher für 49 Mio. $ (das erste für 25 Mio. $, das letzte für "
        "24 Mio. $).",
    ),
    (
        OrdersOpened(D, 6, (OpenedLine(5, 3, HoldPumps()),)),
        "Line 5 of Dan is opened.",
        "Zeile 5 von Dan wird geöffnet.",
    ),
    (
        OrdersOpened(A, 6, tuple(OpenedLine(line, 1, ConvertRigOrder()) for line in (1, 3, 4))),
        "Lines 1, 3 and 4 of Ada are opened.",
        "Zeilen 1, 3 und 4 von Ada werden geöffnet.",
    ),
    (
        OrdersOpened(A, 6, tuple(OpenedLine(line, 1, ConvertRigOrder()) for line in (1, 2, 3, 5, 8, 9, 10, 11))),
        "Lines 1 to 3, 5 and 8 to 11 of Ada are opened.",
        "Zeilen 1 bis 3, 5 und 8 bis 11 von Ada werden geöffnet.",
    ),
    (
        OrderSkipped(B, 5, "cash", 46, 66),
        "Line 5 of Ben is skipped: cash is short ($46M of $66M).",
        "Zeile 5 von Ben wird übergangen: das Bargeld reicht nicht (46 Mio. $ von 66 Mio. $).",
    ),
    (  # a station for 66, keeping 20
        OrderSkipped(B, 5, "keep_cash", 70, 86),
        "Line 5 of Ben is skipped: too little cash would be left ($70M, and the line needs $86M).",
        "Zeile 5 von Ben wird übergangen: es bliebe zu wenig Bargeld (70 Mio. $, die Zeile braucht 86 Mio. $).",
    ),
    (  # all but 51, which takes 52
        OrderSkipped(B, 5, "keep_barrels", 3, 52),
        "Line 5 of Ben is skipped: too few barrels would be left (3 barrels in store, 51 to keep).",
        "Zeile 5 von Ben wird übergangen: es blieben zu wenige Fässer (3 Fässer da, 51 zu behalten).",
    ),
    (
        OrderSkipped(B, 5, "price_above", 7, 6),
        "Line 5 of Ben is skipped: the price is too high ($7M, at most $6M).",
        "Zeile 5 von Ben wird übergangen: der Preis ist zu hoch (7 Mio. $, höchstens 6 Mio. $).",
    ),
    (
        OrderSkipped(B, 5, "price_below", 10, 14),
        "Line 5 of Ben is skipped: the price is too low ($10M, at least $14M).",
        "Zeile 5 von Ben wird übergangen: der Preis ist zu niedrig (10 Mio. $, mindestens 14 Mio. $).",
    ),
    (  # nothing to explain, since there is none
        OrderSkipped(B, 5, "barrels", 0, 1),
        "Line 5 of Ben is skipped: there are no barrels to sell.",
        "Zeile 5 von Ben wird übergangen: es sind keine Fässer da.",
    ),
    (
        OrderCurtailed(D, 2, 3, 2, "price_below"),
        "Line 2 of Dan gets 2 of 3 barrels: the price is too low.",
        "Zeile 2 von Dan erhält 2 von 3 Fässern: der Preis ist zu niedrig.",
    ),
]

TEMPLATES = joined(*(texts(each.room, "sentences.toml") for each in RULESET.flow.capabilities), Phrases.TEMPLATES)
"""All sentences of the game: those of capabilities, and its own."""


@pytest.mark.parametrize(("event", "english", "german"), SENTENCES, ids=lambda told: type(told).__name__)
def test_the_sentence_is_the_one_written_by_hand(event: Event, english: str, german: str) -> None:
    assert RULESET.texts.tell(situation(), event, "en") == english
    assert RULESET.texts.tell(situation(), event, "de") == german


def test_a_turn_of_nobody_is_not_told() -> None:
    """There is no ghost by post."""
    with pytest.raises(LookupError, match="there is no seat that is meant"):
        RULESET.texts.tell(situation(), TurnBegan(1, A, None), "en")


def golden() -> Iterator[tuple[State | None, Any, State]]:
    """Every event of the golden games by post, and of some random ones, with the states before and after it."""
    decode = event_decoder("postal", 1)
    games = [[decode(recorded.data) for recorded in load(file)] for file in FILES if file.stem.startswith("by-post")]
    assert games
    games += [[fact.event for step in postal_game(seed, whimsically) for fact in step.facts] for seed in range(5)]
    for events in games:
        before: State | None = None
        for event in events:
            after = RULESET.evolve(before, event)
            yield before, event, after
            before = after


def test_templates_are_those_of_the_events_and_none_of_its_own_is_without_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """The games have all events, with few exceptions.

    These are one of a player who leaves, sealed events, and those of sheets that are seldom sent in advance. A price
    seldom stays at the top, or is none before.
    """
    asked = Asked(TEMPLATES["en"])
    monkeypatch.setattr(Phrases, "TEMPLATES", {"en": asked})
    happened = [
        (table(), SeatLeft(A)),
        (situation(), ClimateChanged(1, "recovery", "expansion", 80, 80)),
        (situation(), ClimateChanged(1, "recovery", "expansion", 0, 27)),
        (situation(), OrdersSubmitted(A, 6, None, "00" * 16)),
        (situation(), OrdersSubmitted(A, 5, None, "00" * 16, standing=True)),
        (situation(), OrdersSubmitted(A, 5, NOTHING, "00" * 16, standing=True)),
        (situation(), OrdersSubmitted(A, 0, NOTHING, "00" * 16)),
        (situation(), PositionSetUp((), None, "")),
        (situation(), PositionSetUp((), Moment(situation().game_id, 7, "0" * 64), "")),
        *((before, event) for before, event, _ in golden()),
    ]
    for before, event in happened:
        say = Phrases(before, "en")
        RULESET.texts.tell(before, event, "en")
        asked.names.add(sentence_of(event, say))
    assert {name.partition(".")[0] for name in asked} == {"phrases", *(event.__name__ for event in RULESET.events)}
    own = set(texts(telling.__package__, "sentences.toml")["en"])
    assert own <= asked.names <= set(asked)


@pytest.mark.parametrize("name", TEMPLATES["en"])
def test_both_languages_say_the_same_of_it(name: str) -> None:
    english, german = (
        {field for _, field, _, _ in Formatter().parse(TEMPLATES[language][name]) if field} for language in LANGUAGES
    )
    assert english == german


def test_everything_that_is_named_in_the_golden_game_has_a_word() -> None:
    names: set[str] = set()
    for _, event, after in golden():
        gauges = RULESET.books.gauges(after)
        names |= {
            RULESET.status(after),
            gauges.period or "",
            *gauges.prices,
            *(die.name for die in RULESET.dice.thrown(event)),
        }
        names |= set(named(msgspec.to_builtins(RULESET.view(after, None))))
        for moved in RULESET.books.transfers(event):
            names |= {moved.unit, moved.reason}
            for account in (moved.source, moved.target):
                names |= {part for part in account.split(":") if not part.isdigit()} - {"seat", "market"}
    assert {"rapid_growth", "foreign_crude", "drilling", "refereeing", "supply"} <= names
    for language in LANGUAGES:
        assert names <= set(Phrases.WORDS[language]), names - set(Phrases.WORDS[language])
