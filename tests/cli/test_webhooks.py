"""`mcmulti serve --site`: messages reach receivers, no matter which worker serves the game, and after kill -9."""

import json
import signal
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import PATIENCE, done
from tests.cli.notifying import serving


class Receiver(ThreadingHTTPServer):
    """Records what it receives, and responds with `status` while it `answers`."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.status = 204
        self.answers = threading.Event()
        self.answers.set()
        self.messages: list[tuple[str, Any]] = []
        self.bell = threading.Condition()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.server_address[1]}/"

    def count(self, number: int) -> list[tuple[str, Any]]:
        """Ids and bodies, once there are this many."""
        with self.bell:
            assert self.bell.wait_for(lambda: len(self.messages) >= number, PATIENCE), self.messages
            return list(self.messages)


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.bell:
            self.server.messages.append((self.headers["webhook-id"], body))
            self.server.bell.notify_all()
        self.server.answers.wait()
        with suppress(ConnectionError):
            self.send_response(self.server.status)
            self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as receiver:
        thread = threading.Thread(target=receiver.serve_forever)
        thread.start()
        yield receiver
        receiver.answers.set()
        receiver.shutdown()
        thread.join()


def test_the_end_of_a_game_is_told_though_servers_are_killed(
    empty_database: str, receiver: Receiver, tmp_path: Path
) -> None:
    """The first server dies after the receiver refused the message, the second before anybody looked."""
    database = ("--database-url", empty_database)
    with serving(tmp_path, *database, "--workers", "2") as (server, guests):
        game = guests.start("Ada", "Ben")
        guests.ask("Ada", "POST", "/v1/players/me/webhooks", url=receiver.url)
        receiver.status = 503
        guests.send("Ben", game, type="Resign")
        [(first, body)] = receiver.count(1)
        assert body["type"] == "game.over"
        assert body["data"]["page"] == f"http://127.0.0.1:8000/games/{game}"
        other = guests.start("Ada", "Ben")
        tokens = guests.tokens
        guests.send("Ben", other, type="Resign")
        server.interrupt(signal.SIGKILL)
    receiver.status = 204
    with serving(tmp_path, *database) as (_, guests):
        guests.tokens = tokens
        told = receiver.count(3)[1:]
        assert {(each["type"], each["data"]["game"]) for _, each in told} == {
            ("game.over", game),
            ("game.over", other),
        }
        assert first in {id_ for id_, _ in told}  # the refused one arrived again
        assert len({id_ for id_, _ in told}) == 2


def test_what_a_server_was_sending_when_it_was_killed_another_one_sends(
    empty_database: str, receiver: Receiver, tmp_path: Path
) -> None:
    """It has the same id, so a receiver that gets it twice can tell."""
    database = ("--database-url", empty_database)
    with serving(tmp_path, *database) as (server, guests):
        game = guests.start("Ada", "Ben")
        guests.ask("Ada", "POST", "/v1/players/me/webhooks", url=receiver.url)
        receiver.answers.clear()
        guests.send("Ben", game, type="Resign")
        [sent] = receiver.count(1)
        with serving(tmp_path, *database):
            server.interrupt(signal.SIGKILL)
            receiver.answers.set()
            again = receiver.count(2)[1]
    assert again[0] == sent[0]
    assert (again[1]["type"], again[1]["data"]) == (sent[1]["type"], sent[1]["data"])


@pytest.mark.parametrize("site", ["play.example.org", "ftp://example.org", "https://example.org/path", ""])
def test_an_address_of_the_site_that_is_none_is_refused(site: str, tmp_path: Path) -> None:
    said = done("serve", "--site", site, environment={"PATH": "/usr/bin", "HOME": str(tmp_path)})
    assert said.returncode == 2
    assert "must look like https://play.example.org" in said.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--smtp", "smtp+plain://localhost", "--mail-from", "games@example.org"), "--smtp needs --site"),
        (("--smtp", "smtp+plain://localhost"), "--smtp needs --mail-from"),
        (("--mail-from", "games@example.org"), "--mail-from needs --smtp"),
        (("--smtp", "smtp+plain://localhost", "--mail-from", "games"), "such as games@example.org"),
        (("--smtp", "smtp://ada:word@localhost", "--mail-from", "games@example.org"), "must not contain a password"),
    ],
)
def test_settings_of_email_that_do_not_fit_are_refused(options: tuple[str, ...], said: str, tmp_path: Path) -> None:
    done_so = done("serve", *options, environment={"PATH": "/usr/bin", "HOME": str(tmp_path)})
    assert done_so.returncode == 2
    assert said in " ".join(done_so.stderr.split())


def test_private_networks_need_a_site(tmp_path: Path) -> None:
    said = done("serve", "--private-webhooks", environment={"PATH": "/usr/bin", "HOME": str(tmp_path)})
    assert said.returncode == 2
    assert "--private-webhooks needs --site" in said.stderr
