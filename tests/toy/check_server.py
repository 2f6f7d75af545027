"""A whole fair of five bots over HTTP, and everything the server then says about it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import msgspec
import pytest

from mcmulti.bots.seats.player import play
from mcmulti.bots.seats.seat import Invitation, take_part
from mcmulti.bots.strategies.registry import strategies_of, strategy_for
from mcmulti.client.client import Client, HttpProblem
from mcmulti.client.sources import fetched
from mcmulti.events.embedded.server import EmbeddedPostgres
from mcmulti.events.log.codec import fold, opened_with
from mcmulti.events.log.envelope import Recorded
from mcmulti.projections.books.ledger import balanced, entries
from mcmulti.projections.proof.proof import verify
from mcmulti.server.database import opened_log
from mcmulti.server.process import answering, bound
from tests.conftest import new_database
from tests.projections.bookkeeping import checked

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve")


class Played(NamedTuple):
    """A finished fair at a server, and the seats of its clients."""

    client: Client
    game: str
    events: list[Recorded]
    views: Sequence[dict[str, Any]]

    async def read(self, path: str, **query: Any) -> Any:
        """The game as JSON, from that address."""
        return msgspec.json.decode(await self.client.content(f"/v1/games/{self.game}{path}", **query))


@pytest.fixture(scope="module")
async def played(postgres: EmbeddedPostgres, migrated: str) -> AsyncIterator[Played]:
    with new_database(postgres, template=migrated) as name, bound("127.0.0.1", 0) as listener:
        async with opened_log(postgres.url(database=name)) as log, answering(log, listener) as address:
            clients = [Client(address) for _ in NAMES]
            game = ""
            for seat, (client, player) in enumerate(zip(clients, NAMES, strict=True)):
                await client.register(player)
                game = game or str((await client.open_game("wool_fair", days=4))["game"])
                await client.take_seat(game, seat, entropy=f"{seat}")
            make = strategy_for("wool_fair", *strategies_of("wool_fair"))
            views = await asyncio.gather(*(play(client, game, make(seat)) for seat, client in enumerate(clients)))
            yield Played(clients[0], game, await fetched(clients[0], game), views)
            for client in clients:
                await client.__aexit__(None, None, None)


async def test_five_bots_play_to_the_end_and_the_game_is_proven(played: Played) -> None:
    assert {view["status"] for view in played.views} == {"finished"}
    assert len(played.views[0]["seats"]) == 5
    assert [event.type for event in played.events[-2:]] == ["FairClosed", "SeedRevealed"]
    proof = verify(played.events)
    assert (proof.fault, proof.seed_revealed) == (None, True)


async def test_bots_find_together_at_a_fair_and_say_how_it_went(played: Played) -> None:
    """Two bots by themselves. At the end, each prints what the replay and the statistics say."""
    said: list[list[str]] = [[], []]
    sits: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def say(line: str) -> None:
        said[0].append(line)
        if not sits.done():
            sits.set_result(line)

    address = played.client.server
    async with asyncio.TaskGroup() as players:
        table = Invitation(ruleset="wool_fair", setup={"seats": 2, "days": 2})
        players.create_task(take_part(address, table, "First", None, 1, say))
        game = (await sits).rpartition(" ")[2]
        players.create_task(take_part(address, Invitation(game), "Second", "random", 2, said[1].append))
    assert said[0][1:] == said[1][1:]
    has = {line.split()[0]: int(line.split(" with ")[1].split()[0]) for line in said[0][1:]}
    assert set(has) == {"First", "Second"}
    for line in said[0][1:]:
        name = line.split()[0]
        assert line == f"{name}{' wins' * (has[name] == max(has.values()))} with {has[name]} florins and 0 wool"


async def test_the_replay_tells_all_in_both_languages_and_knows_what_everybody_has(played: Played) -> None:
    for language, end in (("en", "recompute the dice."), ("de", "nachrechnen.")):
        frames = (await played.read("/replay", limit=1000, language=language))["frames"]
        assert [frame["seq"] for frame in frames] == [event.seq for event in played.events]
        assert frames[-1]["happened"][0]["sentence"].endswith(end)
    has = [{"florins": seat["purse"], "wool": seat["store"]} for seat in played.views[0]["seats"]]
    assert [holding["amounts"] for holding in frames[-1]["holdings"]] == has
    assert [frame["turn"] for frame in (await played.read("/replay", by="turn"))["frames"]][-1] == 4


async def test_the_books_sum_to_zero_and_name_no_dollar(played: Played) -> None:
    balances = await played.read("/balances")
    assert {unit["unit"]: unit["sum"] for unit in balances["trial_balance"]} == {"florins": 0, "wool": 0}
    ledger = await played.read("/ledger")
    assert {line["account"].partition(":")[0] for line in ledger["lines"]} <= {"seat", "mint", "pens", "pen"}
    flows = await played.read("/flows")
    assert {flow["unit"] for flow in flows["flows"]} <= {"florins", "wool"}
    for statement in (await played.read("/statements"))["statements"]:
        assert statement["unit"] in ("florins", "wool")


@pytest.mark.parametrize(("tool", "name"), [("hledger", "ledger.journal"), ("beancount", "ledger.beancount")])
async def test_bookkeepers_tools_accept_the_journals(played: Played, tool: str, name: str, tmp_path: Path) -> None:
    journal = await played.client.content(f"/v1/games/{played.game}/{name}")
    assert checked(tool, {"fair": journal}, tmp_path) == (True, "")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", ["cash", "worth", "prices", "dice"])
async def test_every_chart_is_drawn(played: Played, name: str, language: str) -> None:
    drawn = await played.client.content(f"/v1/games/{played.game}/charts/{name}", language=language)
    said = " ".join(ElementTree.fromstring(drawn).itertext())
    assert "dollar" not in said.lower()
    if name in ("cash", "worth"):
        assert all(player in said for player in NAMES)
        assert {"en": "florins", "de": "Gulden"}[language] in said


async def test_there_is_no_board_to_draw(played: Played) -> None:
    with pytest.raises(HttpProblem) as raised:
        await played.client.content(f"/v1/games/{played.game}/board.svg")
    assert (raised.value.status, raised.value.code) == (404, "no_picture")


async def test_the_statistics_count_florins_and_the_die_of_the_day(played: Played) -> None:
    counted = (await played.read("/statistics"))["statistics"]
    assert counted["names"] == list(NAMES)
    assert counted["winners"] == played.views[0]["winners"]
    assert counted["turns"] == 4
    assert sum(counted["dice"][0]["faces"]) == 3  # one after each day except the last
    ruleset, balance = opened_with(played.events[0]), balanced(entries(played.events))
    money = [holding.amounts["florins"] for holding in ruleset.books.gauges(fold(ruleset, played.events)).holdings]
    for seat, has in enumerate(money):
        won = [flow["income"] - flow["spending"] for flow in counted["flows"] if flow["seat"] == seat]
        assert has == balance.accounts[f"seat:{seat}:purse"]["florins"] == sum(won)


async def test_a_changed_amount_is_found(played: Played) -> None:
    """A purchase for a florin less than it cost."""
    number = next(index for index, event in enumerate(played.events) if event.type == "WoolBought")
    event = played.events[number]
    data = msgspec.json.decode(event.data)
    changed = event._replace(data=msgspec.json.encode({**data, "paid": data["paid"] - 1}))
    proof = verify([*played.events[:number], changed, *played.events[number + 1 :]])
    assert proof.fault is not None
    assert f"event {event.seq}" in proof.fault
