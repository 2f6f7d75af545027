"""Count all games of a log, with a progress bar on a terminal."""

from collections.abc import Callable

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from mcmulti.client.sources import called_in, log_in
from mcmulti.events.ports.errors import DamagedGame
from mcmulti.events.ports.game_index import Game
from mcmulti.events.ports.log import Log
from mcmulti.events.store.history import History
from mcmulti.projections.statistics.many import Statistics, Tally

LISTED = 1000
"""Games listed at a time."""


async def count_games(source: str, strategist: Callable[[str], str]) -> Statistics:
    """All games of a folder or a database, newest first, each as far as it had come when it was listed.

    Damaged games are skipped, and reported on standard error.
    """
    errors = Console(stderr=True)
    columns = (TextColumn("Counting events"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    tally = Tally(strategist)
    async with log_in(source) as log:
        history = History(log)
        with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as progress:
            task = progress.add_task("events", total=await log.size())
            before = None
            while games := await log.games(LISTED, before):
                for game in games:
                    fault = await _count(log, history, game, tally)
                    if fault is not None:
                        errors.print(
                            f"Game {game.game_id} is damaged: {fault}.", markup=False, highlight=False, soft_wrap=True
                        )
                    progress.advance(task, game.head.seq)
                before = games[-1].mark()
    return tally.statistics()


async def _count(log: Log, history: History, game: Game, tally: Tally) -> str | None:
    """Count a game. Returns the fault of its log if it is damaged."""
    try:
        async for page in history.events(game.game_id, game.head):
            tally.add(page, await called_in(log, page))
        await history.ends(game.game_id, game.head)
    except DamagedGame as error:
        tally.pass_over(game.game_id)
        return error.fault
    return None
