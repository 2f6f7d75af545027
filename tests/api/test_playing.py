"""Playing over the API, without problems and with several clients at once."""

import asyncio
from uuid import UUID

import msgspec

from mcmulti.api.telling.wire import Events
from mcmulti.domain.core.table import presented
from mcmulti.domain.mcmulti import RULESET
from mcmulti.events.log.codec import fold
from mcmulti.events.log.envelope import broken_link
from mcmulti.events.log.item import recorded
from tests.api.guests import Guest, Json, Table, problem

RIG = {"type": "BuyAsset", "kind": "rig", "site": {"quadrant": 0, "row": 1, "column": 1}}
ROLL = {"type": "RollDice"}


async def test_an_event_names_its_rule_its_actor_and_its_command(table: Table) -> None:
    game = await table.start()
    bought = (await table.guests[0].send(game, RIG)).json()["events"]
    assert [event["type"] for event in bought] == ["AssetBought"]
    assert bought[0]["rule"] == "purchase/round"
    assert bought[0]["actor"] == 0
    assert bought[0]["command"] == RIG
    assert bought[0]["data"]["price"] == 5


async def test_several_commands_are_carried_out_all_or_none(table: Table) -> None:
    game = await table.start()
    before = (await table.client.get(f"/v1/games/{game}")).json()
    refused = problem(await table.guests[0].send(game, RIG, RIG), 409, "site")
    assert refused["command"] == 1
    assert (await table.client.get(f"/v1/games/{game}")).json() == before


async def test_a_trial_appends_nothing_and_tells_no_dice(table: Table) -> None:
    game = await table.market_phase()
    before = (await table.client.get(f"/v1/games/{game}")).json()
    sale = {"type": "SellBarrels", "market": "domestic", "good": "crude", "quantity": 2}
    tried = (await table.guests[0].send(game, sale, ROLL, dry_run=True)).json()
    assert [event["type"] for event in tried["events"]] == ["BarrelsSold"]
    assert tried["events"][0]["data"]["prices"] == [5, 4]
    assert tried["undecided"] == 1
    problem(await table.guests[0].send(game, {"type": "EndTurn"}, dry_run=True), 409, "out_of_phase")
    assert (await table.client.get(f"/v1/games/{game}")).json() == before


async def test_a_stale_if_match_is_refused_with_the_new_head(table: Table) -> None:
    game = await table.start()
    tag = (await table.guests[0].get(f"/v1/games/{game}/offers")).headers["etag"]
    moved = await table.guests[0].send(game, RIG, If_Match=tag, Accept_Encoding="identity")
    assert moved.status_code == 200
    stale = await table.guests[0].send(game, {"type": "EndPurchases"}, If_Match=tag)
    assert problem(stale, 412, "stale")["seq"] == moved.json()["seq"]
    assert stale.headers["etag"] == moved.headers["etag"]
    assert (await table.guests[0].send(game, {"type": "EndPurchases"}, If_Match=stale.headers["etag"])).is_success


async def test_the_same_request_under_the_same_key_is_answered_once(table: Table) -> None:
    game = await table.start()
    first = await table.guests[0].send(game, RIG, Idempotency_Key="one")
    again = await table.guests[0].send(game, RIG, Idempotency_Key="one")
    assert again.content == first.content
    assert again.headers["idempotent-replayed"] == "true"
    assert "idempotent-replayed" not in first.headers
    other = {**RIG, "site": {"quadrant": 0, "row": 2, "column": 2}}
    problem(await table.guests[0].send(game, other, Idempotency_Key="one"), 422, "key_reused")
    assert (await table.client.get(f"/v1/games/{game}")).json()["seq"] == first.json()["seq"]


