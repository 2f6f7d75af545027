"""Offers and refusals are described in every language, in the words of the rules. An import finds what is missing."""

import re
from typing import Any

import pytest

from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.table import presented
from mcmulti.domain.core.wording.data import texts
from mcmulti.domain.core.wording.sentences import Incomplete, OfferSentences
from mcmulti.domain.core.wording.telling import LANGUAGES, Language, Words, joined
from mcmulti.domain.core.wording.texts import Refusals
from mcmulti.domain.marracash import RULESET as MARRACASH
from mcmulti.domain.marracash.commands import Bid, PutUp
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import BuyBarrels, PumpCrude, RefineCrude, SellBarrels, SellGasoline
from mcmulti.domain.mcmulti.phrases import Phrases
from mcmulti.domain.postal import RULESET as POSTAL
from mcmulti.domain.postal.commands import HoldRound, SetStanding, SubmitOrders
from mcmulti.domain.postal.refereeing.refereeing import offers_closing
from mcmulti.domain.postal.sheets.sheet import OrderSheet
from mcmulti.domain.rulesets import CURRENT
from tests.pure.core.offers_told import COMMANDS, OFFERS, ROOMS, TEMPLATES, OfferTold
from tests.pure.marracash import situations as bazaar
from tests.pure.mcmulti import situations
from tests.pure.mcmulti.situations import CALLED
from tests.pure.postal import situations as postal
from tests.pure.properties.random_games import game

every = pytest.mark.parametrize("ruleset", CURRENT.values(), ids=CURRENT)


@pytest.mark.parametrize("told", OFFERS, ids=lambda told: told.en[:40])
def test_the_sentence_is_the_one_written_by_hand(told: OfferTold) -> None:
    assert RULESET.texts.tell_offer(told.state, told.offer, "en") == told.en
    assert RULESET.texts.tell_offer(told.state, told.offer, "de") == told.de


def test_every_sentence_of_an_offer_was_written_by_hand() -> None:
    commands = {command.__name__: command for command in COMMANDS}
    forms = {(told.offer.command, commands[told.offer.command].form(told.offer)) for told in OFFERS}
    assert {command if form is None else f"{command}.{form}" for command, form in forms} == set(TEMPLATES["en"])


def test_the_sentences_by_post_are_those_written_by_hand() -> None:
    """A sent standing orders, and a sheet for round 4. 3 + 20 = 23 is the last round that a sheet can be for."""
    sent = postal.after(postal.situation(round=3), postal.A, SetStanding(3, OrderSheet()))
    ahead = postal.after(sent, postal.A, SubmitOrders(4, OrderSheet()))
    held = postal.after(sent, postal.A, HoldRound(3, hold=True))
    offers = (
        *POSTAL.offers(sent, postal.A),
        POSTAL.offers(held, postal.A)[6],
        POSTAL.offers(ahead, postal.A)[4],
        *offers_closing(sent),
    )
    told = [tuple(POSTAL.texts.tell_offer(sent, offer, language) for language in LANGUAGES) for offer in offers]
    assert told == [
        (
            "Send your order sheet for round 3. It replaces any sheet that you sent before.",
            "Deinen Auftragsbogen für Runde 3 schicken; er tritt an die Stelle eines früheren.",
        ),
        (
            "Send an order sheet in advance, for one of the rounds up to 23.",
            "Einen Auftragsbogen im Voraus schicken, für eine der Runden bis 23.",
        ),
        (
            "Send standing orders from round 3 on. They replace those that you sent before.",
            "Daueraufträge ab Runde 3 schicken; sie treten an die Stelle früherer.",
        ),
        (
            "Send standing orders that begin later, in one of the rounds up to 23.",
            "Daueraufträge schicken, die später beginnen, in einer der Runden bis 23.",
        ),
        ("Take back your order sheet for round 3.", "Deinen Auftragsbogen für Runde 3 zurückziehen."),
        (
            "End your standing orders. Your sheet for round 3 stays.",
            "Deine Daueraufträge beenden; dein Bogen für Runde 3 bleibt.",
        ),
        ("Hold the round until its deadline.", "Die Runde bis zu ihrer Frist anhalten."),
        ("Release your hold on the round.", "Die Runde nicht länger anhalten."),
        (
            "Take back your order sheet for this round, or one that you sent in advance.",
            "Deinen Auftragsbogen für diese Runde zurückziehen, oder einen, den du im Voraus geschickt hast.",
        ),
        ("Referee round 3.", "Runde 3 auswerten."),
    ]


