"""The operator's settings for messages."""

from typing import Literal

from msgspec import Struct


class Smtp(Struct, frozen=True):
    """The mail server that emails are handed to.

    `tls`: from the start, after STARTTLS, or not at all. `sender`: the address that emails come from. `user`: None if
    the server needs no login. `password_file`: its path; the file is read for every email, so it may change.
    """

    host: str
    port: int
    tls: Literal["tls", "starttls", "none"]
    sender: str
    user: str | None = None
    password_file: str | None = None


class Notify(Struct, frozen=True):
    """`site`: the public address of the pages, such as ``https://play.example.org``, which messages link to.

    `private`: whether webhooks may be on private networks, and without TLS. `smtp`: None if there is no email.
    """

    site: str
    private: bool = False
    smtp: Smtp | None = None
