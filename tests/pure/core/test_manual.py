"""What a rule set publishes is enough to play: options, commands, and figures are there, and explained."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest

from mcmulti.api.operations.players import in_full
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.wording.manual import manual_texts
from mcmulti.domain.core.wording.telling import LANGUAGES, Language
from mcmulti.domain.rulesets import CURRENT, SHIPPED
from tests.profiles import profile_of
from tests.pure.properties.random_games import game

every = pytest.mark.parametrize("name", CURRENT)


@cache
def published(name: str, language: Language = "en") -> Any:
    """The response of `GET /v1/rulesets/{name}`."""
    return msgspec.json.decode(in_full(name, CURRENT[name].version, language))


def _explained(view: Any) -> dict[str, str]:
    """The descriptions of all options, commands, types, and fields."""
    found = {each["name"]: each.get("meaning", "") for each in view["setup"]}
    for each in (*view["commands"], *view["types"]):
        found[each["name"]] = each.get("meaning", "")
        found |= {f"{each['name']}.{field['name']}": field.get("meaning", "") for field in each.get("fields", ())}
    return found


@every
def test_everything_that_can_be_sent_is_explained_in_every_language(name: str) -> None:
    english, german = (_explained(published(name, language)) for language in LANGUAGES)
    assert english.keys() == german.keys()
    assert [each for each in english if not english[each] or english[each] == german[each]] == []


def test_nothing_is_explained_that_cannot_be_sent() -> None:
    names = {name.rpartition(".")[2] for each in CURRENT for name in _explained(published(each))}
    for ruleset in CURRENT.values():
        for text in manual_texts(ruleset)["en"]:
            assert text.rpartition(".")[2] in names, text


def _choices(view: Any) -> set[tuple[str, str]]:
    """Every field that can be filled in, with each value that it lists, or without one."""
    fields = [
        *view["setup"],
        *(field for each in (*view["commands"], *view["types"]) for field in each.get("fields", ())),
    ]
    return {(field["name"], str(each)) for field in fields for each in ("", *field.get("options", ()))}


@every
@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_is_filled_in_or_chosen_is_called_something(name: str, language: Language) -> None:
    view = published(name, language)
    labels, words = view["labels"], view["words"]
    for field, choice in _choices(view):
        if choice and not choice.isdigit():  # 750, or a shop such as B3, are written as they are
            known = {*labels["options"], *words, *(name for name in (choice,) if not choice.islower())}
            assert known & {choice, f"{field}.{choice}"}, (field, choice)
    for command in view["commands"]:
        fields = {field["name"] for field in command.get("fields", ())}
        assert fields <= labels["fields"].keys() | {"orders", "sheet", "text", "standing"}, (
            command
        )  # have forms of their own
    assert {field["name"] for field in view["setup"]} <= labels["fields"].keys()


def test_nothing_is_called_something_that_is_not_there() -> None:
    views = [published(each) for each in CURRENT]
    choices = {choice for view in views for choice in _choices(view)}
    types = {each["name"] for view in views for each in (*view["commands"], *view["types"])}
    for view in views:
        assert view["labels"]["types"].keys() <= types
        assert view["labels"]["fields"].keys() <= {field for field, _ in choices} | {"type"}
        for option in view["labels"]["options"]:
            field, _, choice = option.rpartition(".")
            assert field == "quadrant" or any(choice == said and field in ("", name) for name, said in choices), option


@every
def test_what_is_called_something_is_so_in_every_language(name: str) -> None:
    english, german = (published(name, language)["labels"] for language in LANGUAGES)
    assert {table: found.keys() for table, found in english.items()} == {
        table: found.keys() for table, found in german.items()
    }
    same = {text for table in english for name, text in english[table].items() if text == german[table][name]}
    assert same <= {"× 1", "× 10", "× 100", "Plus", "Phase 1", "Phase 2"}


@every
def test_every_option_and_command_of_a_game_is_there(name: str) -> None:
    ruleset, view = CURRENT[name], published(name)
    assert [each["name"] for each in view["setup"]] == list(ruleset.setup.__struct_fields__)
    assert [each["name"] for each in view["commands"]] == [
        command.__name__ for command in (*ruleset.commands.moves, *ruleset.commands.worded)
    ]


@every
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_value_of_an_option_is_told(name: str, language: Language) -> None:
    for field in published(name, language)["setup"]:
        for option in field.get("options", ()):
            assert isinstance(option, int) or len(field["options"]) == 1 or f"`{option}`" in field["meaning"], field


@every
def test_every_type_that_a_field_names_is_there(name: str) -> None:
    view = published(name)
    types = {each["name"] for each in view["types"]} | {"integer", "boolean", "text"}
    for each in (*view["commands"], *view["types"]):
        assert {field["holds"] for field in each.get("fields", ())} | set(each.get("one_of", ())) <= types


def _fits(view: Any, kind: str, value: Any) -> bool:
    """Whether a value belongs to a type, judged only by what is published."""
    [said] = [each for each in (*view["commands"], *view["types"]) if each["name"] == kind]
    if "one_of" in said:
        return value["type"] in said["one_of"] and _fits(view, value["type"], value)
    fields = {field["name"]: field for field in said.get("fields", ())}
    missing = {name for name, field in fields.items() if not field.get("optional")} - value.keys()
    given = {name: each for name, each in value.items() if name != "type"}
    return not missing and all(name in fields and _holds(view, fields[name], each) for name, each in given.items())


def _holds(view: Any, field: Any, value: Any) -> bool:
    if value is None:
        return bool(field.get("optional"))
    if field.get("many") and isinstance(value, list):
        return all(_holds(view, {**field, "many": False}, each) for each in value)
    if field["holds"] == "integer":
        in_bounds = isinstance(value, int) and field.get("least", value) <= value <= field.get("most", value)
        return value in field.get("options", ()) or ("least" in field and in_bounds)
    if field["holds"] in ("boolean", "text"):
        kind = bool if field["holds"] == "boolean" else str
        return isinstance(value, kind) and value in field.get("options", (value,))
    return _fits(view, field["holds"], value)


@every
def test_what_is_sent_in_random_games_is_as_it_is_published(name: str) -> None:
    view, sent = published(name), set[str]()
    kinds = {each["name"] for each in view["commands"]}
    for seed in range(6):
        for step in game(name, seed):
            command = msgspec.json.decode(msgspec.json.encode(step.command))
            if command and command["type"] in kinds:
                sent.add(command["type"])
                assert _fits(view, command["type"], command), command
    assert len(sent) >= 4


def _offers(name: str) -> Iterator[tuple[Any, Any, Any]]:
    ruleset = CURRENT[name]
    for seed in range(6):
        for step in game(name, seed):
            for seat in ruleset.to_move(step.state) if ruleset.status(step.state) == "running" else ():
                for offer in ruleset.offers(step.state, seat):
                    yield step.state, msgspec.to_builtins(ruleset.view(step.state, seat)), offer


def test_prices_of_assets_follow_from_what_is_published() -> None:
    """By the card in force, and the table's option for refineries."""
    economy = published("mcmulti")["components"]["economy"]
    cards, seen = {card["name"]: card for card in economy["cards"]}, 0
    for _, view, offer in _offers("mcmulti"):
        if offer.command in ("BuyAsset", "SellAsset"):
            card, [kind] = view["economy"]["card"], offer.fields["kind"].options
            price = cards[card]["buy" if offer.command == "BuyAsset" else "sell"][kind]
            if offer.command == "SellAsset" and kind == "refinery" and view["setup"]["refinery_sales"] == "postal":
                price = economy["refineries_by_post"].get(card, price)
            assert offer.price == price
            seen += 1
    assert seen > 1000


