"""A bot for MarraCash in ninety lines: it buys shops that are cheap, and leads customers where they bring it most.

Usage: python first_marracash_bot.py SERVER GAME NAME
"""

import random
import sys
import time
from typing import Any

import httpx

CHEAP = 300
"""What it pays for a shop at most, in dirham."""


def main(server: str, game: str, name: str) -> None:
    with httpx.Client(base_url=server, timeout=60) as http:
        token = told(http.post("/v1/players", json={"name": name, "kind": "bot"}))["token"]
        http.headers["Authorization"] = f"Bearer {token}"
        told(http.post(f"/v1/games/{game}/seats", json={}))
        while True:
            now = http.get(f"/v1/games/{game}/offers")
            state = told(now)
            if not state["to_move"]:
                break  # nobody is to move: the game is over
            offers = [offer for offer in state["offers"] if offer["command"] != "LeaveSeat"]
            if offers:
                command = choose(offers, state["seat"])
                # If-Match: carry it out only if the game is still where the offers were made.
                sent = http.post(
                    f"/v1/games/{game}/commands",
                    json={"commands": [command]},
                    headers={"If-Match": now.headers["ETag"]},
                )
                noticed(sent)
            else:  # others are to move: wait for the next event
                http.get(f"/v1/games/{game}/events", params={"after": state["seq"], "limit": 1, "wait": 30})
        view = told(http.get(f"/v1/games/{game}"))["view"]
        for seat in sorted(view["seats"], key=lambda seat: -seat["cash"]):
            print(f"{seat['name']}: {seat['cash']} dirham{', winner' if seat['seat'] in view['winners'] else ''}")


def told(answer: httpx.Response) -> Any:
    """What the server says. A problem is shown, and ends the bot."""
    return sys.exit(answer.text) if answer.is_error else answer.json()


def noticed(sent: httpx.Response) -> None:
    """Read the status of what was sent. Where it was not carried out, look again, at once or later; or give up."""
    if sent.is_success or sent.status_code in (412, 428):  # or the game has moved on: it is looked at again
        return
    problem = sent.json() if "problem+json" in sent.headers.get("Content-Type", "") else {}
    print(sent.status_code, problem.get("code"), problem.get("detail"), file=sys.stderr)
    if sent.status_code in (409, 429, 503):  # refused by the rules, too many requests, the server is busy
        time.sleep(float(sent.headers.get("Retry-After", 1)))
    else:
        sys.exit(1)


def choose(offers: list[dict[str, Any]], me: int) -> dict[str, Any]:
    """The move that brings most, if any brings something; else a cheap shop, or anything that is offered."""
    for offer in offers:
        if offer["command"] == "Bid" and offer["fields"]["bid"]["min"] <= CHEAP:
            return {"type": "Bid", "bid": offer["fields"]["bid"]["min"]}
        if offer["command"] == "PassBid":
            return {"type": "PassBid"}
    moves = [
        (brings(street, me), {"type": "MoveGroup", "fountain": field["options"][0], "to": street["to"]})
        for offer in offers
        if offer["command"] == "MoveGroup"
        for field in [offer["fields"]["fountain"]]
        for street in offer["fields"]["to"]["prospects"]
    ]
    most, move = max(moves, key=lambda each: each[0], default=(0, None))
    if move and most > 0:
        return move
    offer = next((offer for offer in offers if offer["command"] == "PutUp"), random.choice(offers))
    command = {"type": offer["command"]}
    for name, field in offer.get("fields", {}).items():
        command[name] = random.choice(field["options"]) if "options" in field else field["min"]
    return command


def brings(street: dict[str, Any], me: int) -> int:
    """What a street would bring in dirham: the income of one's own shops, and commissions for those of others."""
    entering = street["entering"]
    return sum(each["income"] if each["owner"] == me else each["commission"] for each in entering)


if __name__ == "__main__":
    main(*sys.argv[1:])
