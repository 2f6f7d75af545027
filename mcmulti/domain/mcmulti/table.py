"""The start: the seats become final, the first cards are turned over, somebody begins."""

from mcmulti.domain.mcmulti.commands import StartGame
from mcmulti.domain.mcmulti.components import (
    CAPITAL,
    CONSUMER_START,
    FIRST_ECONOMY,
    FREE_AT_START,
    NEWS,
    STARTING_BARRELS,
)
from mcmulti.domain.mcmulti.events import (
    FirstPlayerChosen,
    GameStarted,
    StartingRoll,
    StartRolled,
)
from mcmulti.domain.mcmulti.news import turn_over
from mcmulti.domain.mcmulti.play import Play
from mcmulti.domain.mcmulti.state import Chair, State
from mcmulti.domain.oil.board import QUADRANTS, left


def start_game(play: Play, seat: int, command: StartGame) -> None:
    """Close up empty seats, deal, turn over two news cards and find who starts."""
    chairs = tuple((index, chair) for index, chair in enumerate(play.state.chairs) if chair)
    play.record(
        GameStarted(
            chairs=tuple(index for index, _ in chairs),
            owners=_owners(tuple(index for index, _ in chairs)),
            entropy=",".join(chair.entropy for _, chair in chairs),
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


def _owners(chairs: tuple[int, ...]) -> tuple[int | None, ...]:
    """Who owns each quadrant (`setup/seats`): with three players the quadrant of the empty seat is the ghost's."""
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