async def test_a_request_is_answered_again_as_it_was_when_the_game_has_moved_on(table: Table) -> None:
    """Ada bought a rig, ended her purchases, and Ben is to move: her first response still says that it is her turn."""
    ada, ben = await table.guest("Ada"), await table.guest("Ben")
    opened = await ada.post("/v1/games", json={"ruleset": "mcmulti", "setup": {"seats": 2, "first_seat": 0}})
    game = opened.json()["game"]
    seat = {"entropy": "a"}
    joined = await ada.post(f"/v1/games/{game}/seats", json=seat, headers={"Idempotency-Key": "sit"})
    assert (await ben.post(f"/v1/games/{game}/seats", json={})).is_success
    await ada.send(game, {"type": "StartGame"})
    bought = await ada.send(game, RIG, Idempotency_Key="buy")
    assert (await ada.send(game, {"type": "EndPurchases"})).is_success
    for first, again in (
        (joined, await ada.post(f"/v1/games/{game}/seats", json=seat, headers={"Idempotency-Key": "sit"})),
        (bought, await ada.send(game, RIG, Idempotency_Key="buy")),
    ):
        assert first.is_success
        assert (again.status_code, again.content) == (first.status_code, first.content)
        assert again.headers["etag"] == first.headers["etag"]
        assert again.headers["idempotent-replayed"] == "true"


async def test_a_game_opened_again_under_the_same_key_is_the_same_game(table: Table) -> None:
    ada, ben = await table.guest("Ada"), await table.guest("Ben")
    body, key = {"ruleset": "mcmulti", "setup": {"seats": 3}}, {"Idempotency-Key": "tonight"}
    first = await ada.post("/v1/games", json=body, headers=key)
    assert (await ada.post(f"/v1/games/{first.json()['game']}/seats", json={})).status_code == 201
    again = await ada.post("/v1/games", json=body, headers=key)
    assert again.content == first.content
    assert again.headers["etag"] == first.headers["etag"]
    assert again.headers["idempotent-replayed"] == "true"
    assert "idempotent-replayed" not in first.headers
    other = {"ruleset": "mcmulti", "setup": {"seats": 4}}
    problem(await ada.post("/v1/games", json=other, headers=key), 422, "key_reused")
    others_game = await ben.post("/v1/games", json=body, headers=key)
    assert others_game.json()["game"] != first.json()["game"]
    assert len((await table.client.get("/v1/games")).json()["games"]) == 2


async def test_twenty_clients_racing_one_command_and_exactly_one_wins(table: Table) -> None:
    """All roll the dice of the same turn. One roll is in the log, the others get the refusal that the phase is over."""
    game = await table.market_phase()
    before = (await table.client.get(f"/v1/games/{game}")).json()["seq"]
    answers = await asyncio.gather(*(table.guests[0].send(game, ROLL) for _ in range(20)))
    assert sorted(answered.status_code for answered in answers) == [200] + [409] * 19
    won = next(answered.json() for answered in answers if answered.status_code == 200)
    log = (await table.client.get(f"/v1/games/{game}/events?after={before}&limit=1000")).json()
    assert log["events"] == won["events"]
    assert [event["type"] for event in log["events"]].count("DiceRolled") == 1


async def test_twenty_clients_racing_the_same_request_under_one_key(table: Table) -> None:
    game = await table.start()
    answers = await asyncio.gather(*(table.guests[0].send(game, RIG, Idempotency_Key="same") for _ in range(20)))
    assert len({answered.content for answered in answers}) == 1
    assert sum("idempotent-replayed" not in answered.headers for answered in answers) == 1


async def test_the_state_the_server_shows_is_the_fold_of_the_log_at_every_seq(table: Table) -> None:
    game = await table.market_phase(4)
    await table.guests[0].send(game, ROLL)
    page = await table.client.get(f"/v1/games/{game}/events?limit=1000")
    events = [recorded(UUID(game), item) for item in msgspec.json.decode(page.content, type=Events).events]
    assert broken_link(events) is None
    seats = (await table.client.get(f"/v1/games/{game}")).json()["view"]["seats"]
    called = {seat["player"]: seat["name"] for seat in seats}
    for seq in range(1, len(events) + 1):
        shown = await table.client.get(f"/v1/games/{game}?at={seq}")
        expected = RULESET.view(presented(fold(RULESET, events[:seq]), called), None)
        assert msgspec.json.decode(shown.content)["view"] == msgspec.json.decode(msgspec.json.encode(expected))
        assert shown.headers["etag"].startswith(f'"{seq}-{events[seq - 1].hash.hex()}')


