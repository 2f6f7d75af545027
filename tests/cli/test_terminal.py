"""A player at a terminal registers, finds a table, plays line by line, and watches; and what is refused."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import mcmulti
from tests.cli.command import running
from tests.cli.person import Person


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server."""
    folder = tmp_path_factory.mktemp("terminal")
    with running("serve", "--port", "0", "--folder", str(folder / "data"), temporary=folder) as serve:
        yield serve.line("Serving at ")


@pytest.fixture
def ada(server: str, tmp_path: Path) -> Person:
    """A registered person with a name that nobody else has."""
    person = Person(server, tmp_path, "ada")
    person.name = f"Ada {tmp_path.name[-20:]}"
    person.does("register", person.name)
    return person


def _ben(ada: Person, tmp_path: Path) -> Person:
    person = Person(ada.server, tmp_path, "ben")
    person.does("register", ada.name.replace("Ada", "Ben"))
    return person


def test_two_people_open_a_table_find_it_and_play(ada: Person, tmp_path: Path) -> None:
    """Both get from the list of games to a move without curl."""
    ben = _ben(ada, tmp_path)
    game = ada.does("open", "--players", "2", "--set", "first_seat=0").strip()
    assert game in ben.does("games", "--free")
    assert "No such game." in ben.does("games", "--mine")
    assert ada.fails("play", game).endswith("To watch, use mcmulti watch.\n")
    ada.does("play", game, "--sit", typed="")
    begun = ben.does("play", f"{ben.server}/games/{game}", "--seat", "2", typed="start\nyes\n")
    assert "> yes\nThe game starts with " in begun
    assert ada.name in ben.does("games", "--mine", "--status", "running")

    first = ada.does("play", game, typed="buy rig 7,7\nbuy rig 2,5\nend\n")
    assert "'7,7' does not fit here. Possible: 1,1, 1,2," in first
    assert re.search(
        r"> buy rig 2,5\n.* buys a rig for \$5M and places it at row 2, column 5 of the north-west\.", first
    )
    assert " buys nothing more for the north-west" in first
    ben.does("play", game, typed="end\n")
    ada.does("play", game, typed="end\n")
    ben.does("play", game, typed="end\n")

    market = ada.does("play", game, typed="s d c 1\n:try roll\nroll\nno\nroll\nyes\n")
    assert " sells 1 barrel of crude on the domestic market for $5M.  [market/sell]" in market
    assert "> :try roll\nThe rest is up to chance.\n" in market
    assert (
        "roll dice: chance decides, and you cannot take it back. Are you sure? yes or no\n> no\nNot done.\n" in market
    )
    assert re.search(r"> yes\n.* rolls ", market)
    assert len(re.findall("rolls ", market)) == 1

    told = json.loads(ada.does("games", "--json", "--mine"))["games"]
    assert [each["game"] for each in told] == [game]


def test_a_position_in_a_file_is_played_from(ada: Person, tmp_path: Path) -> None:
    ben = _ben(ada, tmp_path)
    document = mcmulti.load_game("mcmulti", seats=2).new_initial_state(seed=1).position()
    file = tmp_path / "position.json"
    file.write_text(json.dumps(document))
    refused = ada.run("open", str(file), "--players", "2")
    assert (refused.returncode, "Leave out the options for them." in refused.stderr) == (2, True)
    game = ada.does("open", str(file)).strip()
    assert "practice" in ada.does("games", "--free")
    ada.does("play", game, "--sit", typed="")
    begun = ben.does("play", game, "--sit", typed="start\n")  # nothing is drawn, so there is no second question
    assert "> start\nThe practice game begins from the given position." in begun

    document["position"]["players"][0]["cash"] = -1
    file.write_text(json.dumps(document))
    refused = ada.run("open", str(file))
    assert (refused.returncode, "players[0].cash: -1 is not between 0 and" in refused.stderr) == (2, True)


