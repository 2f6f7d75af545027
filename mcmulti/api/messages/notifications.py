"""Which messages players get, and when."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import Call, operation, private
from mcmulti.api.http.problems import ApiError, refused_as
from mcmulti.api.service import Service
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.notices import TOPICS, DailyHours, GamePreferences, Preferences, Topic
from mcmulti.notify.preferences import DAY, next_digest, time_zones

MOST_GAMES = 200
"""The most games for which a player may have settings of their own."""

WantedTopics = Annotated[
    tuple[Topic, ...],
    Meta(
        max_length=len(TOPICS),
        description="`game.turn`: it is your turn; `game.deadline`: your time runs out soon; `game.over`: a game is "
        "over; `game.invitation`: you are invited to a table; `chat.message`: somebody wrote in the chat of a table.",
    ),
]
ReminderMinutes = Annotated[int, Meta(ge=1, le=7 * DAY, description="Minutes before a deadline.")]
TimeOfDay = Annotated[
    str, Meta(max_length=5, pattern="^([01][0-9]|2[0-3]):[0-5][0-9]$", description="A time of day, such as `07:30`.")
]
TimeZoneName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern="^[A-Za-z0-9+_/-]+$",
        description="A time zone of the IANA database, such as `Europe/Berlin`.",
    ),
]


class QuietHours(Struct, frozen=True, forbid_unknown_fields=True):
    """A time of each day in which no messages are sent. If `end` is earlier than `begin`, it is on the next day."""

    begin: TimeOfDay
    end: TimeOfDay


class NotificationWishes(Struct, frozen=True, forbid_unknown_fields=True):
    """Which messages you want, and when. They apply to all your webhooks: browsers, email, and others.

    `topics`: what they are about. `reminder`: how many minutes before a deadline `game.deadline` is sent; null for
    never. `time_zone`: of the times below. `quiet`: what happens in these hours is sent after them; null if there are
    none. `digest`: when one message a day lists all games that wait for you. It replaces those about turns; null if you
    want one for each turn.
    """

    topics: WantedTopics
    reminder: ReminderMinutes | None = None
    time_zone: Annotated[TimeZoneName, refused_as("unfit_settings")] = "UTC"
    quiet: Annotated[QuietHours | None, refused_as("unfit_settings")] = None
    digest: TimeOfDay | None = None


class GameWishes(Struct, frozen=True, forbid_unknown_fields=True):
    """Which messages you want about a game. `topics`: what they are about; without any, there are none. `reminder`: how
    many minutes before a deadline `game.deadline` is sent; null for never.
    """

    topics: WantedTopics
    reminder: ReminderMinutes | None = None


class GameNotifications(Struct, frozen=True):
    """The settings of a `game` for which your general settings do not apply. `topics`, `reminder`: what applies."""

    game: UUID
    topics: WantedTopics
    reminder: ReminderMinutes | None


class NotificationSettings(Struct, frozen=True):
    """Which messages you get, and when. `topics`: what they are about. `reminder`: how many minutes before a deadline
    `game.deadline` is sent; null for never. `time_zone`: of the times below. `quiet`: the hours in which nothing is
    sent. `digest`: when one message a day lists all games that wait for you, instead of one for each turn. `games`:
    those with settings of their own.
    """

    topics: WantedTopics
    reminder: ReminderMinutes | None
    time_zone: TimeZoneName
    quiet: QuietHours | None
    digest: TimeOfDay | None
    games: Annotated[tuple[GameNotifications, ...], Meta(max_length=MOST_GAMES)]


def wished(wishes: NotificationWishes) -> Preferences:
    """Settings as they are stored."""
    quiet = None if wishes.quiet is None else DailyHours(_minutes(wishes.quiet.begin), _minutes(wishes.quiet.end))
    digest = None if wishes.digest is None else _minutes(wishes.digest)
    return Preferences(_each_once(wishes.topics), wishes.reminder, wishes.time_zone, quiet, digest)


def wished_of_game(wishes: GameWishes) -> GamePreferences:
    """Settings of a game as they are stored."""
    return GamePreferences(_each_once(wishes.topics), wishes.reminder)


def notification_settings(preferences: Preferences) -> NotificationSettings:
    """Settings as their player sees them."""
    quiet = preferences.quiet
    return NotificationSettings(
        preferences.topics,
        preferences.remind,
        preferences.time_zone,
        None if quiet is None else QuietHours(*map(_time_of_day, quiet)),
        None if preferences.digest is None else _time_of_day(preferences.digest),
        tuple(GameNotifications(game, *preferences.games[game]) for game in sorted(preferences.games)),
    )


def _each_once(topics: tuple[Topic, ...]) -> tuple[Topic, ...]:
    return tuple(topic for topic in TOPICS if topic in topics)


def _minutes(time: str) -> int:
    return int(time[:2]) * 60 + int(time[3:])


def _time_of_day(minutes: int) -> str:
    return "{:02}:{:02}".format(*divmod(minutes, 60))


@operation("GET", "/v1/players/me/notifications", summary="Show which messages you get", answer=NotificationSettings)
async def get_notifications(call: Call, caller: Player) -> Answer:
    """If you have changed nothing, you get messages about turns, deadlines, ends of games, and invitations, at any time
    of the day, as far as you have webhooks.
    """
    return await _settings(call.service, caller)


@operation("PUT", "/v1/players/me/notifications", summary="Set which messages you get", answer=NotificationSettings)
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
    summary="Set which messages you get about a game",
    answer=NotificationSettings,
    problems=("too_many_settings",),
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
    summary="Let your general settings apply to a game again",
    answer=NotificationSettings,
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
