"""Which messages players get, and when."""

from uuid import UUID

from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import Call, operation, private
from mcmulti.api.http.problems import ApiError
from mcmulti.api.service import Service
from mcmulti.api.telling.notifications import (
    MOST_GAMES,
    GameWishes,
    NotificationSettings,
    NotificationWishes,
    notification_settings,
    wished,
    wished_of_game,
)
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.notices import Preferences
from mcmulti.notify.preferences import next_digest, time_zones


@operation(
    "GET",
    "/v1/players/me/notifications",
    id="getNotifications",
    tag="players",
    summary="Show which messages you get",
    answer=NotificationSettings,
    scope="account",
)
async def get_notifications(call: Call, caller: Player) -> Answer:
    """If you have changed nothing, you get messages about turns, deadlines, ends of games, and invitations, at any time
    of the day, as far as you have webhooks.
    """
    return await _settings(call.service, caller)


@operation(
    "PUT",
    "/v1/players/me/notifications",
    id="setNotifications",
    tag="players",
    summary="Set which messages you get",
    answer=NotificationSettings,
    scope="account",
)
async def set_notifications(call: Call, body: NotificationWishes, caller: Player) -> Answer:
    """Replaces your general settings; those of single games stay. They apply to messages that are not sent yet.
    Reminders follow new settings from the next turn on.
    """
    service = call.service
    if body.time_zone not in time_zones():
        raise ApiError("unfit_settings", f"time_zone: There is no {body.time_zone[:40]!r}.", field="time_zone")
    if body.quiet is not None and body.quiet.begin == body.quiet.end:
        raise ApiError("unfit_settings", "quiet: It must not begin when it ends.", field="quiet")
    preferences = wished(body)
    await service.log.set_preferences(caller.player_id, preferences, next_digest(preferences, service.clock()))
    return await _settings(service, caller)


@operation(
    "PUT",
    "/v1/players/me/notifications/{game}",
    id="setGameNotifications",
    tag="players",
    summary="Set which messages you get about a game",
    answer=NotificationSettings,
    problems=("too_many_settings",),
    scope="account",
)
async def set_game_notifications(call: Call, body: GameWishes, caller: Player, game: UUID) -> Answer:
    """These settings apply instead of your general ones. Quiet hours and the digest are the same for all games."""
    service = call.service
    await service.log.game(game)
    if not await service.log.set_game_preferences(caller.player_id, game, wished_of_game(body), MOST_GAMES):
        detail = f"You have settings for {MOST_GAMES} games, the maximum. Reset one of them first."
        raise ApiError("too_many_settings", detail)
    return await _settings(service, caller)


@operation(
    "DELETE",
    "/v1/players/me/notifications/{game}",
    id="resetGameNotifications",
    tag="players",
    summary="Let your general settings apply to a game again",
    answer=NotificationSettings,
    scope="account",
)
async def reset_game_notifications(call: Call, caller: Player, game: UUID) -> Answer:
    """If the game has no settings of its own, nothing changes."""
    service = call.service
    await service.log.game(game)
    await service.log.reset_game_preferences(caller.player_id, game)
    return await _settings(service, caller)


async def _settings(service: Service, caller: Player) -> Answer:
    known = await service.log.preferences([caller.player_id])
    return private(notification_settings(known.get(caller.player_id, Preferences())))
