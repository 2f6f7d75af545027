"""What every store of chats must do."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace

from mcmulti.events.ports.accounts import Player, first_token
from mcmulti.events.ports.chat import ROOMS, ChatBounds, ChatFlag, ChatMessage
from mcmulti.events.ports.errors import ChatFull, ChatTooFast
from mcmulti.events.ports.log import Log

NOON = datetime(2024, 2, 29, 12, 0, 0, 123456, UTC)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
FREE = ChatBounds(1000, MINUTE, 1000)


def message(game_id: UUID, author: UUID | None = None, **more: Any) -> ChatMessage:
    told: dict[str, Any] = {"room": "players", "author": author or uuid4(), "said_at": NOON, "text": "Öl! 🛢", **more}
    return ChatMessage(game_id, **told)


def flag(said: ChatMessage, by: UUID | None = None, at: datetime = NOON, reason: str = "") -> ChatFlag:
    return ChatFlag(said.game_id, said.number, by or uuid4(), at, reason)


async def flags_of(log: Log, *games: UUID) -> list[tuple[int, str]]:
    return [(each.number, each.reason) for each in await log.flagged(1000) if each.game_id in games]


class ChatContract:
    async def test_what_was_said_is_read_in_its_order_by_those_who_have_read_up_to_somewhere(self, log: Log) -> None:
        game_id, other = uuid4(), uuid4()
        first = await log.say(message(game_id), FREE)
        second = await log.say(message(game_id, room="spectators", text=None, quick_reply="hello", key="k"), FREE)
        third = await log.say(message(game_id, said_at=NOON - HOUR, text="a clock that is late"), FREE)
        elsewhere = await log.say(message(other), FREE)
        assert first == replace(message(game_id, first.author), number=first.number, changed=first.number)
        assert first.number < second.number < third.number
        assert await log.chat(game_id, ROOMS, 0, 9) == [first, second, third]
        assert await log.chat(game_id, ROOMS, first.changed, 1) == [second]
        assert await log.chat(game_id, ROOMS, third.changed, 9) == []
        assert await log.chat(game_id, ["players"], 0, 9) == [first, third]
        assert await log.chat(game_id, ["spectators"], 0, 9) == [second]
        assert await log.chat(game_id, [], 0, 9) == []
        assert await log.chat(uuid4(), ROOMS, 0, 9) == []
        assert await log.chat_message(game_id, second.number) == second
        assert await log.chat_message(other, second.number + 1) is None
        heads = await log.chat_heads([game_id, other, uuid4()])
        assert heads == {game_id: third.changed, other: elsewhere.changed}
        assert await log.chat_heads([]) == {}

    async def test_what_several_say_at_once_has_an_order_of_its_own(self, log: Log) -> None:
        game_id = uuid4()
        said = await asyncio.gather(*(log.say(message(game_id, text=str(number)), FREE) for number in range(8)))
        found = await log.chat(game_id, ROOMS, 0, 99)
        assert len({each.number for each in found}) == 8
        assert sorted(said, key=lambda each: each.number) == found

    async def test_a_request_that_is_repeated_says_nothing_more(self, log: Log) -> None:
        game_id, ann = uuid4(), uuid4()
        first = await log.say(message(game_id, ann, key="once"), FREE)
        assert await log.say(message(game_id, ann, key="once", text="something else"), FREE) == first
        assert await log.say(message(game_id, ann, key="once"), ChatBounds(0, MINUTE, 0)) == first
        other = await log.say(message(game_id, key="once"), FREE)
        assert await log.chat(game_id, ROOMS, 0, 9) == [first, other]

    async def test_an_author_says_so_much_in_a_time_and_no_more_by_saying_it_at_once(self, log: Log) -> None:
        game_id, ann = uuid4(), uuid4()
        few = ChatBounds(3, MINUTE, 1000)
        said = await asyncio.gather(*(log.say(message(game_id, ann), few) for _ in range(6)), return_exceptions=True)
        assert sorted(type(each).__name__ for each in said) == ["ChatMessage"] * 3 + ["ChatTooFast"] * 3
        with pytest.raises(ChatTooFast):
            await log.say(message(game_id, ann, said_at=NOON + MINUTE / 2), few)
        await log.say(message(game_id), few)
        await log.say(message(uuid4(), ann), few)
        await log.say(message(game_id, ann, said_at=NOON + MINUTE), few)
        assert len(await log.chat(game_id, ROOMS, 0, 99)) == 5

    async def test_a_room_that_is_full_leaves_the_other_one_free(self, log: Log) -> None:
        game_id, few = uuid4(), ChatBounds(1000, MINUTE, 2)
        for _ in range(2):
            await log.say(message(game_id, room="spectators"), few)
        with pytest.raises(ChatFull):
            await log.say(message(game_id, room="spectators"), few)
        await log.say(message(game_id), few)

    async def test_a_removed_message_has_no_text_and_comes_once_more(self, log: Log) -> None:
        game_id = uuid4()
        said = await log.say(message(game_id), FREE)
        later = await log.say(message(game_id, text=None, quick_reply="hello"), FREE)
        await log.flag_message(flag(said))
        left = await log.remove_message(game_id, said.number, "author", NOON)
        assert left is not None
        assert left == replace(said, text=None, removed_by="author", changed=left.changed)
        assert left.changed > later.changed
        assert await log.chat(game_id, ROOMS, later.changed, 9) == [left]
        assert await log.chat(game_id, ROOMS, 0, 9) == [later, left]
        assert await flags_of(log, game_id) == []
        assert await log.remove_message(game_id, said.number, "operator", NOON) is None
        assert await log.remove_message(game_id, said.number - 1, "operator", NOON) is None
        assert await log.remove_message(uuid4(), said.number, "operator", NOON) is None
        also = await log.remove_message(game_id, later.number, "operator", NOON + HOUR)
        assert also is not None
        assert (also.quick_reply, also.removed_by) == (None, "operator")

    async def test_flags_are_listed_until_they_are_dealt_with(self, log: Log) -> None:
        game_id, other, eve = uuid4(), uuid4(), uuid4()
        rude, fine = await log.say(message(game_id), FREE), await log.say(message(other), FREE)
        assert await log.flag_message(flag(rude, eve, NOON + HOUR, "rude"))
        assert not await log.flag_message(flag(rude, eve, NOON, "again"))
        assert await log.flag_message(flag(rude, at=NOON + 2 * HOUR))
        assert await log.flag_message(flag(fine, at=NOON, reason="no reason"))
        assert await flags_of(log, game_id, other) == [
            (fine.number, "no reason"),
            (rude.number, "rude"),
            (rude.number, ""),
        ]
        [told] = [each for each in await log.flagged(1000) if each.flagged_by == eve]
        assert (told.game_id, told.room, told.author, told.said_at, told.text) == (
            *(game_id, "players", rude.author, NOON, rude.text),
        )
        assert len(await log.flagged(1)) == 1
        assert await log.unflag_message(other, fine.number) == 1
        assert await log.unflag_message(other, fine.number) == 0
        assert await flags_of(log, other) == []

    async def test_what_a_player_said_is_listed_the_latest_first(self, log: Log) -> None:
        games, ann = [uuid4() for _ in range(3)], uuid4()
        said = [await log.say(message(game, ann, said_at=NOON + n * HOUR), FREE) for n, game in enumerate(games)]
        await log.say(message(games[0]), FREE)
        assert await log.said_by(ann, 9) == said[::-1]
        assert await log.said_by(ann, 2) == [said[2], said[1]]

    async def test_what_was_said_long_ago_is_forgotten_and_its_numbers_do_not_come_back(self, log: Log) -> None:
        game_id = uuid4()
        old = await log.say(message(game_id), FREE)
        new = await log.say(message(game_id, said_at=NOON + HOUR), FREE)
        await log.flag_message(flag(old))
        await log.flag_message(flag(new, at=NOON + HOUR))
        assert await log.forget_chat(NOON + MINUTE) >= 1
        assert await log.chat(game_id, ROOMS, 0, 9) == [new]
        assert await flags_of(log, game_id) == [(new.number, "")]
        await log.forget_chat(NOON + 2 * HOUR)
        assert await log.chat(game_id, ROOMS, 0, 9) == []
        assert await flags_of(log, game_id) == []
        assert (await log.say(message(game_id), FREE)).number > new.number

    async def test_who_is_erased_leaves_no_messages_and_no_flags(self, log: Log) -> None:
        """The same goes for companions."""
        ann, bob, companion, game_id = uuid4(), uuid4(), uuid4(), uuid4()
        for player_id in (ann, bob):
            await log.add_player(Player(player_id, player_id.hex), first_token(NOON), player_id.bytes * 2)
        await log.keep_names({companion: "Child"}, ann)
        for author in (ann, companion):
            await log.flag_message(flag(await log.say(message(game_id, author), FREE), bob))
        kept = await log.say(message(game_id, bob), FREE)
        await log.flag_message(flag(kept, ann))
        await log.erase(ann)
        assert await log.chat(game_id, ROOMS, 0, 9) == [kept]
        assert await flags_of(log, game_id) == []
