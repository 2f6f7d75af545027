"""`mcmulti serve --smtp`: no email and no address is lost when a server is killed, nor in a backup."""

import asyncio
import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mcmulti.events.embedded.server import EmbeddedPostgres
from tests.cli.backing_up import empty
from tests.cli.command import PATIENCE, Command, done
from tests.cli.houses import Guests
from tests.cli.notifying import serving
from tests.notify.mailbox import DROP, Mailbox, Taken, a_mailbox

HOOKS = "/v1/players/me/webhooks"


class Post:
    """A mail server in a thread of its own."""

    def __init__(self, mailbox: Mailbox, loop: asyncio.AbstractEventLoop) -> None:
        self.mailbox = mailbox
        self._loop = loop

    def count(self, number: int) -> list[Taken]:
        """The emails, once there are this many."""
        return asyncio.run_coroutine_threadsafe(self.mailbox.count(number), self._loop).result(PATIENCE)

    def refused(self) -> Taken:
        """The first email that was not acknowledged, once there is one."""

        async def first() -> Taken:
            while not self.mailbox.lost:
                self.mailbox.bell.clear()
                await self.mailbox.bell.wait()
            return self.mailbox.lost[0]

        return asyncio.run_coroutine_threadsafe(first(), self._loop).result(PATIENCE)


@pytest.fixture
def post() -> Iterator[Post]:
    loop, began, ends = asyncio.new_event_loop(), threading.Event(), asyncio.Event()
    made: list[Mailbox] = []

    async def take() -> None:
        async with a_mailbox() as mailbox:
            made.append(mailbox)
            began.set()
            await ends.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(take(),))
    thread.start()
    assert began.wait(PATIENCE)
    yield Post(made[0], loop)
    loop.call_soon_threadsafe(ends.set)
    thread.join()
    loop.close()


@pytest.fixture
def other_database(postgres: EmbeddedPostgres) -> Iterator[str]:
    """The address of an empty database."""
    with empty(postgres) as address:
        yield address


@contextmanager
def sending(post: Post, temporary: Path, database: str) -> Iterator[tuple[Command, Guests]]:
    smtp = ("--smtp", f"smtp+plain://127.0.0.1:{post.mailbox.port}", "--mail-from", "games@example.org")
    with serving(temporary, "--database-url", database, *smtp) as served:
        yield served


def test_emails_arrive_though_the_server_is_killed_and_its_backup_restored(
    empty_database: str, other_database: str, post: Post, tmp_path: Path
) -> None:
    """It dies when the mail server has the email, before its reply. Then a backup is restored elsewhere, and servers
    of both databases go on: each sends the same email again, by its id, to the address that was confirmed before.
    """
    with sending(post, tmp_path, empty_database) as (server, guests):
        game = guests.start("Ada", "Ben")
        guests.ask("Ada", "POST", HOOKS, url="mailto:ada@example.org", service="email", topics=["game.over"])
        [asked] = post.count(1)
        [token] = re.findall(r"/email/confirm#(\S+)", asked.text)
        assert guests.http.post("/v1/email/confirm", json={"token": token}).status_code == 200
        post.mailbox.fails = {"content": DROP}
        guests.send("Ben", game, type="Resign")
        lost = post.refused()
        server.interrupt(signal.SIGKILL)
        tokens = guests.tokens
    place = str(tmp_path / "monday")
    for command in (
        ("backup", place, "--database-url", empty_database),
        ("restore", place, "--database-url", other_database),
    ):
        ran = done(*command, environment={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)})
        assert ran.returncode == 0, ran.stderr
    post.mailbox.fails = {}
    for number, database in enumerate((empty_database, other_database), 2):
        with sending(post, tmp_path, database) as (_, guests):
            sent = post.count(number)[-1]
            assert (sent.receivers, sent.letter["Subject"]) == (["ada@example.org"], "McMulti: the game is over")
            assert sent.letter["Message-ID"] == lost.letter["Message-ID"]
            guests.tokens = tokens
            [hook] = guests.ask("Ada", "GET", HOOKS)["webhooks"]
            assert (hook["url"], hook["confirmed"] is None, hook["gone"]) == ("mailto:ada@example.org", False, None)
