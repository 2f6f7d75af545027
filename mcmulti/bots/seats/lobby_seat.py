"""A seat of a lobby bot, in a separate process: if a strategy hangs, or dies, no other game is affected.

``python -m mcmulti.bots.seats.lobby_seat``: the first line of standard input says where, as which player, and how it
plays. It plays to the end of the game, however often the server is down, and then writes the result to standard output,
as a line of JSON. It ends when standard input does.
"""

import asyncio
import os
import sys
from typing import Literal

import msgspec
from msgspec import Struct

from mcmulti.bots.seats.house import until_input_ends
from mcmulti.bots.seats.player import play
from mcmulti.bots.seats.seat import results
from mcmulti.bots.seats.trouble import StrategyFailed, Trouble, Watched
from mcmulti.bots.strategies.own import maker_of
from mcmulti.client.client import Client, HttpProblem, ServerAway

PATIENCE = 60.0
"""Seconds for which requests are retried if the server is down or overloaded."""
PAUSE = 2.0
"""Seconds until retries begin again."""


class LobbySeat(Struct, frozen=True):
    """Where to play, with which token, and how; `seconds`: the most time for a decision."""

    server: str
    token: str
    game: str
    ruleset: str
    strategy: str
    seed: int
    seconds: float


class SeatEnded(Struct, frozen=True):
    """How it ended: the game is `over`, the strategy `failed`, the seat is `lost`, or the token is no longer accepted.

    `text`: lines for people. `trouble`: the position in which a strategy failed, if it was asked at all.
    """

    how: Literal["over", "failed", "lost", "unknown"]
    text: str = ""
    trouble: Trouble | None = None


async def played(seat: LobbySeat) -> SeatEnded:
    """Play the game to its end."""
    try:
        strategy = maker_of(seat.ruleset, seat.strategy)(seat.seed)
    except Exception as error:
        return SeatEnded("failed", f"{type(error).__name__}: {error}")
    mind = Watched(strategy, name=seat.strategy, ruleset=seat.ruleset, seed=seat.seed, seconds=seat.seconds)
    async with Client(seat.server, token=seat.token, patience=PATIENCE) as client:
        try:
            while True:
                try:
                    view = await play(client, seat.game, mind)
                    return SeatEnded("over", "\n".join([line async for line in results(client, seat.game, view)]))
                except ServerAway:
                    pass
                except HttpProblem as problem:
                    if problem.code in ("no_seat", "unknown_game"):
                        return SeatEnded("lost", problem.detail)
                    if problem.status == 401:
                        return SeatEnded("unknown", problem.detail)
                    if isinstance(failure := mind.refused(problem), StrategyFailed):
                        raise failure from None
                await asyncio.sleep(PAUSE)
        except StrategyFailed as failure:
            return SeatEnded("failed", str(failure), failure.trouble)
        finally:
            mind.close()


def main() -> None:
    """Play, and report the end."""
    seat = msgspec.json.decode(sys.stdin.buffer.readline(), type=LobbySeat)
    with os.fdopen(os.dup(1), "wb") as out:
        os.dup2(2, 1)  # output of strategies must not mix with the result
        ended = asyncio.run(until_input_ends(played(seat)))
        if ended is not None:
            out.write(msgspec.json.encode(ended) + b"\n")


if __name__ == "__main__":
    main()
