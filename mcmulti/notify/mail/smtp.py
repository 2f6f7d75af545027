"""Hands emails to the operator's mail server.

No text that the server answers leaves this module, since servers repeat addresses in it.
"""

import asyncio
import smtplib
import ssl
from contextlib import suppress
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

from mcmulti.notify.sending import Undelivered
from mcmulti.notify.settings import Smtp
from mcmulti.notify.threads import Threads

TIMEOUT = 20.0
"""Seconds that handing over an email may take."""
MOST = 10
"""The most connections to the mail server."""

_SCHEMES: dict[str, tuple[Literal["tls", "starttls", "none"], int]] = {
    "smtps": ("tls", 465),
    "smtp": ("starttls", 587),
    "smtp+plain": ("none", 25),
}
_threads = Threads(MOST, "emails")


class BadMailServer(ValueError):
    """The operator's settings do not name a mail server. The message says why, without a password."""


def mail_server(url: str, sender: str, password_file: Path | None) -> Smtp:
    """The mail server with a URL such as ``smtp://user@mail.example.org:587``. Raises `BadMailServer`.

    A password is not sent without TLS.
    """
    try:
        parts = urlsplit(url)
        port, user = parts.port, parts.username and unquote(parts.username, errors="strict")
    except ValueError:
        raise BadMailServer("This is not a URL.") from None
    if parts.password is not None:
        raise BadMailServer("The URL must not contain a password. Use --smtp-password-file.")
    if parts.scheme not in _SCHEMES or not parts.hostname or parts.path.strip("/") or parts.query or parts.fragment:
        raise BadMailServer("The URL must look like smtp://user@mail.example.org:587. An @ in the user is written %40.")
    tls, usual = _SCHEMES[parts.scheme]
    if (user is None) != (password_file is None):
        raise BadMailServer("A user needs --smtp-password-file, and the file needs a user in the URL.")
    if user is not None and tls == "none":
        raise BadMailServer("A password is not sent without TLS. Use smtp:// or smtps://.")
    if password_file is not None:
        try:
            password_file.read_text("utf-8")
        except (OSError, UnicodeError) as error:
            raise BadMailServer(f"The password file cannot be read: {type(error).__name__}.") from None
    path = None if password_file is None else str(password_file.absolute())
    return Smtp(parts.hostname, port or usual, tls, sender, user or None, path)


class MailServer:
    """The operator's mail server. `tls`: which certificates are trusted. `timeout`: in seconds, for each email."""

    def __init__(self, smtp: Smtp, *, tls: ssl.SSLContext | None = None, timeout: float = TIMEOUT) -> None:
        self.smtp = smtp
        self._tls = tls or ssl.create_default_context()
        self._timeout = timeout

    async def deliver(self, letter: EmailMessage, receiver: str) -> None:
        """Hand over an email; `receiver`: the only address that it goes to. Raises `Undelivered`."""
        call = partial(_handed_over, self.smtp, letter, receiver, self._tls, self._timeout)
        try:
            async with asyncio.timeout(self._timeout):
                await _threads.call(call)
        except TimeoutError:
            raise Undelivered(f"the mail server did not accept it within {self._timeout:.0f} s") from None
        except smtplib.SMTPRecipientsRefused as error:
            [(status, _)] = error.recipients.values()
            refusal = f"SMTP status {status} for the receiver"
            raise Undelivered(refusal, final=status >= 500, receiver=True) from None
        except smtplib.SMTPDataError as error:
            raise Undelivered(f"SMTP status {error.smtp_code} for the content", final=error.smtp_code >= 500) from None
        except smtplib.SMTPResponseException as error:
            raise Undelivered(f"{type(error).__name__}, SMTP status {error.smtp_code}") from None
        except (OSError, ValueError) as error:  # also of TLS, the password file, and answers that are not SMTP
            reason = error.strerror if isinstance(error, OSError) else None
            raise Undelivered(f"{type(error).__name__}: {reason}" if reason else type(error).__name__) from None


def _handed_over(smtp: Smtp, letter: EmailMessage, receiver: str, tls: ssl.SSLContext, timeout: float) -> None:
    name = smtp.sender.rpartition("@")[2]
    if smtp.tls == "tls":
        server: smtplib.SMTP = smtplib.SMTP_SSL(smtp.host, smtp.port, name, timeout=timeout, context=tls)
    else:
        server = smtplib.SMTP(smtp.host, smtp.port, name, timeout=timeout)
    try:
        if smtp.tls == "starttls":
            server.starttls(context=tls)
        if smtp.user is not None:
            password = "" if smtp.password_file is None else Path(smtp.password_file).read_text("utf-8").strip()
            server.login(smtp.user, password)
        server.send_message(letter, smtp.sender, [receiver])
        with suppress(OSError):  # it has accepted the email, whatever happens now
            server.quit()
    finally:
        server.close()
