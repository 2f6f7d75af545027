"""A game before a referee in which everything happens at random.

Moves, time that runs out, people who leave and come, moves taken back, instructions, proposals, and house bots. After
each of these, the game must be able to continue.
"""

from collections import Counter
from random import Random
from typing import Any
from unittest.mock import patch
from uuid import UUID

import msgspec
from msgspec import Struct

from mcmulti.domain.core.commands import StartGame, TakeSeat
from mcmulti.domain.core.offers import Offer
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.table import HOUSE
from mcmulti.domain.mcmulti.commands import Instruct, OperatingOrders
from mcmulti.events.log.codec import event_decoder
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.positions import Position
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.accounts import Player
from mcmulti.projections.proof.proof import verify
from mcmulti.referee.ruling import Refused, Unconfirmed
from mcmulti.referee.scheduler import answer
from mcmulti.simulation import any_offer
from tests.profiles import profile_of
from tests.pure.properties.random_games import readings, seats_of
from tests.scripted_clock import SECOND, Clock, Server

MOST = 500
"""Maximum number of random happenings in a game."""
WEIGHTS = {"move": 70, "time": 8, "beside": 12, "seat": 6, "answer": 20}
"""The probability of each kind."""
BESIDE = {"Resign": 6, "ProposeEnd": 20, "AnswerEnd": 100, "GrantTime": 40, "TakeBack": 100, "AskTakeBack": 60}
"""The weights of these among what may be done at any time, against 100."""


class Fault(AssertionError):
    """An invariant does not hold. Names which one, and where."""