def test_prices_of_barrels_follow_from_what_is_published() -> None:
    """A market by its free fields and its step. The consumers by their track, or by the one that the table has."""
    components = published("mcmulti")["components"]
    market, highest, seen = components["market"], components["consumer"]["highest_price"], 0
    for _, view, offer in _offers("mcmulti"):
        if offer.command == "SellGasoline":
            track = (view["setup"]["consumer_track"] or {}).get("prices") or range(1, highest + 1)
            below = sorted((price for price in track if price < view["consumer"]["price"]), reverse=True)
            assert list(offer.fields["quantity"].prices) == below[: offer.fields["quantity"].max]
            seen += 1
        elif offer.command == "BuyBarrels":
            ([where], [good]) = offer.fields["market"].options, offer.fields["good"].options
            [barrels] = [each["barrels"] for each in view["markets"] if (each["market"], each["good"]) == (where, good)]
            step, free = market["step"][good], market["fields"] - barrels
            prices = offer.fields["quantity"].prices
            assert list(prices) == [step * (free + n) for n in range(1, len(prices) + 1)]
            seen += 1
    assert seen > 100


@pytest.mark.parametrize("name", SHIPPED)
def test_readings_name_rules_and_options_that_there_are(name: str) -> None:
    english, german = (published(name, language) for language in LANGUAGES)
    assert len(english["readings"]) == len(german["readings"])
    options = {field["name"] for field in english["setup"]}
    for ours, theirs in zip(english["readings"], german["readings"], strict=True):
        assert set(ours["rules"]) <= english["rules"].keys(), ours
        assert ours.get("option", "seats") in options, ours
        assert (ours["rules"], ours.get("option")) == (theirs["rules"], theirs.get("option"))
        assert ours["question"] != theirs["question"]
        assert ours["answer"] != theirs["answer"]
        assert _figures(ours["answer"]) == _figures(theirs["answer"]), ours


