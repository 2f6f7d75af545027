"""A merchant's knowledge of MarraCash: the streets, who would enter which shop, and what that brings.

Money is in dirham. What counts is the lead: a player's money minus the others' average.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import NamedTuple

from mcmulti.bots.strategy import View

_STREETS = """
1 2:G2 3:P2,B1,R1 6:G2,P2,R2,B3
2 1:G2 7:G2,R2,P4
3 1:R1,B1,P2 4:P3,R1,Y2,G1,P1 5:B1,P3
4 3:G1,P1,Y2,R1,P3,B1 8:B2,P1,Y1 9:B2,R3,B4
5 3:B1,P3 6:B1,G3,B3,P2 11:G3,Y3
6 1:P2,R2,G2 5:B3,P2,B1,G3,P3 7:R2,Y4
7 2:P4,R2,G2 6:R2,Y4,B3 13:P4,Y4
8 4:B2,Y1,P1,Y2 9:B2,G4,B4 14:G4
9 4:B2,R3,Y2 8:B2,G4 10:B4,R3,Y3
10 9:B4,R3 11:R5,Y3,G3 15:B4,R5,Y5
11 5:G3,Y3,P3 10:R5,Y3 12:P5,R5,G3,R4
12 11:G3,P5,R5 13:B5,R4,Y4 16:B5,P5
13 7:P4,Y4,R2 12:B5,Y4,R4 16:B5,G5
14 8:G4 15:G4,Y5
15 10:R5,Y5,B4,Y3 14:Y5,G4 16:R5,P5
16 12:B5,P5,R4 13:B5,G5 15:P5,R5
"""
"""For each fountain: the fountains to which streets lead, and the shops on the way, in order."""


def _street_read(line: str) -> tuple[int, dict[int, tuple[str, ...]]]:
    start, *streets = line.split()
    split = (street.partition(":") for street in streets)
    return int(start), {int(to): tuple(shops.split(",")) for to, _, shops in split}


STREETS = dict(_street_read(line) for line in _STREETS.strip().splitlines())
BESIDE = {"B1": 3, "Y2": 4, "P3": 5, "B3": 6, "R2": 7, "B4": 9, "Y3": 10, "G3": 11, "R4": 12}
"""The fountain next to a shop, for shops that have one."""
COLOUR = {"R": "red", "B": "blue", "G": "green", "Y": "yellow", "P": "purple"}
"""The color of a shop, by the first letter of its name."""
BY_CHANCE, BY_RIVALS, AT_LENGTH = 0.2, 0.15, 0.15
"""Weights for a group that is not led yet: its value along any street, along the street that is worst for the lead, and
by customers of shops farther away.
"""
WALKS = 12
"""How many streets a group is followed at most to see where it ends."""

Group = dict[str, int]
"""Visitors who stand together, by color."""
Wares = tuple[tuple[str, int], ...]
"""Souvenirs: the color of the customers who buy them, and their price."""


@cache
def income(before: int, customers: int) -> int:
    """What N customers pay in a shop that had some before."""
    return sum(min(100 * number, 500) for number in range(before + 1, before + customers + 1))


def paid_by(customers: float) -> float:
    """What the first customers of a shop pay; interpolated if the number is not an integer."""
    whole = int(customers)
    return income(0, whole) + (customers - whole) * income(whole, 1)


@cache
def ends(sold: tuple[str, ...]) -> dict[str, dict[int, float]]:
    """By shop and fountain: the probability that a visitor who is led at random from there enters it.

    `sold`: the shops of the visitor's color that take customers.
    """
    found = {}
    for shop in sold:
        chances = dict.fromkeys(STREETS, 0.0)
        for _ in range(WALKS):
            for fountain, streets in STREETS.items():
                first = {to: next((name for name in passed if name in sold), None) for to, passed in streets.items()}
                entered = sum(float(name == shop) if name else chances[to] for to, name in first.items())
                chances[fountain] = entered / len(streets)
        found[shop] = chances
    return found


def commission(customers: int, taken: int) -> int:
    """The commission for bringing N customers, out of what the shop takes."""
    return customers * (50 if taken <= 300 else 100)


class Stand(NamedTuple):
    """A sold shop: its owner, and how many customers it had."""

    owner: int
    customers: int


@dataclass(frozen=True)
class Town:
    """A town at one moment, real or imagined, as the seat `me` of `players` players sees it."""

    me: int
    players: int
    shops: dict[str, Stand]
    groups: dict[int, Group]
    queue: tuple[str, ...]
    cards: Wares = ()
    """The open souvenirs: color and price, the most expensive first."""
    promised: dict[tuple[int, int, int, int], tuple[float, dict[str, Stand], Wares, Group]] = field(
        default_factory=dict
    )
    """Cache of groups' prospects, by shops, cards, fountain, and group: most are the same in all imagined towns."""

    @classmethod
    def seen(cls, view: View) -> "Town":
        """The town of a view."""
        sold = [shop for shop in view["shops"] if shop["owner"] is not None]
        return cls(
            view["you"],
            len(view["seats"]),
            {each["shop"]: Stand(each["owner"], each["customers"]) for each in sold},
            {each["fountain"]: each["visitors"] for each in view["fountains"] if each["visitors"]},
            tuple(view["queue"]),
            tuple(sorted(((card["colour"], card["dirham"]) for card in view["souvenirs"]), key=lambda card: -card[1])),
        )

    def led(self, fountain: int, to: int) -> tuple["Town", float]:
        """The town after `me` led a group along a street, and how much that adds to the lead."""
        group = dict(self.groups[fountain])
        shops, cards, lead = self.shops, self.cards, 0.0
        for name, number, shop in self.entering(group, fountain, to):
            bought = self.bought(COLOUR[name[0]], number)
            taken = income(shop.customers, number) + sum(price for _, price in bought)
            given = 0 if shop.owner == self.me else commission(number, taken)
            lead += given + self.lead(shop.owner, taken - given)
            shops = {**shops, name: Stand(shop.owner, shop.customers + number)}
            cards = tuple(card for card in cards if card not in bought) if bought else cards
            del group[COLOUR[name[0]]]
        groups = {number: standing for number, standing in self.groups.items() if number != fountain}
        if group:
            groups[to] = _together(groups.get(to, {}), group)
        return replace(self, shops=shops, groups=groups, cards=cards), lead

    def let_in(self, entrance: int, end: str, number: int) -> "Town":
        """The town after visitors came in from an end of the queue."""
        row = (self.queue if end == "front" else self.queue[::-1])[:number]
        group = {colour: row.count(colour) for colour in row}
        return replace(self, groups={**self.groups, entrance: group})

    def entering(self, group: Group, fountain: int, to: int) -> Iterator[tuple[str, int, Stand]]:
        """The shops that a group would enter along a street, and how many would."""
        entered = set()
        for name in STREETS[fountain][to]:
            shop, colour = self.shops.get(name), COLOUR[name[0]]
            if shop and colour in group and colour not in entered:
                entered.add(colour)
                yield name, group[colour], shop

    def bought(self, colour: str, customers: int) -> Wares:
        """The souvenirs that N customers of a color buy: one each, the most expensive first."""
        return tuple(card for card in self.cards if card[0] == colour)[:customers]

    def lead(self, seat: int, money: float) -> float:
        """What a seat's income adds to the lead."""
        return money if seat == self.me else -money / (self.players - 1)

    def prospects(self) -> float:
        """The prospects of the groups that are not led yet."""
        total = 0.0
        for fountain, group in self.groups.items():
            key = id(self.shops), id(self.cards), fountain, id(group)
            if key not in self.promised:
                self.promised[key] = self._promise(fountain, group), self.shops, self.cards, group
            total += self.promised[key][0]
        return total

    def _promise(self, fountain: int, group: Group) -> float:
        """The prospects of a group: by chance, by rivals, and in the end."""
        gains = [
            sum(
                self.lead(shop.owner, income(shop.customers, number) + self.spent(name, number))
                for name, number, shop in self.entering(group, fountain, to)
            )
            for to in STREETS[fountain]
        ]
        return (
            BY_CHANCE * sum(gains) / len(gains) + BY_RIVALS * min(gains) + AT_LENGTH * self._at_length(fountain, group)
        )

    def spent(self, name: str, customers: int) -> int:
        """What N customers of a shop spend on souvenirs there."""
        return sum(price for _, price in self.bought(COLOUR[name[0]], customers)) if self.cards else 0

    def _at_length(self, fountain: int, group: Group) -> float:
        """What the next customer of each shop adds to the lead, for all in a group who are likely to come to it."""
        sold = tuple(sorted(name for name in self.shops if COLOUR[name[0]] in group))
        total = 0.0
        for name in sold:
            owner, customers = self.shops[name]
            chance = ends(tuple(other for other in sold if other[0] == name[0]))[name][fountain]
            total += group[COLOUR[name[0]]] * chance * self.lead(owner, income(customers, 1))
        return total


def _together(some: Group, more: Group) -> Group:
    return {colour: some.get(colour, 0) + more.get(colour, 0) for colour in {**some, **more}}
