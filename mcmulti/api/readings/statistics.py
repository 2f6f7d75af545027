"""The statistics of a game."""

from uuid import UUID

from mcmulti.api.caching.moments import MomentQuery, made_once, moment
from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import DEAR, Call, operation
from mcmulti.api.http.received import Tags
from mcmulti.events.log.item import AtMoment
from mcmulti.events.ports.accounts import Player
from mcmulti.projections.statistics.game import GameStatistics, GameTally


class StatisticsOfGame(AtMoment, frozen=True):
    """The statistics of a game after event `seq`.

    `statistics`: the numbers.
    """

    statistics: GameStatistics


@operation(
    "GET",
    "/v1/games/{game}/statistics",
    id="getStatistics",
    tag="log",
    summary="Show the statistics of a game: dice, luck, income, and spending",
    answer=StatisticsOfGame,
    cost=DEAR,
    readers="all",
    named=True,
)
async def get_statistics(
    call: Call, query: MomentQuery, caller: Player | None, game: UUID, if_none_match: Tags
) -> Answer:
    """Returns how often each die showed each face, with a chi-square test; what the dice let each seat operate,
    compared with the average of all rolls; income and spending by reason; and length and winners.
    """
    at = await moment(call, game, query.at)
    head = at.position.head

    async def made() -> StatisticsOfGame:
        tally = await call.service.folds.reach(at.position, GameTally, lambda: GameTally(at.position.ruleset))
        counted = await call.service.apart(lambda: tally.named(at.called).statistics())
        return StatisticsOfGame(game, head.seq, head.hash.hex(), counted)

    return await made_once(call, at, if_none_match, made)
