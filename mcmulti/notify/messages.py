"""The content of messages, in the body format of each kind of webhook, and its signature.

Signatures follow the Standard Webhooks specification (https://www.standardwebhooks.com).
"""

import hmac
import json
from base64 import b64encode
from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import UUID

import msgspec
from msgspec import Struct

from mcmulti.domain.core.wording.telling import Language
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.ports.game_index import Game
from mcmulti.events.ports.notices import NO_GAME, Kind, Notification, Webhook
from mcmulti.notify.push import PushKey, encrypted
from mcmulti.notify.settings import Notify

_SENTENCES: dict[Kind, dict[Language, str]] = {
    "game.turn": {"en": "{game}: it is your turn.", "de": "{game}: Du bist am Zug."},
    "game.deadline": {"en": "{game}: your time runs out soon.", "de": "{game}: Deine Zeit läuft bald ab."},
    "game.over": {"en": "{game}: the game is over.", "de": "{game}: Die Partie ist zu Ende."},
    "game.invitation": {
        "en": "{game}: you are invited to a table.",
        "de": "{game}: Du bist an einen Tisch eingeladen.",
    },
    "chat.message": {"en": "{game}: there is news in the chat.", "de": "{game}: Im Chat gibt es Neues."},
    "test": {
        "en": "This is a test. Your messages arrive here.",
        "de": "Dies ist ein Test. Deine Nachrichten kommen hier an.",
    },
}
DIGEST: dict[Language, str] = {
    "en": "It is your turn in {number} games.",
    "de": "Du bist in {number} Partien am Zug.",
}
PREFIX = "whsec_"


def sentence(kind: Kind, games: Sequence[Game], language: Language) -> str:
    """A message as a sentence. `games`: those that it is about."""
    if kind == "digest" and len(games) > 1:
        return DIGEST[language].format(number=len(games))
    ruleset = games[0].ruleset if games else None
    game = CURRENT[ruleset].called(language) if ruleset in CURRENT else ""
    return _SENTENCES["game.turn" if kind == "digest" else kind][language].format(game=game)


def waited_for(game: Game) -> set[UUID]:
    """The players that a running game waits for."""
    standing = game.standing
    seats = standing.to_move if game.status == "running" else ()
    return {player for seat in seats if (player := standing.players[seat]) is not None}


def stands(notice: Notification, game: Game) -> bool:
    """Whether a message about a game is still true."""
    player, players = notice.player_id, game.standing.players
    match notice.kind:
        case "game.turn":
            return game.standing.turn == notice.mark and player in waited_for(game)
        case "game.deadline":
            return game.deadline is not None and player in waited_for(game)
        case "game.invitation":
            free = game.status == "open" and None in players
            return free and player in game.access.invited and player not in players
        case "chat.message":
            return player in players
        case _:
            return True


class Message(Struct, frozen=True):
    """A request: its body, and its headers."""

    body: bytes
    headers: dict[str, str]


def message(
    notice: Notification, games: Sequence[Game], webhook: Webhook, notify: Notify, push: PushKey, now: datetime
) -> Message:
    """The message for a webhook. `games`: those that it is about. `now`: when it is sent."""
    page = notify.site if notice.game_id == NO_GAME else f"{notify.site}/games/{notice.game_id}"
    headers = {"User-Agent": "mcmulti", "Content-Type": "application/json"}
    if webhook.format == "standard":
        body = _standard(notice, games, page, now)
        id_, timestamp = f"msg_{notice.message_id.hex}", int(now.timestamp())
        signature = signed(secrets_of(webhook, now), id_, timestamp, body)
        told = {"webhook-id": id_, "webhook-timestamp": str(timestamp), "webhook-signature": signature}
        return Message(body, {**headers, **told})
    text = sentence(notice.kind, games, webhook.language)
    if webhook.format == "push":
        return _pushed(notice, webhook, text, notify, push, now)
    if webhook.format == "ntfy":
        return Message(text.encode(), {**headers, "Content-Type": "text/plain; charset=utf-8", "Click": page})
    if webhook.format == "discord":
        return Message(_json({"content": f"{text} {page}", "allowed_mentions": {"parse": []}}), headers)
    return Message(_json({"text": f"{text} {page}"}), headers)


def _pushed(notice: Notification, webhook: Webhook, text: str, notify: Notify, push: PushKey, now: datetime) -> Message:
    """For the service worker of the pages, which displays it. A message about a game replaces an older one."""
    about = notice.webhook_id if notice.game_id == NO_GAME else notice.game_id
    path = "/" if notice.game_id == NO_GAME else f"/games/{notice.game_id}"
    content = _json({"text": text, "page": path, "about": about.hex})
    headers = push.headers(webhook.url, notify.site, about.hex, now)
    return Message(encrypted(content, webhook.keys or b""), {"User-Agent": "mcmulti", **headers})


def _standard(notice: Notification, games: Sequence[Game], page: str, now: datetime) -> bytes:
    """Minimal: for more, the receiver asks the API, with a token."""
    data: dict[str, object] = {"player": notice.player_id}
    if notice.game_id != NO_GAME:
        data |= {"game": notice.game_id, "page": page}
    if notice.kind == "digest":
        data |= {"games": [game.game_id for game in games], "page": page}
    timestamp = now.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return msgspec.json.encode({"type": notice.kind, "timestamp": timestamp, "data": data})


def _json(content: object) -> bytes:
    return json.dumps(content, ensure_ascii=False).encode()


def shown(secret: bytes) -> str:
    """A secret in the format that receivers configure."""
    return PREFIX + b64encode(secret).decode()


def secrets_of(webhook: Webhook, now: datetime) -> tuple[bytes, ...]:
    """The secrets that sign now, the current one first."""
    if webhook.previous_secret is None or webhook.previous_until is None or webhook.previous_until <= now:
        return (webhook.secret,)
    return webhook.secret, webhook.previous_secret


def signed(secrets: Sequence[bytes], message_id: str, timestamp: int, body: bytes) -> str:
    """The value of ``webhook-signature``: one signature for each secret. `timestamp`: seconds since 1970."""
    content = b"%b.%d.%b" % (message_id.encode(), timestamp, body)
    return " ".join(f"v1,{b64encode(hmac.digest(secret, content, 'sha256')).decode()}" for secret in secrets)
