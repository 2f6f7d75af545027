"""Offers and refusals are in the requested language, English by default."""

import pytest

from mcmulti.domain.rulesets import CURRENT
from tests.api.guests import Guest, Json, Table, problem

DEAR: Json = {
    "type": "BuyAsset",
    "kind": "refinery",
    "site": {"quadrant": 0, "row": 6, "column": 6},
}
"""No block of two by two begins in the last row."""
NO_BLOCK = {
    "en": "This is not the top-left site of a free block of two by two in the quadrant that buys.",
    "de": "Das ist nicht das Feld oben links in einem freien Block von zwei mal zwei Feldern des Quadranten, "
    "für den gekauft wird.",
}


async def sentences(guest: Guest, game: str, query: str = "") -> list[str]:
    answered = await guest.get(f"/v1/games/{game}/offers{query}")
    assert answered.status_code == 200, answered.text
    return [offer["sentence"] for offer in answered.json()["offers"]]


async def test_offers_are_told_in_the_language_asked_for_and_are_otherwise_the_same(table: Table) -> None:
    """A rig is 5 in Recovery, and two players begin with 300."""
    game = await table.start()
    ada = table.guests[0]
    address = f"/v1/games/{game}/offers"
    plain, english, german = [(await ada.get(f"{address}{query}")) for query in ("", "?language=en", "?language=de")]
    assert plain.content == english.content
    assert plain.headers["etag"] == english.headers["etag"]
    assert english.json()["offers"][0]["sentence"] == "Buy a rig for $5M and place it on a free site (there are 36)."
    assert (
        german.json()["offers"][0]["sentence"]
        == "Für 5 Mio. $ einen Bohrturm kaufen und auf ein freies Feld stellen (frei: 36)."
    )
    told, other = english.json(), german.json()
    for offer in (*told["offers"], *told["besides"], *other["offers"], *other["besides"]):
        del offer["sentence"]
    assert told == other
    problem(await ada.get(f"{address}?language=fr"), 400, "invalid_query")


async def test_offers_of_another_language_have_another_tag_and_are_not_mixed_up(table: Table) -> None:
    game = await table.start()
    ada, address = table.guests[0], f"/v1/games/{game}/offers"
    first = {language: await ada.get(f"{address}?language={language}") for language in ("en", "de")}
    tags = {language: answered.headers["etag"] for language, answered in first.items()}
    assert tags["en"] != tags["de"]
    for language, other in (("en", "de"), ("de", "en")):
        again = await ada.get(f"{address}?language={language}", headers={"If-None-Match": tags[other]})
        assert (again.status_code, again.content) == (200, first[language].content)
        known = await ada.get(f"{address}?language={language}", headers={"If-None-Match": tags[language]})
        assert known.status_code == 304
    moved = await ada.post(
        f"/v1/games/{game}/commands",
        json={"commands": [{"type": "EndPurchases"}]},
        headers={"If-Match": tags["de"]},
    )
    assert moved.status_code == 200, moved.text


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("trial", ["", "&dry_run=true"])
async def test_refused_commands_say_why_in_the_language_asked_for(table: Table, language: str, trial: str) -> None:
    game = await table.start()
    address = f"/v1/games/{game}/commands?language={language}{trial}"
    told = problem(await table.guests[0].post(address, json={"commands": [DEAR]}), 409, "block")
    assert (told["detail"], told["rule"]) == (NO_BLOCK[language], "site/refinery")
    assert (told["field"], told["command"]) == ("site", 0)


async def test_the_server_s_own_refusal_of_chance_is_told_too(table: Table) -> None:
    game = await table.start()
    for guest in (*table.guests, *table.guests):
        assert (await guest.send(game, {"type": "EndPurchases"})).status_code == 200
    body = {"commands": [{"type": "RollDice"}, {"type": "RollDice"}]}
    told = problem(await table.guests[0].post(f"/v1/games/{game}/commands?language=de", json=body), 409, "one_draw")
    assert told["detail"] == "Nur der letzte Befehl einer Anfrage darf Zufall brauchen oder Versiegeltes öffnen."


async def test_a_repeated_request_may_ask_in_another_language(table: Table) -> None:
    """A refused request left no trace; a successful one gets the same response, which contains no words."""
    game = await table.start()
    ada, address, key = table.guests[0], f"/v1/games/{game}/commands", {"Idempotency-Key": "once"}
    for language in ("en", "de"):
        refused = await ada.post(f"{address}?language={language}", json={"commands": [DEAR]}, headers=key)
        assert problem(refused, 409, "block")["detail"] == NO_BLOCK[language]
    done, repeated = [
        await ada.post(f"{address}{query}", json={"commands": [{"type": "EndPurchases"}]}, headers=key)
        for query in ("", "?language=de")
    ]
    assert (done.status_code, repeated.status_code) == (200, 200)
    assert repeated.headers["idempotent-replayed"] == "true"
    assert repeated.content == done.content


async def test_opening_joining_and_being_no_player_are_refused_in_german(table: Table) -> None:
    game = await table.open()
    ada, stranger = table.guests[0], await table.guest("Eve")
    seated = problem(await ada.post(f"/v1/games/{game}/seats?language=de", json={}), 409, "already_seated")
    assert seated["detail"] == "Du sitzt schon an diesem Tisch."
    body = {"ruleset": "mcmulti", "setup": {"seats": 2, "first_seat": 3}}
    opened = problem(await ada.post("/v1/games?language=de", json=body), 409, "first_seat_unknown")
    assert opened["detail"] == "Der erste Platz ist keiner der Plätze dieses Tisches. Höchstens 1."
    for detail, query in (
        ("You do not sit at this table.", ""),
        ("Du sitzt nicht an diesem Tisch.", "?language=de"),
    ):
        told = problem(await stranger.get(f"/v1/games/{game}/offers{query}"), 403, "no_seat")
        assert (told["detail"], told["rule"]) == (detail, "table/join")
        sent = await stranger.post(f"/v1/games/{game}/commands{query}", json={"commands": [{"type": "StartGame"}]})
        assert sent.json()["detail"] == detail


async def test_a_forecast_is_refused_in_german(table: Table) -> None:
    game = await table.start(4, ruleset="postal")
    pumping = {"type": "ConvertRigOrder"}
    answered = await table.guests[0].post(f"/v1/games/{game}/forecast?language=de", json={"orders": [pumping] * 200})
    told = problem(answered, 409, "sheet_lines")
    assert told["detail"] == "Zeile 201: Der Bogen hat zu viele Zeilen. Höchstens 200."
    assert "command" not in told


@pytest.mark.parametrize("name", CURRENT)
async def test_the_codes_of_a_rule_set_are_read_in_german_too(table: Table, name: str) -> None:
    english, german = [
        (await table.client.get(f"/v1/rulesets/{name}?language={language}")).json()["codes"]
        for language in ("en", "de")
    ]
    assert english.keys() == german.keys()
    assert all(english[code] != german[code] for code in english)
    assert german["one_draw"] == "Nur der letzte Befehl einer Anfrage darf Zufall brauchen oder Versiegeltes öffnen."
