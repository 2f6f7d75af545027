"""Whole games at a terminal, to their natural end.

Moves are taken back, the server is restarted and killed, and so is the terminal. Everything is watched from another
one.
"""

import json
import os
import pty
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from mcmulti.domain.core.wording.grammar import say
from mcmulti.domain.rulesets import PLAYED_BY_ORDERS, SHIPPED
from tests.cli.command import Command, running
from tests.cli.person import Person
from tests.profiles import profile_of
from tests.pure.properties.random_games import seats_of

DISTURBED, HUNG_UP = 3, 8
"""After how many moves of the player the server is restarted and killed, and the terminal is killed."""
PATIENCE = 40.0
"""Seconds, long enough for a busy machine."""
MOST = 1500
"""More moves than any real game needs."""
SURE = "yes or no"
EARLY_OR_LATE = ("does not fit here", "is not waiting for a sheet", "The game has moved on")
"""The terminal's response if the game asks something else by now, or does not ask yet."""


class Terminal:
    """A player's terminal that runs a command."""

    def __init__(self, person: Person, *arguments: str) -> None:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("MCMULTI_")}
        own = {
            "XDG_CONFIG_HOME": str(person.home),
            "MCMULTI_SERVER": person.server,
            "COLUMNS": "200",
            "LANG": "C.UTF-8",
        }
        self._keyboard, theirs = pty.openpty()
        self.process = subprocess.Popen(
            (sys.executable, "-m", "mcmulti", *arguments),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**clean, **own},
            start_new_session=True,
        )
        os.close(theirs)
        self._seen = bytearray()
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def text(self) -> str:
        """Everything that was on the screen."""
        return bytes(self._seen).decode(errors="replace").replace("\r", "")

    def type(self, line: str) -> None:
        """Type a line."""
        os.write(self._keyboard, f"{line}\n".encode())

    def kill(self) -> None:
        """Kill it."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def _read(self) -> None:
        while True:
            select.select([self._keyboard], [], [])
            try:
                self._seen += os.read(self._keyboard, 1 << 16)
            except OSError:  # nothing is at the other end anymore
                return


class Game:
    """A game of a person against bots, at a server that comes and goes."""

    def __init__(self, folder: Path, ruleset: str) -> None:
        self.folder, self.ruleset, self.chosen = folder, ruleset, Random(ruleset)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

    @contextmanager
    def served(self, bots: int = 5) -> Iterator[Command]:
        """A server on the folder, always at the same address. `bots`: games that its bots play at a time."""
        temporary = self.folder / "temporary"
        temporary.mkdir(exist_ok=True)
        arguments = ("serve", "--port", str(self.port), "--folder", str(self.folder / "data"))
        with running(*arguments, temporary=temporary, MCMULTI_HOUSE_BOTS=str(bots)) as serve:
            self.address = serve.line("Serving at ")
            with httpx.Client(base_url=self.address, timeout=PATIENCE, trust_env=False) as self._http:
                yield serve

    def open(self, token: str) -> str:
        """Open the table, with bots on the other seats."""
        self._headers = {"Authorization": f"Bearer {token}"}
        undo = {"undo": "own"} if "undo" in profile_of(self.ruleset).options else {}
        seats, (_, level, *_) = seats_of(self.ruleset)[0], (*profile_of(self.ruleset).levels, "random")
        wish: dict[str, Any] = {
            "ruleset": self.ruleset,
            "setup": {"seats": seats, **undo},
            "house_bots": [level] * (seats - 1),
        }
        self.id = str(self._told("POST", "/v1/games", json=wish)["game"])
        return self.id

    def table(self) -> Any:
        """The current table."""
        return self._told("GET", f"/v1/games/{self.id}")["table"]

    def waits_or_is_over(self) -> bool:
        """Whether it waits for the seat, or for nobody anymore."""
        status = self.table()["status"]
        return status == "finished" or (status == "running" and bool(self.offers()["offers"]))

    def offers(self) -> Any:
        """What the seat may do now."""
        return self._told("GET", f"/v1/games/{self.id}/offers")

    def sentences(self) -> dict[int, str]:
        """All events by their number, in sentences with their rules, except that moves can be taken back."""
        found: dict[int, str] = {}
        after: int | None = 0
        while after is not None:
            told = self._told("GET", f"/v1/games/{self.id}/replay?after={after}&limit=1000")
            events = [each for frame in told["frames"] for each in frame["happened"]]
            found |= {
                each["seq"]: f"{each['sentence']}  [{each['rule']}]" for each in events if each["type"] != "MoveClosed"
            }
            after = told["next"]
        return found

    def moved(self, since: int) -> bool:
        """Whether the seat has done anything since an event."""
        events = self._told("GET", f"/v1/games/{self.id}/events?after={since}")["events"]
        return any(event["actor"] == 0 for event in events)

    def move(self) -> str | None:
        """A random move as it is typed. None if others are to move."""
        told = self.offers()
        if not (offers := [each for each in told["offers"] if each["command"] != "HoldRound"]):
            return None
        if self.ruleset in PLAYED_BY_ORDERS:
            return ":write " + self.chosen.choice(("sell 1 crude domestic", "buy rig at B2", "sell 1 gasoline foreign"))
        offer = self.chosen.choice(offers)
        command = {"type": offer["command"]}
        for name, field in offer.get("fields", {}).items():
            options = field.get("options") or range(field["min"], field["max"] + 1, field.get("step", 1))
            command[name] = self.chosen.choice(options)
        return say(command, [*told["offers"], *told["besides"]])

    def _told(self, method: str, path: str, **more: Any) -> Any:
        answered = self._http.request(method, path, headers=self._headers, **more)
        assert answered.status_code < 300, answered.text
        return answered.json()


def until(holds: Any, why: Any) -> None:
    """Wait until a condition holds."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, why()
        time.sleep(0.1)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("ruleset", SHIPPED)
