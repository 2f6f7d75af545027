"""A first bot for a game by post: it sends a sheet each round.

Usage: python first_postal_bot.py SERVER GAME NAME
"""

import random
import sys

from first_bot import Json, play


def choose(view: Json, offers: list[Json]) -> Json | None:
    """A sheet, unless this round has one. Then it waits for the others."""
    if view["status"] != "running" or view["sheet"] is not None:
        return None
    return {"type": "SubmitOrders", "round": view["round"], "sheet": sheet(view)}


def sheet(view: Json) -> Json:
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
    server, game, name = sys.argv[1:]
    view = play(server, game, name, choose)
    for standing in view["standings"]:
        print(f"{standing['rank']}. {view['seats'][standing['seat']]['name']}: {standing['cash']}")
