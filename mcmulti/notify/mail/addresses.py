"""Email addresses, and what may be counted of them."""

import hmac
import re

from mcmulti.notify.outbound import RefusedUrl

SCHEME = "mailto:"
LONGEST = 254
"""The most characters of an address."""

_ADDRESS = re.compile(
    r"(?P<local>[A-Za-z0-9!#$&'*+/=^_{|}~-]+(?:\.[A-Za-z0-9!#$&'*+/=^_{|}~-]+)*)"
    r"@(?P<domain>(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9]))"
)


def checked_address(url: str) -> str:
    """The address in a mailto URL, with its domain in lower case. Raises `RefusedUrl`.

    Quoted local parts, escapes, and numeric hosts are refused: nobody has them, and all of them have been abused.
    """
    address = url.removeprefix(SCHEME)
    found = _ADDRESS.fullmatch(address)
    if address == url or found is None or len(address) > LONGEST or len(found["local"]) > 64:
        raise RefusedUrl("For email, the URL must look like mailto:ada@example.org, in ASCII, with nothing else.")
    return f"{found['local']}@{found['domain'].lower()}"


def counted(key: bytes, what: str) -> bytes:
    """A digest of what mail is counted for: a player's id, or an address, without the tags that its owner can add."""
    local, at, domain = what.lower().partition("@")
    return hmac.digest(key, f"mcmulti mail of {local.partition('+')[0]}{at}{domain}".encode(), "sha256")
