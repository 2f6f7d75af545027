"""A first bot for the Millionenspiel: it stakes all where yellow and red are near, half elsewhere.

Usage: python first_millionenspiel_bot.py SERVER GAME NAME
"""

import sys

from first_bot import Json, play

GOOD = ("blue", "yellow", "red")
"""Colours that stakes gain on."""


def choose(view: Json, offers: list[Json]) -> Json:
    """A card whenever there is one to be had, then a stake; a throw that leads to no good colour is declined."""
    fields = {offer["command"]: offer.get("fields", {}) for offer in offers}
    if "StartGame" in fields:
        return {"type": "StartGame"}
    if "AcceptThrow" in fields:
        [throw] = view["throws"]
        good = colour(view, throw["first"]["value"] + throw["second"]["value"]) in GOOD
        return {"type": "AcceptThrow" if good else "DeclineThrow"}
    if "BuyPension" in fields:
        return {"type": "BuyPension"} | {kind: field["options"][0] for kind, field in fields["BuyPension"].items()}
    rich = sum(6 - abs(7 - steps) for steps in range(2, 13) if colour(view, steps) in ("yellow", "red"))
    part = 1 if rich > 9 else 2  # more than nine of 36 throws lead there
    return {"type": "Stake"} | {kind: -(-field["max"] // part) for kind, field in fields["Stake"].items()}


def colour(view: Json, steps: int) -> str:
    """Where so many steps lead."""
    return str(view["track"][(view["field"] + steps) % len(view["track"])])


if __name__ == "__main__":
    server, game, name = sys.argv[1:]
    view = play(server, game, name, choose)
    for seat in sorted(view["seats"], key=lambda seat: (seat["seat"] not in view["winners"], -seat["money"])):
        print(f"{seat['name']}: {seat['money']}{', winner' if seat['seat'] in view['winners'] else ''}")
