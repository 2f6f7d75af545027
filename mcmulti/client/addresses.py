"""Addresses of servers and databases that people give, without the passwords that they may contain."""

import re

_IN_AUTHORITY = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*://[^:@/]*):.*@", re.DOTALL)
_BEHIND_NAME = re.compile(r"(pass(?:word|wd)\s*=).*", re.DOTALL | re.IGNORECASE)


def without_password(address: str) -> str:
    """An address of any kind with ``***`` for its password, up to the last @, or for everything after its name."""
    return _IN_AUTHORITY.sub(r"\1:***@", _BEHIND_NAME.sub(r"\1***", address))
