"""Companions: further people who share the device of a practice table's opener. To the rules each is a
separate player.
"""

from hashlib import sha256

MOST = 5
"""The most companions of a player at a table."""
_CUSTOM = "8"
"""Version 8 of RFC 9562: ids of an application's own making. Nobody registers under one."""
COMPANION = f"^.{{14}}{_CUSTOM}.*[1-{MOST}]$"
"""A regular expression for the ids of companions, and no other."""


def companion(opener: str, game: str, number: int) -> str:
    """The id of a companion at a game, from the opener's id and a number from 1, with which it ends."""
    digits = sha256(f"companion {number} of {opener} at {game}".encode()).hexdigest()
    return f"{digits[:8]}-{digits[8:12]}-{_CUSTOM}{digits[13:16]}-8{digits[17:20]}-{digits[20:31]}{number}"


def companion_number(player: str) -> int | None:
    """The number of a companion, from its id; None for any other id."""
    return int(player[-1]) if player[14] == _CUSTOM and "1" <= player[-1] <= f"{MOST}" else None
