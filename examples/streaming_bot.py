"""A bot on one connection: a stream brings what it sees and may do, and each decision takes one request.

Usage: python streaming_bot.py SERVER GAME NAME
"""

import json
import sys
from collections.abc import Callable

import httpx
from first_bot import Json, any_offer, told

Choose = Callable[[Json, list[Json]], Json]


def play(server: str, game: str, name: str, choose: Choose) -> list[int]:
    """Take a seat at a game, and play it to its end: `choose` gets the view and the offers, and returns a command.

    Returns the seats that won.
    """
    with httpx.Client(base_url=server, timeout=60) as http:
        token = told(http.post("/v1/players", json={"name": name, "kind": "bot"}))["token"]
        http.headers["Authorization"] = f"Bearer {token}"
        seated = told(http.post(f"/v1/games/{game}/seats", json={}))
        asked = {"after": seated["seq"], "view": "whole", "offers": "true"}
        wanted = {"Accept": "application/x-ndjson"}
        with http.stream("GET", f"/v1/games/{game}/events", params=asked, headers=wanted) as items:
            for line in items.iter_lines():
                now = json.loads(line)
                if now["type"] != "YourView":
                    continue  # an event, the table, or a heartbeat
                if now["view"]["status"] == "finished":
                    winners: list[int] = now["view"]["winners"]
                    return winners
                command = decision(now, choose)
                if command is not None:
                    send(http, game, command, now["etag"])
    return sys.exit("The server has ended the stream.")


def decision(now: Json, choose: Choose) -> Json | None:
    """What to do about what the stream shows. None while others are to move, or seats are free."""
    offers = [offer for offer in now["offers"]["offers"] if offer["command"] != "LeaveSeat"]
    return choose(now["view"], offers) if offers else None


def send(http: httpx.Client, game: str, command: Json, etag: str) -> None:
    """Send a command. If somebody else was first, nothing happens: the stream shows how the game stands now."""
    sent = http.post(f"/v1/games/{game}/commands", json={"commands": [command]}, headers={"If-Match": etag})
    if sent.status_code != 412:
        told(sent)


if __name__ == "__main__":
    server, game, name = sys.argv[1:]
    print("Winners:", *play(server, game, name, any_offer))
