"""`mcmulti chat`: what the operator sees of chats, and removes from them."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID, uuid4

from mcmulti.events.ports.accounts import Player, first_token
from mcmulti.events.ports.chat import ChatBounds, ChatFlag, ChatMessage, ChatRoom
from mcmulti.events.postgres.log import PostgresLog
from tests.cli.command import running
from tests.cli.proving import address_of

NOON = datetime(2026, 2, 28, 12, 0, tzinfo=UTC)
FREE = ChatBounds(9, timedelta(minutes=1), 9)


def told(*arguments: str, temporary: Path, code: int = 0) -> list[str]:
    with running("chat", *arguments, temporary=temporary) as command:
        assert command.code() == code, command.said
        assert "Traceback" not in command.said
        return (command.printed + command.said).splitlines()


async def test_an_operator_lists_reports_and_removes_or_dismisses(database: str, tmp_path: Path) -> None:
    game, ann, bob = uuid4(), uuid4(), uuid4()
    async with PostgresLog.open(database, pool_size=1) as log:
        for player, name in ((ann, "Ann"), (bob, "Bob")):
            await log.add_player(Player(player, name), first_token(NOON), player.bytes * 2)

        async def say(author: UUID, room: ChatRoom, text: str | None, reply: str | None = None) -> str:
            said = await log.say(ChatMessage(game, room, author, NOON, text, reply), FREE)
            return f"{game}/{said.number}"

        rude = await say(bob, "players", "You fool!")
        fine = await say(ann, "spectators", None, "good_game")
        for flag in (
            ChatFlag(game, int(rude.partition("/")[2]), ann, NOON, "insult"),
            ChatFlag(game, int(fine.partition("/")[2]), bob, NOON + timedelta(minutes=1)),
        ):
            await log.flag_message(flag)
    await asyncio.to_thread(_dealt_with, address_of(database), str(game), rude, fine, tmp_path)


def _dealt_with(url: str, game: str, rude: str, fine: str, folder: Path) -> None:
    at = ("--database-url", url)
    lines = {
        rude: f"{rude} 2026-02-28 12:00 players Bob: You fool!",
        fine: f"{fine} 2026-02-28 12:00 spectators Ann: [good_game]",
    }
    assert told(*at, temporary=folder) == [lines[rude], "  reported by Ann: insult", lines[fine], "  reported by Bob"]
    assert told("--game", game, *at, temporary=folder) == [lines[rude], lines[fine]]
    assert told("--remove", rude, *at, temporary=folder) == ["Removed."]
    assert told("--remove", rude, *at, temporary=folder, code=1) == [
        "Error: There is no such message, or it was removed before."
    ]
    assert told("--dismiss", fine, *at, temporary=folder) == ["Dismissed."]
    assert told("--dismiss", fine, *at, temporary=folder, code=1) == ["Error: Nobody reported this message."]
    assert told(*at, temporary=folder) == ["No message is reported."]
    assert told("--game", game, *at, temporary=folder) == [
        f"{rude} 2026-02-28 12:00 players Bob: removed by operator",
        lines[fine],
    ]
