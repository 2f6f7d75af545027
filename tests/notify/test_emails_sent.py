"""From a move to the email: how often one is sent, its content, and what happens when the mail server fails."""

import random
import ssl
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from structlog.testing import capture_logs

from mcmulti.domain.core.capabilities.leaving import Resign
from mcmulti.domain.mcmulti.commands import EndPurchases
from mcmulti.events.ports.accounts import Player, first_token
from mcmulti.events.ports.notices import NO_GAME, Notification, Webhook
from mcmulti.metrics import NOTICES
from mcmulti.notify.mail import postman as sending
from mcmulti.notify.mail.links import unsubscription, webhook_of
from mcmulti.notify.mail.postman import PAUSE, Postman
from mcmulti.notify.mail.smtp import BadMailServer, MailServer, mail_server
from mcmulti.notify.sending import ATTEMPTS, Undelivered
from mcmulti.notify.settings import Smtp
from mcmulti.notify.watch import EMAIL_GRACE, GameWatch
from tests.notify.clocked import ClockedLog
from tests.notify.mailbox import DROP, HANG, NONSENSE, Mailbox, a_mailbox
from tests.scripted_clock import ADA, BEN, NOON, SECOND, Clock, Server

SITE, ADDRESS = "https://play.example.org", "ada@example.org"
MINUTE = timedelta(minutes=1)


class Post:
    """A server with its log and its clock, and a mail server for emails to Ada."""

    def __init__(self, log: ClockedLog, mailbox: Mailbox) -> None:
        self.log, self.clock, self.mailbox = log, log.clock, mailbox
        self.play = Server(log, self.clock)
        self.watch = GameWatch(log, email=True)
        self.postman = self.another()

    def another(self, timeout: float = 20) -> Postman:
        smtp = Smtp("127.0.0.1", self.mailbox.port, "none", "games@example.org")
        return Postman(self.log, MailServer(smtp, timeout=timeout), SITE, random.Random(1))

    async def address(self, player: Player = ADA, **otherwise: Any) -> Webhook:
        at = self.clock()
        hook = Webhook(
            uuid4(), player.player_id, f"mailto:{ADDRESS}", "email", ("game.turn", "game.over"), "en", bytes(32), at
        )
        hook = hook._replace(**{"confirmed_at": at, **otherwise})
        assert await self.log.add_webhook(hook, 9)
        return hook

    async def send(self, after: timedelta = timedelta()) -> list[str]:
        """Look later for games that moved and for due emails. Return the subjects of all emails so far."""
        self.clock.now += after
        await self.watch.step()
        await self.postman.step()
        await self.postman.idle()
        return [taken.letter["Subject"] for taken in self.mailbox.taken]

    async def turn(self) -> UUID:
        """A game that waits for Ada from now on."""
        game = await self.play.begin(players=2, move_seconds=864000)
        if await self.play.asked(game) != ADA:
            await self.play.send(game, BEN, EndPurchases())
        await self.watch.step()
        return game


@pytest.fixture
async def post() -> AsyncIterator[Post]:
    async with a_mailbox() as mailbox:
        log = ClockedLog(Clock())
        for number, player in enumerate((ADA, BEN)):
            await log.add_player(player, first_token(NOON), bytes([number]) * 32)
        yield Post(log, mailbox)


def counted(outcome: str) -> float:
    return float(NOTICES.labels(outcome)._value.get())


