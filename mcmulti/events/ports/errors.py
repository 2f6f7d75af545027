"""What stores raise."""

from uuid import UUID


class LogError(Exception):
    """The log cannot do what it was asked."""


class Conflict(LogError):
    """The game's head is not where the writer thought: somebody else appended first. Nothing was written."""


class UnknownGame(LogError):
    """There is no game of this id."""


class DamagedGame(LogError):
    """What the log holds of a game is not what was appended to it: a row was changed, lost or put there."""

    def __init__(self, game_id: UUID, fault: str) -> None:
        super().__init__(f"the log of game {game_id} is damaged: {fault}")
        self.game_id = game_id
        self.fault = fault


class NameTaken(LogError):
    """Another player bears this name already, or one that looks like it."""


class UnknownPlayer(LogError):
    """There is no player of this id, or not any more."""


class LastToken(LogError):
    """Without this token nobody could make others for its player."""


class UnknownToken(LogError):
    """The player has no such token, or not any more."""


class LogUnavailable(LogError):
    """The place that keeps the log does not answer; the same call may go through later."""