@every
def test_every_offer_of_random_games_is_told_in_both_languages_without_anything_unsaid(ruleset: Ruleset[Any]) -> None:
    # Random players are seldom rich, nobody here proposes an end, and no table allows instructions.
    seldom = {"DeclareVictory", "AnswerEnd", "Instruct"}
    missing = {command.__name__ for command in ruleset.commands.logged} - seldom
    for seed in range(12):
        if seed >= 3 and not missing:
            break
        for step in game(ruleset.name, seed):
            for seat in (None, *range(len(ruleset.players(step.state)))):
                for offer in (*ruleset.offers(step.state, seat), *ruleset.besides(step.state, seat)):
                    missing.discard(offer.command)
                    english, german = (ruleset.texts.tell_offer(step.state, offer, each) for each in LANGUAGES)
                    assert english != german
                    for sentence in (english, german):
                        assert re.fullmatch(r"[A-ZÄÖÜ0-9][^{}_]*[.]", sentence), sentence
                        assert not re.search(r"None|  |(?<!Seat |latz )\b0 (?!×)", sentence), sentence
    assert missing == set()


def test_prices_and_places_are_told_as_they_are_offered() -> None:
    """Names of players do not matter, whatever they are."""
    (told,) = [told for told in OFFERS if told.offer.command == "BuyBarrels"]
    renamed = presented(told.state, dict.fromkeys(CALLED, "{good}"))
    assert RULESET.texts.tell_offer(renamed, told.offer, "en") == told.en


# Refusals


@every
def test_every_code_has_a_sentence_of_its_own_in_both_languages(ruleset: Ruleset[Any]) -> None:
    for language in LANGUAGES:
        told = [ruleset.texts.tell_refusal(limit.rejection(), language) for limit in ruleset.texts.limits.values()]
        assert len(set(told)) == len(told)
        assert all(re.fullmatch(r"[A-ZÄÖÜ][^{}_]*[.]", sentence) for sentence in told)


def test_a_refusal_is_told_in_the_language_that_is_asked_for() -> None:
    cash, line = Rejection("cash", "purchase/cash-only", "quantity", 2), Rejection("sheet_lines", "", "sheet", 200, 201)
    assert RULESET.texts.tell_refusal(cash, "en") == "There is not enough cash, and there is no credit. At most 2."
    assert RULESET.texts.tell_refusal(cash, "de") == (
        "Dafür reicht das Bargeld nicht, und Kredit gibt es nicht. Höchstens 2."
    )
    assert POSTAL.texts.tell_refusal(line, "en") == "Line 201: The sheet has too many lines. At most 200."
    assert POSTAL.texts.tell_refusal(line, "de") == "Zeile 201: Der Bogen hat zu viele Zeilen. Höchstens 200."


@pytest.mark.parametrize(
    ("bid", "english", "german"),
    [
        (310, "At least 325, at most 1,200, in steps of 25.", "Mindestens 325, höchstens 1.200, in Schritten von 25."),
        (340, "At least 325, at most 1,200, in steps of 25.", "Mindestens 325, höchstens 1.200, in Schritten von 25."),
        (1225, "At most 1,200.", "Höchstens 1.200."),
    ],
)
def test_a_refused_number_is_told_what_would_be_legal(bid: int, english: str, german: str) -> None:
    """The highest bid is 300, and Ben has 1210: he may bid 325, 350, ... or 1200."""
    state = bazaar.after(bazaar.situation(cash={1: 1210}), 0, PutUp("R1", 300))
    rejection = MARRACASH.admit(state, 1, Bid(bid))
    assert isinstance(rejection, Rejection)
    assert rejection.limit == 1200
    assert (rejection.least, rejection.step) == ((325, 25) if bid < 1200 else (None, None))
    assert MARRACASH.texts.tell_refusal(rejection, "en").endswith(f". {english}")
    assert MARRACASH.texts.tell_refusal(rejection, "de").endswith(f". {german}")


def test_a_refused_quantity_that_is_any_number_names_no_step() -> None:
    """A sale of gasoline begins with one barrel."""
    state = situations.rolled(situations.situation(gasoline=2, assets={0: "station 1-1, station 1-3"}), 1, 5)
    rejection = situations.refused(state, 0, SellGasoline(0))
    assert (rejection.least, rejection.limit, rejection.step) == (1, 2, 1)
    assert RULESET.texts.tell_refusal(rejection, "en") == "This value is not possible. At least 1, at most 2."


