"""The start: the seats become final, the first cards are turned over, and a first player is chosen."""

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.core.commands import StartGame
from mcmulti.domain.core.course.posting import Transfer, transfer
from mcmulti.domain.core.event import Event, Opened
from mcmulti.domain.core.offers import Offer
from mcmulti.domain.core.table import Chair
from mcmulti.domain.mcmulti.components import (
    CAPITAL,
    CONSUMER_START,
    FIELDS,
    FIRST_ECONOMY,
    FREE_AT_START,
    NEWS,
    STARTING_BARRELS,
    NewsName,
)
from mcmulti.domain.mcmulti.news.cards import turn_over
from mcmulti.domain.mcmulti.phrases import Phrases
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.mcmulti.state import News, Play, State
from mcmulti.domain.oil import state as common
from mcmulti.domain.oil.names import (
    BarrelCount,
    EconomyName,
    Good,
    Millions,
    Owners,
    QuadrantNumber,
    Quadrants,
    Seat,
    Seats,
)
from mcmulti.domain.oil.rules import transfers
from mcmulti.domain.oil.rules.board import QUADRANTS, left
from mcmulti.domain.oil.rules.market import Market


class GameOpened(Opened[Setup], frozen=True):
    """A table was set up. `commitment`: the SHA-256 of the secret seed, in hexadecimal."""

    def evolve(self, state: None) -> State:
        return self.table(State)

    def seats(self, say: Phrases) -> str:
        """The number of seats."""
        return say.number(self.setup.seats)

    def target(self, say: Phrases) -> str:
        """The cash that allows a declaration of victory."""
        return say.money(self.setup.target)


class GameStarted(Event, frozen=True):
    """The seats are final: `chairs` lists, for each player in order, the seat it had taken.

    `owners`: the owner of each quadrant, None for the ghost. `cash`, `crude`, and `gasoline`: what every player starts
    with. `free`: the free fields of each good on both markets. `news`: the cards.
    """

    chairs: Seats
    owners: Owners
    entropy: Annotated[str, Meta(max_length=259, pattern="^[0-9A-Za-z_,-]*$")]
    cash: Millions
    crude: BarrelCount
    gasoline: BarrelCount
    economy: EconomyName
    free: dict[Good, BarrelCount]
    consumer_price: Millions
    news: Annotated[tuple[NewsName, ...], Meta(max_length=8)]

    def evolve(self, state: State) -> State:
        market = Market(self.free["crude"], self.free["gasoline"])
        chairs = tuple(state.chairs[seat] for seat in self.chairs)
        return replace(
            state,
            players=common.dealt_out(chairs, self.cash, self.crude, self.gasoline),
            player_ids=tuple(state.player_ids[seat] for seat in self.chairs),
            owners=self.owners,
            entropy=self.entropy,
            economy=self.economy,
            domestic=market,
            foreign=market,
            consumer_price=self.consumer_price,
            consumer_barrels=1,
            news=News(pile=self.news),
        )

    def transfers(self) -> tuple[Transfer, ...]:
        dealt = transfers.dealt_out(len(self.chairs), self.cash, self.crude, self.gasoline)
        consumed = transfer("supply", "consumers", "gasoline", 1, "start")
        return dealt + transfers.filled(FIELDS, lambda market, good: self.free[good]) + consumed

    def seated(self, say: Phrases) -> str:
        """The owners of quadrants. Names are known by chairs before empty ones are closed up, and by owners
        after it.
        """
        chairs = [None if owner is None else self.chairs[owner] for owner in self.owners]
        return say.listing([say.seated(chair, quadrant) for quadrant, chair in enumerate(chairs)])


class StartingRoll(Struct, frozen=True, gc=False):
    """A player's roll for the first turn."""

    seat: Seat
    die: Draw


class StartRolled(Event, frozen=True):
    """Players rolled for the first turn. If several have the highest roll, those roll again."""

    rolls: Annotated[tuple[StartingRoll, ...], Meta(max_length=4)]

    def evolve(self, state: State) -> State:
        return replace(state, draws=self.rolls[-1].die.number)

    def rolled(self, say: Phrases) -> str:
        """Everybody's roll."""
        return ", ".join([say.told(roll.seat, say.die(roll.die)) for roll in self.rolls])


class FirstPlayerChosen(Event, frozen=True):
    """Who starts, and the quadrants in the order of the special purchase round."""

    seat: Seat
    quadrant: QuadrantNumber
    purchases: Quadrants

    def evolve(self, state: State) -> State:
        return replace(state, phase="purchase", first=self.quadrant, purchases=self.purchases)


def start_game(play: Play, seat: int, command: StartGame, offer: Offer) -> None:
    """Close up empty seats, deal, turn over two news cards, and choose the first player."""
    chairs = tuple((index, chair) for index, chair in enumerate(play.state.chairs) if chair)
    play.record(
        GameStarted(
            chairs=tuple(index for index, _ in chairs),
            owners=owners_at_start(tuple(index for index, _ in chairs)),
            entropy=play.state.given_entropy,
            cash=CAPITAL[len(chairs)],
            crude=STARTING_BARRELS["crude"],
            gasoline=STARTING_BARRELS["gasoline"],
            economy=FIRST_ECONOMY,
            free=FREE_AT_START,
            consumer_price=CONSUMER_START,
            news=tuple(NEWS),
        ),
        "setup/start-capital",
    )
    turn_over(play, "likelier", "setup/news")
    turn_over(play, "less_likely", "setup/news")
    _choose_first(play, chairs)


def owners_at_start(chairs: tuple[int, ...]) -> tuple[int | None, ...]:
    """The owner of each quadrant (`setup/seats`). With three players, the quadrant of the empty seat is the ghost's."""
    if len(chairs) == 2:
        return (0, 1, 0, 1)
    return tuple(chairs.index(quadrant) if quadrant in chairs else None for quadrant in QUADRANTS)


def _choose_first(play: Play, chairs: tuple[tuple[int, Chair], ...]) -> None:
    """`setup/first-player`: as agreed if that seat is taken, else by dice."""
    agreed = [seat for seat, (index, _) in enumerate(chairs) if index == play.state.setup.first_seat]
    rolling = agreed or list(range(len(chairs)))
    while len(rolling) > 1:
        rolls = tuple(StartingRoll(seat, play.draw()) for seat in rolling)
        play.record(StartRolled(rolls), "setup/first-player")
        highest = max(roll.die.value for roll in rolls)
        rolling = [roll.seat for roll in rolls if roll.die.value == highest]
    first = play.state.quadrants_of(rolling[0])[0]
    play.record(FirstPlayerChosen(rolling[0], first, _purchase_order(play.state, first)), "setup/first-player")


def _purchase_order(state: State, first: int) -> tuple[int, ...]:
    """Clockwise from the first player's quadrant; the ghost buys nothing (`purchase/round`)."""
    order = [first]
    while len(order) < 4:
        order.append(left(order[-1]))
    return tuple(quadrant for quadrant in order if state.owners[quadrant] is not None)


def opening(state: State) -> tuple[Transfer, ...]:
    """What the books of a game that begins from a position open with."""
    consumed = transfer("supply", "consumers", "gasoline", state.consumer_barrels, "start")
    return transfers.opening(state, FIELDS) + consumed
