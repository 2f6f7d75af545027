"""Companions: further people at the device of who opened a practice table. To the rules each is a player of its own."""

from hashlib import sha256

MOST = 5
"""How many companions somebody may have at a table."""
_CUSTOM = "8"
"""Version 8 of RFC 9562: ids of an application's own making. Nobody registers under one."""


def companion(opener: str, game: str, number: int) -> str:
    """The id of a companion at a game, by the id of who opened that, and a number from 1: it ends with the number."""
    digits = sha256(f"companion {number} of {opener} at {game}".encode()).hexdigest()
    return f"{digits[:8]}-{digits[8:12]}-{_CUSTOM}{digits[13:16]}-8{digits[17:20]}-{digits[20:31]}{number}"


def companion_number(player: str) -> int | None:
    """The number of a companion, by its id; None for an id that is nobody's companion's."""
    return int(player[-1]) if player[14] == _CUSTOM and "1" <= player[-1] <= f"{MOST}" else None
