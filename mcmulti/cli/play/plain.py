"""Play line by line: for screen readers, for programs, and without a terminal."""

import asyncio
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress

import click

from mcmulti.cli.play.hand import Hand, Reply
from mcmulti.cli.replay.printed import moment
from mcmulti.cli.running import say
from mcmulti.client.client import HttpProblem, ServerAway
from mcmulti.client.following import Moved, followed

Came = Moved | str | None | asyncio.Task[None]
"""What arrived: events of the game, or a line; None at the end of the lines; the task that follows the game, if it
ended.
"""


class Typed:
    """Standard input, read in a thread that nobody waits for. `lines`: the lines not used yet, then None."""

    def __init__(self) -> None:
        self.lines: deque[str | None] = deque()
        self.came: asyncio.Queue[Came] = asyncio.Queue()
        """Where further lines go."""
        loop = asyncio.get_running_loop()

        def read() -> None:
            with suppress(RuntimeError):  # the loop is closed: nobody needs the line anymore
                for line in sys.stdin:
                    loop.call_soon_threadsafe(self._put, line.rstrip("\n"))
                loop.call_soon_threadsafe(self._put, None)

        threading.Thread(target=read, daemon=True).start()

    def _put(self, line: str | None) -> None:
        self.came.put_nowait(line)

    def keep(self) -> None:
        """Keep the lines that came for the next player, since this one takes no more."""
        came, self.came = self.came, asyncio.Queue()
        while not came.empty():
            if not isinstance(what := came.get_nowait(), Moved | asyncio.Task):
                self.lines.append(what)

    async def line(self) -> str | None:
        """The next line; None if there are no more."""
        while not self.lines:
            if not isinstance(what := await self.came.get(), Moved | asyncio.Task):
                self.lines.append(what)
        return self.lines.popleft()


async def converse(hand: Hand, typed: Typed | None = None, until: Callable[[], bool] = lambda: False) -> bool:
    """Print what happens, and ask for a move on your turn, until the game or standard input ends. Returns True if it
    stopped earlier because `until` found that another player at the same terminal is next.

    A terminal can send a line at any time. A file or another program is read only when the game asks for a move.
    """
    typed = typed or Typed()
    came = typed.came
    following = asyncio.create_task(_follow(hand, came))
    following.add_done_callback(lambda _: came.put_nowait(following))
    try:
        return await _to_the_end(hand, typed, until)
    finally:
        following.cancel()
        typed.keep()
        with suppress(asyncio.CancelledError, HttpProblem, ServerAway):
            await following


async def _to_the_end(hand: Hand, typed: Typed, until: Callable[[], bool]) -> bool:
    at_a_terminal, came, lines, shown = sys.stdin.isatty(), typed.came, typed.lines, ""
    # The stream may say that the game is over before it shows the result of your last move.
    while hand.is_behind or (hand.seat is not None and not hand.over):
        if came.empty() and not hand.is_behind:
            if until():
                return True
            if hand.is_asked:
                shown = _ask(hand, shown, at_a_terminal)
            if lines and lines[0] is None:
                return False
            if lines and (hand.is_asked or at_a_terminal):
                if not await _entered(hand, lines.popleft() or ""):
                    return False
                continue
        what = await came.get()
        if isinstance(what, Moved):
            for line in await hand.receive(what):
                say(line)
        elif isinstance(what, asyncio.Task):
            what.result()  # which raises why it ended
            return False
        else:
            lines.append(what)
    return False


async def _follow(hand: Hand, came: "asyncio.Queue[Came]") -> None:
    async for moved in followed(hand.client, hand.game, hand.live.story.last):
        await came.put(moved)


def _ask(hand: Hand, shown: str, at_a_terminal: bool) -> str:
    """Print the game's offers, once. Returns what was printed."""
    menu = "\n".join(f"  {words:<30} {sentence}" for words, sentence in hand.menu()[: len(hand.offers)])
    if menu != shown and menu:
        say(menu)
    if at_a_terminal:
        click.echo("> ", nl=False)
    return menu


async def _entered(hand: Hand, line: str) -> bool:
    """Carry out a line. Returns whether to go on."""
    if not sys.stdin.isatty():
        say(f"> {line}")
    reply = await hand.enter(line)
    if reply.does == "edit":
        written = await asyncio.to_thread(hand.in_editor)
        reply = written if isinstance(written, Reply) else await hand.sheet(written)
    for told in reply.lines:
        say(told)
    if reply.does == "board":
        for told in moment(hand.live.story, hand.live.story.last, hand.language):
            say(told)
    return reply.does != "quit"
