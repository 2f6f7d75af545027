"""Offers are the law: a command is legal if and only if a current offer admits it.

An offer names a command and, for each field, the values it may have. The rules also state blocked offers, with the
limit that blocks them. These are never shown, but a refused command gets its reason from the offer, open or blocked,
that came nearest. As long as nothing is refused, they need not be stated.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Annotated, Any, Generic, Protocol, TypeVar, cast

from msgspec import Meta, Struct

from mcmulti.domain.core.figures import MOST, Code, Count, Money, RuleId, TypeName


class Limit(Struct, frozen=True, gc=False):
    """Why a field cannot be more, or other, than an offer says: a stable code, and its rule."""

    code: str
    rule: str

    def rejection(self, field: str | None = None, most: int | None = None) -> "Rejection":
        """The rejection for this limit: the field that exceeded it, and the greatest value that was legal."""
        return Rejection(self.code, self.rule, field, most)


def by_code(*limits: Limit) -> dict[str, Limit]:
    """These limits, by code. Of two with the same code, the later counts."""
    return {limit.code: limit for limit in limits}


T = TypeVar("T")


class Field(Struct, frozen=True, gc=False, tag=True):
    """The values that a field of a command may have. Rule sets can define their own kinds, such as places to choose."""

    def admits(self, value: Any) -> bool:
        """Whether the field may have this value."""
        raise NotImplementedError

    def passed(self, value: Any) -> str | None:
        """The code of the limit that a value which is not admitted exceeds, if it has one."""
        raise NotImplementedError

    def most(self, code: str) -> int | None:
        """The greatest value that this limit allows, if there is one."""
        return None

    @property
    def forced(self) -> bool:
        """Whether the field can have only one value."""
        return False


class Choice(Field, Generic[T], frozen=True, gc=False, omit_defaults=True):
    """A field that takes one of the listed values. `limited_by` is the limit that keeps other values out.

    There is one type for each kind of value, so that every client knows what to read.
    """

    options: tuple[T, ...]
    limited_by: Code | None = None

    @property
    def size(self) -> int:
        """The number of options."""
        return len(self.options)

    def admits(self, value: Any) -> bool:
        """Whether the field may have this value."""
        return value in self.options

    def passed(self, value: Any) -> str | None:
        """The limit that keeps the value out."""
        return self.limited_by

    @property
    def forced(self) -> bool:
        """Whether there is only one option."""
        return len(self.options) == 1


class TextChoice(Choice[str], frozen=True, gc=False, omit_defaults=True, tag=True):
    """A field that takes one of the listed texts. `limited_by` is the limit that keeps other values out."""


class FlagChoice(Choice[bool], frozen=True, gc=False, omit_defaults=True, tag=True):
    """A field that is true or false, as listed. `limited_by` is the limit that keeps the other value out."""


class NumberChoice(Choice[Count], frozen=True, gc=False, omit_defaults=True, tag=True):
    """A field that takes one of the listed numbers, or can be omitted if `optional`.

    `limited_by` is the limit that keeps other numbers out.
    """

    optional: bool = False

    def admits(self, value: object) -> bool:
        """Whether the field may have this value."""
        return value in self.options or (value is None and self.optional)


class Range(Field, frozen=True, gc=False, tag=True):
    """A field that takes an integer from `min` to `max` in steps of `step`; `limited_by` names what sets `max`.

    If money changes hands, `prices` has the price of each piece in order, in money: n pieces cost the sum of the first
    n.
    """

    min: Count
    max: Count
    limited_by: Code
    step: Annotated[int, Meta(ge=1, le=MOST)] = 1
    prices: tuple[Money, ...] = ()

    def admits(self, value: object) -> bool:
        """Whether the field may have this value."""
        return isinstance(value, int) and self.min <= value <= self.max and (value - self.min) % self.step == 0

    def passed(self, value: Any) -> str | None:
        """The limit that sets `max`, if the value exceeds it."""
        return None if isinstance(value, int) and value <= self.max else self.limited_by

    def most(self, code: str) -> int | None:
        """The greatest value, unless something else forbids every value there is."""
        return self.max if code in (self.limited_by, OUT_OF_RANGE.code) else None

    @property
    def forced(self) -> bool:
        """Whether the least value is the greatest."""
        return self.min + self.step > self.max

    @property
    def options(self) -> range:
        """The values that the field may have."""
        return range(self.min, self.max + 1, self.step)


class Measured(Protocol):
    """A value that can measure its size."""

    def measures(self) -> Mapping[str, int]:
        """Its size in every respect that has a limit, by the limit's code."""


