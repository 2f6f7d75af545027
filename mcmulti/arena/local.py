"""A game in one process, without a server: a seat is shown, and its commands lead to, what they do over HTTP.

There is no clock in it: nobody is late, and nothing happens unless a seat sends something.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from random import Random
from typing import Any, NamedTuple
from uuid import UUID, uuid5

import msgspec

from mcmulti.api.http.problems import ApiError, Problem
from mcmulti.api.http.received import read_body
from mcmulti.api.operations.play import besides, meant, move_sent, offered
from mcmulti.api.telling.refusals import refusal
from mcmulti.api.telling.wire import Commands
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.course.course import Fact
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.table import presented
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log.codec import draft
from mcmulti.events.log.envelope import START, Draft, Head, seal
from mcmulti.events.log.positions import Position
from mcmulti.events.log.signing import SigningKey
from mcmulti.events.store.game_file import GameRecord, record_of
from mcmulti.referee.ruling import Refused, carry_out

BEGUN = datetime(2000, 1, 1, tzinfo=UTC)
"""When games begin, by what is written in their files: the same seed makes the same bytes."""
_A_MOVE = timedelta(seconds=1)
_COMMANDS = UUID("6d636d75-6c74-5069-8172-656e61000000")
"""What the ids of commands are made with."""

_encode = msgspec.json.Encoder().encode


class NotCarriedOut(Exception):
    """A request was refused, and nothing was carried out. `problem` is what the server would answer."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.detail)
        self.problem = problem


class Sitter(NamedTuple):
    """Who sits on a seat: its id, what it is called, and the entropy that it gives to the dice."""

    player: UUID
    name: str
    entropy: str = ""


class _Step(NamedTuple):
    """What a command led to, and who sent it; nobody sent the opening."""

    facts: Sequence[Fact]
    actor: int | None
    command: msgspec.Struct | None


