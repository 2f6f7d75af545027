"""Games that are prepared for a load are legal to their last move."""

import socket
from collections.abc import AsyncIterator
from typing import NamedTuple

import pytest

from mcmulti.cli.bench.games import prepared
from mcmulti.cli.bench.load import commanding, load, reading
from mcmulti.domain.mcmulti import RULESET
from mcmulti.events.log.codec import command_decoder, fold
from mcmulti.events.log.envelope import broken_link
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.errors import NameTaken
from mcmulti.events.ports.game_index import GamesWanted
from mcmulti.referee.referee import Referee
from mcmulti.referee.ruling import Ruling
from mcmulti.server.process import answering


class Server(NamedTuple):
    """A server over a log in memory."""

    log: MemoryLog
    host: str
    port: int


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    log = MemoryLog()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        async with answering(log, listener):
            yield Server(log, *listener.getsockname())


async def test_the_moves_of_a_prepared_game_are_legal_and_do_not_end_it() -> None:
    log = MemoryLog()
    (game,) = await prepared(log, 1, seats=3, commands=150)
    assert len(game.moves) == 150
    referee = Referee(log)
    decode = command_decoder(RULESET.name, RULESET.version)
    for move in game.moves:
        done = await referee.command(game.game_id, game.players[move.seat], [decode(move.command)])
        assert isinstance(done, Ruling)
    events = await log.read(game.game_id)
    assert broken_link(events) is None
    assert RULESET.status(fold(RULESET, events)) == "running"
    wanted = GamesWanted(player_ids=(game.players[2].player_id,))
    assert {game.game_id} == {listed.game_id for listed in await log.games(10, wanted=wanted)}


async def test_the_same_seed_prepares_the_same_games() -> None:
    first, again, other = [await prepared(MemoryLog(), 2, 2, 20, seed) for seed in (7, 7, 8)]
    assert first == again
    assert first[0] != first[1]
    assert not {game.game_id for game in first} & {game.game_id for game in other}


async def test_a_log_takes_the_games_of_a_seed_once() -> None:
    log = MemoryLog()
    await prepared(log, 1, 2, 1)
    with pytest.raises(NameTaken):
        await prepared(log, 1, 2, 1)


async def test_a_load_plays_prepared_games_over_http_and_goes_on_with_them(server: Server) -> None:
    """Two clients, each in a game of its own: the second load finds the games where the first left them."""
    games = await prepared(server.log, 2, seats=2, commands=4000)
    clients = [commanding(game) for game in games]
    answers = 0
    for _ in range(2):
        done = await load(server.host, server.port, clients, 0.1)
        assert done.clients == 2
        assert done.cpu_seconds > 0
        answers += done.answers
        assert 0 < done.latency.p50 <= done.latency.p95 <= done.latency.p99 <= done.latency.longest
    left = sum(1 for client in clients for _ in client)
    assert answers + left == 2 * 4000
    commands = [event for game in games for event in await server.log.read(game.game_id) if event.command]
    assert len(commands) == answers + 2 * (2 + 1)  # in addition to two seats taken and the start


async def test_a_load_ends_when_a_client_has_nothing_left_to_send(server: Server) -> None:
    (game,) = await prepared(server.log, 1, seats=2, commands=5)
    done = await load(server.host, server.port, [commanding(game)], 60)
    assert done.answers == 5
    assert done.seconds < 60


async def test_a_load_reads_too(server: Server) -> None:
    (game,) = await prepared(server.log, 1, seats=2, commands=0)
    request = reading(f"/v1/games/{game.game_id}/offers", game.tokens[1])
    assert (await load(server.host, server.port, [iter([request] * 3)], 60)).answers == 3
    stranger = reading(f"/v1/games/{game.game_id}/offers")
    assert (await load(server.host, server.port, [iter([stranger])], 60, expected=401)).answers == 1
