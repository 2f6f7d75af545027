"""House bots over the API: at all kinds of tables, and what everybody sees of them."""

from hashlib import sha256
from uuid import UUID, uuid4

from mcmulti.domain.core.table import HOUSE
from mcmulti.events.ports.accounts import Player, Token, first_token
from mcmulti.server.children.house import registered
from tests.api.guests import Guest, Json, Table

RESIGN = {"type": "Resign"}


async def house_bot(table: Table) -> Guest:
    """A house bot at the server of a table."""
    player, token, now = UUID(HOUSE[0]), "of the house", await table.log.now()
    await registered(table.log, player, "House bot", 1)
    made = Token(uuid4(), "test", ("read", "play"), now)
    await table.log.add_token(player, made, sha256(token.encode()).digest())
    return Guest(table.client, "House bot", token)


async def rows(guest: Guest, left: str) -> list[Json]:
    """The running games with a vacant seat, as a guest sees them."""
    found: list[Json] = (await guest.get(f"/v1/games?left={left}")).json()["games"]
    return found


def states(shown: Json) -> list[str]:
    """What the seats of a table are."""
    return [seat["state"] for seat in shown["seats"]]


async def test_the_table_says_what_each_seat_is(table: Table) -> None:
    opened = await table.open(3, if_left="bot", clock={"move_seconds": 3600})
    ada, ben, _ = table.guests
    await ada.send(opened, {"type": "LeaveSeat"})
    assert states((await ada.get(f"/v1/games/{opened}")).json()["table"]) == ["free", "taken", "taken"]
    game = await table.start(3, if_left="bot", clock={"move_seconds": 3600})
    assert await rows(ada, "bot") == []
    await ben.send(game, RESIGN)
    [row] = await rows(ada, "bot")
    assert (row["game"], states(row)) == (game, ["taken", "reserved", "taken"])
    assert await rows(ada, "substitute") == []
    bot = await house_bot(table)
    assert (await bot.post(f"/v1/games/{game}/seats", json={})).status_code == 201
    shown = (await ada.get(f"/v1/games/{game}")).json()["table"]
    assert states(shown) == ["taken", "house", "taken"]
    assert (shown["seats"][1]["name"], shown["seats"][1]["kind"]) == ("House bot", "bot")
    assert await rows(ada, "bot") == []


async def test_what_was_left_to_anybody_is_vacant_and_to_nobody_closed(table: Table) -> None:
    for if_left, state in (("substitute", "vacant"), ("passes", "closed"), ("sold", "closed")):
        game = await table.start(3, if_left=if_left)
        await table.guests[1].send(game, RESIGN)
        assert states((await table.guests[0].get(f"/v1/games/{game}")).json()["table"])[1] == state
    [row] = await rows(table.guests[0], "substitute")
    assert states(row)[1] == "vacant"


async def test_a_house_bot_finds_and_joins_tables_that_are_not_for_everybody(table: Table) -> None:
    """Invitations are not part of the rules; the table agreed on house bots."""
    ada, ben, cleo = [await table.guest(name) for name in ("Ada", "Ben", "Cleo")]
    wish = {
        "listed": False,
        "invited": ["Ben", "Cleo"],
        "setup": {"seats": 3, "if_left": "bot", "clock": {"move_seconds": 3600}},
    }
    game = (await ada.post("/v1/games", json={"ruleset": "mcmulti", **wish})).json()["game"]
    for guest in (ada, ben, cleo):
        assert (await guest.post(f"/v1/games/{game}/seats", json={})).status_code == 201
    await ada.send(game, {"type": "StartGame"})
    await ben.send(game, RESIGN)
    zoe, bot = await table.guest("Zoe"), await house_bot(table)
    assert (await rows(zoe, "bot"), [row["game"] for row in await rows(bot, "bot")]) == ([], [game])
    assert (await bot.post(f"/v1/games/{game}/seats", json={})).status_code == 201
    assert (await ben.post(f"/v1/games/{game}/seats", json={})).status_code == 201


async def test_house_bots_are_called_otherwise_where_somebody_bears_their_name(table: Table) -> None:
    for name in ("House bot", "House bot 2"):  # reserved by now: they registered before it was
        await table.log.add_player(Player(uuid4(), name), first_token(await table.log.now()), name.encode().ljust(32))
    for number, player in enumerate(map(UUID, HOUSE), 3):
        await registered(table.log, player, "House bot", 1)
        await registered(table.log, player, "House bot", 1)
        assert await table.log.player(player) == Player(player, f"House bot {number}", "bot")


async def test_of_nobody_who_registers_the_id_is_that_of_the_house(table: Table) -> None:
    asked = {"name": "Zoe", "kind": "bot", "player": HOUSE[0]}
    assert (await table.client.post("/v1/players", json=asked)).status_code == 400
