"""Counting all games of a log, with a progress bar if somebody looks."""

from collections.abc import Callable

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from mcmulti.client.sources import log_in
from mcmulti.projections.statistics import Statistics, Tally


async def count_games(source: str, strategist: Callable[[str], str]) -> Statistics:
    """All games of a folder or a database, page by page."""
    errors = Console(stderr=True)
    columns = (TextColumn("Counting events"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    tally = Tally(strategist)
    async with log_in(source) as log:
        with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as progress:
            task = progress.add_task("events", total=await log.size())
            async for page in log.scan():
                tally.add(page)
                progress.advance(task, len(page))
    return tally.statistics()
