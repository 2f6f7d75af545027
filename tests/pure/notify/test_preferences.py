"""When a player wants a message: quiet hours, reminders, and digests, where clocks are set forward and back."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from mcmulti.events.ports.notices import DailyHours, GamePreferences, Kind, Preferences
from mcmulti.notify.preferences import digest_day, is_wanted, next_digest, quiet_until, reminder_at, time_zones

GAME, OTHER = UUID(int=1), UUID(int=2)
BERLIN = "Europe/Berlin"
NIGHT = Preferences(time_zone=BERLIN, quiet=DailyHours(22 * 60, 7 * 60))
HOUR = timedelta(hours=1)


def at(day: int, hour: int, minute: int = 0, month: int = 1) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize(
    ("moment", "end"),
    [
        (at(5, 20, 59), None),  # 21:59 in Berlin
        (at(5, 21), at(6, 6)),
        (at(6, 0), at(6, 6)),
        (at(6, 5, 59), at(6, 6)),
        (at(6, 6), None),
        (at(5, 20, month=7), at(6, 5, month=7)),  # in summer, Berlin is two hours ahead
        (at(28, 22, month=3), at(29, 5, month=3)),  # a night of eight hours
        (at(24, 21, month=10), at(25, 6, month=10)),  # and one of ten
    ],
)
def test_a_quiet_night_ends_at_the_time_of_the_player(moment: datetime, end: datetime | None) -> None:
    assert quiet_until(NIGHT, moment) == end


def test_quiet_hours_can_be_in_the_day() -> None:
    noon = Preferences(quiet=DailyHours(12 * 60, 13 * 60 + 30))
    assert quiet_until(noon, at(5, 13, 29)) == at(5, 13, 30)
    assert quiet_until(noon, at(5, 13, 30)) is None
    assert quiet_until(Preferences(), at(5, 12)) is None


def test_quiet_hours_that_end_in_a_repeated_hour_end_once() -> None:
    """On 25 October, it is 02:30 twice in Berlin."""
    night = Preferences(time_zone=BERLIN, quiet=DailyHours(60, 150))
    assert quiet_until(night, at(25, 0, 29, month=10)) == at(25, 0, 30, month=10)
    assert quiet_until(night, at(25, 1, 10, month=10)) is None


def test_a_reminder_comes_before_the_deadline() -> None:
    """At night, it comes before the night begins, or after it if that is too late and still early enough."""
    day = Preferences(remind=120)
    assert reminder_at(day, GAME, at(5, 18), at(5, 9)) == at(5, 16)
    assert reminder_at(day, GAME, at(5, 18), at(5, 17)) == at(5, 17)
    assert reminder_at(day, GAME, at(5, 18), at(5, 18)) is None
    assert reminder_at(day._replace(remind=None), GAME, at(5, 18), at(5, 9)) is None
    assert reminder_at(NIGHT, GAME, at(6, 4), at(5, 9)) == at(5, 20, 59)
    assert reminder_at(NIGHT, GAME, at(6, 7), at(5, 22)) == at(6, 6)
    assert reminder_at(NIGHT, GAME, at(6, 4), at(5, 22)) is None


def test_a_game_has_its_own_reminder() -> None:
    mine = Preferences(remind=120, games={GAME: GamePreferences((), 30), OTHER: GamePreferences((), None)})
    assert reminder_at(mine, GAME, at(5, 18), at(5, 9)) == at(5, 17, 30)
    assert reminder_at(mine, OTHER, at(5, 18), at(5, 9)) is None


def test_a_digest_comes_once_a_day_by_the_clock_of_the_player() -> None:
    evening = Preferences(time_zone=BERLIN, digest=18 * 60)
    assert next_digest(evening, at(5, 16, 59)) == at(5, 17)
    assert next_digest(evening, at(5, 17)) == at(6, 17)
    assert next_digest(evening, at(28, 17, month=3)) == at(29, 16, month=3)
    assert next_digest(evening._replace(digest=None), at(5, 17)) is None
    west = evening._replace(time_zone="America/Los_Angeles", digest=20 * 60)
    assert next_digest(west, at(5, 12)) == at(6, 4)
    assert digest_day(west, at(6, 4)) == digest_day(evening, at(5, 17)) == at(5, 0).toordinal()


def test_a_digest_at_a_time_that_a_day_leaves_out_comes_all_the_same() -> None:
    """On 29 March, it is never 02:30 in Berlin."""
    night = Preferences(time_zone=BERLIN, digest=150)
    assert next_digest(night, at(29, 0, month=3)) == at(29, 1, 30, month=3)
    assert next_digest(night, at(29, 1, 30, month=3)) == at(30, 0, 30, month=3)


@pytest.mark.parametrize(
    ("kind", "plain", "daily", "muted"),
    [
        ("game.turn", True, False, False),
        ("game.over", True, True, False),
        ("game.deadline", True, True, False),
        ("game.invitation", True, True, False),
        ("chat.message", False, False, False),
        ("digest", False, True, False),
        ("test", True, True, True),
        ("confirm", True, True, True),
    ],
)
def test_what_players_get_if_they_set_nothing_or_want_a_digest_or_mute_a_game(
    kind: Kind, plain: bool, daily: bool, muted: bool
) -> None:
    assert is_wanted(Preferences(), kind, GAME) == plain
    assert is_wanted(Preferences(digest=0), kind, GAME) == daily
    quiet = Preferences(games={GAME: GamePreferences((), None)})
    assert is_wanted(quiet, kind, GAME) == muted
    assert is_wanted(quiet, kind, OTHER) == plain


def test_a_zone_that_is_gone_counts_as_utc() -> None:
    assert BERLIN in time_zones()
    assert quiet_until(NIGHT._replace(time_zone="Atlantis/Capital"), at(5, 23)) == at(6, 7)
