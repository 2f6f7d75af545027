"""The wool fair with an ante: a game only says that it has the capability."""

import sys
from typing import Self

from msgspec.structs import replace

from mcmulti.domain.core import every_table
from mcmulti.domain.core.event import events_of
from mcmulti.domain.core.ruleset import Commands, Ruleset
from mcmulti.domain.core.tuples import put
from mcmulti.domain.core.wording.texts import texts_in
from tests.toy import fair
from tests.toy.ante import Ante, AnteOption, Pot
from tests.toy.fair import days, state, table, texts, trading
from tests.toy.fair.flow import FLOW as WITHOUT


class Setup(state.Setup, frozen=True, gc=False, forbid_unknown_fields=True):
    """The setup of a fair with an ante."""

    ante: AnteOption = 0


class Fair(state.Fair, frozen=True, kw_only=True):
    """A fair with a pot."""

    setup: Setup
    pot: Pot = Pot()

    def having(self, seat: int, florins: int) -> Self:
        """The state in which a trader has this many florins."""
        return replace(self, traders=put(self.traders, seat, replace(self.traders[seat], florins=florins)))


class FairOpened(table.FairOpened, frozen=True):
    """A fair was called."""

    setup: Setup

    def evolve(self, before: None) -> Fair:
        return self.table(Fair)


FLOW = replace(
    WITHOUT,
    capabilities=(
        *WITHOUT.capabilities,
        Ante(has=lambda fair, seat: fair.traders[seat].florins, most=state.PURSE // 4),
    ),
)
EVENTS = events_of(*every_table.events_at(FLOW.capabilities), table, trading, days, sys.modules[__name__])
RULESET: Ruleset[Fair] = replace(
    fair.RULESET,  # type: ignore[arg-type]
    name="anted_fair",
    setup=Setup,
    commands=Commands(moves=FLOW.moves),
    events=EVENTS,
    state_type=Fair,
    flow=FLOW,
    texts=texts_in("tests.toy.fair", flow=FLOW, events=EVENTS, phrases=texts.Phrases, components=texts.COMPONENTS),
)
