"""What the server sends of itself: timeouts, and answers of standing instructions."""

from datetime import timedelta
from uuid import UUID

from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.errors import Conflict
from mcmulti.metrics import CONFLICTS
from mcmulti.referee.referee import Referee
from mcmulti.referee.ruling import Refused, Request, Ruling

EARLY = timedelta(milliseconds=50)
"""How much too early a timer may fire."""


async def time_out(referee: Referee, game_id: UUID) -> Ruling | None:
    """Let a game whose deadline has passed go on without those it waits for.

    Returns None if there is no need: another server may have been faster. Raises `UnknownGame`, and `Refused` if the
    rules do not allow it.
    """
    game = await referee.hand(game_id)
    async with game.turn:
        await referee.settle(game)
        position = await referee.position(game_id)
        logged = await referee.log.game(game_id)
        deadlines = game.terms.deadlines
        over = logged.deadline is not None and logged.deadline <= referee.clock()
        if deadlines is None or not over or logged.head != position.head:
            return None
        request = Request(None, [deadlines.timeout(position.state)])
        try:
            return await referee.append(game, await referee.decide(game, position, request))
        except Conflict:
            CONFLICTS.inc()
            return None


async def answer(referee: Referee, game_id: UUID) -> Ruling | None:
    """Let an instruction answer the game's question, if one is on; None if none does.

    Raises `UnknownGame`, `DamagedGame`, and `LogUnavailable`.
    """
    game = await referee.hand(game_id)
    async with game.turn:
        await referee.settle(game)
        position = await referee.position(game_id)
        questions, state = game.terms.questions, position.state
        question = await referee.log.question(game_id)
        if question is None or not question.open or question.answer_at > referee.clock() + EARLY:
            return None
        asked = None if questions is None else questions.asked(state)
        ruling, command = None, None if questions is None else questions.answer(state)
        if command is not None and asked is not None:
            player = Player(UUID(state.player_ids[asked[1]]), "")
            request = Request(player, [command], (position.head,), instructed=True)
            try:
                ruling = await referee.append(game, await referee.decide(game, position, request))
            except Refused:  # its time is up
                ruling = None
            except Conflict:
                CONFLICTS.inc()
                return None
        if ruling is None or questions is None or questions.asked(ruling.position.state) is None:
            await referee.log.close_question(game_id, question)
        return ruling
