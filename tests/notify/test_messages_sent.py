"""From a move to the message: when one is sent, when not, and what happens when the receiver refuses it."""

import random
from collections.abc import AsyncIterator
from datetime import timedelta
from uuid import uuid4

import msgspec
import pytest
from py_vapid import Vapid02

from mcmulti.domain.core.capabilities.leaving import Resign
from mcmulti.domain.mcmulti.commands import EndPurchases
from mcmulti.events.ports.notices import NO_GAME, Notification, WebhookFormat
from mcmulti.metrics import NOTICES, NOTICES_WAITING
from mcmulti.notify import watch as watching
from mcmulti.notify.courier import OF_PLAYER, Courier
from mcmulti.notify.news import GRACE
from mcmulti.notify.outbound import Outbound
from mcmulti.notify.push import PushKey
from mcmulti.notify.sending import ATTEMPTS, pause_after
from mcmulti.notify.watch import LOOK_BACK, GameWatch
from tests.notify.evenings import SITE, Evening, ada_to_move, an_evening
from tests.notify.receiver import hang, receiving, status
from tests.notify.subscriber import Subscriber
from tests.scripted_clock import ADA, BEN, NOON, SECOND

MINUTE = timedelta(minutes=1)


@pytest.fixture
async def evening() -> AsyncIterator[Evening]:
    async with an_evening() as evening:
        yield evening


def counted(outcome: str) -> float:
    return float(NOTICES.labels(outcome)._value.get())


async def test_a_player_gets_a_message_when_it_is_their_turn_and_one_when_the_game_is_over(evening: Evening) -> None:
    await evening.hook()
    game = await evening.play.begin(players=2, move_seconds=86400)
    first = await evening.play.asked(game)
    if first == ADA:  # so that Ben moves first
        await evening.play.send(game, ADA, EndPurchases())
    assert await evening.look(GRACE) == []
    await evening.play.send(game, BEN, EndPurchases())
    assert await evening.look() == []
    sent = counted("sent")
    assert await evening.look(GRACE) == ["game.turn"]
    assert counted("sent") == sent + 1
    data = msgspec.json.decode(evening.receiver.received[0].body)["data"]
    assert data == {
        "player": str(ADA.player_id),
        "game": str(game),
        "page": f"https://play.example.org/games/{game}",
    }
    assert await evening.look(GRACE) == ["game.turn"]
    await evening.play.send(game, BEN, Resign())
    assert await evening.look(SECOND) == ["game.turn", "game.over"]
    assert await evening.look(MINUTE) == ["game.turn", "game.over"]
    assert NOTICES_WAITING._value.get() == 0


async def test_who_moves_at_once_gets_no_message(evening: Evening) -> None:
    """The second time, the message is already queued, and nobody has looked since the move."""
    await evening.hook()
    game = await ada_to_move(evening)
    await evening.look(SECOND)
    await evening.play.send(game, ADA, EndPurchases())
    assert await evening.look(GRACE) == []
    await evening.play.send(game, BEN, EndPurchases())
    await evening.look()
    await evening.play.send(game, ADA, EndPurchases())
    obsolete = counted("obsolete")
    evening.clock.now += GRACE
    await evening.courier.step()
    await evening.courier.idle()
    assert evening.types == []
    assert counted("obsolete") == obsolete + 1


async def test_the_next_turn_is_another_message(evening: Evening) -> None:
    await evening.hook()
    game = await ada_to_move(evening)
    await evening.look()
    assert await evening.look(GRACE) == ["game.turn"]
    await evening.play.send(game, ADA, EndPurchases())
    await evening.look(SECOND)
    await evening.play.send(game, BEN, EndPurchases())
    await evening.look(SECOND)
    assert await evening.look(GRACE) == ["game.turn", "game.turn"]
    assert len(set(evening.ids)) == 2


