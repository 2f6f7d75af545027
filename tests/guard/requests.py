"""The requests that are counted, and the preparations for each of them."""

from collections.abc import Awaitable, Callable, Iterator
from itertools import count, islice
from random import Random
from typing import Any, NamedTuple

import msgspec

from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.marracash import RULESET as MARRACASH
from mcmulti.domain.marracash.state import MarraCashSetup
from mcmulti.domain.mcmulti import RULESET as MCMULTI
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.library.steps import Step
from mcmulti.simulation import play
from tests.guard.server import Request, Server
from tests.pure.postal.games import postal_game, whimsically

WARM = 7
"""Warm-up requests of each kind: from the sixth on, a connection sends a prepared statement."""
LISTED = range(1000, 1012)
"""Seeds of running games, for lists."""
STEPS = 300
"""Steps of the game that is read."""
BEGUN = 30
"""Minimum number of steps before a command is sent."""

Simulated = Callable[[int], Iterator[Step]]
"""A game by its seed."""


class Kind(NamedTuple):
    """Requests of a kind. All but the last are for warm-up. `status`: of each response."""

    requests: list[Request]
    status: int = 200


Prepared = Callable[[Server], Awaitable[Kind]]
"""Puts into the log what requests of a kind need."""


def _play(ruleset: Ruleset[Any], setup: Any) -> Simulated:
    return lambda seed: play(ruleset, setup, seed)


def _post(seed: int) -> Iterator[Step]:
    return postal_game(seed, whimsically)


_mcmulti, _marracash = _play(MCMULTI, Setup(seats=4)), _play(MARRACASH, MarraCashSetup())


def _secret(seed: int) -> bytes:
    """The secret that simulations take for a seed."""
    return Random(seed).randbytes(32)


async def _game(server: Server) -> str:
    """The game that is read."""
    return await server.once("read", lambda: server.keep([*islice(_mcmulti(1), STEPS)], _secret(1)))


def _reading(path: str) -> Prepared:
    """A read of that game, or of none."""

    async def prepared(server: Server) -> Kind:
        game = await _game(server)
        return Kind([Request("GET", path.format(game=game))] * (WARM + 1))

    return prepared


async def _unchanged(server: Server) -> Kind:
    path = f"/v1/games/{await _game(server)}"
    tag = (await server.send(Request("GET", path))).header("etag")
    return Kind([Request("GET", path, headers=(("if-none-match", tag),))] * (WARM + 1), 304)


async def _listing(server: Server) -> Kind:
    for seed in LISTED:
        await server.keep([*islice(_mcmulti(seed), BEGUN)], _secret(seed))
    return Kind([Request("GET", "/v1/games")] * (WARM + 1))


def _command(name: str, simulated: Simulated, first: int) -> Prepared:
    """Commands in running games, each in another one. `first`: the seed of the first game."""

    async def prepared(server: Server) -> Kind:
        games = (found for seed in count(first) if (found := _before(name, simulated, seed)) is not None)
        return Kind([await _sent_next(server, game) for game in islice(games, WARM + 1)])

    return prepared


class _Game(NamedTuple):
    """A game up to its last two commands, of which the last one is counted."""

    seed: int
    played: list[Step]
    last: Step
    then: Step


def _before(name: str, simulated: Simulated, seed: int) -> _Game | None:
    """A game just before the first command of this name that is late enough. None if it has none."""
    played: list[Step] = []
    for step in simulated(seed):
        if len(played) > BEGUN and type(step.command).__name__ == name and played[-1].seat is not None:
            return _Game(seed, played[:-1], played[-1], step)
        played.append(step)
    return None


async def _sent_next(server: Server, game: _Game) -> Request:
    """The command to count. The one before it is sent first, so that the game and its dice are cached."""
    address = f"/v1/games/{await server.keep(game.played, _secret(game.seed))}"
    before, then = (
        _keyed(Request("POST", f"{address}/commands", {"commands": [step.command]}, player=step.seat or 0), number)
        for number, step in enumerate((game.last, game.then))
    )
    response = await server.send(before)
    assert response.status == 200, response
    return then


def _keyed(request: Request, number: int) -> Request:
    """With an idempotency key, as clients send changes."""
    return request._replace(headers=(("idempotency-key", f"guard-{number:06}"),))


async def _again(server: Server) -> Kind:
    game = _before("SellBarrels", _mcmulti, 250)
    assert game is not None
    request = await _sent_next(server, game)
    await server.send(request)
    return Kind([request] * (WARM + 1))


def _opening(number: int) -> Request:
    body = {"ruleset": "mcmulti", "setup": {"seats": 4, "first_seat": 0}}
    return _keyed(Request("POST", "/v1/games", body), number)


async def _opened(_: Server) -> Kind:
    return Kind([_opening(number) for number in range(WARM + 1)], 201)


async def _seats(server: Server) -> Kind:
    opened = [await server.send(_opening(500 + number)) for number in range(WARM + 1)]
    tables = [msgspec.json.decode(response.body)["game"] for response in opened]
    return Kind([_keyed(Request("POST", f"/v1/games/{table}/seats", {}), 0) for table in tables], 201)


KINDS: dict[str, Prepared] = {
    "games, listed": _listing,  # first, since later requests make the list longer
    "bid": _command("Bid", _marracash, 300),
    "board.svg": _reading("/v1/games/{game}/board.svg"),
    "events, a page": _reading("/v1/games/{game}/events"),
    "game opened": _opened,
    "ledger": _reading("/v1/games/{game}/ledger"),
    "offers": _reading("/v1/games/{game}/offers"),
    "order sheet": _command("SubmitOrders", _post, 400),
    "proof": _reading("/v1/games/{game}/proof"),
    "replay, a page": _reading("/v1/games/{game}/replay"),
    "roll": _command("RollDice", _mcmulti, 100),
    "rule sets": _reading("/v1/rulesets"),
    "sale": _command("SellBarrels", _mcmulti, 200),
    "sale, sent again": _again,
    "seat taken": _seats,
    "state": _reading("/v1/games/{game}"),
    "state, at an event": _reading("/v1/games/{game}?at=200"),
    "state, not modified": _unchanged,
}
