"""Settings for messages, from the move to the message: every channel sends what players want, when they want it."""

import random
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from mcmulti.domain.mcmulti.commands import EndPurchases
from mcmulti.events.ports.notices import TOPICS, DailyHours, GamePreferences, Preferences, Webhook
from mcmulti.metrics import NOTICES
from mcmulti.notify.mail.postman import Postman
from mcmulti.notify.mail.smtp import MailServer
from mcmulti.notify.news import GRACE
from mcmulti.notify.settings import Smtp
from mcmulti.notify.watch import EMAIL_GRACE, GameWatch, post_digest, post_digests
from tests.notify.evenings import Evening, ada_to_move, an_evening
from tests.notify.mailbox import Mailbox, a_mailbox
from tests.scripted_clock import ADA, BEN, HOUR, NOON, SECOND

MINUTE = timedelta(minutes=1)


@pytest.fixture
async def evening() -> AsyncIterator[Evening]:
    async with an_evening() as evening:
        yield evening


@pytest.fixture
async def mailbox() -> AsyncIterator[Mailbox]:
    async with a_mailbox() as mailbox:
        yield mailbox


async def wish(evening: Evening, preferences: Preferences, digest_at: datetime | None = None) -> None:
    await evening.log.set_preferences(ADA.player_id, preferences, digest_at)


async def at(evening: Evening, moment: datetime) -> list[Any]:
    """The types of all messages so far, at a moment."""
    evening.clock.now = moment
    await post_digests(evening.log, email=True)
    await evening.send(timedelta())
    return evening.types


async def by_mail(evening: Evening, mailbox: Mailbox) -> Postman:
    """Let Ada have a confirmed email address."""
    hook = Webhook(uuid4(), ADA.player_id, "mailto:ada@example.org", "email", TOPICS, "en", bytes(32), NOON)
    assert await evening.log.add_webhook(hook._replace(confirmed_at=NOON), 9)
    evening.watch = GameWatch(evening.log, email=True)
    smtp = Smtp("127.0.0.1", mailbox.port, "none", "games@example.org")
    return Postman(evening.log, MailServer(smtp), "https://play.example.org", random.Random(1))


async def sent(postman: Postman, mailbox: Mailbox) -> list[str]:
    await postman.step()
    await postman.idle()
    return [taken.letter["Subject"] for taken in mailbox.taken]


async def test_what_happens_in_quiet_hours_is_told_after_them_by_every_channel(
    evening: Evening, mailbox: Mailbox
) -> None:
    """It is noon at first, and quiet until two."""
    await evening.hook(topics=TOPICS)
    postman = await by_mail(evening, mailbox)
    await wish(evening, Preferences(quiet=DailyHours(11 * 60, 14 * 60)))
    await ada_to_move(evening)
    assert await at(evening, NOON + MINUTE) == []
    evening.clock.now = NOON + 2 * HOUR - SECOND
    assert await at(evening, evening.clock.now) == []
    assert await sent(postman, mailbox) == []
    assert await at(evening, NOON + 2 * HOUR) == ["game.turn"]
    evening.clock.now += EMAIL_GRACE
    assert await sent(postman, mailbox) == ["McMulti: it is your turn"]


async def test_quiet_hours_that_begin_while_a_message_waits_hold_it_and_cost_no_attempt(evening: Evening) -> None:
    await evening.hook(topics=TOPICS)
    await ada_to_move(evening)
    await evening.watch.step()
    await wish(evening, Preferences(quiet=DailyHours(12 * 60, 14 * 60)))
    assert await at(evening, NOON + GRACE) == []
    [waiting] = await evening.log.notices_due(NOON + 2 * HOUR, 9, 9)
    assert (waiting.due_at, waiting.attempts) == (NOON + 2 * HOUR, 0)
    assert await at(evening, NOON + 2 * HOUR) == ["game.turn"]


async def test_a_turn_that_is_over_when_quiet_hours_end_is_not_told(evening: Evening) -> None:
    await evening.hook(topics=TOPICS)
    await wish(evening, Preferences(quiet=DailyHours(11 * 60, 14 * 60)))
    game = await ada_to_move(evening)
    await at(evening, NOON + MINUTE)
    await evening.play.send(game, ADA, EndPurchases())
    assert await at(evening, NOON + 3 * HOUR) == []
    assert await evening.log.notices_waiting() == 0


async def test_a_reminder_comes_before_the_deadline_unless_the_player_moves(evening: Evening) -> None:
    """The games have a day for each move."""
    await evening.hook(topics=TOPICS)
    await ada_to_move(evening)
    moved = await ada_to_move(evening)
    await at(evening, NOON + GRACE)
    assert await at(evening, NOON + 22 * HOUR - SECOND) == ["game.turn", "game.turn"]
    await evening.play.send(moved, ADA, EndPurchases())
    assert await at(evening, NOON + 22 * HOUR) == ["game.turn", "game.turn", "game.deadline"]
    assert await at(evening, NOON + 23 * HOUR) == ["game.turn", "game.turn", "game.deadline"]


