"""All legal actions of a seat, as a lazy sequence: actions are made only when you ask for them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from math import prod
from typing import Any, overload

from msgspec import Struct

from mcmulti.domain.core.offers import Choice, Field, Form, NumberChoice, Offer, Range, admitting

Forms = Mapping[str, Sequence[Any]]
"""The listed values of forms, by schema."""


class FreeForm(TypeError):
    """An offer has a free-form field for which the game lists no values. Make the action yourself."""


class LegalActions(Sequence[Struct]):
    """Every action that some offers admit, in the order of the offers. The last field of an offer changes fastest.

    `len(actions)` counts them without making any. `random.choice(actions)` picks one, and `random.sample(actions, 20)`
    picks 20 different ones, even out of millions. `action in actions` asks the offers, so it is just as fast. Of forms,
    such as order sheets, only those that the game lists are in the sequence. Others are legal too, and `in` accepts
    them. Raises `FreeForm` for forms of which the game lists none.
    """

    __slots__ = ("_ends", "_families", "_offers")

    def __init__(self, offers: Sequence[Offer], commands: Mapping[str, type[Struct]], forms: Forms) -> None:
        self._offers = offers
        self._families = [
            (
                commands[offer.command],
                tuple(offer.fields),
                [_values(offer, name, field, forms) for name, field in offer.fields.items()],
            )
            for offer in offers
        ]
        self._ends = [*accumulate(prod(map(len, values)) for _, _, values in self._families)]

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, index: int) -> Struct: ...
    @overload
    def __getitem__(self, index: slice) -> list[Struct]: ...
    def __getitem__(self, index: int | slice) -> Struct | list[Struct]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"there are {len(self)} actions: {index} is not one of them")
        begin = 0
        for family, end in zip(self._families, self._ends, strict=True):
            if place < end:
                return _action_at(family, place - begin)
            begin = end
        raise AssertionError("the last family ends where the actions do")

    def __iter__(self) -> Iterator[Struct]:
        begin = 0
        for family, end in zip(self._families, self._ends, strict=True):
            for place in range(end - begin):
                yield _action_at(family, place)
            begin = end

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Struct) and admitting(self._offers, action) is not None

    def __repr__(self) -> str:
        return f"<{len(self)} actions>"


def _action_at(family: tuple[type[Struct], tuple[str, ...], list[Sequence[Any]]], place: int) -> Struct:
    """The action at an index of its family."""
    command, names, values = family
    chosen = {}
    for name, options in zip(reversed(names), reversed(values), strict=True):
        place, at = divmod(place, len(options))
        chosen[name] = options[at]
    return command(**chosen)


def _values(offer: Offer, name: str, field: Field, forms: Forms) -> Sequence[Any]:
    """The values that a field can have. For a form, those that the game lists."""
    if isinstance(field, Form) and field.schema in forms:
        return forms[field.schema]
    if not isinstance(field, Choice | Range):
        raise FreeForm(f"{offer.command}.{name} is written, not chosen: make the action with game.action()")
    return (*field.options, None) if isinstance(field, NumberChoice) and field.optional else field.options
