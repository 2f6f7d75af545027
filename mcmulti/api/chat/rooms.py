"""Who may read and say something in which room of a table's chat."""

from collections.abc import Collection
from typing import Any

from mcmulti.api.http.problems import ApiError
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.chat import ROOMS, ChatRoom


def rooms_of(position: Position, player: Player | None, chat: Collection[ChatRoom]) -> tuple[ChatRoom, ...]:
    """The rooms of a table's chat that a reader may read, and speak in if registered.

    Players have theirs for themselves, also after the end. Spectators do not advise them: players enter the other room
    only once the game is over.
    """
    seated = player is not None and position.seat_of(player.player_id) is not None
    ruleset: Any = position.ruleset
    over = ruleset.status(position.state) == "finished"
    entered: dict[ChatRoom, bool] = {"players": seated, "spectators": over or not seated}
    return tuple(room for room in chat if entered[room])


def rooms_wanted(wanted: Collection[ChatRoom], *, here: bool) -> tuple[ChatRoom, ...]:
    """The rooms that a new table has, each once. `here`: whether the server has a chat. Raises a problem if not."""
    if wanted and not here:
        raise ApiError("no_chat", "This server has no chat. Leave out `chat`.")
    return tuple(room for room in ROOMS if room in wanted)
