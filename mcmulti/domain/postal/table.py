"""The start: four players, the same for all, and the first round."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from mcmulti.domain.core.commands import StartGame
from mcmulti.domain.core.course.posting import Transfer
from mcmulti.domain.core.event import Event, Opened
from mcmulti.domain.core.offers import Offer
from mcmulti.domain.oil import state as common
from mcmulti.domain.oil.names import BarrelCount, EconomyName, Good, Millions
from mcmulti.domain.oil.rules import transfers
from mcmulti.domain.oil.rules.market import Market
from mcmulti.domain.postal.components import (
    CAPITAL,
    CONSUMER_START,
    FIELDS,
    FIRST_CLIMATE,
    FREE_AT_START,
    PLAYERS,
    STARTING_BARRELS,
)
from mcmulti.domain.postal.phrases import Phrases
from mcmulti.domain.postal.refereeing.refereeing import begin_round
from mcmulti.domain.postal.state import Play, PostalSetup, State


class PostalGameOpened(Opened[PostalSetup], frozen=True):
    """A table was set up. `commitment`: the SHA-256 of the secret seed, in hexadecimal."""

    def evolve(self, state: None) -> State:
        return self.table(State)

    def hours(self, say: Phrases) -> str:
        """The length of a round."""
        return say.number(self.setup.round_hours)

    def grace(self, say: Phrases) -> str:
        """How many hours longer the referee waits."""
        return say.number(self.setup.grace_hours)


class PostalGameStarted(Event, frozen=True):
    """The seats are final. `cash`, `crude`, and `gasoline`: what every player starts with.

    `free`: the free fields of each good on both markets. `consumer_price`: what the first barrel of gasoline brings at
    a pump.
    """

    entropy: Annotated[str, Meta(max_length=259, pattern="^[0-9A-Za-z_,-]*$")]
    cash: Millions
    crude: BarrelCount
    gasoline: BarrelCount
    economy: EconomyName
    free: dict[Good, BarrelCount]
    consumer_price: Millions

    def evolve(self, state: State) -> State:
        market = Market(self.free["crude"], self.free["gasoline"])
        return replace(
            state,
            players=common.dealt_out(state.chairs, self.cash, self.crude, self.gasoline),
            owners=tuple(range(len(state.chairs))),
            entropy=self.entropy,
            economy=self.economy,
            domestic=market,
            foreign=market,
            consumer_price=self.consumer_price,
        )

    def transfers(self) -> tuple[Transfer, ...]:
        """Consumers keep what they buy, so there is no transfer for its use."""
        dealt = transfers.dealt_out(PLAYERS, self.cash, self.crude, self.gasoline)
        return dealt + transfers.filled(FIELDS, lambda market, good: self.free[good])


def start_game(play: Play, seat: int, command: StartGame, offer: Offer) -> None:
    """Hand out cash and barrels and wait for the first sheets (`postal/start`)."""
    started = PostalGameStarted(
        entropy=play.state.given_entropy,
        cash=CAPITAL,
        crude=STARTING_BARRELS["crude"],
        gasoline=STARTING_BARRELS["gasoline"],
        economy=FIRST_CLIMATE,
        free=FREE_AT_START,
        consumer_price=CONSUMER_START,
    )
    play.record(started, "postal/start")
    begin_round(play, 1)


def opening(state: State) -> tuple[Transfer, ...]:
    """What the books of a game that begins from a position open with."""
    return transfers.opening(state, FIELDS)