def test_a_whole_game_is_played_and_watched_at_terminals(ruleset: str, tmp_path: Path) -> None:
    """The spectator reads every event once, and in order."""
    game = Game(tmp_path, ruleset)
    with ExitStack() as hosted:
        server = hosted.enter_context(game.served())
        person = Person(game.address, tmp_path, "ada")
        person.does("register", f"Ada {ruleset}")
        token = json.loads(person.accounts.read_text())["accounts"][game.address]["token"]
        game.open(token)
        terminals = [Terminal(person, "play", game.id, "--plain", "--sit")]
        watching = Terminal(person, "watch", game.id, "--plain")
        hosted.callback(hung_up, terminals)
        hosted.callback(watching.kill)
        taken_back = False
        for number in range(MOST):
            until(game.waits_or_is_over, lambda: terminals[-1].text[-2000:])
            if game.table()["status"] == "finished":
                break
            if number < DISTURBED or taken_back:
                made(game, terminals[-1])
            else:
                server.interrupt(signal.SIGTERM)
                server = hosted.enter_context(game.served(bots=0))
                made(game, terminals[-1])
                taken_back = ruleset in PLAYED_BY_ORDERS or undone(game, terminals[-1])
                server.interrupt(signal.SIGKILL)
                server = hosted.enter_context(game.served())
            if number == HUNG_UP:
                terminals[-1].kill()
                terminals.append(Terminal(person, "play", game.id, "--plain"))
        assert taken_back
        assert len(terminals) == 2
        assert terminals[-1].process.wait(PATIENCE) == 0, terminals[-1].text[-2000:]
        happened = game.sentences()
        last = max(happened)
        assert happened[last] in terminals[-1].text
        until(lambda: f"{last:>6}  " in watching.text, lambda: watching.text[-2000:])
        watched = [line.strip().partition("  ") for line in watching.text.splitlines() if line[:6].strip().isdigit()]
        assert [int(seq) for seq, *_ in watched] == [*happened]
        pairs = zip(watched, happened.values(), strict=True)
        opened = [(told, said) for (*_, told), said in pairs if " sealed " not in told]
        assert [told for told, _ in opened] == [said for _, said in opened]


def hung_up(terminals: list[Terminal]) -> None:
    """Kill them, including those that were opened last."""
    for each in terminals:
        each.kill()


def made(game: Game, playing: Terminal) -> None:
    """One move as a person makes it: typed, confirmed if asked, and typed again if the game has moved on."""
    before = game.table()["seq"]
    while (move := game.move()) is not None and not game.moved(before):
        if SURE in entered(game, playing, move, before):
            entered(game, playing, "yes", before)


def entered(game: Game, playing: Terminal, line: str, before: int) -> str:
    """The terminal's response to a line, as soon as it responds or the move is made."""
    seen = len(playing.text)
    playing.type(line)
    until(
        lambda: game.moved(before) or any(word in playing.text[seen:] for word in (SURE, *EARLY_OR_LATE)),
        lambda: f"{playing.process.poll()}: {playing.text[-2000:]}",
    )
    return playing.text[seen:]


def undone(game: Game, playing: Terminal) -> bool:
    """Take back the latest move. False if it cannot be taken back, such as after a throw of dice."""
    if not any(each["command"] == "TakeBack" for each in game.offers()["besides"]):
        return False
    told = entered(game, playing, ":undo", game.table()["seq"])
    assert not any(word in told for word in EARLY_OR_LATE), told
    return True
