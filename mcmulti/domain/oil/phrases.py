"""The phrases in sentences of this family: sums, barrels, assets, places, as each language needs them."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from mcmulti.domain.core.figures import Money
from mcmulti.domain.core.wording import phrases as common
from mcmulti.domain.core.wording.data import read
from mcmulti.domain.oil.names import BarrelCount, Good, Kind, Millions, Pieces, QuadrantNumber, Seat, Seats, Site
from mcmulti.domain.oil.state import Standing

PROPERTIES: Mapping[str, str] = read(__package__, "properties.toml")
"""Descriptions of the members of types, for the contract."""

_PLURALS: dict[Kind, str] = {"rig": "rigs", "well": "wells", "station": "stations", "refinery": "refineries"}


def one_or_several(number: int) -> Literal["one", "several"]:
    """The form of a sentence for this number."""
    return "one" if number == 1 else "several"


class Phrases(common.Phrases, room=__package__):
    """Phrases in one language, at one moment of the game."""

    __slots__ = ()

    QUADRANTS: ClassVar[Sequence[str]]
    """The names of the game's quadrants."""
    SAID = (
        *common.Phrases.SAID,
        (Seat, "who"),
        (Seats, "everybody"),
        (Millions, "money"),
        (Money, "money"),
        (BarrelCount, "barrels"),
        (Pieces, "number"),
        (QuadrantNumber, "quadrant"),
        (Site, "site"),
    )

    def money(self, amount: int) -> str:
        """A sum in millions of dollars."""
        return self.phrase("money", amount=self.number(amount))

    def barrels(self, number: int, good: Good | None = None) -> str:
        """A number of barrels, of a good if given."""
        name = "barrel" if number == 1 else "barrels"
        if good is None:
            return self.phrase(name, number=number)
        return self.phrase(f"{name}_of", number=number, good=self.word(good))

    def pieces(self, number: int, kind: Kind) -> str:
        """A number of assets of a kind."""
        return f"{number} {self.word(kind if number == 1 else _PLURALS[kind])}"

    def up_to(self, number: int, good: Good | None = None) -> str:
        """At most N barrels, of a good if given."""
        quantity = self.barrels(number, good)
        return quantity if number == 1 else self.phrase("up_to", quantity=quantity)

    def quadrant(self, quadrant: int) -> str:
        """A quadrant, by its compass name."""
        return self.word(self.QUADRANTS[quadrant])

    def site(self, site: Site) -> str:
        """A site on the board."""
        return self.phrase("site", row=site.row, column=site.column, quadrant=self.quadrant(site.quadrant))

    def line(self, site: Site) -> str:
        """A site whose quadrant is known."""
        return self.phrase("line", row=site.row, column=site.column)

    def a(self, kind: Kind) -> str:
        """An asset that is new."""
        return self.phrase(f"a_{kind}")

    def the(self, kind: Kind) -> str:
        """An asset that was there."""
        return self.phrase(f"the_{kind}")

    def quantity(self, prices: Sequence[int]) -> str:
        """As many barrels as there are prices."""
        return self.barrels(len(prices))

    def total(self, prices: Sequence[int]) -> str:
        """The sum of prices."""
        return self.money(sum(prices))

    def first(self, prices: Sequence[int]) -> str:
        """The price of the first barrel."""
        return self.money(prices[0])

    def last(self, prices: Sequence[int]) -> str:
        """The price of the last barrel."""
        return self.money(prices[-1])

    def spread(self, prices: Sequence[int]) -> str:
        """Prices from the first to the last."""
        first = self.first(prices)
        return first if len(prices) == 1 else self.phrase("spread", first=first, last=self.last(prices))

    def by_cash(self, standings: Sequence[Standing]) -> str:
        """Everybody's cash."""
        return ", ".join([self.told(standing.seat, self.money(standing.cash)) for standing in standings])

    def by_wealth(self, standings: Sequence[Standing]) -> str:
        """Everybody's cash and barrels."""
        return ", ".join([self.told(standing.seat, self._wealth(standing)) for standing in standings])

    def _wealth(self, standing: Standing) -> str:
        return self.phrase("wealth", cash=self.money(standing.cash), barrels=self.barrels(standing.barrels))
