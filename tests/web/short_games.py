"""Short games: played to their end in few moves, with dice that are known."""

from types import SimpleNamespace
from uuid import UUID

import pytest

from mcmulti.api.operations import games
from tests.profiles import ShortGame

STILL = 3
"""How many rounds without a change end a short game."""


def settle(monkeypatch: pytest.MonkeyPatch, short: ShortGame) -> None:
    """Give the next game this id, with or without an Idempotency-Key, and these dice, and end standstills early."""
    monkeypatch.setattr(games, "uuid4", lambda: UUID(short.id))
    monkeypatch.setattr(games, "opened_under", lambda player, key: UUID(short.id))
    monkeypatch.setattr("mcmulti.referee.opening.secrets", SimpleNamespace(token_bytes=lambda size: short.secret))
    if short.ending is not None:
        monkeypatch.setattr(short.ending, "STANDSTILL", STILL)
