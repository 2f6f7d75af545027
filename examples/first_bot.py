"""A bot in seventy lines: sits down at a game and makes any move it is offered.

Usage: python first_bot.py SERVER GAME NAME
"""

import random
import sys
import time
from collections.abc import Callable
from typing import Any

import httpx

Json = dict[str, Any]


def play(server: str, game: str, name: str, choose: Callable[[Json, list[Json]], Json | None]) -> Json:
    """Play a game to its end: `choose` gets the view and the offers, and returns a command, or None to wait.

    Returns the last view.
    """
    with httpx.Client(base_url=server, timeout=60) as http:
        token = told(http.post("/v1/players", json={"name": name, "kind": "bot"}))["token"]
        http.headers["Authorization"] = f"Bearer {token}"
        told(http.post(f"/v1/games/{game}/seats", json={}))
        while True:
            now = http.get(f"/v1/games/{game}/offers")
            state = told(now)
            # The game at the moment of the offers, whatever happened since.
            view: Json = told(http.get(f"/v1/games/{game}", params={"at": state["seq"]}))["view"]
            if not state["to_move"]:
                return view  # nobody is to move: the game is over
            offers = [offer for offer in state["offers"] if offer["command"] != "LeaveSeat"]
            command = choose(view, offers) if offers else None
            if command:
                # If-Match: carry it out only if the game is still where the offers were made.
                sent = http.post(
                    f"/v1/games/{game}/commands",
                    json={"commands": [command]},
                    headers={"If-Match": now.headers["ETag"]},
                )
                noticed(sent)
            else:  # others are to move: wait for the next event
                http.get(f"/v1/games/{game}/events", params={"after": state["seq"], "limit": 1, "wait": 30})


def told(answer: httpx.Response) -> Any:
    """The content of a response. A problem is printed, and ends the bot."""
    return sys.exit(answer.text) if answer.is_error else answer.json()


def noticed(sent: httpx.Response) -> None:
    """Check the response to a command. If it was not carried out, look again at once, look again later, or give up."""
    if sent.is_success or sent.status_code in (412, 428):  # or the game has moved on: look again
        return
    problem = sent.json() if "problem+json" in sent.headers.get("Content-Type", "") else {}
    print(sent.status_code, problem.get("code"), problem.get("detail"), file=sys.stderr)
    if sent.status_code in (409, 429, 503):  # refused by the rules, too many requests, the server is busy
        time.sleep(float(sent.headers.get("Retry-After", 1)))
    else:
        sys.exit(1)


def any_offer(view: Json, offers: list[Json]) -> Json:
    """Any offer, with any values it allows. Going on is more likely, or nobody would ever save money."""
    offer = random.choices(offers, [3 if o["command"] in ("RollDice", "EndTurn") else 1 for o in offers])[0]
    command = {"type": offer["command"]}
    for name, field in offer.get("fields", {}).items():
        if "options" in field:
            command[name] = random.choice(field["options"])
        else:
            command[name] = random.randrange(field["min"], field["max"] + 1, field.get("step", 1))
    return command


if __name__ == "__main__":
    server, game, name = sys.argv[1:]
    view = play(server, game, name, any_offer)
    for standing in view["standings"]:
        print(f"{standing['rank']}. {view['seats'][standing['seat']]['name']}: {standing['cash']}")
