"""Branches: a game goes on from one of its moments, as practice, at a table of its own."""

from typing import Annotated, Any
from uuid import UUID, uuid4

import msgspec
from msgspec import Struct

from mcmulti.api.admission.access import hash_of_wish
from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import Call, LanguageQuery, operation
from mcmulti.api.http.problems import ApiError, refused_as
from mcmulti.api.operations.games import NewTable, game_view, levels_there, opened_once, table_answer
from mcmulti.api.readings.positions import at_rest, document
from mcmulti.api.telling.refusals import refusal
from mcmulti.api.telling.tables import opened_under
from mcmulti.api.telling.wire import GameView, HouseBotsAsked, IsListed
from mcmulti.domain.core.course.positions import Moment, Origin
from mcmulti.domain.core.figures import Seat
from mcmulti.domain.core.offers import NO_SEAT
from mcmulti.events.log.item import Seq
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.game_index import Access


class NewBranch(Struct, frozen=True, forbid_unknown_fields=True):
    """What to play on from at a practice table. `at`: the event that it goes on after. `listed`: whether everybody sees
    the table in lists. `house_bots`: the levels of server bots that sit down at once on the last seats. `seat`: a seat
    that they leave free, so that you can take it.
    """

    at: Annotated[Seq, refused_as("bad_position")]
    listed: IsListed = False
    house_bots: HouseBotsAsked = ()
    seat: Seat | None = None


@operation(
    "POST",
    "/v1/games/{game}/branches",
    summary="Play on from any moment of a game",
    answer=GameView,
    status=201,
    etag=True,
    problems=(
        "no_seat",
        "unknown_moment",
        "unfinished",
        "no_position",
        "refused",
        "key_reused",
        "too_many_open_games",
        "no_house_bots",
    ),
    quota="new_games",
)
async def open_branch(
    call: Call, query: LanguageQuery, caller: Player, game: UUID, idempotency_key: str | None, body: NewBranch
) -> Answer:
    """Opens a practice table where everything stands as it did after event `at`, with new dice and without a clock. If
    `at` is in the middle of what a command led to, it is the position before that command. Nobody sits there yet; all
    seats must be taken before it starts. Anyone can branch a finished game. Of a running game, you can do that only if
    you sit there and it is not rated: the branch then has nothing that anybody sealed, such as order sheets. The first
    event of the branch names the game, event, and hash that it goes on from. The game itself never changes.
    """
    shared, referee = call.service, call.service.referee
    parent = await referee.position(game)
    over = parent.ruleset.status(parent.state) == "finished"
    if not over:
        if parent.seat_of(caller.player_id) is None:
            raise refusal(parent.ruleset, NO_SEAT.rejection(), query.language)
        if (await shared.log.game(game)).access.rated:
            raise ApiError("unfinished", "A rated game can be branched once it is over.")
    position = await at_rest(referee, game, body.at)
    found = document(position, over=over)
    setup: Any = msgspec.convert(found.setup, parent.ruleset.setup)
    levels = levels_there(call, parent.ruleset, body.house_bots, body.seat, setup.seats, query.language)
    moment = Moment(str(game), position.head.seq, position.head.hash.hex())
    branch = uuid4() if idempotency_key is None else opened_under(caller.player_id, idempotency_key)
    asked = hash_of_wish(body.listed, None, False, 0, False, levels, moment)
    access = Access(body.listed, asked_hash=asked, house_bots=levels)
    table = NewTable(parent.ruleset, setup, access, Origin(found.position, moment))
    now, _, replayed = await opened_once(call, caller, branch, idempotency_key, table)
    shown = game_view(now, now.seat_of(caller.player_id), await shared.tables.at(now))
    return table_answer(shown, now.head, 201, **replayed)
