"""Playing line by line: for those who do not see a board, for programs, and where there is no terminal."""

import asyncio
import sys
import threading
from collections import deque
from contextlib import suppress

import click

from mcmulti.cli.play.hand import Hand, Reply
from mcmulti.cli.replay.printed import moment
from mcmulti.cli.running import say
from mcmulti.client.client import HttpProblem, ServerAway
from mcmulti.client.following import Moved, followed
from mcmulti.projections.labels import REPLAY

Came = Moved | str | None | asyncio.Task[None]
"""What came: of the game, or a line; None if there are no more lines; what followed the game, when that ended."""


async def converse(hand: Hand) -> None:
    """Tell what happens, ask for a move when it is one's turn, to the end of the game or of standard input.

    At a terminal a line is taken at any time; else, from a file or another program, only when the game asks for one.
    """
    at_a_terminal = sys.stdin.isatty()
    came: asyncio.Queue[Came] = asyncio.Queue()
    following = asyncio.create_task(_follow(hand, came))
    following.add_done_callback(lambda _: came.put_nowait(following))
    _read(came)
    lines: deque[str | None] = deque()
    shown = ""
    try:
        while hand.seat is not None and not hand.over:
            if came.empty() and not hand.is_behind:
                if hand.is_asked:
                    shown = _ask(hand, shown, at_a_terminal)
                if lines and lines[0] is None:
                    return
                if lines and (hand.is_asked or at_a_terminal):
                    if not await _entered(hand, lines.popleft() or ""):
                        return
                    continue
            what = await came.get()
            if isinstance(what, Moved):
                for line in await _taken(hand, what):
                    say(line)
            elif isinstance(what, asyncio.Task):
                what.result()  # which raises why it ended
                return
            else:
                lines.append(what)
    finally:
        following.cancel()
        with suppress(asyncio.CancelledError, HttpProblem, ServerAway):
            await following


async def _follow(hand: Hand, came: "asyncio.Queue[Came]") -> None:
    async for moved in followed(hand.client, hand.game, hand.live.story.last):
        await came.put(moved)


def _read(came: "asyncio.Queue[Came]") -> None:
    """Read standard input in a thread that nobody waits for."""
    loop = asyncio.get_running_loop()

    def read() -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody asks any more
            for line in sys.stdin:
                loop.call_soon_threadsafe(came.put_nowait, line.rstrip("\n"))
            loop.call_soon_threadsafe(came.put_nowait, None)

    threading.Thread(target=read, daemon=True).start()


async def _taken(hand: Hand, moved: Moved) -> list[str]:
    was_away = hand.live.away
    told = list(await hand.take(moved))
    if hand.live.away != was_away:
        labels = REPLAY[hand.language]
        told.insert(0, labels.away if hand.live.away else labels.back)
    return told


def _ask(hand: Hand, shown: str, at_a_terminal: bool) -> str:
    """List what the game asks, once; what is shown."""
    menu = "\n".join(f"  {words:<30} {sentence}" for words, sentence in hand.menu()[: len(hand.offers)])
    if menu != shown and menu:
        say(menu)
    if at_a_terminal:
        click.echo("> ", nl=False)
    return menu


async def _entered(hand: Hand, line: str) -> bool:
    """Do what a line says; whether to go on."""
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
