"""A bot on one connection: each turn comes with what it sees and may do, in whichever game, and takes one request.

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
        told(http.post(f"/v1/games/{game}/seats", json={}))
        start(http, game)
        known = 0
        wanted = {"Accept": "application/x-ndjson"}
        with http.stream("GET", "/v1/stream", params={"offers": "true"}, headers=wanted) as items:
            for line in items.iter_lines():
                item = json.loads(line)
                if item["type"] == "GameOver":
                    winners: list[int] = item["winners"]
                    return winners
                # A turn that was answered already is told a little later, too.
                if item["type"] == "YourTurn" and item["next"]["offers"]["seq"] > known:
                    known = move(http, game, item["next"], choose)
    return sys.exit("The server has ended the stream.")


def start(http: httpx.Client, game: str) -> None:
    """Start the game if all seats are taken and no other player has started it first."""
    now = http.get(f"/v1/games/{game}/offers")
    if any(offer["command"] == "StartGame" for offer in told(now)["offers"]):
        commands = {"commands": [{"type": "StartGame"}]}
        sent = http.post(f"/v1/games/{game}/commands", json=commands, headers={"If-Match": now.headers["ETag"]})
        if sent.status_code != 412:  # otherwise another player was faster
            told(sent)


def move(http: httpx.Client, game: str, now: Json, choose: Choose) -> int:
    """Move as long as the game waits for this seat. Returns the number of the last event that was seen."""
    while offers := now["offers"]["offers"]:
        sent = http.post(
            f"/v1/games/{game}/commands",
            params={"offers": "true"},
            json={"commands": [choose(now["view"], offers)]},
            headers={"If-Match": now["etag"]},
        )
        if sent.status_code == 412:
            break  # somebody else was first: the stream tells how the game stands now
        now = told(sent)["next"]
    return int(now["offers"]["seq"])


if __name__ == "__main__":
    server, game, name = sys.argv[1:]
    print("Winners:", *play(server, game, name, any_offer))
