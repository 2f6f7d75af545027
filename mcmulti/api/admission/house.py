"""Bots of the server, and the levels at which they play.

Some take over for players who left: `HOUSE`, which the rules know. The others are opponents: to the rules they are
ordinary players, and each plays at one level.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Annotated
from uuid import UUID

from msgspec import Meta

from mcmulti.api.http.problems import ApiError
from mcmulti.domain.core.table import HOUSE
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.ports.game_index import NO_BOT

LEVELS: dict[str, tuple[str, ...]] = {ruleset.name: ruleset.bots for ruleset in CURRENT.values()}
"""The strategies of opponents in each rule set, the weakest first."""
OPPONENTS = 4
"""The number of opponents at each level, which is how many can sit at one table."""

Level = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        pattern="^[a-z]+(-[a-z]+)*$",
        description="Level of a server bot: the name of its strategy.",
    ),
]

_BEGINS = "636f6d70-7574-4572-8f74-"


def opponents() -> dict[UUID, tuple[str, int]]:
    """All opponents by player id: each one's level, and its number at that level, from 1."""
    levels = dict.fromkeys(level for levels in LEVELS.values() for level in levels)
    return {opponent(level, number): (level, number) for level in levels for number in range(1, OPPONENTS + 1)}


def opponent(level: str, number: int) -> UUID:
    """The player id of an opponent: the same on every server, and nobody registers under it."""
    return UUID(f"{_BEGINS}{sha256(level.encode()).hexdigest()[:8]}{number:04x}")


def is_house_bot(player: UUID) -> bool:
    """Whether a player is a bot of the server."""
    name = str(player)
    return name.startswith(_BEGINS) or name in HOUSE


def admit_opponents(ruleset: str, levels: Sequence[str], seats: int, *, here: bool) -> None:
    """Raise a problem unless a table with this number of seats may ask for opponents of these levels. `here`: whether
    the server runs house bots.
    """
    if not levels:
        return
    if not here:
        raise ApiError("no_house_bots", "This server runs no bots of its own. Leave out `house_bots`.")
    known = LEVELS[ruleset]
    for level in levels:
        if level not in known:
            raise ApiError("unknown_level", f"No bot plays {ruleset} as {level!r}. Levels: {', '.join(known)}.")
    if len(levels) >= seats:
        raise ApiError(
            "too_many_house_bots",
            f"At a table with {seats} seats, ask for {seats - 1} or fewer: one seat is for somebody else.",
            limit=seats - 1,
        )


def levels_beside(seat: int | None, levels: tuple[str, ...], seats: int) -> tuple[str, ...]:
    """The levels on the last seats of a table, `NO_BOT` where they leave this seat free. None: they need not."""
    if seat is None or seat < seats - len(levels):
        return levels
    before = len(levels) - (seats - 1 - seat)
    return (*levels[:before], NO_BOT, *levels[before:])
