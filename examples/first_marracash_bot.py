"""A first bot for MarraCash: it buys cheap shops, and leads customers where they earn it most.

Usage: python first_marracash_bot.py SERVER GAME NAME
"""

import random
import sys

from first_bot import Json, play

CHEAP = 300
"""The most that it pays for a shop, in dirhams."""


def choose(view: Json, offers: list[Json]) -> Json:
    """The move that earns most, if any earns something. Otherwise a cheap shop, or anything that is offered."""
    for offer in offers:
        if offer["command"] == "Bid" and offer["fields"]["bid"]["min"] <= CHEAP:
            return {"type": "Bid", "bid": offer["fields"]["bid"]["min"]}
        if offer["command"] == "PassBid":
            return {"type": "PassBid"}
    moves = [
        (brings(street, view["you"]), {"type": "MoveGroup", "fountain": field["options"][0], "to": street["to"]})
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


def brings(street: Json, me: int) -> int:
    """What a street would earn in dirhams: the income of its own shops, and commissions for those of others."""
    entering = street["entering"]
    return sum(each["income"] if each["owner"] == me else each["commission"] for each in entering)


if __name__ == "__main__":
    server, game, name = sys.argv[1:]
    view = play(server, game, name, choose)
    for seat in sorted(view["seats"], key=lambda seat: (seat["seat"] not in view["winners"], -seat["cash"])):
        print(f"{seat['name']}: {seat['cash']} dirham{', winner' if seat['seat'] in view['winners'] else ''}")
