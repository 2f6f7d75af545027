"""A game to prove, and the command that proves it."""

from unittest.mock import patch
from urllib.parse import urlencode

import pytest
from psycopg.conninfo import conninfo_to_dict

from mcmulti.cli import main
from mcmulti.events.log.signing import SigningKey
from tests.golden.games import FILES, load

GAME = load(next(file for file in FILES if file.stem == "two-players"))
ID = str(GAME[0].game_id)
KEY = SigningKey(b"k" * 32)


def run(*arguments: str) -> int:
    with patch("sys.argv", ["mcmulti", *arguments]), pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def address_of(database: str) -> str:
    """A database, written as people write it on the command line."""
    where = conninfo_to_dict(database)
    return f"postgresql:///{where.pop('dbname')}?{urlencode(where)}"
