"""The chat of tables, for the operator: ``chat``."""

from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

import click

from mcmulti.cli.options import database_options
from mcmulti.cli.running import address_of, run, say

if TYPE_CHECKING:
    from mcmulti.events.ports.chat import FlaggedMessage
    from mcmulti.events.ports.log import Log

MOST = 1000
"""The most reports and messages that are listed."""


class _Message(click.ParamType[tuple[UUID, int]]):
    """A message: the id of its game, a slash, and its own."""

    name = "GAME/ID"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[UUID, int]:
        game, _, number = str(value).partition("/")
        try:
            return UUID(game), int(number)
        except ValueError:
            self.fail(f"{value!r} must be the id of a game, a slash, and the id of a message, as listed.", param, ctx)


@click.command()
@database_options("look at")
@click.option("--game", type=click.UUID, metavar="GAME", help="List everything said at this table instead of reports.")
@click.option("--remove", type=_Message(), help="Delete the text of a message, and the reports about it.")
@click.option("--dismiss", type=_Message(), help="Delete the reports about a message, and keep the message.")
def chat(
    database: Path | str, game: UUID | None, remove: tuple[UUID, int] | None, dismiss: tuple[UUID, int] | None
) -> None:
    """List messages that players reported, the earliest report first. Remove a message, or dismiss the reports.

    Servers may be running. To turn the chat off, start them with --no-chat.
    """
    if sum(each is not None for each in (game, remove, dismiss)) > 1:
        raise click.UsageError("Give only one of --game, --remove, and --dismiss.")
    for line in run(_done(database, game, remove, dismiss)):
        say(line)


async def _done(
    database: Path | str, game: UUID | None, remove: tuple[UUID, int] | None, dismiss: tuple[UUID, int] | None
) -> list[str]:
    """Do what was requested. Returns what to print."""
    from mcmulti.client.sources import SourceError
    from mcmulti.server.database import opened_log

    async with address_of(database) as address, opened_log(address) as log:
        if game is not None:
            return await _chat_lines(log, game)
        if remove is not None:
            if await log.remove_message(*remove, "operator", await log.now()) is None:
                raise SourceError("There is no such message, or it was removed before.")
            return ["Removed."]
        if dismiss is not None:
            if not await log.unflag_message(*dismiss):
                raise SourceError("Nobody reported this message.")
            return ["Dismissed."]
        return await _reports(log)


async def _chat_lines(log: "Log", game: UUID) -> list[str]:
    """Everything that is kept of the chat of a table."""
    from mcmulti.events.ports.chat import ROOMS

    said = await log.chat(game, ROOMS, 0, 2 * MOST)
    names = await log.names([*{each.author for each in said}])
    return [
        f"{game}/{each.number} {each.said_at:%Y-%m-%d %H:%M} {each.room} {names.get(each.author, each.author)}: "
        + (f"removed by {each.removed_by}" if each.removed_by else shown(each.text, each.quick_reply))
        for each in sorted(said, key=lambda each: each.number)
    ] or ["Nothing is kept of this chat."]


async def _reports(log: "Log") -> list[str]:
    """Reported messages, each with all reports about it."""
    messages: dict[tuple[UUID, int], list[FlaggedMessage]] = {}
    for flag in await log.flagged(MOST):
        messages.setdefault((flag.game_id, flag.number), []).append(flag)
    people = {player for flags in messages.values() for flag in flags for player in (flag.author, flag.flagged_by)}
    names = await log.names([*people])
    lines = []
    for (game, number), flags in messages.items():
        [message, *_] = flags
        author = names.get(message.author, message.author)
        said = shown(message.text, message.quick_reply)
        lines.append(f"{game}/{number} {message.said_at:%Y-%m-%d %H:%M} {message.room} {author}: {said}")
        lines += [
            f"  reported by {names.get(flag.flagged_by, flag.flagged_by)}{f': {flag.reason}' if flag.reason else ''}"
            for flag in flags
        ]
    return lines or ["No message is reported."]


def shown(text: str | None, quick_reply: str | None) -> str:
    """What was said, for one line of a terminal: what people write cannot contain control characters."""
    return f"[{quick_reply}]" if text is None else text