class Soak:
    """One game. The seed determines what happens."""

    def __init__(self, ruleset: Ruleset[Any], seed: int) -> None:
        self.ruleset, self.seed = ruleset, seed
        self.random = Random(f"{ruleset.name} {seed}")
        self.setup = self._setup()
        self.clock = Clock()
        self.log = MemoryLog()
        self.server = Server(self.log, self.clock)
        self.happened = Counter[str]()
        self.players: list[Player] = []
        self._commands = {kind.__name__: kind for kind in ruleset.commands.moves}
        self._newcomers = 100

    async def play(self) -> list[Recorded]:
        """Play it to its end, or up to `MOST`. Return its log. Raises `Fault`."""
        drawn = Random(self.seed)
        with (
            patch("secrets.token_bytes", drawn.randbytes),
            patch("mcmulti.referee.questions.randbelow", drawn.randrange),
        ):
            return await self._play()

    async def _play(self) -> list[Recorded]:
        opened = await self.server.referee.open(self.ruleset, self.setup, UUID(int=self.seed))
        self.game = opened.position.game_id
        for number in range(len(opened.position.state.chairs)):
            self.players.append(Player(UUID(int=number + 1), f"Player {number}"))
            await self.server.send(self.game, self.players[-1], TakeSeat(str(self.players[-1].player_id)))
        await self.server.send(self.game, self.players[0], StartGame())
        for _ in range(MOST):
            position = await self.server.referee.position(self.game)
            self._check(position)
            if self.ruleset.status(position.state) == "finished":
                self.happened["over"] += 1
                break
            self.clock.now += SECOND * self.random.randrange(3)
            await self._something(position)
        events = await self.log.read(self.game)
        self._absent_pay_nothing(events)
        if fault := verify(events).fault:
            raise Fault(f"{self}: {fault}")
        return events

    def __str__(self) -> str:
        return f"soak of {self.ruleset.name}, seed {self.seed}"

    def _setup(self) -> Any:
        """Random options of the table, as far as its game has them."""
        seats = self.random.choice(seats_of(self.ruleset.name))
        wish: dict[str, Any] = {"seats": seats, "if_left": self.random.choice(("substitute", "passes"))}
        profile = profile_of(self.ruleset.name)
        if "clock" not in profile.options:
            wish |= {"if_left": self.random.choice(("substitute", "bot"))}
            return msgspec.convert({**wish, **readings(self.ruleset.setup, self.random)}, self.ruleset.setup)
        if self.random.random() < 0.6:
            wish["clock"] = {"move_seconds": 45, "bank_seconds": 30, "misses": self.random.randrange(1, 5)}
            wish["if_left"] = self.random.choice(("substitute", "passes", "bot"))
        wish["undo"] = self.random.choice(("no", "own", "agreed"))
        if "instructions" in profile.options:
            wish["instructions"] = self.random.choice((None, 2, 5))
        if profile.sold:
            wish["if_left"] = self.random.choice((wish["if_left"], "sold"))
        return msgspec.convert({**wish, **readings(self.ruleset.setup, self.random)}, self.ruleset.setup)

    @property
    def _forced(self) -> tuple[str, ...]:
        """What news forces on a player: sales, and clean-ups where refineries would be sold."""
        return ("SellAsset", "CleanUp") if getattr(self.setup, "unpaid_clean_up", "idle") == "sold" else ("SellAsset",)

    async def _something(self, position: Position) -> None:
        kinds = list(WEIGHTS)
        [kind] = self.random.choices(kinds, [WEIGHTS[each] for each in kinds])
        try:
            await getattr(self, f"_{kind}")(position)
        except Refused as refused:
            self.happened[f"refused {refused.rejection.code}"] += 1

    async def _move(self, position: Position) -> None:
        """A player for whom the game waits does something that is offered."""
        state = position.state
        seat = self.random.choice(self.ruleset.to_move(state))
        await self._send(position, seat, self.ruleset.offers(state, seat), self.ruleset.commands.weights)

    async def _time(self, position: Position) -> None:
        """The deadline passes."""
        deadline = (await self.log.game(self.game)).deadline
        if deadline is not None:
            self.clock.now = max(self.clock.now, deadline)
            self.happened["deadlines"] += await self.server.look()

    async def _beside(self, position: Position) -> None:
        """A player does something that may be done at any time."""
        seat = self.random.choice(position.state.taken)
        await self._send(position, seat, self.ruleset.besides(position.state, seat), BESIDE)

    async def _seat(self, position: Position) -> None:
        """A seat that was left is taken: by a newcomer, a house bot, or the player who left it."""
        offers = [offer for offer in self.ruleset.offers(position.state, None) if offer.command == "TakeSeat"]
        if not offers:
            return
        kept = self.random.choice(offers).fields.get("player")
        if kept is None:
            self._newcomers += 1
            player = Player(UUID(int=self._newcomers), f"Newcomer {self._newcomers}")
        else:
            absent = [each for each in kept.options if each not in position.state.player_ids]  # type: ignore[attr-defined]
            player = Player(UUID(self.random.choice(absent)), "Bot" if absent[0] in HOUSE else "Back")
        await self.server.send(self.game, player, TakeSeat(str(player.player_id)))
        self.happened["sat down"] += 1

    async def _answer(self, position: Position) -> None:
        """An instruction answers, if one is set and asked."""
        question = await self.log.question(self.game)
        questions = self.ruleset.questions
        if question is not None and questions is not None and questions.asked(position.state) is not None:
            self.clock.now = max(self.clock.now, question.answer_at)
            self.happened["instructed"] += await answer(self.server.referee, self.game) is not None

    async def _send(self, position: Position, seat: int, offers: tuple[Offer, ...], weights: Any) -> None:
        if not offers:
            return
        offer = any_offer(self.random, offers, weights)
        command = self._command(offer)
        question = await self.log.question(self.game)
        if question is not None:  # a person's answer waits for its moment
            self.clock.now = max(self.clock.now, question.answer_at)
        player = Player(UUID(position.state.player_ids[seat]), "")
        try:
            await self.server.send(self.game, player, command)
        except Unconfirmed:  # moves were taken back since this seat looked
            await self.server.referee.command(self.game, player, [command], (position.head,))
        self.happened[offer.command] += 1

    def _command(self, offer: Offer) -> Struct:
        kind = self._commands[offer.command]
        if kind is Instruct:
            return Instruct(self.random.choice((None, OperatingOrders(pump=True), OperatingOrders(1, refine=True))))
        return profile_of(self.ruleset.name).fill(self.random, offer, kind)

    def _check(self, position: Position) -> None:
        """The game waits for people who are there and may do something, or it is over."""
        state = position.state
        if self.ruleset.status(state) == "finished":
            return
        waited = self.ruleset.to_move(state)
        if not waited or not set(waited) <= set(state.taken):
            raise Fault(f"{self}: the game waits for {waited} of {state.taken} at event {position.head.seq}")
        if not all(self.ruleset.offers(state, seat) for seat in waited):
            raise Fault(f"{self}: nothing is offered to {waited} at event {position.head.seq}")

    def _absent_pay_nothing(self, events: list[Recorded]) -> None:
        """What follows at once on a default answer takes nothing from its seat that no rule forces."""
        answering: tuple[int, str] | None = None
        state, decode = None, event_decoder(self.ruleset.name, self.ruleset.version)
        for event in events:
            decoded = decode(event.data)
            if answering is not None:
                seat, move = answering
                moved = self.ruleset.books.transfers(decoded)
                out = [each for each in moved if each.source.startswith(f"seat:{seat}:") and each.amount > 0]
                forced = state is not None and state.phase == "news" and move in self._forced
                if out and not forced and move != "Stake":
                    raise Fault(f"{self}: {move} took {out} from absent seat {seat} at event {event.seq}")
            answering = (decoded.seat, decoded.move) if event.type == "MovedUnasked" else None
            self.happened["unasked"] += answering is not None
            state = self.ruleset.evolve(state, decoded)
