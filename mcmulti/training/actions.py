"""Fixed action spaces: numbers for the commands of a rule set. Offers alone decide which are legal now."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from math import prod
from typing import Any

import numpy as np
from msgspec import Struct

from mcmulti.domain.core.offers import Choice, Field, Offer, Range, admitting
from mcmulti.training.layout import Vector


class Domain(Struct, frozen=True):
    """The values, in order, that a command's field has in an action space. Offers may admit others."""

    @property
    def size(self) -> int:
        """The number of values."""
        raise NotImplementedError

    def value(self, index: int, home: int) -> Any:
        """The value at an index."""
        raise NotImplementedError

    def index(self, value: Any, home: int) -> int | None:
        """The index of a value. None if it has none."""
        raise NotImplementedError

    def admitted(self, field: Field, home: int) -> Sequence[int]:
        """The indices of the values that an offer's field admits."""
        if not isinstance(field, Choice | Range):
            raise TypeError(f"a {type(field).__name__} lists no values")
        return [place for value in field.options if (place := self.index(value, home)) is not None]


class Enumerated(Domain, frozen=True):
    """A fixed list of values."""

    words: tuple[Any, ...]

    @property
    def size(self) -> int:
        return len(self.words)

    def value(self, index: int, home: int) -> Any:
        return self.words[index]

    def index(self, value: Any, home: int) -> int | None:
        return self.words.index(value) if value in self.words else None

    def __str__(self) -> str:
        return ", ".join(map(str, self.words))


class Numbers(Domain, frozen=True):
    """The numbers from `first` to `last` in steps of `step`."""

    first: int
    last: int
    step: int = 1

    @property
    def size(self) -> int:
        return (self.last - self.first) // self.step + 1

    def value(self, index: int, home: int) -> int:
        return self.first + self.step * index

    def index(self, value: int, home: int) -> int | None:
        place, beside = divmod(value - self.first, self.step)
        return None if beside or not self.first <= value <= self.last else place

    def admitted(self, field: Field, home: int) -> Sequence[int]:
        if isinstance(field, Range) and field.step == self.step and not (field.min - self.first) % self.step:
            last = min(field.max, self.last)
            return range((field.min - self.first) // self.step, (last - self.first) // self.step + 1)
        return Domain.admitted(self, field, home)

    def __str__(self) -> str:
        steps = "" if self.step == 1 else f" in steps of {self.step}"
        return f"{self.first} to {self.last}{steps}"


class ActionFamily(Struct, frozen=True):
    """Actions that map to commands of one type."""

    command: type[Struct]

    @property
    def size(self) -> int:
        """The number of actions."""
        raise NotImplementedError

    def legal(self, offers: Sequence[Offer], home: int) -> Sequence[int]:
        """The indices, from 0, of the actions that these offers of the command admit."""
        raise NotImplementedError

    def command_for(self, index: int, offers: Sequence[Offer], home: int) -> Struct | None:
        """The command for an action; None if these offers of it admit none."""
        raise NotImplementedError

    def description(self) -> str:
        """A description of the actions, for the documentation."""
        raise NotImplementedError


class Product(ActionFamily, frozen=True):
    """Every combination of the values of the fields. The last field changes fastest."""

    fields: dict[str, Domain]

    @property
    def size(self) -> int:
        return prod(domain.size for domain in self.fields.values())

    def legal(self, offers: Sequence[Offer], home: int) -> Sequence[int]:
        found: list[int] = []
        for offer in offers:
            places = [0]
            for name, domain in self.fields.items():
                field = offer.fields.get(name)
                admitted = range(domain.size) if field is None else domain.admitted(field, home)
                places = [place * domain.size + index for place in places for index in admitted]
            found += places
        return found

    def command_for(self, index: int, offers: Sequence[Offer], home: int) -> Struct:
        values = {}
        for name, domain in reversed(self.fields.items()):
            index, place = divmod(index, domain.size)
            values[name] = domain.value(place, home)
        return self.command(**values)

    def description(self) -> str:
        return " × ".join(f"`{name}`: {domain}" for name, domain in self.fields.items()) or "no fields"


class ActionSpace:
    """The actions of a rule set, family by family, numbered from 0."""

    def __init__(self, families: Sequence[ActionFamily]) -> None:
        self.families = tuple(families)
        self.offsets = (0, *accumulate(family.size for family in families))
        self.size = self.offsets[-1]

    def mask(self, offers: Sequence[Offer], home: int) -> Vector:
        """Mask of legal actions, 1 for each legal one: int8, one entry for each action."""
        mask: Vector = np.zeros(self.size, np.int8)
        by_command: dict[str, list[Offer]] = {}
        for offer in offers:
            by_command.setdefault(offer.command, []).append(offer)
        for family, offset in zip(self.families, self.offsets, strict=False):
            mine = by_command.get(family.command.__name__)
            if mine:
                legal = family.legal(mine, home)
                if isinstance(legal, range):
                    mask[offset + legal.start : offset + legal.stop : legal.step] = 1
                else:
                    mask[[offset + index for index in legal]] = 1
        return mask

    def taken(self, action: int, offers: Sequence[Offer], home: int) -> tuple[Struct, Offer] | None:
        """The command for an action and the offer that admits it; None if none does.

        Raises `IndexError` if there is no such action.
        """
        if not 0 <= action < self.size:
            raise IndexError(f"there are {self.size} actions, numbered from 0, not {action}")
        number = bisect_right(self.offsets, action) - 1
        family = self.families[number]
        mine = [offer for offer in offers if offer.command == family.command.__name__]
        command = family.command_for(action - self.offsets[number], mine, home) if mine else None
        offer = None if command is None else admitting(mine, command)
        return None if command is None or offer is None else (command, offer)