async def test_a_reminder_follows_a_deadline_that_was_moved(evening: Evening) -> None:
    """As after an outage, which players get back."""
    await evening.hook(topics=TOPICS)
    game = await ada_to_move(evening)
    await at(evening, NOON + GRACE)
    kept = evening.log._games[game]
    moved = msgspec.structs.replace(kept.game.standing, deadline=NOON + 30 * HOUR)
    kept.game = kept.game._replace(standing=moved)
    assert await at(evening, NOON + 22 * HOUR) == ["game.turn"]
    assert await at(evening, NOON + 28 * HOUR) == ["game.turn", "game.deadline"]


async def test_fast_games_remind_nobody(evening: Evening) -> None:
    """Where the reminder would come when half of the time is over or more."""
    await evening.hook(topics=TOPICS)
    game = await evening.play.begin(players=2, move_seconds=3 * 3600)
    if await evening.play.asked(game) != ADA:
        await evening.play.send(game, BEN, EndPurchases())
    await at(evening, NOON + GRACE)
    assert await at(evening, NOON + 2 * HOUR) == ["game.turn"]


async def test_a_game_can_be_muted_and_another_one_asks_for_more(evening: Evening) -> None:
    await evening.hook(topics=TOPICS)
    muted, loud = await ada_to_move(evening), await ada_to_move(evening)
    await wish(evening, Preferences(topics=()))
    await evening.log.set_game_preferences(ADA.player_id, muted, GamePreferences((), None), 9)
    await evening.log.set_game_preferences(ADA.player_id, loud, GamePreferences(("game.turn",), None), 9)
    assert await at(evening, NOON + MINUTE) == []
    assert await at(evening, NOON + 2 * MINUTE) == ["game.turn"]
    assert msgspec.json.decode(evening.receiver.received[0].body)["data"]["game"] == str(loud)


async def test_a_message_that_waits_is_not_sent_once_its_player_does_not_want_it(evening: Evening) -> None:
    await evening.hook(topics=TOPICS)
    await ada_to_move(evening)
    await evening.watch.step()
    await wish(evening, Preferences(topics=()))
    obsolete = float(NOTICES.labels("obsolete")._value.get())
    assert await at(evening, NOON + GRACE) == []
    assert NOTICES.labels("obsolete")._value.get() == obsolete + 1
    assert await at(evening, NOON + 22 * HOUR) == [], "nor is it reminded"
    assert await evening.log.notices_waiting() == 0


async def test_a_digest_is_one_message_a_day_about_all_games_that_wait(evening: Evening, mailbox: Mailbox) -> None:
    """Through every channel, also about games that were in the digest of the day before."""
    await evening.hook(topics=TOPICS)
    postman = await by_mail(evening, mailbox)
    daily = Preferences(topics=("game.turn", "game.over"), digest=18 * 60)
    await wish(evening, daily, NOON + 6 * HOUR)
    first, second = await ada_to_move(evening), await ada_to_move(evening)
    assert await at(evening, NOON + 6 * HOUR - SECOND) == []
    assert await sent(postman, mailbox) == []
    for _ in range(2):
        assert await at(evening, NOON + 6 * HOUR) == ["digest"]
    data = msgspec.json.decode(evening.receiver.received[0].body)["data"]
    assert set(data["games"]) == {str(first), str(second)}
    assert await sent(postman, mailbox) == ["It is your turn in 2 games"]
    assert all(f"https://play.example.org/games/{game}" in mailbox.taken[0].text for game in (first, second))
    await evening.play.send(first, ADA, EndPurchases())
    assert await at(evening, NOON + 30 * HOUR) == ["digest", "digest"]
    assert await sent(postman, mailbox) == ["It is your turn in 2 games", "McMulti: it is your turn"]


async def test_a_digest_leaves_out_games_whose_messages_the_player_muted(evening: Evening) -> None:
    """And if no other game waits, there is none."""
    await evening.hook(topics=TOPICS)
    await wish(evening, Preferences(digest=18 * 60), NOON + 6 * HOUR)
    loud, muted = await ada_to_move(evening), await ada_to_move(evening)
    assert await evening.log.set_game_preferences(ADA.player_id, muted, GamePreferences(("game.over",), None), 9)
    assert await at(evening, NOON + 6 * HOUR) == ["digest"]
    assert msgspec.json.decode(evening.receiver.received[0].body)["data"]["games"] == [str(loud)]
    await evening.play.send(loud, ADA, EndPurchases())
    assert await at(evening, NOON + 30 * HOUR) == ["digest"]


async def test_no_digest_is_sent_if_no_game_waits_and_one_a_day_after_an_outage(evening: Evening) -> None:
    await evening.hook(topics=TOPICS)
    await wish(evening, Preferences(digest=18 * 60), NOON + 6 * HOUR)
    assert await at(evening, NOON + 6 * HOUR) == []
    await ada_to_move(evening)
    assert await at(evening, NOON + 100 * HOUR) == ["digest"]
    assert await at(evening, NOON + 102 * HOUR) == ["digest", "digest"]
    assert await at(evening, NOON + 103 * HOUR) == ["digest", "digest"]


async def test_several_servers_send_one_digest(evening: Evening) -> None:
    await evening.hook(topics=TOPICS)
    await wish(evening, Preferences(digest=18 * 60), NOON + 6 * HOUR)
    await ada_to_move(evening)
    evening.clock.now = NOON + 6 * HOUR
    [due] = await evening.log.digests_due(evening.clock.now, 9)
    for _ in range(2):  # another one has found the same digest
        await post_digest(evening.log, due)
    assert await at(evening, NOON + 6 * HOUR) == ["digest"]
