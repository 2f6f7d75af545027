"""Exceptions of stores."""

from uuid import UUID


class LogError(Exception):
    """The log cannot do what was asked."""


class Conflict(LogError):
    """The game's head is not the expected one: another writer appended first. Nothing was written."""


class UnknownGame(LogError):
    """There is no game with this id."""


class DamagedGame(LogError):
    """The stored log of a game is not what was appended: a row was changed, lost, or inserted."""

    def __init__(self, game_id: UUID, fault: str) -> None:
        super().__init__(f"the log of game {game_id} is damaged: {fault}")
        self.game_id = game_id
        self.fault = fault


class NameTaken(LogError):
    """The name is taken, or looks too much like one that is."""


class UnknownPlayer(LogError):
    """There is no player with this id, or it was erased."""


class LastToken(LogError):
    """Without this token the player could not create others."""


class UnknownToken(LogError):
    """The player has no such token, or it was revoked."""


class ChatTooFast(LogError):
    """The author has said too much in too short a time."""


class ChatFull(LogError):
    """The room has as many messages as a table may have."""


class LogUnavailable(LogError):
    """The store does not answer. The same call may succeed later."""