class Form(Field, frozen=True, gc=False, tag=True, omit_defaults=True):
    """A field that takes any value of the `schema` of this name, or null if `optional`.

    `limits`: how large it may be, by code of refusal.
    """

    schema: TypeName
    limits: dict[Code, Count] = {}
    optional: bool = False

    def admits(self, value: object) -> bool:
        """Whether the field may have this value."""
        if value is None:
            return self.optional
        return type(value).__name__ == self.schema and self.passed(cast(Measured, value)) is None

    def passed(self, value: Measured) -> str | None:
        """The limit that the value exceeds, if there is one."""
        measures = value.measures() if self.limits else {}
        return next((code for code, most in self.limits.items() if measures[code] > most), None)

    def most(self, code: str) -> int | None:
        """How large a value may be in this respect."""
        return self.limits.get(code)


class Offer(Struct, frozen=True, gc=False, omit_defaults=True):
    """Something a seat may do now: the command, the rule that allows it, and each field's values.

    `price` is what one piece costs or earns, in money, if all pieces have the same price.
    """

    command: TypeName
    rule: RuleId
    fields: dict[str, Field] = {}
    price: Money | None = None
    blocked_by: Code | None = None

    @property
    def cost(self) -> int:
        """The `price` of an offer that has one. Raises `LookupError` if it has none."""
        if self.price is None:
            raise LookupError(f"an offer of {self.command} has no one price")
        return self.price

    def prices(self, quantity: int) -> tuple[int, ...]:
        """The price of each of N pieces of the offer's `quantity`, in money."""
        field = self.fields["quantity"]
        if not isinstance(field, Range):
            raise LookupError(f"an offer of {self.command} has no list of prices")
        return field.prices[:quantity]

    def admits(self, command: Struct) -> bool:
        """Whether this offer makes the command legal."""
        if self.blocked_by is not None or self.command != type(command).__name__:
            return False
        for name, field in self.fields.items():  # noqa: SIM110  (every command comes here: twice as fast as all())
            if not field.admits(getattr(command, name)):
                return False
        return True


class Rejection(Struct, frozen=True, gc=False, omit_defaults=True):
    """Why a command is not legal now. `field` and `limit` say how near it came.

    `code` is stable, `rule` is the rule that forbids it. `limit` is the greatest value that would have been legal;
    `line`, if orders are written in lines, the first that exceeds it. `least` and `step` are the least value and the
    distance between legal values, if a number was too small or lay between.
    """

    code: str
    rule: str
    field: str | None = None
    limit: int | None = None
    line: int | None = None
    least: int | None = None
    step: int | None = None


def open_offers(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """The offers that can be taken."""
    return tuple([offer for offer in offers if offer.blocked_by is None])


def leave_a_choice(offers: Collection[Offer]) -> bool:
    """Whether these open offers admit more than one command."""
    return len(offers) != 1 or not all(field.forced for offer in offers for field in offer.fields.values())


def admitting(offers: Iterable[Offer], command: Struct) -> Offer | None:
    """The offer that makes the command legal, if there is one."""
    name = type(command).__name__
    for offer in offers:
        if offer.command == name and offer.admits(command):
            return offer
    return None


def refusal(offers: Iterable[Offer], command: Struct, limits: Mapping[str, Limit]) -> Rejection | None:
    """Why none of the offers admits the command; None if no offer is about this command at all."""
    nearest: Offer | None = None
    reach = -1
    failed: str | None = None
    for offer in offers:
        if offer.command != type(command).__name__:
            continue
        admitted, stumbled = _reach(offer, command)
        if admitted > reach:
            nearest, reach, failed = offer, admitted, stumbled
    if nearest is None:
        return None
    field = None if failed is None else nearest.fields[failed]
    code = nearest.blocked_by or (None if field is None else field.passed(getattr(command, failed or "")))
    limit = limits[code or "out_of_range"]
    within = field if isinstance(field, Range) and code is None else None  # too small, or between two legal values
    return Rejection(
        code=limit.code,
        rule=limit.rule or nearest.rule,
        field=failed,
        limit=None if field is None else field.most(limit.code),
        least=within.min if within else None,
        step=within.step if within else None,
    )


def _reach(offer: Offer, command: Struct) -> tuple[int, str | None]:
    admitted = 0
    for name, field in offer.fields.items():
        if not field.admits(getattr(command, name)):
            return admitted, name
        admitted += 1
    return admitted, None


OUT_OF_RANGE = Limit("out_of_range", "")
NO_SEAT = Limit("no_seat", "table/join")
"""Also refused by the server, in every rule set."""
ONE_DRAW = Limit("one_draw", "chance/one-draw")
"""Refused by the referee, in every rule set. Otherwise the draws of a request that is refused after all
would be seen.
"""
MOST_EVENTS = 256
"""Once the commands of a request have led to more events than this, it may contain no further command."""
TOO_MANY_EVENTS = Limit("too_many_events", "table/request")
"""Refused by the referee, in every rule set."""


@lru_cache(maxsize=256)
def plain(command: str, rule: str, blocked_by: str | None = None) -> Offer:
    """An offer of a command without fields."""
    return Offer(command, rule, blocked_by=blocked_by)