def _figures(text: str) -> list[str]:
    return sorted(re.findall(r"\d+", re.sub(r"(?<=\d)[.,](?=\d{3})", "", text)))


def test_every_reading_that_a_table_can_choose_is_told_by_its_question() -> None:
    for name in CURRENT:
        chosen = {each["option"] for each in published(name)["readings"] if "option" in each}
        assert chosen == profile_of(name).readings


@pytest.mark.parametrize("name", SHIPPED)
def test_sources_are_told_in_every_language(name: str) -> None:
    english, german = (published(name, language)["components"]["provenance"] for language in LANGUAGES)
    assert english["figures"] == german["figures"]
    assert english["sources"].keys() == german["sources"].keys()
    assert all(english["sources"][source] != german["sources"][source] for source in english["sources"])


def test_marracash_tells_how_its_plan_is_read() -> None:
    """The published plan and the symbols that the rule names lead to every fountain and every shop."""
    view = published("marracash")
    text = view["rules"]["board/plan"]
    assert all(f"`{sign}`" in text for sign in ("*", "##", "."))
    cells = view["components"]["town"]["grid"].split()
    assert len({cell.rstrip("*") for cell in cells if cell.rstrip("*").isdigit()}) == 16
    assert {cell.rstrip("*") for cell in cells if cell.endswith("*")} == {"1", "8", "16"}
    shops = {cell for cell in cells if cell[0].isalpha()}
    assert len(shops) == 5 * view["components"]["shops"]["of_a_colour"]


def test_board_plan__number_star_letter_and_blocked_are_told() -> None:
    assert published("marracash", "de")["rules"]["board/plan"] != published("marracash")["rules"]["board/plan"]


def test_chance_entropy__goes_into_every_draw() -> None:
    """A thousand draws of one seed, with other entropy. If they were the same, the entropy would not matter."""
    chance = SeededChance(bytes(32), "game")
    plain, changed = ([chance.value(number, 6, entropy) for number in range(1, 1001)] for entropy in ("", "luck"))
    same = sum(one == other for one, other in zip(plain, changed, strict=True))
    assert 100 < same < 250  # a sixth, by chance


def test_players_find_a_few_commands_elsewhere_than_the_game_offers_them() -> None:
    found = {each["name"]: each["place"] for name in SHIPPED for each in published(name)["commands"] if "place" in each}
    assert found == {
        "AnswerEnd": "answer",
        "AnswerTakeBack": "answer",
        "TakeBack": "back",
        "HoldRound": "aside",
        "BidUpTo": "ahead",
        "WithdrawCeiling": "ahead",
    }
