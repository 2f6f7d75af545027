"""Long games, with the guests of a table on their seats: played here, and written to the log."""

from random import Random
from uuid import UUID

import msgspec

from mcmulti.arena.local import LocalGame
from mcmulti.bots.strategies.registry import STRATEGIES
from mcmulti.bots.strategy import Strategy
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.store.standing import row_of
from mcmulti.library.steps import Sitter
from tests.api.guests import Table
from tests.profiles import profile_of


async def played(table: Table, ruleset: str, turn: int, seat: int = 0, want: str = "") -> str:
    """The id of a game in which a seat is asked in this turn, or as soon as possible after it.

    `want`: the command that it must be offered, if any. Without such a moment, the game stays at the last one at which
    the seat was asked.
    """
    long = profile_of(ruleset).long
    assert long is not None
    seats, strategy, seed, _ = long
    for name in ("Ada", "Ben", "Cleo", "Dan")[len(table.guests) : seats]:
        await table.guest(name)
    sitters = []
    for guest in table.guests[:seats]:
        me = (await guest.get("/v1/players/me")).json()
        sitters.append(Sitter(UUID(me["player"]), me["name"]))
    secret = Random(seed).randbytes(32)
    rules = CURRENT[ruleset]
    id_ = UUID(int=Random(f"{ruleset} {turn} {want}").getrandbits(128), version=4)
    game = LocalGame(rules, msgspec.convert({"seats": seats}, rules.setup), secret, id_, sitters)
    minds: list[Strategy] = [_mind(ruleset, strategy, seed + each) for each in range(seats)]
    kept = game.position
    while game.to_move:
        mover = seat if seat in game.to_move else game.to_move[0]
        view, offers = (msgspec.json.decode(each) for each in (game.view(mover), game.offers(mover, sentences=False)))
        if mover == seat and (not want or want in {offer["command"] for offer in offers}):
            kept = game.position
            if rules.turn(game.state) >= turn:
                break
        game.send(mover, minds[mover](view, offers))
    events = game.record().events[: kept.head.seq]
    await table.log.create(id_, rules.name, rules.version, row_of(rules, kept.state, None), secret, events)
    return str(id_)


def _mind(ruleset: str, strategy: str, seed: int) -> Strategy:
    return STRATEGIES[ruleset][strategy](seed)
