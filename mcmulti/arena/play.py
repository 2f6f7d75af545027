"""One game of an arena, from the first move to the last, whatever the strategies do."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from mcmulti.api.telling.tables import opened_under
from mcmulti.arena.crashes import Asking, Crash, Notes
from mcmulti.arena.local import LocalGame, NotCarriedOut
from mcmulti.arena.schedule import ArenaPlan, Pairing, copies, dice_of, player_id, strategy_seed
from mcmulti.bots.seats.player import REFUSALS
from mcmulti.bots.seats.trouble import StrategyFailed, Trouble, Watched
from mcmulti.bots.strategies.own import is_own
from mcmulti.bots.strategy import Maker, RandomMoves, Strategy
from mcmulti.domain.core.capabilities.leaving import Resign
from mcmulti.domain.core.course.positions import Origin
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.events.log.codec import fold, opened_with, ruleset_of
from mcmulti.events.store.game_file import GameRecord
from mcmulti.library.steps import Sitter
from mcmulti.projections.comparison import given_up, money_of

MOST_DECISIONS = 20_000
"""After this many decisions the player to move loses, since the game does not come to an end."""


BotTokens = Mapping[tuple[int, int], str]
"""The tokens of an entrant's players at a server, by entrant and by which of its seats in a game."""


class Contest(NamedTuple):
    """The job of the processes: the plan, the strategies, the seconds for a decision, and the folder for games.

    `server`: where they are played, by the players with these `tokens`; None to play here.
    """

    plan: ArenaPlan
    strategies: tuple[str, ...]
    seconds: float
    folder: Path | None
    server: str | None = None
    tokens: BotTokens = MappingProxyType({})


class ArenaGame(Struct, frozen=True):
    """The result of an arena's game. `seats`: which entrant sat where. `winners`, `left`: seats; those that left had
    failed.

    `ended_by`: what decided, in a word of the rule set. `events`: the length of its log. `money`: what each seat had in
    the end, in the game's money: the worth of everything if not only money counts.
    """

    number: int
    match: int
    seats: tuple[int, ...]
    winners: tuple[int, ...]
    left: tuple[int, ...]
    ended_by: str | None
    events: int
    money: tuple[int, ...]


class Failure(NamedTuple):
    """A strategy that could not go on in a game: its seat, and why."""

    number: int
    seat: int
    trouble: Trouble


class Finished(NamedTuple):
    """The result of a game, and how many decisions the strategies made."""

    result: ArenaGame
    failures: tuple[Failure, ...]
    decisions: int


class ArenaTask(NamedTuple):
    """A game to be played, and the crashes in it so far."""

    pairing: Pairing
    crashes: tuple[Crash, ...] = ()


class Mind:
    """A strategy on a seat, watched. House strategies are not timed, and need no sentences; random ones no views.

    Errors in its construction are raised when it is asked. `asking` notes who is being asked.
    """

    def __init__(self, contest: Contest, job: ArenaTask, seat: int, makers: Sequence[Maker], asking: Asking) -> None:
        plan, pairing = contest.plan, job.pairing
        entrant = pairing.seats[seat]
        name = contest.strategies[entrant]
        seed = strategy_seed(plan, pairing.match, entrant, copies(pairing.seats)[seat])
        notes = Notes(asking, seat, job.crashes)
        strategy = _made(makers[entrant], seed, notes)
        self.refusals = 0
        self.sentences = is_own(name)
        self.looks = not isinstance(strategy, RandomMoves)
        seconds = contest.seconds if is_own(name) else None
        self.watched = Watched(strategy, name=name, ruleset=plan.ruleset, seed=seed, seconds=seconds, noting=notes)


def _made(maker: Maker, seed: int, notes: Notes) -> Strategy:
    try:
        notes.begin()
        return maker(seed)
    except Exception as error:
        return partial(_raise, error)
    finally:
        notes.end()


def _raise(error: Exception, view: object, offers: object, /) -> Any:
    raise error


def play_game(
    contest: Contest, job: ArenaTask, makers: Sequence[Maker], asking: Asking
) -> tuple[Finished, Callable[[], GameRecord]]:
    """Play a game here. Returns its result, and what records it. A strategy that fails resigns, and the game goes on:
    errors of strategies are not raised.
    """
    plan, pairing = contest.plan, job.pairing
    seed, game_id = dice_of(plan, pairing.match)
    sitters = [
        Sitter(player_id(plan, entrant, copy), f"{plan.entrants[entrant]}{f' {copy + 1}' if copy else ''}"[:40])
        for entrant, copy in zip(pairing.seats, copies(pairing.seats), strict=True)
    ]
    ruleset = ruleset_of(plan.ruleset, plan.version)
    origin = None if plan.position is None else Origin(plan.position)
    game = LocalGame(ruleset, msgspec.convert(plan.setup, ruleset.setup), seed, game_id, sitters, origin)
    minds = [Mind(contest, job, seat, makers, asking) for seat in range(len(sitters))]
    failures: list[Failure] = []
    try:
        decisions = _play(game, minds, lambda seat, trouble: failures.append(Failure(pairing.number, seat, trouble)))
    finally:
        for mind in minds:
            mind.watched.close()
    result = result_of(pairing, ruleset, game.state, game.seq)
    return Finished(result, tuple(failures), decisions), game.record


