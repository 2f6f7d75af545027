"""The ladder of one server, while games end on others."""

import asyncio
from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

from mcmulti.api.telling.ladder import ERASURES, OUTDATED, PAGE, SETTLED, LadderBoard
from mcmulti.events.log.envelope import Head
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.accounts import Player, first_token
from mcmulti.events.ports.computed import KeptAssessment
from mcmulti.events.ports.game_index import Ended, RatedGame
from mcmulti.projections.statistics.checkpoint import SPACING, shape
from mcmulti.projections.statistics.ratings import FEWEST, Assessment, Ladder
from mcmulti.referee.referee import Referee

ANN, BEN, CID, DAN = (UUID(int=number) for number in range(1, 5))
NOW = datetime(2026, 5, 1, tzinfo=UTC)


class SeenLate(MemoryLog):
    """A log of rated games, which become visible when they are put into `seen`."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[RatedGame] = []
        self.time = NOW
        self.rows = 0

    async def now(self) -> datetime:
        return self.time

    async def rated(self, after: Ended, limit: int) -> list[RatedGame]:
        found = [game for game in sorted(self.seen) if game.ended > after][:limit]
        self.rows += len(found)
        return found

    async def heads(self, game_ids: Sequence[UUID], away: set[str] | None = None) -> dict[UUID, Head]:
        there = {game.ended.game_id for game in self.seen}
        return {game_id: Head(7, 2 * game_id.bytes) for game_id in game_ids if game_id in there}


def game(number: int, ago: timedelta, *players: UUID) -> RatedGame:
    return RatedGame(Ended(NOW - ago, UUID(int=100 + number)), "mcmulti", players, (), (0,), (FEWEST,) * len(players))


async def board() -> tuple[SeenLate, Referee, LadderBoard]:
    log = SeenLate()
    for player, name in ((ANN, "Ann"), (BEN, "Ben"), (CID, "Cid"), (DAN, "Dan")):
        await log.add_player(Player(player, name), first_token(NOW), player.bytes * 2)
    referee = Referee(log)
    return log, referee, LadderBoard(log, referee)


def made_of(*games: RatedGame, erased: Collection[UUID] = ()) -> Ladder:
    ladder = Ladder()
    for each in sorted(games):
        ladder.add(each, dict.fromkeys((ANN, BEN, CID, DAN), "human"), erased)
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


def evening(games: int) -> list[RatedGame]:
    """This many games of two pairs of players, three days apart, so that all count."""
    return [game(n, timedelta(days=3 * (games - n)), *((ANN, BEN) if n % 2 else (CID, DAN))) for n in range(games)]


async def test_a_server_that_starts_reads_only_the_games_since_the_checkpoint() -> None:
    log, referee, first = await board()
    log.seen = evening(3 * SPACING)
    await first.look()
    assert log.rows == 3 * SPACING
    log.seen += [game(1000, timedelta(hours=1), BEN, CID), game(1001, timedelta(seconds=5), CID, ANN)]
    log.rows = 0
    started = LadderBoard(log, referee)
    await started.look()
    assert log.rows == 2
    assert told(started) == expected(made_of(*log.seen))
    await first.look()
    for each in log.seen:
        assert await started.verdict(each.ended.game_id) == await first.verdict(each.ended.game_id) is not None
    assert log.rows < 10  # the game of the last minute is read again
    assert await started.is_stored_right()


async def test_a_server_that_stays_up_stores_a_checkpoint_now_and_then() -> None:
    log, referee, ladder = await board()
    whole = evening(2 * SPACING + 50)
    for games in range(0, len(whole) + 1, 50):
        log.seen = whole[:games]
        await ladder.look()
    log.rows = 0
    await LadderBoard(log, referee).look()
    assert log.rows < SPACING


async def test_a_checkpoint_that_was_changed_is_not_used() -> None:
    log, referee, ladder = await board()
    log.seen = evening(SPACING)
    await ladder.look()
    kept = await log.ladder(shape())
    assert kept is not None
    others = Head(7, bytes(32))
    for wrong in (
        kept._replace(state=kept.state[:-1] + bytes([kept.state[-1] ^ 1])),
        kept._replace(ended=log.seen[7].ended),
        kept._replace(head=others),
        kept._replace(state=b""),
    ):
        await log.keep_ladder(wrong)
        assert not await ladder.is_stored_right()
        log.rows, started = 0, LadderBoard(log, referee)
        await started.look()
        assert log.rows == SPACING
        assert told(started) == expected(made_of(*log.seen))
        await started.rebuild()
        assert await log.ladder(shape()) == kept
        assert await started.is_stored_right()


async def test_a_checkpoint_is_not_used_if_its_last_game_is_gone() -> None:
    log, referee, ladder = await board()
    log.seen = evening(SPACING + 1)
    await ladder.look()
    log.seen.pop()
    started = LadderBoard(log, referee)
    await started.look()
    assert told(started) == expected(made_of(*log.seen))


async def test_a_player_who_was_erased_costs_nobody_points_as_soon_as_all_games_are_rated_again() -> None:
    """Until then the ratings before that are shown, so that nobody waits."""
    log, referee, first = await board()
    log.seen = evening(SPACING + 1)
    before, right = made_of(*log.seen), made_of(*log.seen, erased={ANN})
    assert right.strength("mcmulti", BEN) != before.strength("mcmulti", BEN)
    await first.look()
    await first.erasures_noticed()
    await log.erase(ANN)
    assert await first.is_stored_right()
    log.rows, started = 0, LadderBoard(log, referee)
    await started.look()
    assert (log.rows, told(started)) == (0, expected(before))
    await started.erasures_noticed()
    assert (log.rows, told(started)) == (SPACING + 1, expected(right))
    assert await started.is_stored_right()
    for each in log.seen:
        assert await started.verdict(each.ended.game_id) == right.verdict(each.ended.game_id)

    log.rows, other = 0, LadderBoard(log, referee)
    await other.look()
    await other.erasures_noticed()
    assert (log.rows, told(other)) == (0, expected(right))  # it starts from what the other one stored


async def test_a_game_that_ends_after_its_player_was_erased_is_rated_like_those_before() -> None:
    log, referee, first = await board()
    log.seen = evening(SPACING)
    await first.look()
    await first.erasures_noticed()
    await log.erase(ANN)
    log.seen.append(game(1000, timedelta(hours=1), ANN, BEN))
    started = LadderBoard(log, referee)
    await started.look()
    assert told(started) == expected(made_of(*log.seen))
    await started.erasures_noticed()
    assert told(started) == expected(made_of(*log.seen, erased={ANN}))


async def test_another_server_that_runs_takes_over_what_the_first_one_rated_again() -> None:
    log, referee, first = await board()
    log.seen = evening(SPACING)
    second = LadderBoard(log, referee)
    await first.look()
    await first.erasures_noticed()
    await log.erase(ANN)
    await second.look()
    await second.erasures_noticed()
    third = LadderBoard(log, referee)
    await third.look()
    log.rows = 0
    await third.erasures_noticed()
    assert log.rows == 0
    assert told(third) == told(second) == expected(made_of(*log.seen, erased={ANN}))


async def test_however_often_players_are_erased_games_are_not_rated_again_all_the_time() -> None:
    """If rating takes a hundredth of a second, and at most a billionth of a processor, it waits for months."""
    log, referee, _ = await board()
    log.seen = evening(SPACING)
    ladder = LadderBoard(log, referee, share=1e-9)
    await ladder.look()
    await ladder.erasures_noticed()
    await log.erase(ANN)
    assert ladder._next_erasures - asyncio.get_running_loop().time() > ERASURES
    log.rows = 0
    for _ in range(3):
        await ladder.look()
        await ladder.erasures_noticed()
    assert log.rows == 0


async def test_a_log_that_goes_back_meanwhile_is_rated_as_it_is_then() -> None:
    log, referee, first = await board()
    log.seen = evening(SPACING)
    await first.look()
    await first.erasures_noticed()
    await log.erase(ANN)
    started = LadderBoard(log, referee)
    await started.look()
    for forget in referee.forgetters:
        forget()
    log.seen.pop()
    await started.erasures_noticed()
    await started.look()
    assert told(started) == expected(made_of(*log.seen, erased={ANN}))


async def test_what_other_builds_stored_is_deleted_when_they_are_a_month_behind() -> None:
    log, _, ladder = await board()
    log.seen = evening(SPACING)
    await ladder.look()
    mine = await log.ladder(shape())
    assert mine is not None
    old, recent = bytes(32), b"\1" * 32
    last = mine.ended.at
    for other, at in ((old, last - OUTDATED - timedelta(seconds=1)), (recent, last - OUTDATED)):
        await log.keep_ladder(mine._replace(shape=other, ended=Ended(at, UUID(int=1))))
        await log.keep_assessments([KeptAssessment(UUID(int=1), other, b"theirs")])
    await ladder.rebuild()
    assert await log.ladder(old) is None
    assert await log.assessment(UUID(int=1), old) is None
    assert await log.ladder(recent) is not None
    assert await log.assessment(UUID(int=1), recent) is not None
    assert await log.ladder(shape()) == mine


async def test_a_checkpoint_is_replaced_even_if_no_game_is_left() -> None:
    log, referee, ladder = await board()
    log.seen = evening(SPACING)
    await ladder.look()
    log.seen = []
    assert not await ladder.is_stored_right()
    await ladder.rebuild()
    assert await ladder.is_stored_right()
    log.seen = evening(3)
    started = LadderBoard(log, referee)
    await started.look()
    assert told(started) == expected(made_of(*log.seen))


async def test_an_assessment_that_is_missing_or_was_changed_is_made_again_but_not_each_time() -> None:
    log, referee, first = await board()
    log.seen = evening(SPACING)
    await first.look()
    game_id = log.seen[5].ended.game_id
    right = await first.verdict(game_id)
    assert isinstance(right, Assessment)
    kept = await log.assessment(game_id, shape())
    assert kept is not None
    await log.keep_assessments([kept._replace(assessment=kept.assessment[:-1] + b"x")])
    started = LadderBoard(log, referee)
    assert await started.verdict(game_id) == right
    assert await log.assessment(game_id, shape()) == kept
    unseen = UUID(int=77)
    log.rows = 0
    for _ in range(3):
        assert await started.verdict(unseen) is None
    assert log.rows == 0
