"""The test vectors of the guides to proofs, from golden games. ``python -m tests.docs.vectors`` writes them."""

import json
import re
from hashlib import sha256
from typing import Any

from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.signing import SigningKey
from tests.docs.manual import DOCS, page
from tests.golden.games import FILES, load

PAGES = ("how-to/prove-a-game", "reference/proof-format", "reference/signatures")
GAME = load(next(file for file in FILES if file.stem == "two-players"))
BY_POST = load(next(file for file in FILES if file.stem == "by-post-sales"))

Vector = dict[str, Any]


def written(guide: str) -> str:
    """The guide with vectors of today's golden games. The choice of events stays the same."""
    heads = [json.loads(block)["message"].split("\n")[3] for block in _blocks(guide) if '"signature"' in block]
    for block in _blocks(guide):
        vector = json.loads(block)
        guide = guide.replace(block, json.dumps(vector | _of_today(vector), indent=1, ensure_ascii=False) + "\n")
    for head in heads:
        guide = guide.replace(head, GAME[-1].hash.hex())
    return re.sub(r"\b57-[0-9a-f]{64}", f"57-{GAME[56].hash.hex()}", guide)


def written_pages() -> dict[str, str]:
    """All pages with vectors of today's games, computed together: one page names what is signed on another."""
    return dict(zip(PAGES, written("\f".join(map(page, PAGES))).split("\f"), strict=True))


def _blocks(guide: str) -> list[str]:
    return re.findall(r"```json\n(.*?)```", guide, re.DOTALL)


def _of_today(vector: Vector) -> Vector:
    """The members that follow from an event."""
    if "header" in vector:
        event = GAME[json.loads(vector["header"])[1] - 1]
        command = {"command": event.command.decode()} if event.command else {}
        data = {"data": event.data.decode(), "payload_sha256": _payload(event)}
        return _chained(event) | data | {"header": _header(event)} | command
    if "sealed_header" in vector:
        event = BY_POST[json.loads(vector["sealed_header"])[1] - 1]
        return _chained(event) | {"payload": _payload(event), "sealed_header": _header(event)}
    if "opened_data" in vector:
        event = next(event for event in BY_POST if event.data.decode() == vector["opened_data"])
        return {"opened_command": (event.command or b"").decode(), "payload": _payload(event)}
    if "signature" in vector:
        message = f"mcmulti head v1\n{GAME[0].game_id}\n{len(GAME)}\n{GAME[-1].hash.hex()}\n"
        signature = SigningKey(bytes.fromhex(vector["seed"])).sign_bytes(message.encode())
        return {"message": message, "signature": signature}
    return {}


def _chained(event: Recorded) -> Vector:
    return {"prev_hash": event.prev_hash.hex(), "hash": event.hash.hex()}


def _payload(event: Recorded) -> str:
    return sha256(event.data + (b"\n" + event.command if event.command else b"")).hexdigest()


def _header(event: Recorded) -> str:
    at = event.recorded_at.isoformat().replace("+00:00", "Z")
    command_id = str(event.command_id) if event.command_id else None
    header = [str(event.game_id), event.seq, event.type, event.rule, event.actor, command_id, at]
    return json.dumps(header, separators=(",", ":"))


if __name__ == "__main__":
    for name, text in written_pages().items():
        (DOCS / f"{name}.md").write_text(text, "utf-8")