def result_of(pairing: Pairing, ruleset: Ruleset[Any], state: Any, seq: int) -> ArenaGame:
    """The result of a game, given its last state."""
    outcome = ruleset.outcome(state)
    left, money = given_up(ruleset, state), money_of(ruleset, state)
    decided = outcome.decided_by
    return ArenaGame(pairing.number, pairing.match, pairing.seats, outcome.winners, left, decided, seq, money)


def result_in(plan: ArenaPlan, pairing: Pairing, record: GameRecord) -> ArenaGame:
    """The result of the game in a file. Raises `ValueError` if it is not this game of the arena, or is not over."""
    seed, game_id = dice_of(plan, pairing.match)
    if plan.server is not None:
        game_id = opened_under(player_id(plan, pairing.seats[0], 0), key_of(pairing))
    ruleset = opened_with(record.events[0])
    if (ruleset.name, ruleset.version) != (plan.ruleset, plan.version) or record.file.game != game_id:
        raise ValueError("it is of another arena")
    origin = fold(ruleset, record.events[:1]).origin  # the state forgets the position when the game has begun
    if (None if origin is None else origin.position) != plan.position:
        raise ValueError("it begins with another position")
    state = fold(ruleset, record.events)
    wanted = [str(player_id(plan, *who)) for who in zip(pairing.seats, copies(pairing.seats), strict=True)]
    tenants = state.departures.tenants or tuple((player,) for player in ruleset.players(state))
    if [first[0] for first in tenants] != wanted:
        raise ValueError("others sit at it, or elsewhere")
    if ruleset.status(state) != "finished" or (plan.server is None and not _drawn_from(state, seed)):
        raise ValueError("it is not over, or has other dice")
    return result_of(pairing, ruleset, state, record.file.seq)


def _drawn_from(state: Any, seed: bytes) -> bool:
    """Whether the dice follow from the seed alone: entropy of a seat would make other dice of it."""
    return state.seed == seed.hex() and not state.entropy.strip(",")


def key_of(pairing: Pairing) -> str:
    """The idempotency key for opening a game at a server, so that it is opened only once."""
    return f"arena-game-{pairing.number}"


def _play(game: LocalGame, minds: Sequence[Mind], failed: Callable[[int, Trouble], None]) -> int:
    """Play to the end. Returns the number of decisions."""
    waiting: set[int] = set()
    decisions = 0
    while moving := game.to_move:
        asked = next((seat for seat in moving if seat not in waiting), None)
        seat = moving[0] if asked is None else asked
        mind = minds[seat]
        try:
            if asked is None:
                raise mind.watched.failed("waits", "It waits, but the game is waiting for it: nobody else is to move.")
            if decisions >= MOST_DECISIONS:
                raise mind.watched.failed("waits", f"The game has not ended after {MOST_DECISIONS} decisions.")
            decisions += 1
            view = msgspec.json.decode(game.view(seat)) if mind.looks else {}
            offers = msgspec.json.decode(game.offers(seat, sentences=mind.sentences))
            commands = mind.watched(view, offers)
            if not commands:
                waiting.add(seat)
                continue
            _send(game, seat, mind, commands)
        except StrategyFailed as failure:
            failed(seat, failure.trouble)
            game.take(seat, Resign())
        waiting.clear()
    return decisions


def _send(game: LocalGame, seat: int, mind: Mind, commands: list[dict[str, Any]]) -> None:
    """Send a strategy's answer. Raises `StrategyFailed` if it is refused too often, or is not JSON."""
    try:
        game.send(seat, commands)
    except NotCarriedOut as error:
        mind.refusals += 1
        if mind.refusals == REFUSALS:
            said = f"It sent illegal commands {REFUSALS} times in a row: {error}"
            raise mind.watched.failed("refused", said) from None
    except (TypeError, ValueError, RecursionError) as error:
        raise mind.watched.failed("nonsense", f"Its response is not JSON: {error}") from None
    else:
        mind.refusals = 0
        mind.watched.settled()


def failure_line(trouble: Trouble) -> str:
    """The failure, in one line."""
    last = [line for line in trouble.error.splitlines() if line.strip()] or ["?"]
    line = last[-1] if trouble.kind == "raised" and last[0].startswith("Traceback") else last[0]
    return json.dumps(line.strip()[:200], ensure_ascii=False)[1:-1]
