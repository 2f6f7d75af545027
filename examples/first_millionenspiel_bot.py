"""A bot for the Millionenspiel in ninety lines: it stakes all where yellow and red are near, half elsewhere.

Usage: python first_millionenspiel_bot.py SERVER GAME NAME
"""

import sys
import time
from typing import Any

import httpx

GOOD = ("blue", "yellow", "red")
"""Colours that stakes gain on."""


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
            offers = {offer["command"]: offer for offer in state["offers"] if offer["command"] != "LeaveSeat"}
            if offers:
                # The game as it was when the offers were made, whatever happened since.
                view = told(http.get(f"/v1/games/{game}", params={"at": state["seq"]}))["view"]
                # If-Match: carry it out only if it still is so.
                sent = http.post(
                    f"/v1/games/{game}/commands",
                    json={"commands": [choose(view, offers)]},
                    headers={"If-Match": now.headers["ETag"]},
                )
                noticed(sent)
            else:  # others are to move: wait for the next event
                http.get(f"/v1/games/{game}/events", params={"after": state["seq"], "limit": 1, "wait": 30})
        view = told(http.get(f"/v1/games/{game}"))["view"]
        for seat in sorted(view["seats"], key=lambda seat: -seat["money"]):
            print(f"{seat['name']}: {seat['money']}{', winner' if seat['seat'] in view['winners'] else ''}")


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


def choose(view: dict[str, Any], offers: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """A card whenever there is one to be had, then a stake; a throw that leads to no good colour is declined."""
    if "StartGame" in offers:
        return {"type": "StartGame"}
    if "AcceptThrow" in offers:
        [throw] = view["throws"]
        good = colour(view, throw["first"]["value"] + throw["second"]["value"]) in GOOD
        return {"type": "AcceptThrow" if good else "DeclineThrow"}
    if "BuyPension" in offers:
        fields = offers["BuyPension"]["fields"]
        return {"type": "BuyPension"} | {kind: field["options"][0] for kind, field in fields.items()}
    fields = offers["Stake"]["fields"]
    rich = sum(6 - abs(7 - steps) for steps in range(2, 13) if colour(view, steps) in ("yellow", "red"))
    part = 1 if rich > 9 else 2  # more than nine of 36 throws lead there
    return {"type": "Stake"} | {kind: -(-field["max"] // part) for kind, field in fields.items()}


def colour(view: dict[str, Any], steps: int) -> str:
    """Where so many steps lead."""
    return str(view["track"][(view["field"] + steps) % len(view["track"])])


if __name__ == "__main__":
    main(*sys.argv[1:])
