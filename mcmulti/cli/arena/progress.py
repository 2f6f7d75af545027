"""Progress of an arena on standard error: a bar in a terminal, elsewhere a line at each tenth."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


@contextmanager
def progress(games: int, there: int) -> Iterator[Callable[[], None]]:
    """Show how many games are played, starting with those already `there`. Call the result after each further game."""
    errors = Console(stderr=True)
    if not errors.is_terminal:
        yield _progress_lines(errors, games, there)
        return
    columns = (TextColumn("Playing"), BarColumn(), MofNCompleteColumn(), TextColumn("games"), TimeRemainingColumn())
    with Progress(*columns, console=errors, transient=True) as bar:
        task = bar.add_task("games", total=games, completed=there)
        yield lambda: bar.advance(task)


def _progress_lines(errors: Console, games: int, there: int) -> Callable[[], None]:
    done = there

    def advance() -> None:
        nonlocal done
        done += 1
        if done * 10 // games > (done - 1) * 10 // games:
            errors.print(f"{done} of {games} games played", highlight=False)

    return advance
