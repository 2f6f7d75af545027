from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256
from uuid import UUID

import pytest

from mcmulti.events.log.envelope import GENESIS, START, Draft, Head, broken_link, head_after, seal

GAME = UUID(int=1)
NOON = datetime(2024, 2, 29, 12, tzinfo=UTC)
FIRST = Draft("GameOpened", b'{"seats":4}', "R.1", None, None, None)
SECOND = Draft("BarrelsBought", b'{"barrels":3}', "R.4.2", 2, UUID(int=9), b'{"type":"BuyBarrels"}')


def test_the_hash_is_the_one_the_scheme_describes() -> None:
    first, second = seal(GAME, START, [FIRST, SECOND], NOON)

    header = (
        b'["00000000-0000-0000-0000-000000000001",2,"BarrelsBought","R.4.2",2,'
        b'"00000000-0000-0000-0000-000000000009","2024-02-29T12:00:00Z"]'
    )
    payload = sha256(b'{"barrels":3}\n{"type":"BuyBarrels"}').digest()
    assert first.prev_hash == GENESIS
    assert second.prev_hash == first.hash
    assert second.hash == sha256(first.hash + payload + header).digest()


def test_a_moment_is_hashed_in_utc_with_six_digits_of_a_second() -> None:
    moment = datetime(2024, 2, 29, 13, 0, 0, 50, timezone(timedelta(hours=1)))
    (event,) = seal(GAME, START, [FIRST], moment)

    header = b'["00000000-0000-0000-0000-000000000001",1,"GameOpened","R.1",null,null,"2024-02-29T12:00:00.000050Z"]'
    assert event.hash == sha256(GENESIS + sha256(b'{"seats":4}').digest() + header).digest()


def test_a_whole_chain_has_no_broken_link_from_any_event_on() -> None:
    events = seal(GAME, START, [FIRST, SECOND, SECOND], NOON)

    assert broken_link(events) is None
    assert broken_link(events[2:], Head(2, events[1].hash)) is None


@pytest.mark.parametrize(
    "change",
    [
        {"data": b'{"barrels":4}'},
        {"command": None},
        {"rule": "R.4.3"},
        {"actor": 1},
        {"actor": None},
        {"type": "BarrelsSold"},
        {"recorded_at": NOON + timedelta(microseconds=1)},
        {"game_id": UUID(int=2)},
        {"command_id": None},
    ],
)
def test_any_change_of_an_event_is_named(change: dict[str, object]) -> None:
    first, second = seal(GAME, START, [FIRST, SECOND], NOON)

    forged = type(second)(**{**second._asdict(), **change})
    assert broken_link([first, forged]) == "event 2 was changed: its hash does not match its content"


def test_missing_and_foreign_events_are_named() -> None:
    first, second, third = seal(GAME, START, [FIRST, SECOND, SECOND], NOON)
    foreign = seal(GAME, Head(1, bytes(32)), [SECOND], NOON)

    assert broken_link([first, third]) == "event 2 is missing: event 3 is in its place"
    assert broken_link([second]) == "event 1 is missing: event 2 is in its place"
    assert broken_link([first, *foreign]) == "event 2 does not name the hash of the event before it"


def test_the_head_moves_behind_events_that_follow_it() -> None:
    first, second = seal(GAME, START, [FIRST, SECOND], NOON)

    assert head_after(GAME, START, []) == START
    assert head_after(GAME, START, [first, second]) == Head(2, second.hash)
    with pytest.raises(ValueError, match=r"event 2 of game .* does not follow event 0"):
        head_after(GAME, START, [second])
