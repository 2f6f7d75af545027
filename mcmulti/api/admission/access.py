"""Who may sit down at a table, beyond what the rules say, and which tables can be rated."""

import hmac
from base64 import b32encode
from collections.abc import Iterable
from hashlib import sha256
from typing import Any
from uuid import UUID

import msgspec

from mcmulti.api.admission.companions import companion_name
from mcmulti.api.admission.house import is_house_bot
from mcmulti.api.admission.series import played_there
from mcmulti.api.http.problems import ApiError
from mcmulti.api.service import Service
from mcmulti.domain.core.capabilities.clock import DAY, ByClock
from mcmulti.domain.core.capabilities.rating import companion_number, for_practice
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.table import Table
from mcmulti.events.ports.accounts import Player, PlayerStore
from mcmulti.events.ports.chat import ChatRoom
from mcmulti.events.ports.game_index import Game

PASSCODE_BYTES = 10
"""Random bytes in a passcode: too many to guess."""
PATIENCE = 30
"""Rated games need a limit of at most this many days until an inactive player is out, so that nobody can avoid a loss
by waiting.
"""


async def admit(
    service: Service, game_id: UUID, player: Player, passcode: str | None, key: str | None, name: str | None
) -> None:
    """Raise a problem if a player may not sit down at a table. Players who played there, or repeat a request under a
    key, may; and so may house bots, if the rules let them, and companions, whose `name` is stored.

    All reasons other than the rules are checked here. Raises `UnknownGame`.
    """
    if companion_number(str(player.player_id)) is not None:
        await _bring(service, game_id, player, name)
        return
    if name is not None:
        raise ApiError("no_companions", "Only companions have a name of their own at a table. Leave out `name`.")
    if is_house_bot(player.player_id):
        return
    game = await service.log.game(game_id)
    if not game.access.closed or game.expects(player.player_id) or _opens(game, passcode):
        return
    if player.player_id in people_of((await service.referee.position(game_id)).state):
        return
    if key is None or await service.log.receipt(game_id, player.player_id, key) is None:
        wrong = (
            "the passcode is not that of this table" if passcode else "send its passcode, or let its opener invite you"
        )
        raise ApiError("not_invited", f"Only invited players may sit down here: {wrong}.")


async def _bring(service: Service, game_id: UUID, player: Player, name: str | None) -> None:
    """Store the name of a companion that sits down. Raises a problem if it may not. A seated companion
    keeps its name.
    """
    position = await service.referee.position(game_id)
    if str(player.player_id) in position.state.player_ids:
        return
    called = await service.tables.called(position)
    shown = companion_name(position.presented(called).state, player, name)
    if called.get(str(player.player_id)) != shown and position.state.opened_by is not None:
        await service.log.keep_names({player.player_id: shown}, UUID(position.state.opened_by))


def people_of(state: Table) -> tuple[UUID, ...]:
    """The current and former players of a game, without house bots and companions: those seated, and those who left
    after the start.
    """
    everybody = map(UUID, played_there(state))
    return tuple(player for player in everybody if not is_house_bot(player) and companion_number(str(player)) is None)


def _opens(game: Game, passcode: str | None) -> bool:
    kept = game.access.code_hash
    return (
        passcode is not None
        and kept is not None
        and hmac.compare_digest(kept, hash_of_passcode(game.game_id, passcode))
    )


async def new_passcode(service: Service, what: str, key: str | None) -> str:
    """A random passcode; with a key, always the same one for the same `what`."""
    return b32encode((await service.drawn(what, key))[:PASSCODE_BYTES]).decode()


def hash_of_passcode(game_id: UUID, passcode: str) -> bytes:
    """The stored hash of a passcode, valid only at this table."""
    return sha256(f"{game_id} {passcode}".encode()).digest()


def hash_of_wish(
    listed: bool,
    invited: tuple[str, ...] | None,
    passcode: bool,
    bots: int,
    rated: bool,
    house_bots: tuple[str, ...],
    origin: Any = None,
    chat: tuple[ChatRoom, ...] = (),
) -> bytes | None:
    """The hash of the opener's wishes; None for an ordinary table without any."""
    wishes = (invited, origin, passcode or None, bots or None, rated or None, house_bots or None, chat or None)
    if listed and wishes == (None,) * len(wishes):
        return None
    return sha256(msgspec.json.encode((listed, *wishes))).digest()


async def players_named(log: PlayerStore, names: Iterable[str]) -> tuple[UUID, ...]:
    """The players with these names, each once. Raises a problem for an unknown name."""
    asked = tuple(dict.fromkeys(name.strip() for name in names))
    found = await log.players_called(asked) if asked else {}
    for name in asked:
        if name not in found:
            raise ApiError("unknown_name", f"There is no player called {name!r}.")
    return tuple(dict.fromkeys(found[name].player_id for name in asked))


def admit_rated(ruleset: Ruleset[Any], setup: Any, *, listed: bool) -> None:
    """Raise a problem unless a table with this setup can be rated."""
    if not listed:
        raise ApiError("unlisted", "Ratings are made of what all may see: list the table, or do not rate it.")
    if for_practice(setup):
        raise ApiError("rated_practice", "What is played for practice counts for nothing: leave out one of the two.")
    if ruleset.flow.has(ByClock) is None:
        return
    if setup.clock is None:
        raise ApiError("rated_without_clock", "A rated table needs a clock, so that nobody is kept waiting for points.")
    clock = setup.clock
    if clock.misses * clock.move_seconds + clock.bank_seconds > PATIENCE * DAY:
        raise ApiError(
            "rated_too_slow",
            "At a rated table, `misses` times `move_seconds` plus `bank_seconds` must be 30 days or less, so that"
            " nobody puts off a defeat.",
            limit=PATIENCE * DAY,
        )