async def test_what_did_not_arrive_is_tried_again_with_the_same_id(evening: Evening) -> None:
    await evening.hook()
    await ada_to_move(evening)
    evening.receiver.answers = [status("500 Internal Server Error"), status("302 Found", "Location: /elsewhere")]
    await evening.look()
    failed = counted("failed")
    await evening.look(GRACE)
    assert len(await evening.look(23 * SECOND)) == 1  # 30 seconds, minus up to a fifth
    assert len(await evening.look(14 * SECOND)) == 2
    assert len(await evening.look(95 * SECOND)) == 2
    assert len(await evening.look(50 * SECOND)) == 3
    assert counted("failed") == failed + 2
    assert len(await evening.look(timedelta(days=1))) == 3
    assert len(set(evening.ids)) == 1
    stamps = [int(each.headers["webhook-timestamp"]) for each in evening.receiver.received]
    assert stamps == sorted(set(stamps))
    assert len({each.headers["webhook-signature"] for each in evening.receiver.received}) == 3


def test_pauses_become_longer_up_to_six_hours() -> None:
    pauses = [pause_after(attempts, random.Random(attempts)).total_seconds() for attempts in range(1, 10)]
    plain = [30, 120, 480, 1920, 7680, 21600, 21600, 21600, 21600]
    assert all(0.8 * wanted <= pause <= 1.2 * wanted for pause, wanted in zip(pauses, plain, strict=True))
    assert all(pause != wanted for pause, wanted in zip(pauses, plain, strict=True))


async def test_after_the_last_attempt_a_message_is_given_up(evening: Evening) -> None:
    await evening.hook()
    await ada_to_move(evening)
    evening.receiver.otherwise = status("503 Service Unavailable")
    await evening.look()
    before = counted("given_up")
    for _ in range(ATTEMPTS + 3):
        await evening.look(timedelta(hours=8))
    assert len(evening.types) == ATTEMPTS
    assert counted("given_up") == before + 1
    assert await evening.log.notices_waiting() == 0


async def test_a_receiver_says_when_to_try_again(evening: Evening) -> None:
    await evening.hook()
    await ada_to_move(evening)
    evening.receiver.answers = [status("429 Too Many Requests", "Retry-After: 600")]
    await evening.look()
    await evening.look(GRACE)
    assert len(await evening.look(590 * SECOND)) == 1
    assert len(await evening.look(20 * SECOND)) == 2


@pytest.mark.parametrize(
    ("format", "answer", "goes"),
    [
        ("standard", "410 Gone", True),
        ("standard", "404 Not Found", False),
        ("discord", "404 Not Found", True),
        ("slack", "404 Not Found", False),
    ],
)
async def test_a_receiver_that_is_gone_gets_nothing_more(
    evening: Evening, format: WebhookFormat, answer: str, goes: bool
) -> None:
    hook = await evening.hook(format=format)
    evening.receiver.otherwise = status(answer)
    game = await ada_to_move(evening)
    await evening.look()
    evening.clock.now += GRACE
    await evening.courier.step()
    await evening.courier.idle()
    [now] = await evening.log.webhooks([hook.player_id])
    assert (now.gone_at is not None) == goes
    await evening.play.send(game, BEN, Resign())
    evening.clock.now += MINUTE
    await evening.watch.step()
    await evening.courier.step()
    await evening.courier.idle()
    assert (len(evening.receiver.received) == 1) == goes


async def test_a_receiver_that_hangs_holds_up_nobody_else(evening: Evening) -> None:
    async with receiving() as other:
        for _ in range(OF_PLAYER + 1):
            await evening.hook()
        await evening.hook(BEN, other.url)
        evening.receiver.otherwise = hang
        hooks = await evening.log.webhooks([ADA.player_id, BEN.player_id])
        tests = [Notification(NO_GAME, hook.webhook_id, hook.player_id, "test", 1, uuid4(), NOON) for hook in hooks]
        await evening.log.post_notices(NO_GAME, tests)
        await evening.courier.step()
        await other.count(1)
        await evening.receiver.count(OF_PLAYER)
        await evening.courier.step()
        assert len(evening.receiver.received) == OF_PLAYER
        await evening.courier.stop()


async def test_what_a_server_did_not_finish_another_one_sends(evening: Evening) -> None:
    await evening.hook()
    await ada_to_move(evening)
    await evening.watch.step()
    evening.clock.now += GRACE
    evening.receiver.answers = [hang]
    await evening.courier.step()
    await evening.receiver.count(1)
    await evening.courier.stop()  # to the log, this looks like kill -9
    async with Outbound(private=True) as outbound:
        evening.courier = Courier(evening.log, outbound, SITE, random.Random(2))
        assert await evening.look() == ["game.turn"]
        assert await evening.look(MINUTE) == ["game.turn", "game.turn"]
        assert len(set(evening.ids)) == 1