def test_a_move_by_post_is_a_sheet_that_is_looked_at_and_sent(ada: Person, tmp_path: Path) -> None:
    game = ada.does("open", "--ruleset", "postal").strip()
    people = [ada, _ben(ada, tmp_path)]
    for name in ("cleo", "dan"):
        person = Person(ada.server, tmp_path, name)
        person.does("register", f"{name} {ada.name[4:]}")
        people.append(person)
    for person in people:
        person.does("play", game, "--sit", typed="")
    sheet = tmp_path / "sheet.json"
    sheet.write_text(
        json.dumps({"orders": [{"type": "BuyAssetOrder", "kind": "station", "plot": {"row": 2, "column": 3}}]})
    )
    (tmp_path / "broken.json").write_text("{")
    typed = f"start\n:sheet {tmp_path}/none\n:sheet {tmp_path}/broken.json\n:sheet {sheet}\nno\n:sheet {sheet}\nyes\n"
    told = ada.does("play", game, typed=f"{typed}hold\n")
    assert "none cannot be read: " in told
    assert "That is not JSON: " in told
    assert " buys a station for $48M and places it at row 2, column 3 " in told
    assert "Nothing in it looks like a mistake.\nSend it? yes or no\n> no\nNot done.\n" in told
    assert "sent" in told.rpartition("> yes\n")[2]
    words = tmp_path / "sheet.txt"
    words.write_text("# a beginning\n\nbuy pump B3\nsell 1 crude foreign not below 99\n")
    typed = f":write buy pump B3; buy rig B9\n:write buy pump B3; pumps: hold\nno\n:sheet {words}\nyes\n"
    told = ada.does("play", game, typed=typed)
    assert "Line 1, column 22: expected a site such as B3, found 'b9'.\n" in told
    assert "The sheet:\n  buy pump B3\n  pumps: hold\nBefore any dice, it would do this:\n" in told
    assert "! line 4: No barrel of crude ever brings $99M.\nSend it? yes or no\n> yes\n" in told
    empty = people[1].does("play", game, typed="submit {}\n")
    assert "sheet" in empty.rpartition("> submit {}\n")[2]


def test_what_is_refused_is_told_with_its_rule_and_limit(ada: Person, tmp_path: Path) -> None:
    ben = _ben(ada, tmp_path)
    game = ada.does("open", "--players", "2", "--set", "first_seat=0", "--set", "undo=own").strip()
    ada.does("play", game, "--sit", typed="")
    ben.does("play", game, "--sit", typed="start\nyes\n")
    told = ada.does("play", game, typed="buy rig 1,1\n:undo\n:rule purchase/cash-only\n:rule nothing/here\n:what\n")
    assert told.count("The last move is taken back") >= 1
    assert "has moved." not in told
    assert "There is no rule 'nothing/here'." in told
    assert "There is no command :what. Commands: :try, :undo," in told


def test_all_of_it_is_told_in_german_too(ada: Person, tmp_path: Path) -> None:
    ben = _ben(ada, tmp_path)
    game = ada.does("open", "--players", "2", "--set", "first_seat=0").strip()
    ada.does("play", game, "--sit", typed="")
    ben.does("play", game, "--sit", typed="start\nyes\n")
    told = ada.does("play", game, "--language", "de", typed="buy rig 7,7\n:was\n:rule a/b\nresign\nnein\n")
    assert "„7,7“ passt hier nicht; es passt: 1,1, " in told
    assert "Es gibt kein :was; es gibt :try, :undo," in told
    assert "Es gibt keine Regel „a/b“." in told
    assert (
        "resign: Der Zufall entscheidet, und es gibt kein Zurück. Wirklich? ja oder nein\n> nein\nNichts geschehen.\n"
        in told
    )


def test_tokens_are_kept_for_their_owner_alone_and_by_server(ada: Person, tmp_path: Path) -> None:
    assert oct(ada.accounts.stat().st_mode & 0o777) == "0o600"
    token = json.loads(ada.accounts.read_text())["accounts"][ada.server]["token"]
    assert "already" in ada.fails("register", "Another")
    ada.accounts.chmod(0o640)
    assert "chmod 600" in ada.fails("games", "--mine")
    ada.accounts.chmod(0o600)
    ada.accounts.write_text("{")
    assert "cannot be read" in ada.fails("games", "--mine")
    ada.accounts.unlink()
    assert "You have no account at" in ada.fails("games", "--mine")
    assert "Unknown bearer token" in ada.fails("login", typed="mcm_none\n")
    assert not ada.accounts.exists()
    assert ada.does("login", typed=f"{token}\n").endswith(
        f"You are {ada.name} at {ada.server}. The token is in {ada.accounts}.\n"
    )
    assert oct(ada.accounts.stat().st_mode & 0o777) == "0o600"
    ada.does("games", "--mine")
    ada.does("logout")
    assert token not in ada.accounts.read_text()
    assert "No token for" in ada.fails("logout")
    ada.does("games", "--mine", MCMULTI_TOKEN=token)


