"""Servers that are broken on purpose, each in one way, which the machine must notice."""

import copy
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
from litestar.types import ASGIApp, Receive, Scope, Send

from mcmulti.api.service import Service
from tests.api.owner import Owner
from tests.slow.model.servers import HereServers


def _header(of: bytes, change: Callable[[bytes], bytes | None], app: ASGIApp) -> ASGIApp:
    """The application with another value in this header. None omits it."""

    async def told(scope: Scope, receive: Receive, send: Send) -> None:
        changed = [(name, change(value) if name == of else value) for name, value in scope["headers"]]
        scope["headers"] = [(name, value) for name, value in changed if value is not None]
        await app(scope, receive, send)

    return told


def _header_changed(of: bytes, change: Callable[[bytes], bytes | None]) -> Callable[[str], HereServers]:
    return partial(HereServers, changed=partial(_header, of, change))


def _trusts_what_is_at_hand(service: Service) -> None:
    service.referee.position = service.referee.known  # type: ignore[method-assign]


def _takes_what_comes_late(service: Service) -> None:
    referee: Any = service.referee

    async def always(*_: object) -> None:
        pass

    referee.time.admit = always


def _carries_out_the_first_alone(service: Service) -> None:
    referee: Any = service.referee
    command = referee.command

    async def first(game: UUID, player: object, commands: list[Any], *more: object) -> object:
        return await command(game, player, commands[:1], *more)

    referee.command = first


def _throws_other_dice(service: Service) -> None:
    referee: Any = service.referee

    async def other(game: UUID) -> bytes:
        return bytes(32)

    referee.log = copy.copy(referee.log)
    referee.log.secret = other


def _is_an_event_behind(service: Service) -> None:
    referee: Any = service.referee
    position_at = referee.position_at

    async def before(game: UUID, seq: int) -> object:
        return await position_at(game, max(seq - 1, 1))

    referee.position_at = before


def _answers_all_seats_alike(service: Service) -> None:
    responses: Any = service.responses
    get, put = responses.get, responses.put
    responses.get = lambda game, kind, _, moment: get(game, kind, None, moment)
    responses.put = lambda game, kind, _, moment, body: put(game, kind, None, moment, body)


def _lists_the_eldest_first(service: Service) -> None:
    log: Any = copy.copy(service.log)
    games = log.games

    async def turned(*asked: object, **narrowed: object) -> list[object]:
        return [*reversed(await games(*asked, **narrowed))]

    log.games = turned
    service.log = log


def _knows_nothing_of_moves_taken_back(service: Service) -> None:
    referee: Any = service.referee

    async def never(*_: object) -> bool:
        return False

    referee._undone = never


def _hears_of_no_revocation(service: Service) -> None:
    service.callers.told = True


class _ForgetsTheLastEvent(HereServers):
    def restart(self, server: int, *, killed: bool) -> None:
        """The database comes back without the last event of a game."""
        super().restart(server, killed=killed)
        with psycopg.connect(self.database) as owner:
            last = owner.execute(
                "SELECT id, head_seq, status FROM game WHERE head_seq > 1 ORDER BY id LIMIT 1"
            ).fetchone()
        if last is not None:
            Owner(self.database).take_back(str(last[0]), last[1] - 1, last[2])


class _ForgetsKeys(HereServers):
    def restart(self, server: int, *, killed: bool) -> None:
        """The stored response of a key is gone, so the request is carried out again."""
        super().restart(server, killed=killed)
        Owner(self.database).do("DELETE FROM receipt")


class _KeepsNoDeadlines(HereServers):
    def keep_deadlines(self, server: int) -> None:
        """Nothing happens."""


def _spoiled(spoil: Callable[[Service], None]) -> Callable[[str], HereServers]:
    return partial(HereServers, spoiled=spoil)


class Broken(NamedTuple):
    """Opens broken servers on a database, and the rules of the machine that reveal the fault."""

    start: Callable[[str], HereServers]
    rules: tuple[str, ...] = ()


BROKEN = {
    "ignores If-Match": Broken(_header_changed(b"if-match", lambda value: None), ("moves", "two_send_at_once")),
    "knows no weak tags": Broken(
        _header_changed(b"if-match", lambda value: value.replace(b'W/"', b'"x')), ("moves", "sits_down")
    ),
    "doubles what is sent again": Broken(
        _header_changed(b"idempotency-key", lambda value: None), ("sends_again", "sends_at_once_under_a_key")
    ),
    "finds nothing new": Broken(_header_changed(b"if-none-match", lambda value: b"*"), ("asks_whether_it_changed",)),
    "goes on from the beginning": Broken(_header_changed(b"last-event-id", lambda value: b"0"), ("reads_the_log",)),
    "trusts what is at hand": Broken(_spoiled(_trusts_what_is_at_hand), ("moves", "plays_on")),
    "takes what comes late": Broken(_spoiled(_takes_what_comes_late), ("a_sheet_comes_late",)),
    "carries out the first of several commands alone": Broken(_spoiled(_carries_out_the_first_alone), ("moves",)),
    "throws other dice": Broken(_spoiled(_throws_other_dice)),
    "shows the past an event too early": Broken(_spoiled(_is_an_event_behind), ("looks_back",)),
    "answers all seats alike": Broken(_spoiled(_answers_all_seats_alike)),
    "lists the eldest game first": Broken(_spoiled(_lists_the_eldest_first)),
    "calls nothing undone": Broken(_spoiled(_knows_nothing_of_moves_taken_back), ("takes_back",)),
    "hears of no revocation": Broken(_spoiled(_hears_of_no_revocation), ("revokes_a_token", "uses_a_token")),
    "forgets an event at a restart": Broken(_ForgetsTheLastEvent),
    "forgets keys at a restart": Broken(_ForgetsKeys, ("restarts", "sends_at_once_under_a_key")),
    "keeps no deadlines": Broken(_KeepsNoDeadlines, ("time_passes",)),
}
"""Broken servers, by fault."""
