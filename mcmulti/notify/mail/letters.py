"""The content of emails: plain text, one for several games."""

from collections.abc import Sequence
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from hashlib import sha256
from typing import NamedTuple

from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.ports.game_index import Game
from mcmulti.events.ports.notices import Kind
from mcmulti.notify.mail.links import digest
from mcmulti.notify.messages import DIGEST, sentence
from mcmulti.notify.sending import Errand

_POLICY = SMTP.clone(cte_type="7bit", max_line_length=998)
_NEWS: dict[Language, str] = {"en": "News from {number} games", "de": "Neues aus {number} Partien"}
_WHY: dict[Language, str] = {
    "en": "You get this email because you asked {site} for messages.\nUnsubscribe: {stop}\nSettings: {site}/account",
    "de": "Du bekommst diese E-Mail, weil du auf {site} Nachrichten bestellt hast.\n"
    "Abbestellen: {stop}\nEinstellungen: {site}/account",
}
_CONFIRM: dict[Language, tuple[str, str]] = {
    "en": (
        "Confirm your email address",
        "Somebody, probably you, wants messages about games at {site} to go to this address.\n\n"
        "If it was you, open this link within two days:\n{link}\n\n"
        "If it was not you, ignore this email, and there will be no messages.",
    ),
    "de": (
        "Bestätige deine E-Mail-Adresse",
        "Jemand, wahrscheinlich du, möchte Nachrichten über Partien auf {site} an diese Adresse bekommen.\n\n"
        "Wenn du das warst, öffne innerhalb von zwei Tagen diesen Link:\n{link}\n\n"
        "Wenn nicht, ignoriere diese E-Mail. Dann kommen keine Nachrichten.",
    ),
}


class Envelope(NamedTuple):
    """What all emails to an address have in common. `site`: the public address of the pages."""

    sender: str
    receiver: str
    language: Language
    site: str


def news(told: Sequence[Errand], to: Envelope, unsubscribe: str, now: datetime) -> EmailMessage:
    """An email about games, with its links; `unsubscribe`: the token for that.

    The same messages make an email with the same id, so that a receiver can tell a repetition.
    """
    language, items = to.language, [item for each in told for item in _items(each)]
    turns = all(each.notice.kind in ("game.turn", "digest") for each in told)
    sentences = [sentence(kind, games, language) for kind, games in items]
    subject = sentences[0] if len(items) == 1 else (DIGEST if turns else _NEWS)[language].format(number=len(items))
    stop = f"{to.site}/v1/email/unsubscribe/{unsubscribe}"
    lines = [f"{text}\n{_link_of(to.site, games)}" for text, (_, games) in zip(sentences, items, strict=True)]
    text = "\n\n".join([*lines, f"-- \n{_WHY[language].format(site=to.site, stop=stop)}"])
    about = b"".join(sorted(each.notice.message_id.bytes for each in told))
    letter = _letter(to, subject.rstrip("."), text, sha256(about).digest(), now)
    letter["List-Unsubscribe"] = f"<{stop}>"
    letter["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return letter


def confirmation(to: Envelope, token: str, now: datetime) -> EmailMessage:
    """An email with a link that confirms the address. Nothing that a player wrote is in it."""
    subject, text = _CONFIRM[to.language]
    link = f"{to.site}/email/confirm#{token}"
    return _letter(to, subject, text.format(site=to.site, link=link), digest(token), now)


def _letter(to: Envelope, subject: str, text: str, id_: bytes, now: datetime) -> EmailMessage:
    letter = EmailMessage(_POLICY)
    letter["From"] = f"mcmulti <{to.sender}>"
    letter["To"] = to.receiver
    letter["Subject"] = subject
    letter["Date"] = format_datetime(now)
    letter["Message-ID"] = f"<{id_.hex()[:32]}@{to.sender.rpartition('@')[2]}>"
    letter["Auto-Submitted"] = "auto-generated"
    letter.set_content(f"{text}\n", cte="quoted-printable")
    return letter


def _items(errand: Errand) -> list[tuple[Kind, Sequence[Game]]]:
    """The kinds and games of the sentences of a message: a digest has one for each game."""
    if errand.notice.kind == "digest":
        return [("game.turn", [game]) for game in errand.games]
    return [(errand.notice.kind, errand.games)]


def _link_of(site: str, games: Sequence[Game]) -> str:
    return f"{site}/games/{games[0].game_id}" if games else site
