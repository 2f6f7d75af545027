"""The tallies of a game: what each color of fields gave and took, and how everybody staked and threw."""

from typing import Any

from mcmulti.domain.core.ruleset import Tallies
from mcmulti.domain.core.shown.gauges import Columns, Tallied
from mcmulti.domain.millionenspiel.phases.pensions import PensionBought
from mcmulti.domain.millionenspiel.phases.settling import (
    DeciderThrown,
    NotesLost,
    RestLost,
    RestTaken,
    StakeLost,
    StakeTaken,
    StakeWon,
    ThousandWon,
)
from mcmulti.domain.millionenspiel.phases.staking import StakePlaced
from mcmulti.domain.millionenspiel.phases.throwing import FirstThrown, PawnMoved, ThrowDeclined
from mcmulti.domain.millionenspiel.state import Millionenspiel

COLUMNS: Columns = {
    "fields": ("landed", "stakes", "gained", "lost", "taken"),
    "stakers": ("placed", "passed", "stakes", "cards"),
    "rollers": ("thrown", "declined", "deciders"),
}
"""Money, except how often the pawn landed, and how often a seat staked something, passed, bought, threw, declined.

`stakes`: the total staked. `lost`: what went to the bank. `taken`: what the roller took from others.
"""


def tallied(before: Millionenspiel | None, event: Any) -> tuple[Tallied, ...]:
    """What an event adds."""
    if before is None:
        return ()
    colour = before.colour
    match event:
        case PawnMoved():
            staked = sum(player.stake.worth for player in before.players)
            return (Tallied("fields", None, event.colour, {"landed": 1, "stakes": staked}),)
        case StakeWon() | ThousandWon():
            return (Tallied("fields", None, colour, {"gained": event.pieces.worth}),)
        case StakeLost() | RestLost():
            return (Tallied("fields", None, colour, {"lost": event.pieces.worth}),)
        case NotesLost():
            return (Tallied("fields", None, colour, {"lost": event.staked.worth + event.kept.worth}),)
        case StakeTaken() | RestTaken():
            return (Tallied("fields", None, colour, {"taken": event.pieces.worth}),)
        case StakePlaced():
            placed = {"placed": 1, "stakes": event.pieces.worth} if event.pieces else {"passed": 1}
            return (Tallied("stakers", event.seat, None, placed),)
        case PensionBought():
            return (Tallied("stakers", event.seat, None, {"cards": 1}),)
    return _thrown(event)


def _thrown(event: Any) -> tuple[Tallied, ...]:
    for kind, column in ((FirstThrown, "thrown"), (ThrowDeclined, "declined"), (DeciderThrown, "deciders")):
        if isinstance(event, kind):
            return (Tallied("rollers", event.seat, None, {column: 1}),)
    return ()


TALLIES: Tallies[Millionenspiel] = Tallies(columns=COLUMNS, tallied=tallied)
