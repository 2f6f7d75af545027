"""A first bot for the Millionenspiel: it stakes everything where yellow and red are near, and half elsewhere.

Usage: python first_millionenspiel_bot.py SERVER GAME NAME
"""

import sys

from first_bot import Json, play

GOOD = ("blue", "yellow", "red")
"""Colors on which stakes win."""


def choose(view: Json, offers: list[Json]) -> Json:
    """A card whenever one is available, then a stake. A throw that leads to no good color is declined."""
    fields = {offer["command"]: offer.get("fields", {}) for offer in offers}
    if "StartGame" in fields:
        return {"type": "StartGame"}
    if "AcceptThrow" in fields:
        [throw] = view["throws"]
        good = color(view, throw["first"]["value"] + throw["second"]["value"]) in GOOD
        return {"type": "AcceptThrow" if good else "DeclineThrow"}
    if "BuyPension" in fields:
        return {"type": "BuyPension"} | {kind: field["options"][0] for kind, field in fields["BuyPension"].items()}
    rich = sum(6 - abs(7 - steps) for steps in range(2, 13) if color(view, steps) in ("yellow", "red"))
    part = 1 if rich > 9 else 2  # more than nine of 36 throws lead there
    return {"type": "Stake"} | {kind: -(-field["max"] // part) for kind, field in fields["Stake"].items()}


def color(view: Json, steps: int) -> str:
    """The field that this many steps lead to."""
    return str(view["track"][(view["field"] + steps) % len(view["track"])])


if __name__ == "__main__":
    server, game, name = sys.argv[1:]
    view = play(server, game, name, choose)
    for seat in sorted(view["seats"], key=lambda seat: (seat["seat"] not in view["winners"], -seat["money"])):
        print(f"{seat['name']}: {seat['money']}{', winner' if seat['seat'] in view['winners'] else ''}")
