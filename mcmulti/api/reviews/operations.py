"""Reviews of finished games: what each decision cost, and what luck did."""

from uuid import UUID

from mcmulti.api.admission.quotas import address_of
from mcmulti.api.http.answers import Answer, StreamAnswer
from mcmulti.api.http.contract import DEAR, Call, LanguageQuery, answer, operation
from mcmulti.api.http.problems import ApiError
from mcmulti.api.reviews.live import ReviewStanding, review_standing
from mcmulti.api.reviews.wire import ReviewProgress, ReviewRequest, ReviewView
from mcmulti.api.streams.items import FORMATS, NDJSON, SSE, Heartbeat, Stopping
from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.computed import ReviewJob
from mcmulti.projections.labels import REVIEW
from mcmulti.projections.reviews import FinishedReview, Review, with_names


@operation(
    "POST",
    "/v1/games/{game}/review",
    summary="Ask for the review of a finished game",
    answer=ReviewView,
    problems=("unfinished", "no_reviews", "review_going"),
    cost=DEAR,
)
async def ask_for_review(call: Call, query: LanguageQuery, caller: Player, game: UUID, body: ReviewRequest) -> Answer:
    """The server plays every position on again and again, in a process of its own with low priority, and stores the
    result. If the game has a review that is as thorough, or somebody else has asked for one, you get that one at no
    cost. Otherwise the `seconds` are charged to you. You can have one review in progress at a time. Read the result
    with `getReview`.
    """
    service, log = call.service, call.service.log
    position = await _over(call, game)
    now = await review_standing(log, service.referee.history, game, position.head)
    enough = now.found is not None and now.found.fault is None and (now.seconds or 0) >= body.seconds
    if now.job is None and not enough:
        if not service.reviews:
            raise ApiError("no_reviews", "This server makes no reviews. Download the game, and run mcmulti review.")
        payer = service.payer(call.request, caller).player_id
        payers = (payer.hex, address_of(call.request.scope))
        await service.quotas.room("review_seconds", *payers)
        wanted = ReviewJob(game, payer, body.seconds, await log.now())
        job = await log.ask_review(wanted)
        if job.game_id != game:
            raise ApiError("review_going", f"The review of game {job.game_id} comes first. Ask again when it is done.")
        if job == wanted:
            await service.quotas.spend("review_seconds", body.seconds, *payers)
        now = now._replace(job=job, seconds=job.seconds)
    return await _review_so_far(call, position, now, query.language)


@operation(
    "GET",
    "/v1/games/{game}/review",
    summary="Read or follow the review of a finished game",
    answer=ReviewView,
    streams={SSE: (ReviewProgress, Stopping), NDJSON: (ReviewProgress, Heartbeat, Stopping)},
    problems=("unfinished",),
    cost=DEAR,
)
async def get_review(call: Call, query: LanguageQuery, caller: Player | None, game: UUID) -> Answer:
    """Returns everybody's chances to win after each command, what each decision cost and what would have been better,
    and what dice and cards changed. As a stream, it returns the progress until the review is done. All numbers are
    estimates with a standard error. Bundled bots play the rollouts, so another player may have other chances.
    """
    position = await _over(call, game)
    if call.media_type in FORMATS:
        form = FORMATS[call.media_type]
        return StreamAnswer(call.service.review_feeds.chunks(game, position.head, form), call.media_type)
    now = await review_standing(call.service.log, call.service.referee.history, game, position.head)
    return await _review_so_far(call, position, now, query.language)


async def _over(call: Call, game: UUID) -> Position:
    """The end of a game. Raises `UnknownGame`, and a problem if it is not over."""
    position = await call.service.referee.position(game)
    if position.ruleset.status(position.state) != "finished":
        raise ApiError("unfinished", "The game is not over, and a review would help its players. Wait for the end.")
    return position


async def _review_so_far(call: Call, position: Position, now: ReviewStanding, language: Language) -> Answer:
    head, (state, done) = position.head, (now.progress.state, now.progress.done)
    found = now.found
    reason = found.fault if found is not None and now.job is None else None
    review = None
    if found is not None and found.fault is None:
        review = await named_review(call, position, found, language)
    told = ReviewView(position.game_id, head.seq, head.hash.hex(), state, done, now.seconds, reason, review)
    return answer(told, Cache_Control="no-store", Vary=call.varies)


async def named_review(call: Call, position: Position, found: FinishedReview, language: Language) -> Review:
    """A review in a language, with the current names of the players."""
    say = REVIEW[language]
    seats = {player: say.seat.format(seat + 1) for seat, player in enumerate(position.ruleset.players(position.state))}
    called = (await call.service.names.lookup(found.players)).called
    names = {**{player: seat for player, seat in seats.items() if player is not None}, **called}
    return await call.service.apart(with_names, found, language, names, say.left)
