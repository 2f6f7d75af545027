"""No output ever shows the password in a database address, no matter how it is written or what goes wrong."""

import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from mcmulti.client.addresses import without_password
from mcmulti.client.client import Client, ServerAway
from mcmulti.events.postgres.addresses import NoAddress, connecting
from tests.cli.proving import ID, run

SECRET = "qWx7"
"""What no output may contain: all passwords are made of it."""

COMMANDS = (
    ("serve", "--port", "0", "--database-url"),
    ("serve", "--port", "0", "--workers", "2", "--database-url"),
    ("migrate", "--database-url"),
    ("bench", "--clients", "1", "--database-url"),
    ("verify",),
    ("verify", "--all"),
    ("export",),
    ("replay", "--plain"),
    ("statistics", "--all"),
)

ADDRESSES = (
    f"postgresql://ada:{SECRET}@127.0.0.1:1/games?connect_timeout=1",
    f"postgresql://ada@127.0.0.1:1/games?connect_timeout=1&password={SECRET}",
    f"postgresql://ada:{SECRET}@localhost.invalid/games?connect_timeout=1",
    # Each of these is wrong: characters that must be percent-encoded are not.
    f"postgresql://ada:{SECRET}@{SECRET}@127.0.0.1:1/games?connect_timeout=1",
    f"postgresql://ada:{SECRET}/{SECRET}@127.0.0.1:1/games?connect_timeout=1",
    f"postgresql://ada:12/{SECRET}@127.0.0.1:1/games?connect_timeout=1",
    f"postgresql://ada:{SECRET}%@127.0.0.1:1/games",
    f"postgresql://ada:{SECRET}@[127.0.0.1:1/games",
    f"postgresql://ada:{SECRET}@127.0.0.1:one/games",
    f"postgresql://ada:{SECRET}@127.0.0.1:70000/games",
    f"postgresql://ada@127.0.0.1:1/games?password={SECRET}%zz",
    f"postgresql://ada@127.0.0.1:1/games?password={SECRET}&{SECRET}",
    f"postgresql+psycopg://ada:{SECRET}@127.0.0.1:1/games",
    f"POSTGRESQL://ada:{SECRET}@127.0.0.1:1/games",
    f"host=127.0.0.1 port=1 user=ada connect_timeout=1 password={SECRET}",
    f"host=127.0.0.1 port=1 user=ada password={SECRET} {SECRET}",
    f"host=127.0.0.1 port=1 user=ada password='{SECRET}",
    f"http://ada:{SECRET}@127.0.0.1:1/games",
)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_command_says_a_password(
    command: tuple[str, ...], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    for address in ADDRESSES:
        assert run(*command, address) in (1, 2), address
        out, said = capfd.readouterr()
        assert said.strip(), address
        assert SECRET.lower() not in (out + said).lower(), address
        assert "Traceback" not in said, address


@pytest.mark.parametrize(
    "address",
    [
        f"http://ada:{SECRET}@127.0.0.1:1",
        f"http://ada:{SECRET}/{SECRET}@127.0.0.1:1",
        f"http://ada:{SECRET}@{SECRET}@127.0.0.1:1",
        f"htp://ada:{SECRET}@127.0.0.1:1",
    ],
)
async def test_a_client_does_not_say_the_password_of_its_server(address: str) -> None:
    with pytest.raises(ServerAway) as away:
        async with Client(address, patience=0) as client:
            await client.content("/v1/games")
    assert SECRET not in str(away.value)


@pytest.mark.parametrize("command", [("export",), ("export", "--game", ID), ("verify", "--game", ID), ("replay",)])
def test_no_password_is_said_where_a_game_is_not_there(
    command: tuple[str, ...], database: str, capfd: pytest.CaptureFixture[str]
) -> None:
    where = conninfo_to_dict(database)
    address = (
        f"postgresql://{where['user']}:{SECRET}@/{where['dbname']}?host={where['host']}&port={where.get('port', 5432)}"
    )
    assert run(*command, address) == 1
    out, said = capfd.readouterr()
    assert "There is no game" in said
    assert str(where["dbname"]) in said
    assert SECRET not in out + said


@pytest.mark.parametrize("address", ["postgresql:///games", "postgresql://ada@[::1]:5433/games?sslmode=require", ""])
def test_what_is_an_address_is_taken(address: str) -> None:
    assert conninfo_to_dict(make_conninfo("", **connecting(address))) == conninfo_to_dict(address)


def test_a_password_with_every_character_is_taken_percent_encoded() -> None:
    assert connecting("postgresql://ada:p%40%2F%3A%25%23@db/games")["password"] == "p@/:%#"
    assert connecting("postgresql://ada:p?s#w@db/games")["password"] == "p?s#w"
    assert connecting("postgresql://db/games?password=p@ss")["password"] == "p@ss"


def test_what_is_wrong_with_a_password_is_told_without_it() -> None:
    with pytest.raises(NoAddress, match="percent-encoded"):
        connecting("postgresql://ada:p@ss@db/games")


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://ada:secret@db:5432/games", "postgresql://ada:***@db:5432/games"),
        ("postgresql://ada@db/games", "postgresql://ada@db/games"),
        ("postgresql://ada:se@cr/et@db/games", "postgresql://ada:***@db/games"),
        (
            "postgresql://db/games?user=ada&password=secret&sslmode=require",
            "postgresql://db/games?user=ada&password=***",
        ),
        ("user=ada password='my secret' host=db", "user=ada password=***"),
        ("https://ada:secret@example.org/v1/games/7", "https://ada:***@example.org/v1/games/7"),
        ("games/2026", "games/2026"),
        ("https://example.org:8000", "https://example.org:8000"),
    ],
)
def test_an_address_is_shown_without_its_password(address: str, shown: str) -> None:
    assert without_password(address) == shown
