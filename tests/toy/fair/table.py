"""How a fair opens and begins."""

from msgspec.structs import replace

from mcmulti.domain.core.commands import StartGame
from mcmulti.domain.core.course.posting import CAPITAL, Transfer, transfer
from mcmulti.domain.core.event import Event, Opened
from mcmulti.domain.core.figures import Count, GivenEntropy
from mcmulti.domain.core.offers import Offer
from mcmulti.domain.core.wording.phrases import Phrases
from tests.toy.fair.state import FIRST_PRICE, PURSE, Fair, Florins, Play, Setup, Trader


class FairOpened(Opened[Setup], frozen=True):
    """A fair was called. `commitment` is the SHA-256 of the secret seed, in hexadecimal."""

    def evolve(self, state: None) -> Fair:
        return self.table(Fair)

    def days(self, say: Phrases) -> str:
        """How long it lasts."""
        return say.number(self.setup.days)

    def seats(self, say: Phrases) -> str:
        """How many traders come."""
        return say.number(self.setup.seats)


class FairBegan(Event, frozen=True):
    """Everybody is there: the `traders`, with this many florins each; wool has a price."""

    traders: Count
    florins: Florins
    price: Florins
    entropy: GivenEntropy

    def evolve(self, state: Fair) -> Fair:
        traders = (Trader(self.florins, 0),) * self.traders
        return replace(state, traders=traders, day=1, price=self.price, entropy=self.entropy)

    def transfers(self) -> tuple[Transfer, ...]:
        seats = range(self.traders)
        return tuple(
            moved for s in seats for moved in transfer("mint", f"seat:{s}:purse", "florins", self.florins, CAPITAL)
        )


def start_game(play: Play, seat: int, command: StartGame, offer: Offer) -> None:
    traders = len(play.state.chairs)
    play.record(FairBegan(traders, PURSE, FIRST_PRICE, play.state.given_entropy), "fair/purse")