async def test_events_come_in_pages(table: Table) -> None:
    game = await table.market_phase(3)
    everything = (await table.client.get(f"/v1/games/{game}/events?limit=1000")).json()
    assert everything["next"] is None
    paged: list[Json] = []
    after: int | None = 0
    while after is not None:
        page = (await table.client.get(f"/v1/games/{game}/events?after={after}&limit=3")).json()
        assert len(page["events"]) <= 3
        paged += page["events"]
        after = page["next"]
    assert paged == everything["events"]
    assert [event["seq"] for event in paged] == list(range(1, everything["seq"] + 1))


async def test_who_waits_for_events_gets_them_as_they_happen(table: Table) -> None:
    game = await table.start()
    seq = (await table.client.get(f"/v1/games/{game}")).json()["seq"]
    waiting = asyncio.create_task(table.client.get(f"/v1/games/{game}/events?after={seq}&wait=30"))
    await asyncio.sleep(0.05)
    assert not waiting.done()
    await table.guests[0].send(game, RIG)
    page = (await asyncio.wait_for(waiting, 60)).json()
    assert [event["type"] for event in page["events"]] == ["AssetBought"]


async def test_the_view_tells_the_caller_its_seat(table: Table) -> None:
    game = await table.start(3)
    assert [(await guest.get(f"/v1/games/{game}")).json()["view"]["you"] for guest in table.guests] == [0, 1, 2]
    assert (await table.client.get(f"/v1/games/{game}")).json()["view"]["you"] is None


async def test_the_seed_is_nowhere_before_the_end(table: Table) -> None:
    game = await table.market_phase()
    seed = (await table.log.secret(UUID(game))).hex()
    for path in ("", "/events?limit=1000", "?at=1"):
        assert seed not in (await table.guests[0].get(f"/v1/games/{game}{path}")).text
    assert seed not in (await table.guests[0].get(f"/v1/games/{game}/offers")).text


async def test_games_are_listed_youngest_first(table: Table) -> None:
    games = [await table.open() for _ in range(3)]
    await table.guests[0].send(games[1], {"type": "StartGame"})
    listed = (await table.client.get("/v1/games")).json()
    assert [game["game"] for game in listed["games"]] == games[::-1]
    page = (await table.client.get("/v1/games?limit=2")).json()
    rest = (await table.client.get(f"/v1/games?limit=2&before={page['next']}")).json()
    assert [game["game"] for game in page["games"] + rest["games"]] == games[::-1]
    running = (await table.client.get("/v1/games?status=running")).json()["games"]
    assert [game["game"] for game in running] == [games[1]]
    eve = await table.guest("Eve")
    assert (await eve.get("/v1/games?mine=true")).json()["games"] == []
    assert len((await table.guests[0].get("/v1/games?mine=true")).json()["games"]) == 3
    problem(await table.client.get("/v1/games?mine=true"), 401, "unauthenticated")


async def test_a_game_started_with_fewer_players_closes_its_seats_up(table: Table) -> None:
    game = await table.open(3)
    assert (await table.guests[1].send(game, {"type": "LeaveSeat"})).status_code == 200
    refused = problem(await table.guests[2].send(game, {"type": "StartGame"}), 409, "seats_empty")
    assert refused["rule"] == "table/start"
    assert (await table.guests[0].send(game, {"type": "StartGame"})).status_code == 200
    view = (await table.guests[2].get(f"/v1/games/{game}")).json()["view"]
    assert [seat["name"] for seat in view["seats"]] == ["Ada", "Cleo"]
    assert view["you"] == 1


async def test_all_who_sit_there_start_with_a_seat_free_when_they_agree(table: Table) -> None:
    game = await table.open(3)
    assert (await table.guests[0].send(game, {"type": "LeaveSeat"})).status_code == 200
    agreed = (await table.guests[1].send(game, {"type": "AgreeToStart"})).json()
    assert agreed["table"]["status"] == "open"
    assert agreed["table"]["to_move"] == [2]
    problem(await table.guests[1].send(game, {"type": "AgreeToStart"}), 409, "agreed_to_start")
    started = (await table.guests[2].send(game, {"type": "AgreeToStart"})).json()
    assert [event["type"] for event in started["events"][:2]] == ["StartAgreedTo", "GameStarted"]
    assert started["table"]["status"] == "running"
    assert [seat["name"] for seat in started["table"]["seats"]] == ["Ben", "Cleo"]


