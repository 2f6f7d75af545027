"""The content of messages, for each kind of webhook."""

from datetime import UTC, datetime
from uuid import UUID

import msgspec
import pytest

from mcmulti.events.log.envelope import Head
from mcmulti.events.ports.game_index import Access, Game, TableRow
from mcmulti.events.ports.notices import NO_GAME, Notification, Webhook
from mcmulti.notify.messages import message, signed, stands
from mcmulti.notify.push import PushKey
from mcmulti.notify.settings import Notify

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
GAME, ADA, BEN, CLEO = UUID(int=1), UUID(int=2), UUID(int=3), UUID(int=8)
HOOK = Webhook(UUID(int=4), ADA, "https://example.org/", "standard", ("game.turn",), "en", bytes(range(32)), NOON)
TURN = Notification(GAME, HOOK.webhook_id, ADA, "game.turn", 7, UUID(int=5), NOON)
NOTIFY = Notify("https://play.example.org")
PUSH = PushKey(bytes(32))
PAGE = f"https://play.example.org/games/{GAME}"


def test_a_standard_webhook_says_little_and_is_signed() -> None:
    made = message(TURN, [game(0)], HOOK, NOTIFY, PUSH, NOON)
    assert msgspec.json.decode(made.body) == {
        "type": "game.turn",
        "timestamp": "2026-03-01T12:00:00Z",
        "data": {"player": str(ADA), "game": str(GAME), "page": PAGE},
    }
    assert made.headers["Content-Type"] == "application/json"
    id_ = "msg_00000000000000000000000000000005"
    assert made.headers["webhook-id"] == id_
    assert made.headers["webhook-timestamp"] == "1772366400"
    assert made.headers["webhook-signature"] == signed([HOOK.secret], id_, 1772366400, made.body)


def test_a_test_is_about_no_game() -> None:
    test = Notification(NO_GAME, HOOK.webhook_id, ADA, "test", 7, UUID(int=5), NOON)
    made = message(test, [], HOOK, NOTIFY, PUSH, NOON)
    assert msgspec.json.decode(made.body)["data"] == {"player": str(ADA)}
    told = message(test, [], HOOK._replace(format="slack"), NOTIFY, PUSH, NOON)
    assert msgspec.json.decode(told.body) == {
        "text": "This is a test. Your messages arrive here. https://play.example.org"
    }


@pytest.mark.parametrize(
    ("format", "language", "body"),
    [
        ("slack", "en", f'{{"text": "McMulti: it is your turn. {PAGE}"}}'),
        ("discord", "de", f'{{"content": "McMulti: Du bist am Zug. {PAGE}", "allowed_mentions": {{"parse": []}}}}'),
        ("ntfy", "en", "McMulti: it is your turn."),
    ],
)
def test_other_services_get_a_sentence_and_the_address_of_the_game(format: str, language: str, body: str) -> None:
    hook = HOOK._replace(format=format, language=language)  # type: ignore[arg-type]
    made = message(TURN, [game(0)], hook, NOTIFY, PUSH, NOON)
    assert made.body.decode() == body
    assert not any(name.startswith("webhook-") for name in made.headers)
    assert made.headers.get("Click") == (PAGE if format == "ntfy" else None)


def test_the_end_of_a_game_is_told_by_its_name() -> None:
    over = msgspec.structs.replace(TURN, kind="game.over")
    made = message(over, [game(ruleset="postal")], HOOK._replace(format="ntfy", language="de"), NOTIFY, PUSH, NOON)
    assert made.body.decode() == "McMulti per Post: Die Partie ist zu Ende."


def game(*to_move: int, turn: int = 7, status: str = "running", ruleset: str = "mcmulti") -> Game:
    standing = TableRow(status, (ADA, BEN), to_move, turn)  # type: ignore[arg-type]
    return Game(GAME, ruleset, 1, standing, Head(9, bytes(32)), NOON, NOON)


def test_a_turn_stands_until_the_game_waits_for_others_or_it_is_another_turn() -> None:
    assert stands(TURN, game(0))
    assert stands(TURN, game(1, 0))
    assert not stands(TURN, game(1))
    assert not stands(TURN, game(0, turn=8))
    assert not stands(TURN, game(0, status="finished"))
    assert stands(msgspec.structs.replace(TURN, kind="game.over"), game(status="finished"))


def test_a_digest_lists_the_games_and_counts_them() -> None:
    digest = Notification(NO_GAME, HOOK.webhook_id, ADA, "digest", 7, UUID(int=5), NOON)
    games = [game(0), game(0, ruleset="postal")._replace(game_id=UUID(int=9))]
    data = msgspec.json.decode(message(digest, games, HOOK, NOTIFY, PUSH, NOON).body)["data"]
    assert data == {"player": str(ADA), "games": [str(GAME), str(UUID(int=9))], "page": "https://play.example.org"}
    german = message(digest, games, HOOK._replace(format="ntfy", language="de"), NOTIFY, PUSH, NOON)
    assert german.body.decode() == "Du bist in 2 Partien am Zug."
    one = message(digest, games[1:], HOOK._replace(format="ntfy"), NOTIFY, PUSH, NOON)
    assert one.body.decode() == "McMulti by post: it is your turn."


def test_an_invitation_stands_until_the_player_sits_there_or_nobody_can() -> None:
    invitation = msgspec.structs.replace(TURN, kind="game.invitation", player_id=CLEO)
    table = game(status="open")._replace(access=Access(invited=(CLEO,)))
    free = table._replace(standing=TableRow("open", (ADA, None)))
    assert stands(invitation, free)
    assert not stands(invitation, table)
    assert not stands(invitation, free._replace(access=Access()))
    assert not stands(invitation, free._replace(standing=TableRow("open", (CLEO, None))))
    assert not stands(invitation, free._replace(standing=TableRow("running", (ADA, None))))


def test_chat_is_news_for_those_who_sit_there() -> None:
    said = msgspec.structs.replace(TURN, kind="chat.message")
    assert stands(said, game(1))
    assert not stands(msgspec.structs.replace(said, player_id=CLEO), game(1))
