"""What a strategy is, and a random one."""

import random
from collections.abc import Callable
from typing import Any, Protocol

View = dict[str, Any]
"""A game as `GET /v1/games/{id}` shows it to the seat: its member `view`."""
Offer = dict[str, Any]
"""One member of `offers` in `GET /v1/games/{id}/offers`."""
Command = dict[str, Any]
"""A command as `POST /v1/games/{id}/commands` takes it."""


class Strategy(Protocol):
    """Chooses what to send when it is the seat's move.

    It gets JSON and gives JSON: no I/O, no waiting, and it does not change what it is given. The commands
    are sent together and carried out in order, all or none; later ones may rest on what the earlier ones
    bring. None at all wait for the next event. `view["you"]` is the seat that chooses. `offers` is never empty.
    """

    def __call__(self, view: View, offers: list[Offer], /) -> list[Command]: ...


WEIGHTS = {"EndTurn": 3.0, "RollDice": 3.0, "SellAsset": 0.2, "EndProduction": 0.2}
"""How likely these moves are, against 1 for every other: who sells and stops producing at a whim ends in ruin."""


class RandomMoves:
    """Any offered move may come. The same seed and the same offers give the same moves."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)

    def __call__(self, view: View, offers: list[Offer], /) -> list[Command]:
        weights = [WEIGHTS.get(offer["command"], 1.0) for offer in offers]
        [offer] = self._dice.choices(offers, weights)
        return [{"type": offer["command"]} | {name: self._value(field) for name, field in _fields(offer)}]

    def _value(self, field: dict[str, Any]) -> Any:
        if "options" in field:
            return self._dice.choice(field["options"])
        return self._dice.randrange(field["min"], field["max"] + 1, field["step"])


def _fields(offer: Offer) -> list[tuple[str, dict[str, Any]]]:
    return list(offer.get("fields", {}).items())


Maker = Callable[[int], Strategy]
"""Makes a strategy of a seed."""