async def test_an_email_is_about_all_games_that_wait_and_says_how_to_end_it(post: Post) -> None:
    hook = await post.address()
    first, second = await post.turn(), await post.turn()
    assert await post.send(EMAIL_GRACE - SECOND) == []
    assert await post.send(SECOND) == ["It is your turn in 2 games"]
    [taken] = post.mailbox.taken
    assert taken.receivers == [ADDRESS]
    for game in (first, second):
        assert f"McMulti: it is your turn.\n{SITE}/games/{game}" in taken.text
    token = unsubscription(await post.log.digest_key(), hook.webhook_id)
    stop = f"{SITE}/v1/email/unsubscribe/{token}"
    assert webhook_of(token) == hook.webhook_id
    assert f"Unsubscribe: {stop}" in taken.text
    told = {name: taken.letter[name] for name in ("From", "To", "List-Unsubscribe", "List-Unsubscribe-Post")}
    assert told == {
        "From": "mcmulti <games@example.org>",
        "To": ADDRESS,
        "List-Unsubscribe": f"<{stop}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    assert await post.send(PAUSE) == ["It is your turn in 2 games"]


async def test_what_happens_after_an_email_waits_for_the_next_one(post: Post) -> None:
    await post.address(language="de")
    ended = await post.turn()
    assert await post.send(EMAIL_GRACE) == ["McMulti: Du bist am Zug"]
    await post.turn()
    await post.play.send(ended, BEN, Resign())
    assert len(await post.send(PAUSE - SECOND)) == 1
    assert await post.send(SECOND) == ["McMulti: Du bist am Zug", "Neues aus 2 Partien"]
    assert "Die Partie ist zu Ende" in post.mailbox.taken[1].text


async def test_who_moves_within_five_minutes_gets_no_email(post: Post) -> None:
    await post.address()
    game = await post.turn()
    await post.send(EMAIL_GRACE - SECOND)
    await post.play.send(game, ADA, EndPurchases())
    post.clock.now += SECOND
    await post.postman.step()  # before anybody saw the move
    await post.postman.idle()
    assert await post.send() == []
    await post.play.send(game, BEN, EndPurchases())
    await post.send()
    assert len(await post.send(EMAIL_GRACE)) == 1


@pytest.mark.parametrize("state", [{"confirmed_at": None}, {"gone_at": NOON}])
async def test_an_address_that_is_not_confirmed_or_was_unsubscribed_gets_nothing(
    post: Post, state: dict[str, Any]
) -> None:
    hook = await post.address(**state)
    await post.turn()
    test = Notification(NO_GAME, hook.webhook_id, ADA.player_id, "test", 1, uuid4(), NOON, by_mail=True)
    await post.log.post_notices(NO_GAME, [test])
    assert await post.send(EMAIL_GRACE) == []
    assert await post.log.notices_waiting() == 0


async def test_an_address_gets_so_many_emails_a_day_whosever_it_is(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "OF_A_DAY", 2)
    hooks = [await post.address(), await post.address(BEN, url="mailto:ada+ben@example.org")]
    for mark in range(3):
        for hook in hooks:
            test = Notification(NO_GAME, hook.webhook_id, hook.player_id, "test", mark, uuid4(), NOON, by_mail=True)
            await post.log.post_notices(NO_GAME, [test])
        await post.send(MINUTE)
    assert len(post.mailbox.taken) == 2
    assert len(await post.send(timedelta(hours=11))) == 2
    assert len(await post.send(timedelta(hours=1))) == 4, "on the next day"


FAILURES = [
    {"connect": "421 Too busy"},
    {"connect": "554 No"},
    {"connect": DROP},
    {"connect": NONSENSE},
    {"ehlo": DROP},
    {"mail": "451 Later"},
    {"mail": "550 Who are you"},
    {"rcpt": f"450 <{ADDRESS}> greylisted"},
    {"rcpt": DROP},
    {"data": "452 Full"},
    {"data": DROP},
    {"content": "451 Later"},
    {"content": DROP},
]


@pytest.mark.parametrize("fails", FAILURES, ids=str)
async def test_what_the_mail_server_does_not_take_is_tried_again(post: Post, fails: dict[str, str]) -> None:
    """Its reply can contain the address, which must not get into the operator's log."""
    await post.address()
    await post.turn()
    post.mailbox.fails = fails
    failed = counted("failed")
    with capture_logs() as logs:
        assert await post.send(EMAIL_GRACE) == []
    assert counted("failed") == failed + 1
    assert [line["event"] for line in logs if "attempt" in line] == ["an email was not accepted"]
    assert ADDRESS not in repr(logs)
    post.mailbox.fails = {}
    assert await post.send(20 * SECOND) == []  # 30 seconds, minus up to a fifth
    assert await post.send(20 * SECOND) == ["McMulti: it is your turn"]
    if post.mailbox.lost:
        assert post.mailbox.lost[0].letter["Message-ID"] == post.mailbox.taken[0].letter["Message-ID"]


@pytest.mark.parametrize("fails", [{"rcpt": f"550 <{ADDRESS}> unknown"}, {"content": "554 Spam"}], ids=str)
async def test_what_the_mail_server_will_never_take_is_given_up(post: Post, fails: dict[str, str]) -> None:
    await post.address()
    await post.turn()
    post.mailbox.fails = fails
    given_up = counted("given_up")
    await post.send(EMAIL_GRACE)
    assert counted("given_up") == given_up + 1
    post.mailbox.fails = {}
    assert await post.send(timedelta(days=1)) == []


async def test_an_address_that_is_refused_for_days_is_given_up(post: Post) -> None:
    """It gets a try a day, and its player sees since when it is refused."""
    hook = await post.address()
    await post.turn()
    post.mailbox.fails = {"rcpt": f"550 <{ADDRESS}> unknown"}
    await post.send(EMAIL_GRACE)
    first = post.clock()
    for hours in (1, 24, 25, 48):
        post.clock.now = first + timedelta(hours=hours)
        before = await post.log.webhook(hook.webhook_id)
        assert before is not None
        assert (before.refused_at, before.gone_at) == (first, None)
        await post.turn()
        await post.send(EMAIL_GRACE)
    now = await post.log.webhook(hook.webhook_id)
    assert now is not None
    assert (now.refused_at, now.gone_at) == (first, post.clock())
    post.mailbox.fails = {}
    await post.turn()
    assert await post.send(timedelta(days=2)) == []


async def test_an_address_that_is_accepted_again_is_as_before(post: Post) -> None:
    hook = await post.address()
    await post.turn()
    post.mailbox.fails = {"rcpt": f"550 <{ADDRESS}> unknown"}
    await post.send(EMAIL_GRACE)
    post.mailbox.fails = {}
    await post.turn()
    assert await post.send(timedelta(days=1) - MINUTE) == []
    assert len(await post.send(MINUTE)) == 1
    now = await post.log.webhook(hook.webhook_id)
    assert now is not None
    assert (now.refused_at, now.gone_at) == (None, None)


async def test_a_refused_link_ends_the_address_and_a_refused_email_does_not(post: Post) -> None:
    """The content is not the fault of the address."""
    hook = await post.address()
    await post.turn()
    post.mailbox.fails = {"content": "554 Spam"}
    await post.send(EMAIL_GRACE)
    assert await post.log.webhook(hook.webhook_id) == hook._replace(mail_at=post.clock() + sending.LEASE)
    other = await post.address(BEN, confirmed_at=None)
    place = NO_GAME, other.webhook_id, BEN.player_id
    await post.log.post_notices(NO_GAME, [Notification(*place, "confirm", 0, uuid4(), NOON, by_mail=True)])
    post.mailbox.fails = {"rcpt": f"550 <{ADDRESS}> unknown"}
    await post.send()
    now = await post.log.webhook(other.webhook_id)
    assert now is not None
    assert (now.refused_at, now.gone_at) == (post.clock(), post.clock())


async def test_a_mail_server_that_goes_before_it_says_goodbye_has_taken_the_email(post: Post) -> None:
    await post.address()
    await post.turn()
    post.mailbox.fails = {"quit": DROP}
    assert len(await post.send(EMAIL_GRACE)) == 1
    assert len(await post.send(timedelta(hours=1))) == 1


async def test_a_mail_server_that_hangs_or_refuses_is_given_up_after_the_last_attempt(post: Post) -> None:
    await post.address()
    await post.turn()
    post.mailbox.fails = {"rcpt": HANG}
    post.postman = post.another(timeout=0.1)
    given_up = counted("given_up")
    await post.send(EMAIL_GRACE)
    post.mailbox.port = 9  # nothing listens there
    post.postman = post.another()
    for _ in range(ATTEMPTS + 1):
        await post.send(timedelta(hours=8))
    assert counted("given_up") == given_up + 1
    assert await post.log.notices_waiting() == 0


async def test_what_a_server_did_not_finish_another_one_sends_and_otherwise_only_one_sends(post: Post) -> None:
    await post.address()
    await post.turn()
    post.clock.now += EMAIL_GRACE
    post.mailbox.fails = {"rcpt": HANG}
    await post.postman.step()
    others = [post.another() for _ in range(2)]
    for other in others:
        await other.step()
        await other.idle()
    await post.postman.stop()  # to the log, this looks like kill -9
    post.mailbox.fails = {}
    post.clock.now += MINUTE
    for other in others:
        await other.step()
    for other in others:
        await other.idle()
    assert len(post.mailbox.taken) == 1


async def test_a_player_who_is_erased_gets_no_more_emails(post: Post) -> None:
    await post.address()
    await post.turn()
    await post.log.erase(ADA.player_id)
    assert await post.send(EMAIL_GRACE) == []
    assert await post.log.notices_due(post.clock(), 9, 9, by_mail=True) == []


async def test_a_password_is_sent_through_tls_alone_and_to_the_server_that_is_meant(
    certified: Callable[[str], tuple[ssl.SSLContext, ssl.SSLContext]], tmp_path: Path
) -> None:
    file, letter = tmp_path / "password", EmailMessage()
    file.write_text("opensesame\n")
    letter.set_content("Hello")
    shown, believed = certified("localhost")
    async with a_mailbox() as later, a_mailbox(shown) as at_once:
        for scheme, mailbox in (("smtp", later), ("smtps", at_once)):
            smtp = mail_server(f"{scheme}://ada@localhost:{mailbox.port}", "a@example.org", file)
            server = MailServer(smtp, tls=believed)
            if scheme == "smtp":
                with pytest.raises(Undelivered, match="SMTPNotSupportedError"):
                    await server.deliver(letter, ADDRESS)  # as if a proxy had removed it
                later.starttls = shown
            with pytest.raises(Undelivered, match="SSLCertVerificationError"):
                await MailServer(smtp).deliver(letter, ADDRESS)
            assert mailbox.taken == []
            await server.deliver(letter, ADDRESS)
            [taken] = mailbox.taken
            assert (taken.encrypted, taken.login) == (True, "ada\0opensesame")
            mailbox.fails = {"auth": f"535 {ADDRESS}, your password opensesame is wrong"}
            with pytest.raises(Undelivered, match=r"^SMTPAuthenticationError, SMTP status 535$"):
                await server.deliver(letter, ADDRESS)
            file.unlink()
            with pytest.raises(Undelivered, match="FileNotFoundError"):
                await server.deliver(letter, ADDRESS)
            file.write_text("opensesame\n")


def test_a_mail_server_has_a_url_and_its_password_a_file(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("opensesame\n")
    found = mail_server("smtp://games%40example.org@mail.example.org", "games@example.org", file)
    assert found == Smtp("mail.example.org", 587, "starttls", "games@example.org", "games@example.org", str(file))
    assert mail_server("smtps://[::1]:4465", "a@example.org", None) == Smtp("::1", 4465, "tls", "a@example.org")
    assert mail_server("smtp+plain://localhost/", "a@example.org", None) == Smtp(
        "localhost", 25, "none", "a@example.org"
    )


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("mail.example.org", "must look like"),
        ("http://mail.example.org", "must look like"),
        ("smtp://", "must look like"),
        ("smtp://mail.example.org/path", "must look like"),
        ("smtp://mail.example.org:99999", "not a URL"),
        ("smtp://[::1", "not a URL"),
        ("smtp://a:opensesame@mail.example.org", "must not contain a password"),
        ("smtp://mail.example.org", "needs a user"),
        ("smtp+plain://ada@mail.example.org", "without TLS"),
    ],
)
def test_settings_that_name_no_mail_server_are_refused(url: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("opensesame")
    with pytest.raises(BadMailServer, match=said) as refused:
        mail_server(url, "games@example.org", file)
    assert "opensesame" not in str(refused.value)
    with pytest.raises(BadMailServer, match="cannot be read"):
        mail_server("smtp://ada@mail.example.org", "games@example.org", tmp_path / "none")
