"""What a fair tells people."""

from mcmulti.domain.core import every_table
from mcmulti.domain.core.event import events_of
from mcmulti.domain.core.wording import phrases as common
from mcmulti.domain.core.wording.data import read
from mcmulti.domain.core.wording.texts import texts_in
from tests.toy.fair import days, table, trading
from tests.toy.fair.flow import FLOW
from tests.toy.fair.state import Florins, Sacks

COMPONENTS = read(__package__, "components.toml")
EVENTS = events_of(*every_table.events_at(FLOW.capabilities), table, trading, days)


class Phrases(common.Phrases, room=__package__):
    """Phrases of a fair in one language."""

    __slots__ = ()

    SAID = (*common.Phrases.SAID, (Florins, "florins"), (Sacks, "sacks"))

    def florins(self, amount: int) -> str:
        """A sum of money."""
        return self.phrase("florin" if amount == 1 else "florins", amount=amount)

    def sacks(self, number: int) -> str:
        """An amount of wool."""
        return self.phrase("sack" if number == 1 else "sacks", number=number)


TEXTS = texts_in(__package__, flow=FLOW, events=EVENTS, phrases=Phrases, components=COMPONENTS)
