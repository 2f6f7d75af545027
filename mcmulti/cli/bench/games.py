"""Games played in advance, so that a load generator sends legal commands without knowing any rules.

The dice of a game follow from its id and its secret. Anyone who chooses both knows the dice in advance, so such games
are only for databases that are thrown away.
"""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Struct

from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.commands import StartGame
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.table import Status
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.events.log.codec import draft
from mcmulti.events.log.envelope import START, Draft, seal
from mcmulti.events.ports.accounts import Player, first_token
from mcmulti.events.ports.game_index import TableRow
from mcmulti.events.ports.log import Log
from mcmulti.library.steps import take
from mcmulti.simulation import any_offer, carry_on

AT_ONCE = 32
"""Games that are written at the same time."""

_endless = partial(any_offer, weights={**RULESET.commands.weights, "DeclareVictory": 0})


class Move(NamedTuple):
    """A command, as JSON, and the seat that sends it."""

    seat: int
    command: bytes


class PreparedGame(NamedTuple):
    """A game in the log that waits for its first command after the start.

    `moves` are legal in this order from there on, and the game is not over after the last. `players` and their `tokens`
    are by seat.
    """

    game_id: UUID
    players: tuple[Player, ...]
    tokens: tuple[str, ...]
    moves: list[Move]


class _Played(NamedTuple):
    """A game to be played, the secret of its dice, and the events up to its start."""

    game: PreparedGame
    secret: bytes
    drafts: list[Draft]
    status: Status


async def prepared(log: Log, count: int, seats: int = 4, commands: int = 1000, seed: int = 0) -> list[PreparedGame]:
    """Open `count` games in the log, seat new players, start, and play `commands` in advance, at random.

    The same `seed` gives the same ids, tokens, dice, and commands, so a log accepts each seed only once. Raises
    `Conflict` or `NameTaken`.
    """
    played: list[_Played] = []
    for number in range(count):
        played.append(_play_long_game(Random(f"{seed} {number}"), seats, commands))
        await asyncio.sleep(0)  # let other tasks run between two games
    for start in range(0, count, AT_ONCE):
        await asyncio.gather(*(_store_game(log, game) for game in played[start : start + AT_ONCE]))
    return [one.game for one in played]


def _play_long_game(random: Random, seats: int, commands: int) -> _Played:
    """Nobody declares victory, so a game can be as long as needed."""
    game_id = UUID(int=random.getrandbits(128), version=4)
    secret = random.randbytes(32)
    chance = SeededChance(secret, str(game_id))
    tokens = tuple(f"mcm_{random.randbytes(32).hex()}" for _ in range(seats))
    players = tuple(
        Player(UUID(int=random.getrandbits(128), version=4), f"{game_id.hex[:24]} seat {seat}") for seat in range(seats)
    )
    opened = RULESET.open(str(game_id), Setup(seats=seats), chance)
    assert not isinstance(opened, Rejection)
    drafts, state = draft(opened.facts), opened.state
    for seat, command in _to_the_start(players):
        step = take(RULESET, state, None if command is not _START else seat, command, chance)
        drafts += draft(step.facts, seat, UUID(int=random.getrandbits(128), version=4), command)
        state = step.state
    moves = list(_moves(state, chance, random, commands))
    return _Played(PreparedGame(game_id, players, tokens, moves), secret, drafts, RULESET.status(state))


_START = StartGame()


def _to_the_start(players: tuple[Player, ...]) -> Iterator[tuple[int, Struct]]:
    for seat, player in enumerate(players):
        yield seat, RULESET.commands.joining(player=str(player.player_id), seat=seat)
    yield 0, _START


def _moves(state: Any, chance: SeededChance, random: Random, commands: int) -> Iterator[Move]:
    for step in carry_on(RULESET, state, chance, random, _endless, commands):
        assert step.seat is not None
        yield Move(step.seat, msgspec.json.encode(step.command))


async def _store_game(log: Log, played: _Played) -> None:
    game = played.game
    now = datetime.now(UTC)
    for player, token in zip(game.players, game.tokens, strict=True):
        await log.add_player(player, first_token(now), sha256(token.encode()).digest())
    events = seal(game.game_id, START, played.drafts, now)
    stands = TableRow(played.status, tuple(player.player_id for player in game.players))
    await log.create(game.game_id, RULESET.name, RULESET.version, stands, played.secret, events)
