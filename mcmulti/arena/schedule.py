"""Who plays whom, on which seats and with which dice, so that luck, seats, and neighbors are the same for all.

Games come in matches. All games of a match have the same dice, and the same players, who move on by a seat from game to
game: what dice and seat give to one player in a game, they give to another in the next. Who sits next to whom, and, if
there are more strategies than seats, who plays at all, changes from match to match.
"""

from collections.abc import Iterator
from hashlib import sha256
from itertools import combinations, count
from random import Random
from typing import Annotated, Any, Literal, NamedTuple
from uuid import UUID, uuid5

from msgspec import Meta, Struct

from mcmulti.domain.core.course.positions import PositionFields
from mcmulti.domain.core.figures import Count, RulesetName

_PLAYERS = UUID("6d636d75-6c74-5069-8172-656e61000001")
"""Namespace of the ids of players."""


class ArenaServer(Struct, frozen=True, forbid_unknown_fields=True):
    """The server of an arena, and the ids of the players of each entrant."""

    address: str
    players: tuple[tuple[UUID, ...], ...]


class ArenaPlan(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The plan of an arena. Everything follows from it except the strategies' answers, and the dice if they are a
    server's.

    `entrants`: the unique names of the strategies. `seed`: for dice and strategies. `position`: what all games begin
    with, which are then for practice; None for the beginning.
    """

    format: Literal[1]
    ruleset: RulesetName
    version: Count
    setup: dict[str, Any]
    seats: Annotated[int, Meta(ge=2, le=100)]
    seed: Annotated[int, Meta(ge=0)]
    entrants: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=40)], ...], Meta(min_length=2, max_length=200)
    ]
    server: ArenaServer | None = None
    position: PositionFields | None = None


class Pairing(NamedTuple):
    """A game of an arena: its number and that of its match, both from 1, and the entrant on each seat."""

    number: int
    match: int
    seats: tuple[int, ...]


def pairings(plan: ArenaPlan, games: int) -> list[Pairing]:
    """The first N games of an arena, or some more, so that all matches are complete."""
    found: list[Pairing] = []
    for match in _matches(plan):
        if len(found) >= games:
            break
        found += [Pairing(len(found) + n, match.match, seats) for n, seats in enumerate(_rotated(match.seats), 1)]
    return found


def dice_of(plan: ArenaPlan, match: int) -> tuple[bytes, UUID]:
    """The seed of the dice of a match, and the common id of its games, since dice follow from both."""
    made = [_plan_digest(plan, f"match {match} {what}") for what in ("seed", "id")]
    return made[0], UUID(bytes=made[1][:16], version=4)


def copies(seats: tuple[int, ...]) -> tuple[int, ...]:
    """By seat, how many earlier seats its entrant has: 0 for its first seat."""
    return tuple(seats[:seat].count(entrant) for seat, entrant in enumerate(seats))


def most_copies(plan: ArenaPlan) -> int:
    """The most seats of an entrant in a game."""
    return -(-plan.seats // len(plan.entrants))


def strategy_seed(plan: ArenaPlan, match: int, entrant: int, copy: int) -> int:
    """The seed of an entrant's strategy: the same in all games of a match."""
    return int.from_bytes(_plan_digest(plan, f"match {match} strategy {entrant} {copy}")[:4]) >> 1


def player_id(plan: ArenaPlan, entrant: int, copy: int) -> UUID:
    """The player id of an entrant, which identifies it in the events of a game."""
    if plan.server is not None:
        return plan.server.players[entrant][copy]
    return uuid5(_PLAYERS, f"{plan.entrants[entrant]}\n{copy}")


def _matches(plan: ArenaPlan) -> Iterator[Pairing]:
    """The first game of every match, endlessly; its number does not matter."""
    entrants = range(len(plan.entrants))
    each, over = divmod(plan.seats, len(entrants)) if plan.seats > len(entrants) else (0, plan.seats)
    parties = list(combinations(entrants, over))
    Random(f"{plan.seed} parties").shuffle(parties)
    for match in count(1):
        line = [*entrants] * each + [*parties[(match - 1) % len(parties)]]
        Random(f"{plan.seed} match {match}").shuffle(line)
        yield Pairing(0, match, tuple(line))


def _rotated(seats: tuple[int, ...]) -> list[tuple[int, ...]]:
    """All rotations of the seats, each once: if two are equal, the game would be the same."""
    return list(dict.fromkeys(seats[by:] + seats[:by] for by in range(len(seats))))


def _plan_digest(plan: ArenaPlan, what: str) -> bytes:
    return sha256(f"mcmulti arena\n{plan.ruleset}\n{plan.seed}\n{what}\n".encode()).digest()
