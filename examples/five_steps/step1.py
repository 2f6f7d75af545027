"""Any move: what is offered is legal, so this plays whole games and knows nothing."""

import random
from typing import Any, cast

from mcmulti.bots.types import McMultiCommand, McMultiView, Offer


class AnyMove:
    """Going on is more likely than anything else, or nobody would ever save money."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)

    def __call__(self, view: McMultiView, offers: list[Offer]) -> list[McMultiCommand]:
        weights = [3 if offer["command"] in ("RollDice", "EndTurn") else 1 for offer in offers]
        [offer] = self.dice.choices(offers, weights)
        values = {name: self.dice.choice(options) for name, options in listed(offer).items()}
        return [command(offer, values)]


def listed(offer: Offer) -> dict[str, list[Any]]:
    """The values of each field of an offer, with numbers from minimum to maximum."""
    found: dict[str, list[Any]] = {}
    for name, field in offer.get("fields", {}).items():
        if field["type"] == "Range":
            found[name] = list(range(field["min"], field["max"] + 1, field.get("step", 1)))
        elif field["type"] != "Form":
            found[name] = list(field["options"])
    return found


def command(offer: Offer, values: dict[str, Any]) -> McMultiCommand:
    """The command of an offer. A field that is not given takes its first value."""
    first = {name: options[0] for name, options in listed(offer).items()}
    return cast(McMultiCommand, {"type": offer["command"], **first, **values})
