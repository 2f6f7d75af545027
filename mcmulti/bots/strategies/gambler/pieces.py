"""Chips and notes: the value of pieces, and which pieces of a purse add up to about an amount."""

Purse = dict[str, int]
"""How many of each kind, as `purse` and `stake` of a view."""

VALUES = {
    "ones": 1,
    "tens": 10,
    "hundreds": 100,
    "thousands": 1000,
    "ten_thousands": 10_000,
    "hundred_thousands": 100_000,
}
"""The value of a piece of each kind."""
LEAST_NOTE = 1000
"""The least value of a note."""
_FALLING = sorted(VALUES.items(), key=lambda kind: -kind[1])


def worth(pieces: Purse) -> int:
    """The value of pieces."""
    return sum([number * VALUES[kind] for kind, number in pieces.items()])


def chips(pieces: Purse) -> int:
    """The value of those that are not notes."""
    return sum(number * VALUES[kind] for kind, number in pieces.items() if VALUES[kind] < LEAST_NOTE)


def without(pieces: Purse, others: Purse) -> Purse:
    """These pieces without others, which must be among them."""
    return {kind: number - others.get(kind, 0) for kind, number in pieces.items()}


def at_most(purse: Purse, money: int) -> Purse:
    """The pieces of a purse that come nearest to an amount of money, 0 or more, without exceeding it."""
    found = dict.fromkeys(purse, 0)
    for kind, value in _FALLING:
        if money >= value:
            found[kind] = min(purse[kind], money // value)
            money -= found[kind] * value
    return found


def at_least(purse: Purse, money: int) -> Purse:
    """The pieces of a purse that come nearest to an amount of money, at least that; all if they do not reach it."""
    return without(purse, at_most(purse, max(0, worth(purse) - money)))
