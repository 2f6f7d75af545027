"""A bot for a game by post in sixty lines: sits down and sends a sheet each round.

Usage: python first_postal_bot.py SERVER GAME NAME
"""

import random
import sys
import time
from typing import Any

import httpx


def main(server: str, game: str, name: str) -> None:
    with httpx.Client(base_url=server, timeout=60) as http:
        token = told(http.post("/v1/players", json={"name": name, "kind": "bot"}))["token"]
        http.headers["Authorization"] = f"Bearer {token}"
        told(http.post(f"/v1/games/{game}/seats", json={}))
        while True:
            shown = http.get(f"/v1/games/{game}")
            view = told(shown)["view"]
            if view["status"] == "finished":
                break
            if view["status"] == "running" and view["sheet"] is None:
                command = {"type": "SubmitOrders", "round": view["round"], "sheet": sheet(view)}
                # If-Match: not into another round, if this one was refereed meanwhile.
                sent = http.post(
                    f"/v1/games/{game}/commands",
                    json={"commands": [command]},
                    headers={"If-Match": shown.headers["ETag"]},
                )
                noticed(sent)
            else:  # the sheet is in: wait for the others
                after = shown.json()["seq"]
                http.get(f"/v1/games/{game}/events", params={"after": after, "limit": 1, "wait": 30})
        for standing in view["standings"]:
            print(f"{standing['rank']}. {view['seats'][standing['seat']]['name']}: {standing['cash']}")


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


def sheet(view: dict[str, Any]) -> dict[str, Any]:
    """Sell what is hit in good times, build somewhere while that leaves cash, keep the pumps in gasoline."""
    good = {"type": "ClimateIs", "climates": ["rapid_growth", "prosperity", "downturn"]}
    plot = {"row": random.randint(1, 6), "column": random.randint(1, 6)}
    sales = [
        {"type": "SellAssetOrder", "kind": hit["kind"], "plot": {name: hit["site"][name] for name in ("row", "column")}}
        for hit in view["orders"][view["you"]]["hits"]
    ]
    purchase = {"type": "BuyAssetOrder", "kind": random.choice(["rig", "station"]), "plot": plot}
    rich = {"type": "CashIs", "at_least": 80}
    buying = {"type": "IfOrder", "condition": rich, "then": [purchase]}
    orders = [{"type": "ConvertRigOrder"}, {"type": "IfOrder", "condition": good, "then": sales, "else": [buying]}]
    gasoline = {"type": "BuyBarrelsOrder", "market": "domestic", "good": "gasoline", "quantity": 2, "not_above": 20}
    return {"orders": orders, "trades": [gasoline], "pumps": {"type": "SellAtPumps", "not_below": 10}}


if __name__ == "__main__":
    main(*sys.argv[1:])
