"""Requests as bytes for the wire, made before the clock starts."""

from collections.abc import Iterator
from uuid import UUID

from mcmulti.cli.bench.games import Move, PreparedGame


def commanding(game: PreparedGame) -> Iterator[bytes]:
    """The requests that play a game, each with its own idempotency key, as careful clients send them."""
    for number, move in enumerate(game.moves, start=1):
        yield command(game.game_id, game.tokens[move.seat], move, f"{number}")


def command(game_id: UUID, token: str, move: Move, key: str) -> bytes:
    """One command with an idempotency key."""
    body = b'{"commands":[%b]}' % move.command
    return (
        f"POST /v1/games/{game_id}/commands HTTP/1.1\r\n"
        "Host: localhost\r\n"
        f"Authorization: Bearer {token}\r\n"
        f"Idempotency-Key: {key}\r\n"
        "Content-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n"
        "\r\n"
    ).encode() + body


def reading(path: str, token: str | None = None, accept: str = "*/*") -> bytes:
    """A GET of a path, with its query if it has one."""
    authorization = f"Authorization: Bearer {token}\r\n" if token else ""
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{authorization}Accept: {accept}\r\n\r\n".encode()
