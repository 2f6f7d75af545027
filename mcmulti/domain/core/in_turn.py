"""What games that ask one seat at a time have in common: their capabilities, and the slots for these."""

from collections.abc import Callable
from typing import Any

from mcmulti.domain.core.capabilities.capability import Capability
from mcmulti.domain.core.capabilities.clock import ByClock, ClockOption
from mcmulti.domain.core.capabilities.clock.timing import NO_TIMING, Timing
from mcmulti.domain.core.capabilities.house import HouseBots
from mcmulti.domain.core.capabilities.leaving import IfLeftOption, Leaving
from mcmulti.domain.core.capabilities.leaving.departures import NO_DEPARTURES, Departures
from mcmulti.domain.core.capabilities.length import Length
from mcmulti.domain.core.capabilities.positions import Opening, Positions
from mcmulti.domain.core.capabilities.rating import PracticeOption, Rating
from mcmulti.domain.core.capabilities.undo import TakingBack, UndoOption
from mcmulti.domain.core.capabilities.undo.trail import NOTHING_TO_UNDO, Undoing
from mcmulti.domain.core.capabilities.votes import NO_PROPOSALS, Proposals, Votes
from mcmulti.domain.core.table import Table, TableSetup


class SetupInTurn(TableSetup, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """Base of setups of games that ask one seat at a time."""

    clock: ClockOption = None
    if_left: IfLeftOption = "substitute"
    practice: PracticeOption = False
    undo: UndoOption = "no"


class TableInTurn(Table, frozen=True, gc=False, kw_only=True):
    """The state of a game that asks one seat at a time, with a slot for each capability in `in_turn`."""

    departures: Departures = NO_DEPARTURES
    proposals: Proposals = NO_PROPOSALS
    timing: Timing = NO_TIMING
    undoing: Undoing = NOTHING_TO_UNDO


LONGEST = 12_000
"""The default for the most events of a game."""


def in_turn(
    opening: Opening,
    sell_out: Callable[[Any, int], None] | None = None,
    *,
    longest: int = LONGEST,
    unsealed: Callable[[Any], Any] = lambda state: state,
) -> tuple[Capability, ...]:
    """The capabilities of games that ask one seat at a time.

    `opening` and `unsealed` as in `Positions`, `sell_out` as in `Leaving`, `longest` as in `Length`.
    """
    playing = (Leaving(sell_out=sell_out), HouseBots(), Votes(), ByClock(), TakingBack())
    return (*playing, Length(longest=longest), Rating(), Positions(opening=opening, unsealed=unsealed))