def test_a_quantity_of_which_one_value_only_is_possible_is_told_that() -> None:
    """One well on a line that is hit pumps two barrels, no fewer."""
    state = situations.rolled(situations.situation(assets={0: "well 1-1"}), 1, 5)
    rejection = situations.refused(state, 0, PumpCrude(1))
    assert (rejection.least, rejection.limit) == (2, 2)
    assert RULESET.texts.tell_refusal(rejection, "en") == "This value is not possible. Only 2 is possible."
    assert RULESET.texts.tell_refusal(rejection, "de") == "Dieser Wert ist nicht möglich. Möglich ist nur 2."


def test_where_nothing_is_possible_the_sentence_names_no_number() -> None:
    """A refinery and a well are hit, and there is no crude."""
    state = situations.rolled(situations.situation(assets={0: "refinery 1-1, well 1-6"}, gasoline=1), 1, 5)
    rejection = situations.refused(state, 0, RefineCrude(1))
    assert (rejection.code, rejection.limit) == ("crude", 0)
    assert RULESET.texts.tell_refusal(rejection, "en") == "You do not have that many barrels of crude."


@pytest.mark.parametrize("quantity", [1, 100])
def test_a_market_that_is_closed_names_no_number_that_it_would_not_take_either(quantity: int) -> None:
    """Ada has 200 and 3 barrels of crude, and foreign trade is under an embargo."""
    state = situations.situation(crude=3, active=("foreign_embargo",))
    for command in (BuyBarrels("foreign", "crude", quantity), SellBarrels("foreign", "crude", quantity)):
        rejection = situations.refused(state, 0, command)
        assert (rejection.code, rejection.limit) == ("foreign_closed", None)
        assert RULESET.texts.tell_refusal(rejection, "en") == "The foreign market is closed by the embargo."


def test_by_post_a_hold_that_changes_nothing_is_told_which_way() -> None:
    held = postal.after(postal.situation(round=3), postal.A, HoldRound(3, hold=True))
    for state, hold, code, told in (
        (held, True, "held", "You are already holding the round."),
        (postal.situation(round=3), False, "not_held", "You are not holding the round."),
    ):
        rejection = postal.refused(state, postal.A, HoldRound(3, hold=hold))
        assert (rejection.code, POSTAL.texts.tell_refusal(rejection, "en")) == (code, told)


# What an import finds


def changed(room: Words, language: Language, text: str | None, **names: str) -> Words:
    """A room in which one language lacks texts, or has extra ones."""
    without = {name: told for name, told in room[language].items() if name not in names}
    return {**room, language: without if text is None else without | dict.fromkeys(names.values(), text)}


@pytest.mark.parametrize(
    ("name", "renamed", "text", "missing"),
    [
        ("EndTurn", "EndTurn", None, "sentences missing in 'de': EndTurn"),
        ("BuyAsset.block", "BuyAsset.blocks", "x", "sentences missing in 'de': BuyAsset.block"),
        ("", "TaxPaid", "x", "sentences for unknown commands in 'de': TaxPaid"),
        ("CleanUp", "CleanUp", "{price:word} {sites}", r"CleanUp in 'de': neither the command nor .* have {sites}"),
        ("CleanUp", "CleanUp", "{site:worth}", "CleanUp in 'de': the phrases of the game cannot say {site:worth}"),
        ("CleanUp", "CleanUp", "{site.options}", "CleanUp in 'de': nothing tells how {site.options} is said"),
        ("PumpCrude", "PumpCrude", "{quantity}", "PumpCrude in 'de': nothing tells how {quantity} is said"),
    ],
)
def test_an_import_fails_where_an_offer_cannot_be_told_and_names_it(
    name: str, renamed: str, text: str | None, missing: str
) -> None:
    OfferSentences(COMMANDS, Phrases, TEMPLATES)
    room = changed(TEMPLATES, "de", text, **{name: renamed})
    with pytest.raises(Incomplete, match=missing):
        OfferSentences(COMMANDS, Phrases, room)


def test_an_import_fails_where_a_code_has_no_sentence_and_names_it() -> None:
    limits = RULESET.texts.limits
    packages = ("mcmulti.domain.core.wording", *ROOMS, "mcmulti.domain.mcmulti")
    room = joined(*(texts(package, "refusals.toml") for package in packages))
    Refusals(limits, room)
    with pytest.raises(Incomplete, match="sentences missing in 'de': cash"):
        Refusals(limits, changed(room, "de", None, cash="cash"))
    with pytest.raises(Incomplete, match="sentences for unknown codes in 'en': credit"):
        Refusals(limits, changed(room, "en", "x", _="credit"))
