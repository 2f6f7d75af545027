"""Which messages players want, and when. Every channel asks here, when a message is due and when it is planned."""

from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from uuid import UUID
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from mcmulti.events.ports.notices import Kind, Preferences

DAY = 24 * 60
"""The minutes of a day."""
_ALWAYS: tuple[Kind, ...] = ("test", "confirm")


@cache
def time_zones() -> frozenset[str]:
    """The names of all time zones (IANA)."""
    return frozenset(available_timezones())


def is_wanted(preferences: Preferences, kind: Kind, game_id: UUID) -> bool:
    """Whether a player wants a message of a kind about a game."""
    if kind in _ALWAYS:
        return True
    if kind == "digest":
        return preferences.digest is not None
    own = preferences.games.get(game_id)
    if kind == "game.turn" and preferences.digest is not None:
        return False
    return kind in (preferences.topics if own is None else own.topics)


def quiet_until(preferences: Preferences, moment: datetime) -> datetime | None:
    """The end of the quiet hours that a moment is in; None if it is in none."""
    hours = _quiet_hours(preferences, moment)
    return None if hours is None else hours[1]


def reminder_at(preferences: Preferences, game_id: UUID, deadline: datetime, now: datetime) -> datetime | None:
    """When to remind a player of a deadline, now or later; None for no reminder.

    What would come in quiet hours comes just before them. If they have begun, it comes after them, if that is early
    enough.
    """
    own = preferences.games.get(game_id)
    minutes = preferences.remind if own is None else own.remind
    if minutes is None:
        return None
    moment = deadline - timedelta(minutes=minutes)
    if hours := _quiet_hours(preferences, moment):
        moment = hours[0] - timedelta(minutes=1)
    moment = max(moment, now)
    if hours := _quiet_hours(preferences, moment):
        moment = hours[1]
    return moment if moment < deadline else None


def next_digest(preferences: Preferences, after: datetime) -> datetime | None:
    """The next moment of the digest; None if the player wants none."""
    if preferences.digest is None:
        return None
    zone = _zone(preferences)
    today = after.astimezone(zone).date()
    moments = (_moment(today + timedelta(days=days), preferences.digest, zone) for days in range(3))
    return next(moment for moment in moments if moment > after)


def digest_day(preferences: Preferences, moment: datetime) -> int:
    """The number of the day of a digest: its mark in the outbox."""
    return moment.astimezone(_zone(preferences)).toordinal()


def _quiet_hours(preferences: Preferences, moment: datetime) -> tuple[datetime, datetime] | None:
    """The begin and the end of the quiet hours that a moment is in."""
    if preferences.quiet is None:
        return None
    begin, end = preferences.quiet
    zone = _zone(preferences)
    today = moment.astimezone(zone).date()
    for days in (-1, 0):
        day = today + timedelta(days=days)
        hours = _moment(day, begin, zone), _moment(day + timedelta(days=end <= begin), end, zone)
        if hours[0] <= moment < hours[1]:
            return hours
    return None


def _moment(day: date, minute: int, zone: ZoneInfo) -> datetime:
    """A time of a day, where clocks are set by a zone. What a change of the clocks leaves out is as much later."""
    return datetime.combine(day, time(*divmod(minute, 60)), zone).astimezone(UTC)


def _zone(preferences: Preferences) -> ZoneInfo:
    try:
        return ZoneInfo(preferences.time_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # gone with an update of the database of zones
        return ZoneInfo("UTC")
