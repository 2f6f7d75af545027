"""A stored review with the current names of the players."""

from mcmulti.api.http.contract import Call
from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.log.positions import Position
from mcmulti.projections.labels import REVIEW
from mcmulti.projections.reviews import FinishedReview, Review, with_names


async def named_review(call: Call, position: Position, found: FinishedReview, language: Language) -> Review:
    """A review in a language, with the current names of the players."""
    say = REVIEW[language]
    seats = {player: say.seat.format(seat + 1) for seat, player in enumerate(position.ruleset.players(position.state))}
    called = (await call.service.names.lookup(found.players)).called
    names = {**{player: seat for player, seat in seats.items() if player is not None}, **called}
    return await call.service.apart(with_names, found, language, names, say.left)
