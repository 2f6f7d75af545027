"""One game of an arena, from the first move to the last, whatever the strategies do."""

import json
from collections.abc import Callable, Sequence
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
from mcmulti.library.sitters import Sitter
from mcmulti.projections.comparison import given_up, money_of

MOST_DECISIONS = 20_000
"""After this many decisions the player to move loses, since the game does not come to an end."""


class Entrant(NamedTuple):
    """A competitor: its name, its strategy as it was given, and the maker of the strategy."""

    label: str
    strategy: str
    maker: Maker


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


class PlayedGame(NamedTuple):
    """A finished game, in full; and how many decisions the strategies made."""

    result: ArenaGame
    game: LocalGame
    failures: tuple[Failure, ...]
    decisions: int


class ArenaTask(NamedTuple):
    """A game to be played, and the crashes in it so far."""

    pairing: Pairing
    crashes: tuple[Crash, ...] = ()


def play(plan: ArenaPlan, job: ArenaTask, entrants: Sequence[Entrant], seconds: float, asking: Asking) -> PlayedGame:
    """Play a game. `seconds`: the most time for a decision; a strategy that fails resigns, and the game goes on.

    House strategies are not timed. Errors of strategies are not raised. `asking` notes who is being asked.
    """
    pairing = job.pairing
    seed, game_id = dice_of(plan, pairing.match)
    numbers = copies(pairing.seats)
    sitters = [
        Sitter(player_id(plan, entrant, copy), f"{plan.entrants[entrant]}{f' {copy + 1}' if copy else ''}"[:40])
        for entrant, copy in zip(pairing.seats, numbers, strict=True)
    ]
    ruleset = ruleset_of(plan.ruleset, plan.version)
    origin = None if plan.position is None else Origin(plan.position)
    game = LocalGame(ruleset, msgspec.convert(plan.setup, ruleset.setup), seed, game_id, sitters, origin)
    minds = [
        _Mind(
            plan,
            entrants[entrant],
            strategy_seed(plan, pairing.match, entrant, copy),
            seconds,
            Notes(asking, seat, job.crashes),
        )
        for seat, (entrant, copy) in enumerate(zip(pairing.seats, numbers, strict=True))
    ]
    failures: list[Failure] = []
    try:
        decisions = _play(game, minds, lambda seat, trouble: failures.append(Failure(pairing.number, seat, trouble)))
    finally:
        for mind in minds:
            mind.watched.close()
    result = result_of(pairing, ruleset, game.state, game.seq)
    return PlayedGame(result, game, tuple(failures), decisions)


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


class _Mind:
    """A strategy on a seat, with the views that it needs."""

    def __init__(self, plan: ArenaPlan, entrant: Entrant, seed: int, seconds: float, notes: Notes) -> None:
        strategy = strategy_of_entrant(entrant, seed, notes)
        self.refusals = 0
        self.sentences = is_own(entrant.strategy)
        self.looks = not isinstance(strategy, RandomMoves)
        self.watched = watched(plan, entrant, strategy, seed, seconds, notes)


def strategy_of_entrant(entrant: Entrant, seed: int, notes: Notes) -> Strategy:
    """The strategy of an entrant. Errors in its construction are raised when it is asked."""
    try:
        notes.begin()
        return entrant.maker(seed)
    except Exception as error:
        return _raising(error)
    finally:
        notes.end()


def watched(plan: ArenaPlan, entrant: Entrant, strategy: Strategy, seed: int, seconds: float, notes: Notes) -> Watched:
    """The watched strategy. A user's own strategy has at most `seconds` for a decision."""
    limit = seconds if is_own(entrant.strategy) else None
    return Watched(strategy, name=entrant.strategy, ruleset=plan.ruleset, seed=seed, seconds=limit, noting=notes)


def _raising(error: Exception) -> Callable[..., Any]:
    def strategy(view: object, offers: object, /) -> Any:
        raise error

    return strategy


def _play(game: LocalGame, minds: Sequence[_Mind], failed: Callable[[int, Trouble], None]) -> int:
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


def _send(game: LocalGame, seat: int, mind: _Mind, commands: list[dict[str, Any]]) -> None:
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
