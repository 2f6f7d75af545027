"""An unrecorded draw reveals nothing: a refusal follows from the position, whatever the seed."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from msgspec import Struct
from msgspec.structs import replace

from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.commands import StartGame
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log.envelope import Head, Recorded
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.game_index import TableRow
from mcmulti.library.steps import take
from mcmulti.referee.referee import Referee
from mcmulti.referee.ruling import Refused, Ruling
from mcmulti.simulation import any_offer
from tests.games import record
from tests.profiles import profile_of
from tests.pure.properties.random_games import game
from tests.thorough import QUICK

SEEDS = (bytes(32), bytes([7] * 32))
"""Two other seeds than the one that the games were played with up to the request. Their logs commit to them."""
MOVES = 150
TRIES = 40 if QUICK else 120


class Moment(NamedTuple):
    """A game halfway through: its log for this seed or that, and the state after it."""

    ruleset: Ruleset[Any]
    game_id: UUID
    logs: Mapping[bytes, Sequence[Recorded]]
    state: Any


class Answer(NamedTuple):
    """The result of a request, without the ids that only name it."""

    refused: tuple[Any, ...] | None
    drawn: bool = False
    undecided: int | None = None
    told: tuple[tuple[str, bytes], ...] = ()


@lru_cache(maxsize=64)
def recorded(name: str, seed: int, secret: bytes) -> tuple[Recorded, ...]:
    """The log of a game, which commits to this secret seed, so no server continues with another."""
    opening, *steps = game(name, seed)[:MOVES]
    game_id = opening.state.game_id
    opened, *facts = opening.facts
    promised: Any = opened.event
    promised = replace(promised, commitment=SeededChance(secret, game_id).commitment)
    opening = replace(opening, facts=(replace(opened, event=promised), *facts))
    return tuple(record(UUID(game_id), [opening, *steps]))


def moment(name: str, seed: int, number: int) -> Moment:
    steps = game(name, seed)[:MOVES]
    number %= len(steps)
    length = sum(len(step.facts) for step in steps[: number + 1])
    logs = {secret: recorded(name, seed, secret)[:length] for secret in SEEDS}
    state = steps[number].state
    return Moment(CURRENT[name], UUID(state.game_id), logs, state)


def guessed(at: Moment, seat: int, random: Random, *, first: bool = False) -> list[Struct]:
    """What a cheat would send: moves that would be legal in sequence if the dice fell in one certain way.

    `first`: only the first that the game offers.
    """
    moves = {move.__name__: move for move in at.ruleset.commands.moves}
    complete = profile_of(at.ruleset.name).fill
    chance = SeededChance(random.randbytes(32), str(at.game_id))
    state, commands = at.state, []
    for _ in range(1 if first else random.choice((1, 1, 2, 3, 5))):
        offers = [offer for offer in at.ruleset.offers(state, seat) if offer.command in moves][: 1 if first else None]
        if not offers:
            break
        offer = any_offer(random, tuple(offers), at.ruleset.commands.weights)
        commands.append(complete(random, offer, moves[offer.command]))
        state = take(at.ruleset, state, seat, commands[-1], chance).state
    return commands


async def answer(at: Moment, seed: bytes, player: Player, commands: Sequence[Struct], trial: bool) -> Answer:
    """The response of a server whose game has this seed."""
    log, events = MemoryLog(), at.logs[seed]
    await log.create(
        at.game_id, at.ruleset.name, at.ruleset.version, TableRow(at.ruleset.status(at.state)), seed, list(events)
    )
    referee = Referee(log)
    ask = referee.dry_run if trial else referee.command
    try:
        outcome: Ruling = await ask(at.game_id, player, commands, [Head(events[-1].seq, events[-1].hash)])
    except Refused as refused:
        assert await log.read(at.game_id, len(events)) == []
        return Answer((refused.index, refused.rejection))
    return Answer(None, outcome.drawn, outcome.undecided, tuple((event.type, event.data) for event in outcome.events))


@pytest.mark.parametrize("name", CURRENT)
def test_a_refusal_is_the_same_whatever_the_seed(name: str) -> None:
    random, came_of = Random(name), Counter[str]()
    for number in range(TRIES):
        at = moment(name, number % 12, random.randrange(MOVES))
        if number % 2:  # more often when one player delays all others: by post, the last sheet lets the dice fall
            awaited = (moment(name, number % 12, random.randrange(MOVES)) for _ in range(20))
            at = next((one for one in awaited if len(at.ruleset.to_move(one.state)) == 1), at)
        elif number % 4 == 0:  # all have sat down: some games draw at the start, and never again
            at = moment(name, number % 12, len(at.state.chairs))
        seated = [player for player in at.ruleset.players(at.state) if player]
        if not seated:
            continue
        moving = at.ruleset.to_move(at.state)
        seat = random.choice(moving) if moving and random.random() < 0.9 else random.randrange(len(seated))
        player = Player(UUID(seated[seat]), "Somebody")
        commands = guessed(at, seat, random)
        if number % 8 == 0:
            commands = [StartGame()]
        elif number % 8 == 1 and moving:  # only what the game asks for first: by post, the last sheet
            commands = guessed(at, moving[0], random, first=True)
            player = Player(UUID(seated[moving[0]]), "Somebody") if len(moving) == 1 else player
        elif random.random() < 0.5 or not commands:
            hostile = random.choice(at.ruleset.commands.moves)
            commands.append(hostile() if not hostile.__struct_fields__ else StartGame())

        first, other = (asyncio.run(answer(at, secret, player, commands, False)) for secret in SEEDS)
        tried, tried_otherwise = (asyncio.run(answer(at, secret, player, commands, True)) for secret in SEEDS)
        assert tried == tried_otherwise
        assert tried.refused == first.refused == other.refused
        assert first.drawn is other.drawn is (tried.undecided is not None)
        if first.drawn:
            assert tried.undecided == len(commands) - 1
        elif name not in ("postal", "marracash"):  # the salts of sheets and of ceilings differ there
            assert first == other
        came_of[first.refused[1].code if first.refused else "drawn" if first.drawn else "accepted"] += 1
    # These would prove nothing if they were never tried.
    assert min(came_of["one_draw"], came_of["drawn"], came_of["accepted"]) >= TRIES // 40, came_of
