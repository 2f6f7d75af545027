"""Until when a game takes what those send whom it waits for, and what they used of their time."""

from datetime import datetime, timedelta

from msgspec import UNSET, Struct, UnsetType

from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Player
from mcmulti.events.store.standing import closing
from mcmulti.referee.ruling import Ruling

SECOND = timedelta(seconds=1)


def next_deadline(before: Position, ruling: Ruling, at: datetime | None) -> datetime | UnsetType | None:
    """When the game goes on without those it waits for now; unset if that stays as it was, which is `at`."""
    deadlines, events = before.ruleset.deadlines, ruling.events
    if deadlines is None or not events:
        return UNSET
    was, now = deadlines.pace(before.state), deadlines.pace(ruling.position.state)
    if was is None or now is None or was.stretch != now.stretch:
        if now is None:
            return UNSET if was is None else None
        return closing(now, events[-1].recorded_at)
    return UNSET if at is None or was.granted == now.granted else at + timedelta(seconds=now.granted - was.granted)


def may_be_late(position: Position, player: Player) -> bool:
    """Whether what a player sends comes too late when the deadline has passed."""
    deadlines = position.ruleset.deadlines
    if deadlines is None or deadlines.pace(position.state) is None:
        return False
    seat = position.seat_of(player.player_id)
    return seat is not None and (deadlines.overrun is None or seat in position.ruleset.to_move(position.state))


def overrun(before: Position, ruling: Ruling, at: datetime | None, now: datetime) -> Struct | None:
    """What the server has to say of a stretch that ended at this moment: how much longer it took than it should have.

    `at` was its deadline. What is begun of a second does not count.
    """
    deadlines = before.ruleset.deadlines
    was = None if deadlines is None else deadlines.pace(before.state)
    if deadlines is None or deadlines.overrun is None or was is None or at is None or not ruling.events:
        return None
    after = deadlines.pace(ruling.position.state)
    if after is not None and after.stretch == was.stretch:
        return None
    over = now - (at - timedelta(seconds=was.closes_after - was.late_after))
    return deadlines.overrun(before.state, over // SECOND) if over >= SECOND else None
