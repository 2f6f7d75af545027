"""Companions: a player acts for further people who share a device, at a practice table of its own.

A companion has no account: the opener of the table sends its requests, with ``~`` and its number after the token.
"""

import re
from typing import Any
from uuid import UUID

from litestar.types import Scope

from mcmulti.api.admission.callers import COMPANION
from mcmulti.api.http.problems import ApiError
from mcmulti.api.http.received import game_id, player_name
from mcmulti.domain.core.capabilities.rating import MOST, companion, companion_number, for_practice
from mcmulti.domain.core.table import Table
from mcmulti.events.ports.accounts import Holder, Player
from mcmulti.events.store.names import name_key

_NUMBER = re.compile(f"[1-{MOST}]", re.ASCII)


def at_the_table(holder: Holder, credentials: str, scope: Scope) -> Holder:
    """The companion for whom a player sends a request, at the game in its path: a caller without a name.

    Raises a problem if the path has no game, or the credentials no companion.
    """
    number = credentials.partition(COMPANION)[2].strip()
    if not _NUMBER.fullmatch(number):
        raise ApiError("unauthenticated", f"Behind {COMPANION!r} a token has the number of a companion, 1 to {MOST}.")
    at: dict[str, Any] = {**scope}
    game = at.get("path_params", {}).get("game")
    if game is None:
        raise ApiError("only_at_table", "A companion acts only at its table. Send your token alone.")
    player = holder.player
    acting = companion(str(player.player_id), str(game_id(game)), int(number))
    return holder._replace(player=Player(UUID(acting), "", player.kind))


def companion_name(state: Table, player: Player, name: str | None) -> str:
    """The name of a companion that sits down. Raises a problem if it may not, or if its name could be mistaken for
    another displayed name at the table.
    """
    number, opener = companion_number(str(player.player_id)) or 0, state.opened_by
    if not for_practice(state.setup) or opener is None:
        raise ApiError("no_companions", "Companions sit only at practice tables.")
    if companion(opener, state.game_id, number) != str(player.player_id):
        raise ApiError("no_companions", "Only the player who opened the table may bring companions.")
    if name is None:
        raise ApiError("invalid_body", "name: a companion needs one.")
    shown = player_name(name)
    others = {name_key(other) for each, other in state.called.items() if each != str(player.player_id)}
    if name_key(shown) in others:
        raise ApiError("name_taken", f"Somebody at the table is called {shown!r}, or nearly so. Choose another name.")
    return shown
