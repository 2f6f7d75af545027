"""The start: four players, the same for all, and the first round."""

from mcmulti.domain.postal.commands import StartGame
from mcmulti.domain.postal.components import CAPITAL, CONSUMER_START, FIRST_CLIMATE, FREE_AT_START, STARTING_BARRELS
from mcmulti.domain.postal.events import PostalGameStarted
from mcmulti.domain.postal.play import Play
from mcmulti.domain.postal.refereeing import begin_round


def start_game(play: Play, seat: int, command: StartGame) -> None:
    """Hand out cash and barrels and wait for the first sheets (`postal/start`)."""
    started = PostalGameStarted(
        entropy=",".join(chair.entropy for chair in play.state.chairs if chair),
        cash=CAPITAL,
        crude=STARTING_BARRELS["crude"],
        gasoline=STARTING_BARRELS["gasoline"],
        economy=FIRST_CLIMATE,
        free=FREE_AT_START,
        consumer_price=CONSUMER_START,
    )
    play.record(started, "postal/start")
    begin_round(play, 1)
