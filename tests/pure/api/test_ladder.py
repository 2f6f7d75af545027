"""The ladder of one server, while games end elsewhere."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from mcmulti.api.telling.ladder import PAGE, SETTLED, LadderBoard
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.accounts import Player, first_token
from mcmulti.events.ports.game_index import Ended, RatedGame
from mcmulti.projections.statistics.ratings import FEWEST, Ladder
from mcmulti.referee.referee import Referee

ANN, BEN, CID, DAN = (UUID(int=number) for number in range(1, 5))
NOW = datetime(2026, 5, 1, tzinfo=UTC)


class SeenLate(MemoryLog):
    """A log of rated games, which come to be seen when they are put into `seen`."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[RatedGame] = []
        self.time = NOW

    async def now(self) -> datetime:
        return self.time

    async def rated(self, after: Ended, limit: int) -> list[RatedGame]:
        return [game for game in sorted(self.seen) if game.ended > after][:limit]


def game(number: int, ago: timedelta, *players: UUID) -> RatedGame:
    return RatedGame(Ended(NOW - ago, UUID(int=100 + number)), "mcmulti", players, (), (0,), (FEWEST,) * len(players))


async def board() -> tuple[SeenLate, Referee, LadderBoard]:
    log = SeenLate()
    for player, name in ((ANN, "Ann"), (BEN, "Ben"), (CID, "Cid"), (DAN, "Dan")):
        await log.add_player(Player(player, name), first_token(NOW), player.bytes * 2)
    referee = Referee(log)
    return log, referee, LadderBoard(log, referee)


def made_of(*games: RatedGame) -> Ladder:
    ladder = Ladder()
    for each in sorted(games):
        ladder.add(each, dict.fromkeys((ANN, BEN, CID, DAN), "human"))
    return ladder


def told(ladder: LadderBoard) -> list[object]:
    return [(place, ladder.strength("mcmulti", place.player)) for place in ladder.standings("mcmulti", "human")]


def expected(ladder: Ladder) -> list[object]:
    places = ladder.standings()["mcmulti", "human"]
    return [(place, ladder.strength("mcmulti", place.player)) for place in places]


async def test_a_game_that_comes_to_be_seen_late_stands_where_it_ended() -> None:
    log, _, ladder = await board()
    old = game(1, timedelta(days=1), ANN, BEN)
    early, late = game(2, timedelta(seconds=20), BEN, CID), game(3, timedelta(seconds=5), CID, ANN)
    log.seen = [old, late]
    await ladder.look()
    assert told(ladder) == expected(made_of(old, late))
    log.seen = [old, late, early]
    await ladder.look()
    assert told(ladder) == expected(made_of(old, early, late))
    log.time += SETTLED + timedelta(seconds=30)
    await ladder.look()
    assert told(ladder) == expected(made_of(old, early, late))


async def test_a_log_that_went_back_makes_the_ratings_that_it_has() -> None:
    log, referee, ladder = await board()
    first, second = game(1, timedelta(days=2), ANN, BEN), game(2, timedelta(days=1), BEN, ANN)
    log.seen = [first, second]
    await ladder.look()
    log.seen = [first]
    for forget in referee.forgetters:
        forget()
    await ladder.look()
    assert told(ladder) == expected(made_of(first))
    assert await ladder.verdict(second.ended.game_id) is None


async def test_more_games_than_are_asked_for_at_a_time_are_all_rated_once() -> None:
    log, _, ladder = await board()
    log.seen = [
        game(n, timedelta(days=800 - 3 * n), *((ANN, BEN) if n % 2 else (CID, DAN))) for n in range(2 * PAGE + 7)
    ]
    await ladder.look()
    await ladder.look()
    assert told(ladder) == expected(made_of(*log.seen))
    counted = [strength for player in (ANN, CID) if (strength := ladder.strength("mcmulti", player))]
    assert sum(strength.games for strength in counted) == 2 * PAGE + 7