async def test_several_servers_send_a_message_once(evening: Evening) -> None:
    await evening.hook()
    await ada_to_move(evening)
    async with Outbound(private=True) as outbound:
        others = [Courier(evening.log, outbound, SITE) for _ in range(3)]
        for watch in (evening.watch, GameWatch(evening.log), GameWatch(evening.log)):
            await watch.step()
        evening.clock.now += GRACE
        for courier in (evening.courier, *others):
            await courier.step()
        for courier in (evening.courier, *others):
            await courier.idle()
    assert evening.types == ["game.turn"]


async def test_what_happened_while_no_server_ran_is_found_when_one_starts(evening: Evening) -> None:
    await evening.hook()
    await ada_to_move(evening)
    evening.clock.now += LOOK_BACK - MINUTE
    await evening.look()
    assert await evening.look(GRACE) == ["game.turn"]


async def test_a_webhook_gets_no_news_of_what_was_before_it(evening: Evening) -> None:
    game = await ada_to_move(evening)
    evening.clock.now += SECOND
    await evening.hook()
    await evening.look()
    assert await evening.look(GRACE) == []
    await evening.play.send(game, ADA, EndPurchases())
    await evening.play.send(game, BEN, EndPurchases())
    await evening.look()
    assert await evening.look(GRACE) == ["game.turn"]


async def test_a_webhook_that_was_removed_gets_nothing(evening: Evening) -> None:
    hook = await evening.hook()
    await evening.hook(BEN)
    await ada_to_move(evening)
    await evening.look()
    await evening.log.remove_webhook(ADA.player_id, hook.webhook_id)
    assert await evening.look(GRACE) == []
    assert await evening.log.notices_waiting() == 0


async def test_only_what_was_asked_for_is_sent(evening: Evening) -> None:
    hook = await evening.hook()
    await evening.log.remove_webhook(ADA.player_id, hook.webhook_id)
    await evening.log.add_webhook(hook._replace(topics=("game.over",)), 9)
    game = await ada_to_move(evening)
    await evening.look()
    assert await evening.look(GRACE) == []
    await evening.play.send(game, BEN, Resign())
    assert await evening.look(SECOND) == ["game.over"]


async def test_an_outbox_that_is_full_takes_no_more(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        await evening.hook()
    monkeypatch.setattr(watching, "MOST_WAITING", 2)
    await ada_to_move(evening)
    dropped = counted("dropped")
    await evening.watch.step()
    assert await evening.log.notices_waiting() == 2
    assert counted("dropped") == dropped + 1


async def test_many_games_that_moved_are_all_found(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "PAGE", 2)
    await evening.hook()
    for _ in range(5):
        await ada_to_move(evening)
    await evening.watch.step()
    assert await evening.log.notices_waiting() == 5


@pytest.mark.parametrize("line", ["404 Not Found", "410 Gone"])
async def test_a_browser_gets_its_turn_encrypted_and_is_forgotten_when_its_subscription_ended(
    evening: Evening, line: str
) -> None:
    browser = Subscriber()
    hook = await evening.hook(format="push", keys=browser.keys)
    evening.receiver.answers = [status("201 Created"), status(line)]
    game = await ada_to_move(evening)
    await evening.send(SECOND)
    await evening.send(GRACE)
    [sent] = evening.receiver.received
    said = {"text": "McMulti: it is your turn.", "page": f"/games/{game}", "about": game.hex}
    assert msgspec.json.decode(browser.reads(sent.body)) == said
    assert Vapid02.verify(sent.headers["authorization"])
    assert PushKey(await evening.log.digest_key()).public in sent.headers["authorization"]
    await evening.play.send(game, BEN, Resign())
    await evening.send(SECOND)
    assert len(evening.receiver.received) == 2
    [after] = await evening.log.webhooks([ADA.player_id])
    assert (after.webhook_id, after.gone_at is not None) == (hook.webhook_id, True)