async def test_a_rule_set_shows_its_components_with_their_provenance(table: Table) -> None:
    shown = (await table.client.get("/v1/rulesets/mcmulti")).json()
    assert shown["components"]["provenance"]["figures"]["consumer.red_fields"] == "reconstructed"
    assert shown["rules"]["market/one-per-turn"]
    assert shown["codes"]["cash"]
    assert "cash" in shown["code_rules"].keys() <= shown["codes"].keys()
    assert {*shown["code_rules"].values()} <= shown["rules"].keys()
    assert shown["versions"] == [shown["version"]]
    assert (await table.client.get(f"/v1/rulesets/mcmulti?version={shown['version']}")).json() == shown
    problem(await table.client.get("/v1/rulesets/mcmulti?version=999"), 404, "unknown_ruleset")
    problem(await table.client.get("/v1/rulesets/mcmulti?version=0"), 400, "invalid_query")
    assert (await table.client.get("/v1/rulesets")).json()["rulesets"][0]["name"] == "mcmulti"


async def test_the_rules_are_read_in_german_too(table: Table) -> None:
    english, german = [
        (await table.client.get(f"/v1/rulesets/mcmulti?language={language}")).json()["rules"]
        for language in ("en", "de")
    ]
    assert english.keys() == german.keys()
    assert "market" in english["market/buy"]
    assert "Markt" in german["market/buy"]
    problem(await table.client.get("/v1/rulesets/mcmulti?language=fr"), 400, "invalid_query")


async def test_the_server_says_that_it_is_well_and_where_things_are(table: Table) -> None:
    assert (await table.client.get("/healthz")).json() == {"status": "ok"}
    assert (await table.client.get("/readyz")).json() == {"status": "ok", "away": [], "failing": []}
    assert (await table.client.get("/")).json()["openapi"] == "/openapi.json"


async def test_a_lobby_finds_free_seats_and_whose_turn_it_is(table: Table) -> None:
    """The rows are tables: finding a seat needs no further request."""
    running = await table.start(2)
    ada, ben = table.guests
    half = (await ada.post("/v1/games", json={"ruleset": "mcmulti", "setup": {"seats": 3}})).json()["game"]
    assert (await ada.post(f"/v1/games/{half}/seats", json={})).status_code == 201

    async def listed(guest: Guest, query: str) -> list[str]:
        answered = await guest.get(f"/v1/games?{query}")
        assert answered.status_code == 200, answered.text
        return [row["game"] for row in answered.json()["games"]]

    shown = (await ada.get(f"/v1/games/{running}")).json()["table"]
    mover, other = (ada, ben) if shown["to_move"] == [0] else (ben, ada)
    assert await listed(ben, "free=true") == [half]
    assert await listed(mover, "my_turn=true") == [running]
    assert await listed(other, "my_turn=true") == []
    ben_id = shown["seats"][1]["player"]
    assert await listed(ada, f"player={ben_id}") == [running]
    assert await listed(ada, f"mine=true&player={ben_id}&status=running") == [running]
    assert await listed(ada, f"mine=true&player={ben_id}&status=open") == []
    assert await listed(ada, "named=be") == await listed(ada, f"named={running[:13]}") == [running]
    assert await listed(ada, "named=Ada") == [half, running]
    assert await listed(ada, "named=ada&free=true") == [half]
    assert await listed(ada, f"named={running[:3]}") == []
    assert (await ada.get("/v1/games?named=%00")).json()["code"] == "invalid_query"
    first = (await ada.get("/v1/games?named=ada&limit=1")).json()
    assert await listed(ada, f"named=ada&limit=1&before={first['next']}") == [running]
    for named in ("", "%20", "a" * 41, "ada&named=ben"):
        problem(await table.client.get(f"/v1/games?named={named}"), 400, "invalid_query")
    problem(await table.client.get("/v1/games?my_turn=true"), 401, "unauthenticated")
    (row,) = (await ben.get("/v1/games?free=true")).json()["games"]
    assert row == (await ben.get(f"/v1/games/{half}")).json()["table"]
    assert [seat["name"] for seat in row["seats"]] == ["Ada", None, None]
    assert (await ben.erase()).status_code == 204
    assert await listed(ada, "named=ben") == []