class LocalGame:
    """A game at which everybody sits already, and which has begun.

    `seed` are the 32 bytes that the dice follow from, together with `game_id` and what the sitters give. There are as
    many `sitters` as the setup has seats; the first opens the game and starts it. Raises `ValueError` for a setup that
    the rule set does not take, and for another number of sitters.
    """

    __slots__ = ("_chance", "_player", "_steps", "game_id", "position", "ruleset", "sitters")

    def __init__(
        self, ruleset: Ruleset[Any], setup: msgspec.Struct, seed: bytes, game_id: UUID, sitters: Sequence[Sitter]
    ) -> None:
        self.ruleset, self.game_id, self.sitters = ruleset, game_id, tuple(sitters)
        self._chance = SeededChance(seed, str(game_id))
        self._player = [sitter.player for sitter in sitters]
        opened = ruleset.open(str(game_id), setup, self._chance, str(sitters[0].player))
        if isinstance(opened, Rejection):
            raise ValueError(ruleset.texts.tell_refusal(opened, "en"))
        seats = len(ruleset.players(opened.state))
        if seats != len(sitters):
            raise ValueError(f"{len(sitters)} players for {seats} seats")
        state = presented(opened.state, {str(sitter.player): sitter.name for sitter in sitters})
        self.position = Position(game_id, ruleset, state, Head(1, START.hash))
        self._steps = [_Step(opened.facts, None, None)]
        for seat, sitter in enumerate(sitters):
            joining = ruleset.commands.joining(player=str(sitter.player), seat=seat, entropy=sitter.entropy)
            self._carry_out(seat, [joining])
        self._carry_out(0, [ruleset.commands.starting()])

    @property
    def state(self) -> Any:
        """The state that the game is in: frozen, so it may be kept and branched."""
        return self.position.state

    @property
    def seq(self) -> int:
        """The number of the last event."""
        return self.position.head.seq

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats that the game waits for; none when it is over."""
        return self.ruleset.to_move(self.state)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won; none before the game is over, and where nobody did."""
        return self.ruleset.outcome(self.state).winners

    def view(self, seat: int | None) -> bytes:
        """JSON: the member `view` of ``GET /v1/games/{game}``, as this seat is answered, or an onlooker."""
        return _encode(self.ruleset.view(self.state, seat))

    def offers(self, seat: int, *, sentences: bool = True) -> bytes:
        """JSON: the member `offers` of ``GET /v1/games/{game}/offers``, in English.

        Without `sentences`, which are for people and take most of the time, each offer lacks that member.
        """
        if sentences:
            return _encode(offered(self.ruleset, self.state, seat, "en"))
        return _encode(self.ruleset.offers(self.state, seat))

    def besides(self, seat: int) -> bytes:
        """JSON: the member `besides` of the same answer."""
        return _encode(besides(self.ruleset, self.state, seat, "en"))

    def send(self, seat: int, commands: Sequence[Mapping[str, Any]]) -> None:
        """Carry out commands of a seat, in order, all or none: ``POST /v1/games/{game}/commands``.

        Raises `NotCarriedOut`, and what JSON raises for what cannot be written as such: `TypeError`, `ValueError`,
        `RecursionError`.
        """
        sent = json.dumps({"commands": commands}, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        try:
            body = read_body(sent.encode(), Commands)
            moves = [move_sent(self.ruleset, bytes(one), n) for n, one in enumerate(body.commands)]
            self._carry_out(seat, meant(moves, seat, self.state.names, "en"))
        except ApiError as error:
            raise NotCarriedOut(error.problem) from None
        except Refused as refused:
            problem = refusal(self.ruleset, refused.rejection, "en", refused.index).problem
            raise NotCarriedOut(problem) from None

    def take(self, seat: int, command: msgspec.Struct) -> None:
        """Carry out one command, as the rule set has it, without the way through JSON. Raises `Refused`."""
        self._carry_out(seat, [command])

    def record(self, key: SigningKey | None = None) -> GameRecord:
        """The game as a game file holds it: of the same seed and the same commands always the same bytes.

        Each command counts as a second, from `BEGUN` on.
        """
        events, head, drafts = [], START, list[Draft]()
        for number, step in enumerate(self._steps):
            id_ = None if step.command is None else uuid5(_COMMANDS, f"{self.game_id} {number} {head.hash.hex()}")
            drafts = draft(step.facts, step.actor, id_, step.command)
            if drafts:
                events += seal(self.game_id, head, drafts, BEGUN + number * _A_MOVE)
                head = Head(events[-1].seq, events[-1].hash)
        return record_of(events, key, self.state.called)

    def _carry_out(self, seat: int, commands: Sequence[Any]) -> None:
        before = self.position
        done = carry_out(before, self._player[seat], commands, self._chance)
        self._steps += [_Step(*step) for step in done.steps]
        seq = before.head.seq + sum(len(step[0]) for step in done.steps)
        self.position = before._replace(state=done.state, head=Head(seq, START.hash))


def local_game(
    ruleset: str, setup: Mapping[str, Any] | None = None, *, seed: int = 0, names: Sequence[str] = ()
) -> LocalGame:
    """A game of today's version of a rule set, set up as told; everything follows from `seed`, a number from 0.

    `names` are by seat; without them seats are called ``Seat 1`` and so on. Raises `KeyError` for a rule set that there
    is not, and `ValueError` for a setup or a number of names that does not fit.
    """
    rules = CURRENT[ruleset]
    decoded = msgspec.convert(dict(setup or {}), rules.setup)
    names = names or tuple(f"Seat {seat + 1}" for seat in range(_seats(rules, decoded)))
    sitters = [Sitter(UUID(f"00000000-0000-4000-9000-{seat:012x}"), name) for seat, name in enumerate(names)]
    game_id = UUID(f"00000000-0000-4000-8000-{seed:012x}")
    return LocalGame(rules, decoded, Random(seed).randbytes(32), game_id, sitters)


@cache
def _blank() -> SeededChance:
    return SeededChance(bytes(32), "")


def _seats(ruleset: Ruleset[Any], setup: msgspec.Struct) -> int:
    """How many sit at a game of this setup."""
    opened = ruleset.open("", setup, _blank())
    if isinstance(opened, Rejection):
        raise ValueError(ruleset.texts.tell_refusal(opened, "en"))
    return len(ruleset.players(opened.state))
