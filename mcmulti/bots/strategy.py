"""The strategy protocol, and a random strategy."""

import random
from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

View = dict[str, Any]
"""A game as `GET /v1/games/{id}` shows it to the seat: the member `view`."""
Offer = dict[str, Any]
"""One member of `offers` in `GET /v1/games/{id}/offers`."""
Command = dict[str, Any]
"""A command as `POST /v1/games/{id}/commands` takes it."""


class Strategy(Protocol):
    """Chooses what to send when it is the seat's move.

    Its input and output are JSON: no I/O, no waiting, and it does not change its arguments. The commands are sent
    together and carried out in order, all or none; later ones can depend on the results of earlier ones. An empty list
    waits for the next event. `view["you"]` is the seat that chooses. `offers` is never empty.
    """

    def __call__(self, view: View, offers: list[Offer], /) -> list[Command]: ...


@runtime_checkable
class Timed(Protocol):
    """A strategy that receives, before each decision, the number of seconds left for it; None for no limit."""

    time_left: float | None


class NoStrategy(Exception):
    """No strategy plays this rule set, or none with this name. The message says why, or lists the strategies."""


class RandomMoves:
    """Any offered move is possible. The same seed and the same offers give the same moves.

    `weights`: the weight of a move, by its name, relative to 1 for every other. Raises `NoStrategy` if all offers need
    free-form input.
    """

    def __init__(self, seed: int, weights: Mapping[str, float] | None = None) -> None:
        self._dice = random.Random(seed)
        self._weights = weights or {}

    def __call__(self, view: View, offers: list[Offer], /) -> list[Command]:
        possible = [offer for offer in offers if all({"options", "max"} & field.keys() for _, field in _fields(offer))]
        if not possible:
            raise NoStrategy(f"{offers[0]['command']} needs free-form input, which the random strategy cannot write.")
        weights = [self._weights.get(offer["command"], 1.0) for offer in possible]
        [offer] = self._dice.choices(possible, weights)
        return [{"type": offer["command"]} | {name: self._value(field) for name, field in _fields(offer)}]

    def _value(self, field: dict[str, Any]) -> Any:
        if "options" in field:
            return self._dice.choice(field["options"])
        return self._dice.randrange(field["min"], field["max"] + 1, field["step"])


def _fields(offer: Offer) -> list[tuple[str, dict[str, Any]]]:
    return list(offer.get("fields", {}).items())


Maker = Callable[[int], Strategy]
"""Makes a strategy from a seed."""
