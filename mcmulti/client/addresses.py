"""Addresses that people give, of servers and of databases, as they may be shown: they may hold passwords."""

import re

_IN_AUTHORITY = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*://[^:@/]*):.*@", re.DOTALL)
_BEHIND_NAME = re.compile(r"(pass(?:word|wd)\s*=).*", re.DOTALL | re.IGNORECASE)


def without_password(address: str) -> str:
    """An address of whatever kind with ``***`` for its password, up to the last @, or for all that follows its name."""
    return _IN_AUTHORITY.sub(r"\1:***@", _BEHIND_NAME.sub(r"\1***", address))
