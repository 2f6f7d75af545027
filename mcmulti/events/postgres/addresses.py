"""Addresses of databases, which may contain passwords.

If libpq cannot parse an address, its error quotes the offending part, which may be part of a password. So its errors
are not passed on, and addresses are refused if libpq would take part of a password for something else.
"""

import re
from typing import Any

from psycopg import Error
from psycopg.conninfo import conninfo_to_dict, make_conninfo

CONNECT_SECONDS = 10
"""Seconds that a database may take to answer, unless its address sets a timeout."""
_URL = re.compile("postgres(ql)?://(?P<rest>.*)", re.DOTALL)
_PORTS = re.compile(r"[0-9]{0,5}(,[0-9]{0,5})*")


class NoAddress(ValueError):
    """The given address of a database is invalid. The message repeats nothing of it."""


def patient(address: str) -> str:
    """The address with a timeout of `CONNECT_SECONDS` and UTF-8, unless it sets others. Raises `NoAddress`."""
    defaults = {"connect_timeout": CONNECT_SECONDS, "client_encoding": "UTF8"}
    return make_conninfo("", **{**defaults, **connecting(address)})


def connecting(address: str) -> dict[str, Any]:
    """The connection parameters of an address, ``postgresql://...`` or ``host=... dbname=...``.

    Raises `NoAddress`.
    """
    url = _URL.fullmatch(address)
    if url and _astray(url["rest"]):
        raise NoAddress("one of : / @ in its password must be percent-encoded, as %3A %2F %40.")
    try:
        found: dict[str, Any] = conninfo_to_dict(address)
    except (Error, UnicodeError):
        raise NoAddress(
            "it is neither like postgresql://user:password@host/database, what is special in it percent-encoded, "
            "nor like host=... user=... dbname=..."
        ) from None
    ports = str(found.get("port") or "")
    if not _PORTS.fullmatch(ports) or any(port and not 1 <= int(port) <= 65535 for port in ports.split(",")):
        raise NoAddress("its port must be a number from 1 to 65535.")
    return found


def _astray(rest: str) -> bool:
    """Whether libpq would end the password elsewhere: at the first @, unless a / comes first."""
    credentials, at, location = rest.partition("@")
    if not at:
        return False
    if "/" in credentials:
        return "@" in rest.partition("?")[0]
    return "@" in location.partition("?")[0]