def test_all_other_tokens_are_revoked_and_what_is_announced_is_told(ada: Person) -> None:
    token = json.loads(ada.accounts.read_text())["accounts"][ada.server]["token"]
    with httpx.Client(base_url=ada.server, headers={"Authorization": f"Bearer {token}"}) as http:
        spare = http.post("/v1/players/me/tokens", json={"name": "my bot", "scopes": ["read"]}).json()["token"]
        assert http.post("/v1/players/me/pending", json={"action": "erase"}).status_code == 200
        assert ada.does("tokens").splitlines()[:2] == ["first: read, play, account", "my bot: read"]
        told = ada.does("tokens", "--revoke-others")
        assert told.startswith("first: read, play, account\nAnnounced: erase, possible from 2")
        revoked = http.get("/v1/players/me", headers={"Authorization": f"Bearer {spare}"})
        assert revoked.status_code == 401
    ada.does("logout")
    assert "You have no account at" in ada.fails("tokens", "--revoke-others")


def test_a_token_goes_to_no_server_but_its_own(ada: Person) -> None:
    """A server that the address of a game names does not get the token, even if it is on the same machine."""
    other = ada.server.replace("127.0.0.1", "localhost")
    game = ada.does("open", "--players", "2").strip()
    token = json.loads(ada.accounts.read_text())["accounts"][ada.server]["token"]
    assert "You have no account at" in ada.fails("play", f"{other}/v1/games/{game}", "--sit", MCMULTI_TOKEN=token)


def test_rules_are_told_by_id_by_group_and_by_words(ada: Person) -> None:
    assert ada.does("rules", "market/sell", MCMULTI_SERVER="").startswith("market/sell  (mcmulti)\n    A seller puts")
    assert len(ada.does("rules", "market", "--ruleset", "mcmulti", MCMULTI_SERVER="").split("\nmarket/")) > 2
    assert "Fass" in ada.does("rules", "market/sell", "--language", "de")
    assert "news/foreign-embargo" in ada.does("rules", "foreign", "embargo")
    assert "No rule has the id 'zzz'" in ada.fails("rules", "zzz")


def test_what_is_no_game_or_no_server_is_refused_in_one_sentence(ada: Person) -> None:
    assert "There is no game" in ada.fails("watch", "00000000-0000-4000-8000-000000000000")
    assert "does not answer" in ada.fails("games", MCMULTI_SERVER="http://127.0.0.1:1")
    assert "is not the address of a server" in ada.fails("games", MCMULTI_SERVER="somewhere")
    assert ada.run("play", "somewhere").returncode == 2
    assert ada.run("play", "--passcode", "x", "00000000-0000-4000-8000-000000000000").returncode == 2


def test_the_help_names_the_variables(ada: Person) -> None:
    assert "MCMULTI_SERVER" in ada.does("games", "--help")
    assert "MCMULTI_SERVE_PORT" in ada.does("serve", "--help")
    assert "MCMULTI_TOKEN" in ada.does("--help")
    assert json.loads(ada.does("games", MCMULTI_GAMES_AS_JSON="1", MCMULTI_GAMES_LIMIT="1", MCMULTI_VERSION="1.2"))


def test_who_watches_is_told_what_happens_through_a_restart_of_the_server(tmp_path: Path) -> None:
    """The server is killed while a person watches, and comes back at its address."""
    folder = ("--folder", str(tmp_path / "data"))
    with running("serve", "--port", "0", *folder, temporary=tmp_path) as serve:
        address = serve.line("Serving at ")
        port = address.rpartition(":")[2]
        ada = Person(address, tmp_path, "ada")
        ada.does("register", "Ada")
        game = ada.does("open", "--players", "2").strip()
        with running("watch", game, temporary=tmp_path, MCMULTI_SERVER=address, XDG_CONFIG_HOME=str(tmp_path)) as watch:
            watch.line("     1  ")
            ada.does("play", game, "--sit", typed="")
            watch.line("     2  Ada sits down")
            serve.interrupt()
            watch.line("Connection lost.")
            with running("serve", "--port", port, *folder, temporary=tmp_path) as again:
                again.line("Serving at ")
                watch.line("Connected again.")
                ada.does("play", game, typed="leave\nyes\n")
                watch.line("     3  ")
                assert watch.printed.count("     2  ") == 1
