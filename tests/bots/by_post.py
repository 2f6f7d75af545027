"""Games by post between writers of sheets in one process, through JSON as over HTTP."""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from mcmulti.bots.strategies.postal.magnate import MagnateOutlook
from mcmulti.bots.strategies.postal.mixed import Writer, sheet_by
from mcmulti.bots.strategies.postal.outlook import PostalOutlook
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.course.course import Fact
from mcmulti.domain.postal import RULESET
from mcmulti.domain.postal.commands import SubmitOrders
from mcmulti.domain.postal.sheets.checking import check
from mcmulti.domain.postal.sheets.sheet import OrderSheet
from mcmulti.domain.postal.shown.view import view
from mcmulti.domain.postal.state import PostalSetup, State
from mcmulti.library.steps import set_up, take

MOST_ROUNDS = 500


class Posted(NamedTuple):
    """A finished game: its last state, its events, and the checker's remarks by code."""

    state: State
    facts: list[Fact]
    remarks: Counter[str]


def tycoon_sheet(view: dict[str, Any], seat: int) -> dict[str, Any]:
    """A tycoon's sheet for the round of the view, in no mood: it depends on nothing else."""
    return sheet_by(PostalOutlook(view | {"you": seat}))


def magnate_sheet(view: dict[str, Any], seat: int) -> dict[str, Any]:
    """A magnate's sheet, in no mood."""
    return sheet_by(MagnateOutlook(view | {"you": seat}))


def seen(state: State, seat: int) -> dict[str, Any]:
    """The seat's view, as JSON."""
    shown: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(view(state, seat)))
    return shown


def as_sheet(written: dict[str, Any]) -> OrderSheet:
    """The sheet, decoded as strictly as the API does."""
    return msgspec.json.decode(msgspec.json.encode(written), type=OrderSheet)


def play(writers: Sequence[Writer], seed: int) -> Posted:
    """Play to the end. Every sheet must be accepted, and the writers must not change their arguments."""
    chance = SeededChance(random.Random(seed).randbytes(32), f"game {seed}")
    state: State = list(set_up(RULESET, PostalSetup(), f"game {seed}", chance))[-1].state
    facts: list[Fact] = []
    remarks: Counter[str] = Counter()
    while state.phase != "over":
        assert state.round < MOST_ROUNDS, "the game does not come to its end"
        for seat in range(4):
            shown = seen(state, seat)
            before = msgspec.json.encode(shown)
            sheet = as_sheet(writers[seat](shown, seat))
            assert msgspec.json.encode(shown) == before
            remarks.update(remark.code for remark in check(state, seat, sheet))
            step = take(RULESET, state, seat, SubmitOrders(state.round, sheet), chance)
            state = step.state
            facts += step.facts
    return Posted(state, facts, remarks)
