"""A strategy that sends a sheet for each round."""

from collections.abc import Callable

from mcmulti.bots.strategy import Command, Offer, Strategy, View
from mcmulti.client.json_object import Json

Writer = Callable[[View, int], Json]
"""Writes the sheet of a seat for the round of a view."""


def by_post(write: Writer) -> Strategy:
    """The strategy that sends the result of `write` once a round, and waits while its sheet is in."""

    def strategy(view: View, offers: list[Offer], /) -> list[Command]:
        if view["sheet"] is not None:
            return []
        return [{"type": "SubmitOrders", "round": view["round"], "sheet": write(view, view["you"])}]

    return strategy
