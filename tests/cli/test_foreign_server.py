"""Playing on a foreign or newer server: anything the client does not understand ends in one clear sentence."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import running
from tests.cli.mangling import Change, mangling
from tests.cli.person import Person


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Person, str]]:
    """A game of two that has begun on our server, and the player to move."""
    folder = tmp_path_factory.mktemp("foreign")
    with running("serve", "--port", "0", "--folder", str(folder / "data"), temporary=folder) as serve:
        ada, ben = (Person(serve.line("Serving at "), folder, name) for name in ("ada", "ben"))
        for person in (ada, ben):
            person.does("register", person.name)
        game = ada.does("open", "--players", "2", "--set", "first_seat=0").strip()
        ada.does("play", game, "--sit")
        ben.does("play", game, "--sit", typed="start\nyes\n")
        yield ada, game


def at(ending: str, instead: Any) -> Change:
    """Change the response at paths with this ending: replace it, or apply a function to it."""

    def change(path: str, told: Any) -> Any:
        if not path.endswith(ending):
            return told
        return instead(told) if callable(instead) else instead

    return change


def offering(*offers: Any) -> Change:
    """Put these offers before those of the game."""
    return at("/offers", lambda told: {**told, "offers": [*offers, *told["offers"]]})


DEEP = b"[" * 100_000


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (at("/offers", []), "This server is not an mcmulti server."),
        (at("/offers", {}), "does not understand the server's response: "),
        (at("/offers", DEEP), "This server is not an mcmulti server."),
        (at("/offers", {"seat": "0", "offers": [], "besides": []}), "does not understand the server's response: "),
        (offering("roll"), "does not understand the server's response: "),
        (offering({"command": None}), "does not understand the server's response: "),
        (offering({"command": "Roll", "fields": []}), "does not understand the server's response: "),
        (offering({"command": "Roll", "sentence": 7}), "does not understand the server's response: "),
        (at("/events", {}), "sends a log that cannot be read: "),
        (at("/events", lambda told: {**told, "events": [], "next": None}), "sends a log without events."),
        (at("/events", lambda told: {**told, "events": told["events"][1:]}), "Error: "),
        (
            at("/events", lambda told: {**told, "events": [{**each, "rule": "no/such"} for each in told["events"]]}),
            "Event 1 names an unknown rule: no/such.",
        ),
        (
            lambda path, told: told if "/" in path.partition("/games/")[2] else {"view": 1},
            "does not understand the server's response: ",
        ),
        (
            lambda path, told: {"table": None} if "/games/" in path else told,
            "does not understand the server's response: ",
        ),
    ],
)
def test_what_is_not_understood_is_told_in_a_sentence(
    table: tuple[Person, str], change: Change, said: str, tmp_path: Path
) -> None:
    ada, game = table
    with mangling(ada.server, change) as address:
        told = ada.at(address).fails("play", game, typed="end\n")
    assert said in told


@pytest.mark.parametrize(
    "instead", [[], {"type": 1}, {"type": "StreamHead", "table": []}, {"type": "X", "rule": "a/b"}]
)
def test_a_stream_that_is_not_understood_ends_playing_and_watching(table: tuple[Person, str], instead: Any) -> None:
    ada, game = table

    def change(path: str, told: Any) -> Any:
        return instead if path.endswith("/events") and "events" not in told else told

    with mangling(ada.server, change) as address:
        assert " server " in ada.at(address).fails("watch", game)


@pytest.mark.parametrize(
    "strange",
    [
        {
            "command": "Teleport",
            "sentence": "Teleport \x1b[31ma rig.",
            "rule": "a/b",
            "fields": {"to": {"type": "OrbitChoice"}},
        },
        {"command": "teleport", "sentence": "Teleport a rig.", "rule": "a/b"},
        {"command": "Teleport", "sentence": "Teleport a rig.", "rule": "a/b", "fields": {"to": {"options": []}}},
        {
            "command": "Teleport",
            "sentence": "Teleport a rig.",
            "rule": "a/b",
            "fields": {"to": {"min": 1, "max": 10**40}},
        },
        {
            "command": "Teleport",
            "sentence": "Teleport a rig.",
            "rule": "a/b",
            "fields": {"to": {"min": 1, "max": 4, "step": 0}},
        },
    ],
)
def test_an_offer_that_is_not_known_is_shown_and_can_be_sent_as_json(table: tuple[Person, str], strange: Any) -> None:
    ada, game = table
    typed = ':send {"type": "Teleport", "to": 3}\n:send {"type": 3}\n:send {\nte\nbuy rig 7,7\n:quit\n'
    with mangling(ada.server, offering(strange)) as address:
        told = ada.at(address).does("play", game, typed=typed)
    assert f':send {{"type": "{strange["command"]}"}}' in told
    assert "Teleport" in told.partition(">")[0]
    assert "\x1b" not in told
    assert "> te\n'te' does not fit here. " in told
    assert "'7,7' does not fit here. Possible: 1,1, 1,2," in told
    assert "A command is an object with a type: " in told
    assert "That is not JSON: " in told


def test_an_offer_of_a_newer_server_is_said_as_others_are(table: tuple[Person, str]) -> None:
    """The client does not know the command, but its fields have known kinds. The server decides what it does."""
    ada, game = table
    fields = {
        "kind": {"type": "SomeChoice", "options": ["bike", "boat"]},
        "count": {"type": "Steps", "min": 1, "max": 3},
    }
    offer = {"command": "BuildWharf", "sentence": "Build a wharf.", "rule": "wharf/build", "fields": fields, "more": 1}
    with mangling(ada.server, offering(offer)) as address:
        told = ada.at(address).does("play", game, typed="build wharf boat 2\nbuild b 9\n")
    assert "build wharf                    Build a wharf." in told
    assert "'9' does not fit here. Possible: " in told
    assert "BuildWharf" in told.rpartition("> build wharf boat 2\n")[2].partition("> ")[0]
