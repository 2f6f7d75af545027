"""The content of messages, in the body format of each kind of webhook."""

import json
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
from mcmulti.notify.signing import secrets_of, signed

_SENTENCES: dict[Kind, dict[Language, str]] = {
    "game.turn": {"en": "{game}: it is your turn.", "de": "{game}: Du bist am Zug."},
    "game.over": {"en": "{game}: the game is over.", "de": "{game}: Die Partie ist zu Ende."},
    "test": {
        "en": "This is a test. Your messages arrive here.",
        "de": "Dies ist ein Test. Deine Nachrichten kommen hier an.",
    },
}


def sentence(kind: Kind, ruleset: str | None, language: Language) -> str:
    """A message as a sentence. `ruleset`: that of the game, None if it is not about a game."""
    game = CURRENT[ruleset].called(language) if ruleset in CURRENT else ""
    return _SENTENCES[kind][language].format(game=game)


def waited_for(game: Game) -> set[UUID]:
    """The players that a running game waits for."""
    standing = game.standing
    seats = standing.to_move if game.status == "running" else ()
    return {player for seat in seats if (player := standing.players[seat]) is not None}


def stands(notice: Notification, game: Game) -> bool:
    """Whether a message is still true."""
    return notice.kind != "game.turn" or (game.standing.turn == notice.mark and notice.player_id in waited_for(game))


class Message(Struct, frozen=True):
    """A request: its body, and its headers."""

    body: bytes
    headers: dict[str, str]


def message(
    notice: Notification, webhook: Webhook, ruleset: str | None, notify: Notify, push: PushKey, now: datetime
) -> Message:
    """The message for a webhook. `ruleset`: that of the game, None if it is not about a game. `now`: when
    it is sent.
    """
    page = notify.site if notice.game_id == NO_GAME else f"{notify.site}/games/{notice.game_id}"
    headers = {"User-Agent": "mcmulti", "Content-Type": "application/json"}
    if webhook.format == "standard":
        body = _standard(notice, page, now)
        id_, timestamp = f"msg_{notice.message_id.hex}", int(now.timestamp())
        signature = signed(secrets_of(webhook, now), id_, timestamp, body)
        told = {"webhook-id": id_, "webhook-timestamp": str(timestamp), "webhook-signature": signature}
        return Message(body, {**headers, **told})
    text = sentence(notice.kind, ruleset, webhook.language)
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


def _standard(notice: Notification, page: str, now: datetime) -> bytes:
    """Minimal: for more, the receiver asks the API, with a token."""
    data: dict[str, object] = {"player": notice.player_id}
    if notice.game_id != NO_GAME:
        data |= {"game": notice.game_id, "page": page}
    timestamp = now.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return msgspec.json.encode({"type": notice.kind, "timestamp": timestamp, "data": data})


def _json(content: object) -> bytes:
    return json.dumps(content, ensure_ascii=False).encode()
