"""Games in one process: a seat gets what a real server responds, over whole games of every rule set."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
import pytest

from mcmulti.arena.local import LocalGame, NotCarriedOut, local_game
from mcmulti.bots.strategies.registry import strategies_of, strategy_for
from mcmulti.client.client import Client, HttpProblem
from mcmulti.client.sources import fetched
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.store.game_file import lines, read
from mcmulti.library.steps import Sitter
from mcmulti.projections.proof.proof import verify
from mcmulti.server.database import opened_log
from mcmulti.server.process import answering, bound
from tests.pure.properties.random_games import seats_of

SETUPS: dict[str, dict[str, Any]] = {name: {"seats": seats_of(name)[0]} for name in CURRENT}
NONSENSE: tuple[list[dict[str, Any]], ...] = (
    [],
    [{"type": "StartGame"}],
    [{"type": "Pay"}],
    [{}],
    [{"type": "RollDice", "twice": True}, {"type": "EndTurn"}],
    [{"type": "EndTurn"}] * 65,
    [{"type": "Resign"}, {"type": "AnswerEnd", "how": "rank", "accept": 1}],
    [{"type": "Stake", "houses": 10**30}],
    [{"type": "BuyAsset", "kind": "rig", "site": {"row": 1, "column": 1}}, {"type": "LeaveSeat"}],
)
"""Commands that are always refused, in any game."""


class Shown(NamedTuple):
    """What a seat saw and sent: JSON with sorted members; `problem` if it was refused."""

    seat: int
    view: str
    offers: str
    besides: str
    answer: list[dict[str, Any]]
    problem: dict[str, Any] | None


@pytest.fixture
async def clients(database: str) -> AsyncIterator[list[Client]]:
    """Five players at a server."""
    async with AsyncExitStack() as stack:
        listener = stack.enter_context(bound("127.0.0.1", 0))
        log = await stack.enter_async_context(opened_log(database))
        address = await stack.enter_async_context(answering(log, listener))
        found = [await stack.enter_async_context(Client(address)) for _ in range(5)]
        for number, client in enumerate(found):
            await client.register(f"Player <{number}>")
        yield found


@pytest.mark.parametrize("ruleset", CURRENT)
async def test_a_seat_is_shown_and_answered_what_a_server_shows_and_answers(
    ruleset: str, clients: list[Client]
) -> None:
    seats = len(local_game(ruleset, SETUPS[ruleset]).sitters)
    opened = await clients[0].open_game(ruleset, **SETUPS[ruleset])
    for seat, client in enumerate(clients[:seats]):
        await client.take_seat(opened["game"], seat, entropy=f"dice-{seat}")
    await clients[0].send(opened["game"], [{"type": "StartGame"}])
    over_http = [shown async for shown in _over_http(clients[:seats], opened["game"], ruleset)]
    events = await fetched(clients[0], opened["game"])

    [seed] = [json.loads(event.data)["seed"] for event in events if event.type == "SeedRevealed"]
    players = [json.loads(event.data)["player"] for event in events if event.type == "SeatTaken"]
    sitters = [Sitter(UUID(player), f"Player <{n}>", f"dice-{n}") for n, player in enumerate(players)]
    setup: msgspec.Struct = msgspec.convert(SETUPS[ruleset], CURRENT[ruleset].setup)
    game = LocalGame(CURRENT[ruleset], setup, bytes.fromhex(seed), UUID(opened["game"]), sitters)
    for shown in over_http:
        assert _shown(game, shown.seat) == shown[:4]
        assert _problem(game, shown.seat, shown.answer) == shown.problem
    assert game.to_move == ()
    assert sum(shown.problem is not None for shown in over_http) >= 3
    record = game.record()
    assert _essence(record.events) == _essence(events)
    assert verify(record.events).fault is None


@pytest.mark.parametrize("ruleset", CURRENT)
def test_the_same_seed_and_strategies_make_the_same_bytes(ruleset: str) -> None:
    files = [b"".join(lines(_played(ruleset, seed).record())) for seed in (1, 1, 2)]
    assert files[0] == files[1] != files[2]
    assert verify(read(files[2].splitlines(keepends=True)).events).seed_revealed


@pytest.mark.parametrize("ruleset", CURRENT)
def test_without_sentences_an_offer_lacks_these_alone(ruleset: str) -> None:
    game = local_game(ruleset, SETUPS[ruleset], seed=3)
    seat = game.to_move[0]
    told = json.loads(game.offers(seat))
    assert all(offer.pop("sentence") for offer in told)
    assert json.loads(game.offers(seat, sentences=False)) == told


def test_what_is_no_json_is_not_carried_out() -> None:
    game = local_game("mcmulti", seed=1)
    for answer in ([{"type": b"EndPurchases"}], [{"type": float("nan")}], [{"type": {1}}]):
        with pytest.raises((TypeError, ValueError)):
            game.send(game.to_move[0], answer)
    assert game.seq == local_game("mcmulti", seed=1).seq


def test_a_setup_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="seats"):
        local_game("mcmulti", {"seats": 9})
    with pytest.raises(ValueError, match="3 players for 4 seats"):
        local_game("postal", names=("Anna", "Ben", "Carl"))
    with pytest.raises(ValueError, match="sold"):
        local_game("millionenspiel", {"if_left": "sold"})


async def _over_http(clients: list[Client], game: str, ruleset: str) -> AsyncIterator[Shown]:
    """A game of the best strategies, with a random one on the last seat; each seat sends nonsense now and then."""
    best, wild = strategies_of(ruleset)[0], strategies_of(ruleset)[-1]
    minds = [strategy_for(ruleset, wild if client is clients[-1] else best)(7) for client in clients]
    noise = Random(4)
    while True:
        now, _ = await clients[0].offers(game)
        if not now["to_move"]:
            return
        seat = now["to_move"][0]
        client = clients[seat]
        now, tag = await client.offers(game)
        view = (await client.view(game))["view"]
        odd = noise.random() < 0.2
        answer = noise.choice(NONSENSE) if odd else minds[seat](view, now["offers"])
        problem = None
        try:
            await client.send(game, answer, tag)
        except HttpProblem as refused:
            problem = refused.members
        assert (problem is not None) == odd
        yield Shown(seat, _sorted(view), _sorted(now["offers"]), _sorted(now["besides"]), answer, problem)


def _shown(game: LocalGame, seat: int) -> tuple[int, str, str, str]:
    view, offers, besides = (json.loads(told) for told in (game.view(seat), game.offers(seat), game.besides(seat)))
    return seat, _sorted(view), _sorted(offers), _sorted(besides)


def _sorted(told: Any) -> str:
    return json.dumps(told, sort_keys=True)


def _problem(game: LocalGame, seat: int, answer: list[dict[str, Any]]) -> dict[str, Any] | None:
    before = game.state
    try:
        game.send(seat, answer)
    except NotCarriedOut as refused:
        assert game.state is before
        members: dict[str, Any] = json.loads(msgspec.json.encode(refused.problem))
        return members
    return None


def _essence(events: Sequence[Recorded]) -> list[tuple[Any, ...]]:
    """The content of events, without recording times and command ids, and without hashes, which depend on these."""
    return [(e.seq, e.type, e.data, e.rule, e.actor, e.command) for e in events]


def _played(ruleset: str, seed: int) -> LocalGame:
    game = local_game(ruleset, SETUPS[ruleset], seed=seed)
    minds = [strategy_for(ruleset, strategies_of(ruleset)[0])(seat) for seat in range(len(game.sitters))]
    while game.to_move:
        seat = game.to_move[0]
        game.send(seat, minds[seat](json.loads(game.view(seat)), json.loads(game.offers(seat))))
    return game
