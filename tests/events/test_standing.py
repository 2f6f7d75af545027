"""After every append, the log's record of where a game stands equals what its events lead to."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
import pytest
from msgspec.structs import replace

from mcmulti.domain.core.commands import TakeSeat
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log.codec import draft
from mcmulti.events.log.envelope import START, seal
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.game_index import TableRow
from mcmulti.events.ports.log import Log
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.store.standing import retraced, tenures
from mcmulti.library.steps import Step
from mcmulti.referee.referee import Referee
from mcmulti.referee.scheduler import time_out
from tests.golden.released import random_steps

BEGAN = datetime(2024, 2, 29, 12, tzinfo=UTC)


async def _refereed(log: Log, ruleset: Ruleset[Any], steps: list[Step]) -> list[TableRow]:
    """Let a referee play a game again, and compare after every append. Return the log's records."""
    game_id = UUID(str(msgspec.to_builtins(steps[0].facts[0].event)["game_id"]))
    secret = bytes.fromhex(str(msgspec.to_builtins(steps[-1].facts[-1].event)["seed"]))
    now = BEGAN
    referee = Referee(log, lambda: now)
    opening = seal(game_id, START, draft(steps[0].facts), now)
    await log.create(game_id, ruleset.name, ruleset.version, retraced(ruleset, opening), secret, opening)
    said, players = [], dict[int, Player]()
    for step in steps[1:]:
        now += timedelta(seconds=1)
        command = step.command
        if isinstance(command, TakeSeat):
            player = Player(UUID(command.player), "Somebody")
            ruling = await referee.command(game_id, player, [command])
            players[ruleset.players(step.state).index(command.player)] = player
        elif step.seat is None:
            now = max(now, (await log.game(game_id)).deadline or now)
            refereed = await time_out(referee, game_id)
            assert refereed is not None
            ruling = refereed
        else:
            ruling = await referee.command(game_id, players[step.seat], [command])
        game = await log.game(game_id)
        events = await log.read(game_id)
        assert game.standing == retraced(ruleset, events)
        assert (game.head, game.moved_at) == (ruling.position.head, events[-1].recorded_at)
        assert (await referee.logged(ruling.position))[1] == game
        assert set(await log.tenures_at(game_id)) == set(tenures(ruleset, events))
        said.append(game.standing)
    return said


def _short(name: str) -> list[Step]:
    games = (list(random_steps(CURRENT[name], seed)) for seed in range(1000))
    return next(
        steps
        for steps in games
        if sum(len(step.facts) for step in steps) < 900 and CURRENT[name].status(steps[-1].state) == "finished"
    )


@pytest.mark.parametrize("name", CURRENT)
async def test_it_is_what_the_events_lead_to(name: str) -> None:
    said = await _refereed(MemoryLog(), CURRENT[name], _short(name))

    assert [each.status for each in (said[0], said[len(said) // 2], said[-1])] == ["open", "running", "finished"]
    assert said[-1].winners
    assert said[-1].ended_by in CURRENT[name].texts.rules["en"]
    assert said[-1].to_move == ()
    assert said[-1].deadline is None
    assert {each.ended_by for each in said[:-1]} == {None}


@pytest.mark.parametrize("name", ["postal", "millionenspiel"])
async def test_postgres_keeps_all_of_it(name: str, database: str) -> None:
    async with PostgresLog.open(database) as log:
        await _refereed(log, CURRENT[name], _short(name))


async def test_it_is_made_anew_where_it_is_wrong(database: str) -> None:
    """Without an event, as mcmulti doctor does it."""
    steps = _short("millionenspiel")
    async with PostgresLog.open(database) as log:
        right = (await _refereed(log, CURRENT["millionenspiel"], steps))[-1]
        game = (await log.games(1))[0]
        await log.append(game.game_id, game.head, [], TableRow("running", (None,), (0,), 3, deadline=BEGAN))
        wrong = await log.game(game.game_id)
        assert wrong == game._replace(standing=TableRow("running", (None,), (0,), 3, deadline=BEGAN))

        await log.append(game.game_id, game.head, [], replace(right, deadline=None), reseated=True)

        assert await log.game(game.game_id) == game
