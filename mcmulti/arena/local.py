"""A game in one process, without a server: views and commands work as over HTTP.

It has no clock: nobody is late, and nothing happens unless a seat sends something.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import msgspec

from mcmulti.api.http.problems import ApiError, Problem
from mcmulti.api.http.received import read_body
from mcmulti.api.operations.play import meant, move_sent
from mcmulti.api.telling.decisions import besides, offered
from mcmulti.api.telling.refusals import refusal
from mcmulti.api.telling.wire import Commands
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.course.positions import Origin
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log.envelope import START, Head
from mcmulti.events.log.positions import Position
from mcmulti.events.log.signing import SigningKey
from mcmulti.events.store.game_file import GameRecord
from mcmulti.library.game import Game, opened
from mcmulti.library.record import recorded_game
from mcmulti.library.state import Happened, secret
from mcmulti.library.steps import Sitter, game_numbered, named, strangers
from mcmulti.referee.ruling import Refused, carry_out

_encode = msgspec.json.Encoder().encode


class NotCarriedOut(Exception):
    """A request was refused, and nothing was carried out. `problem`: what the server would respond."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.detail)
        self.problem = problem


class LocalGame:
    """A started game with a player on every seat.

    `seed`: the 32 bytes that the dice follow from, together with `game_id` and the sitters' entropy. There must be as
    many `sitters` as the setup has seats; the first opens the game and starts it. `origin`: what it begins with, if not
    with the beginning. Raises `ValueError` for a setup that the rule set refuses, and for a wrong number of sitters,
    and `BadPosition`.
    """

    __slots__ = ("_at", "_chance", "_player", "game_id", "ruleset", "seq", "sitters")

    seq: int
    """The number of the last event."""

    def __init__(
        self,
        ruleset: Ruleset[Any],
        setup: msgspec.Struct,
        seed: bytes,
        game_id: UUID,
        sitters: Sequence[Sitter],
        origin: Origin | None = None,
    ) -> None:
        self.ruleset, self.game_id, self.sitters = ruleset, game_id, tuple(sitters)
        self._chance = SeededChance(seed, str(game_id))
        self._player = [sitter.player for sitter in sitters]
        self._at = opened(Game(ruleset, setup), str(game_id), self._chance, sitters, origin)
        self.seq = len(self._at.events())

    @property
    def state(self) -> Any:
        """The state that the game is in: frozen, so you can keep it and branch from it."""
        return self._at.table

    @property
    def position(self) -> Position:
        """The position of the game. Nothing is hashed until it is recorded, so the head has no hash."""
        return Position(self.game_id, self.ruleset, self.state, Head(self.seq, START.hash))

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats that the game waits for; none when it is over."""
        return self.ruleset.to_move(self.state)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won; empty before the game is over, and if nobody won."""
        return self.ruleset.outcome(self.state).winners

    def view(self, seat: int | None) -> bytes:
        """JSON: the member `view` of ``GET /v1/games/{game}``, for this seat or a spectator."""
        return _encode(self.ruleset.view(self.state, seat))

    def offers(self, seat: int, *, sentences: bool = True) -> bytes:
        """JSON: the member `offers` of ``GET /v1/games/{game}/offers``, in English.

        Without `sentences`, which are for people and take most of the time, offers lack that member.
        """
        if sentences:
            return _encode(offered(self.ruleset, self.state, seat, "en"))
        return _encode(self.ruleset.offers(self.state, seat))

    def besides(self, seat: int) -> bytes:
        """JSON: the member `besides` of the same response."""
        return _encode(besides(self.ruleset, self.state, seat, "en"))

    def send(self, seat: int, commands: Sequence[Mapping[str, Any]]) -> None:
        """Carry out commands of a seat, in order, all or none: ``POST /v1/games/{game}/commands``.

        Raises `NotCarriedOut`, and `TypeError`, `ValueError`, or `RecursionError` for something that cannot be written
        as JSON.
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
        """Carry out one command in the rule set's own type, without JSON. Raises `Refused`."""
        self._carry_out(seat, [command])

    def record(self, key: SigningKey | None = None) -> GameRecord:
        """The game as a game file: the same seed and the same commands always give the same bytes."""
        return recorded_game(self._at.happened(), self.state, key)

    def _carry_out(self, seat: int, commands: Sequence[Any]) -> None:
        done = carry_out(self.position, self._player[seat], commands, self._chance)
        self._at.go_through([Happened(actor, command, facts) for facts, actor, command in done.steps], done.state)
        self.seq += sum(len(facts) for facts, _, _ in done.steps)


def local_game(
    ruleset: str, setup: Mapping[str, Any] | None = None, *, seed: int = 0, names: Sequence[str] = ()
) -> LocalGame:
    """A game of the current version of a rule set; everything follows from `seed`, an integer from 0.

    `names`: by seat; by default ``Seat 1`` and so on. Raises `KeyError` for an unknown rule set, and `ValueError` for
    an invalid setup or a wrong number of names.
    """
    rules = CURRENT[ruleset]
    decoded = msgspec.convert(dict(setup or {}), rules.setup)
    sitters = named(names) if names else strangers(Game(rules, decoded).num_players())
    return LocalGame(rules, decoded, secret(seed), game_numbered(seed), sitters)
