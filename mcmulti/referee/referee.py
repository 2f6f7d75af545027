"""The referee: load, decide, append, publish. The only writer of the log."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any
from uuid import UUID

from mcmulti.events.log.envelope import Head
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.errors import Conflict
from mcmulti.events.store.standing import ending, row, rows
from mcmulti.metrics import CONFLICTS
from mcmulti.referee.attendant import Decided, GameAtHand
from mcmulti.referee.opening import Opener, count
from mcmulti.referee.ruling import Idempotency, Refused, Request, Ruling, Stale, followed, judge
from mcmulti.tracing import span

ATTEMPTS = 20
"""How often a command is decided again because another writer was faster, before the referee gives up."""


class Referee(Opener):
    """Decides commands on cached games, and appends the results.

    The cache is a guess that an append verifies: if another process was faster, the log refuses, the tail is loaded,
    and the command is decided again. A referee decides the commands of a game one by one.
    """

    async def command(
        self,
        game_id: UUID,
        player: Player,
        commands: Sequence[Any],
        if_match: Collection[Head] | None = None,
        idempotency: Idempotency | None = None,
    ) -> Ruling:
        """Decide a player's commands and append the results, all or nothing.

        If the same request was answered before, nothing is appended, and its earlier result is returned.

        Raises `Refused`, `Stale` if the game is at none of `if_match`, `KeyReused`, `UnknownGame`, `DamagedGame`, and
        `Conflict` after too many faster writers.
        """
        game, request = await self.hand(game_id), Request(player, commands, if_match, idempotency)
        for attendant in game.attendants:
            await attendant.hold(game, game_id, request)
            game = await self.hand(game_id)
        async with game.turn:
            await self.settle(game)
            if idempotency is not None and idempotency.key in game.answered:
                earlier = await self.answered(game_id, player, idempotency)
                if earlier is not None:
                    return earlier
            position = game.position or await self.position(game_id)
            for _ in range(ATTEMPTS):
                refusal: Refused | Stale | None = None
                try:
                    return await self.append(game, await self.decide(game, position, request))
                except (Refused, Stale) as error:
                    refusal = error
                except Conflict:
                    CONFLICTS.inc()
                # An earlier answer is looked for only now: if there is one, the command cannot have succeeded.
                earlier = await self.answered(game_id, player, idempotency)
                if earlier is not None:
                    return earlier
                before, position = position, await self.position(game_id)
                if refusal is not None and position.head == before.head:
                    raise refusal
            raise Conflict(
                f"game {game_id} is changing too fast: another command came first {ATTEMPTS} times; try again"
            )

    async def decide(self, game: GameAtHand, position: Position, request: Request) -> Decided:
        """Decide a request now, holding the lock of its game. Raises `Refused` and `Stale`."""
        chance = game.chance or await self.dice(game, position)
        now, before = self.clock(), game.stands(position)
        for attendant in game.attendants:
            await attendant.admit(game, position, before, request, now)
        with span("decide", game_id=position.game_id, seq=position.head.seq):
            ruling = judge(position, before, request, chance, now)
        terms, after = game.terms, game.terms.standing(ruling.position.state, ruling.position.head.seq)
        for attendant in game.attendants:
            if (
                first := await attendant.first(game, Decided(position, before, ruling, after, request, now))
            ) is not None:
                ruling = judge(position, before, request, chance, now, first)
                after = terms.standing(ruling.position.state, ruling.position.head.seq)
        reaction = terms.react(before, after, ruling.happened)
        if reaction.follows is not None:
            ruling = followed(ruling, reaction.follows, chance, now)
            after = terms.standing(ruling.position.state, ruling.position.head.seq)
            reaction = terms.react(before, after, ruling.happened)
        return Decided(position, before, ruling, after, request, now, reaction)

    async def append(self, game: GameAtHand, decided: Decided) -> Ruling:
        """Append a decision, and publish it. Raises `Conflict` if the game has moved on.

        If its outcome is unknown, and it contains draws, it is owed: nothing else is decided in the game before it.
        Otherwise a player could learn the dice from failures, and do something else instead.
        """
        (game_id, ruleset, _, head), before, ruling, after, request, _, reaction = decided
        game.owed = decided if ruling.drawn else None
        stands = row(after, ending(decided.position, ruling.events) if after.status == "finished" else None)
        for attendant in game.attendants:
            stands = await attendant.note(game, decided, stands)
        reseated, key = after.players != before.players, request.idempotency
        tenures = rows(ruleset.name, reaction.tenures, ruling.events) if reaction.tenures else ()
        receipt = None if key is None else await self.receipt(decided)
        try:
            with span("append", game_id=game_id, seq=ruling.position.head.seq, ruleset=ruleset.name):
                await self.log.append(
                    game_id, head, ruling.events, stands, receipt=receipt, reseated=reseated, tenures=tenures
                )
        except Conflict:
            game.owed = None
            raise
        game.owed = None
        if key is not None:
            game.answered.append(key.key)
        game.moved(head, ruling, after, stands)
        count(ruleset.name, ruling.happened, reaction.tenures)
        # While a seat is asked at its own moment, commands reach everybody only through the log: otherwise clients of
        # this server would get them first, and know where the answer was given.
        if before.question is None:
            self._cache_game(ruling.position, ruling.events)
        self.history.passed(head, ruling.position)
        return ruling

    async def settle(self, game: GameAtHand) -> None:
        """Append what is owed, unless it has reached the log or another writer was faster."""
        if game.owed is not None:
            with suppress(Conflict):
                await self.append(game, game.owed)
