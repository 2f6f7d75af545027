"""What is known about a condition before the round: whether it must hold, cannot hold, or can."""

from collections.abc import Mapping
from typing import NamedTuple

from msgspec.structs import replace

from mcmulti.domain.core.figures import MOST
from mcmulti.domain.oil.names import EconomyName
from mcmulti.domain.postal.components import CLIMATE_CHANGES, CLIMATES, FIELDS, HIGHEST_PRICE, PLAYERS, STEP
from mcmulti.domain.postal.conditions import conditions as c


class Figures(NamedTuple):
    """The possible values of a number: from `least` to `most`; `sure` if there is certainly one."""

    least: int
    most: int
    sure: bool = True


class Climates(NamedTuple):
    """The possible climates."""

    names: frozenset[EconomyName]


Values = Figures | Climates
Known = Mapping[c.Condition, Values]
"""What is known about the subjects of conditions. A subject is a condition without its bounds."""

_ALL_CLIMATES = Climates(frozenset(CLIMATES))
_SITES = 36
_YES_OR_NO = Figures(0, 1)
"""The values of a condition that asks for no number."""


def subject(condition: c.Condition) -> c.Condition:
    """The subject of a condition: the condition without its bounds."""
    if isinstance(condition, c.Bounded):
        return replace(condition, at_least=None, at_most=None)
    return c.ClimateIs(tuple(CLIMATES)) if isinstance(condition, c.ClimateIs) else condition


def verdict(condition: c.Condition, known: Known) -> bool | None:
    """Whether a condition holds, as far as that is known; None if both are possible."""
    if isinstance(condition, c.Not):
        inner = verdict(condition.condition, known)
        return None if inner is None else not inner
    if isinstance(condition, c.AllOf):
        return _verdict_of_all(condition.conditions, known)
    if isinstance(condition, c.AnyOf):
        none = _verdict_of_all(tuple(c.Not(part) for part in condition.conditions), known)
        return None if none is None else not none
    met = _met(_values(condition, known), condition)
    if met is None:
        return False
    possible = _values(condition, known)
    return True if met == possible and not (isinstance(possible, Figures) and not possible.sure) else None


def _verdict_of_all(conditions: tuple[c.Condition, ...], known: Known) -> bool | None:
    """Each is evaluated given those before it."""
    certain = True
    for condition in conditions:
        held = verdict(condition, known)
        if held is False:
            return False
        certain = certain and held is True
        known = assuming(condition, True, known)
    return True if certain else None


def assuming(condition: c.Condition, held: bool, known: Known) -> Known:
    """What is known after a condition was found to hold, or not to."""
    if isinstance(condition, c.Not):
        return assuming(condition.condition, not held, known)
    if isinstance(condition, c.AllOf | c.AnyOf):
        if isinstance(condition, c.AllOf) is held:
            for part in condition.conditions:
                known = assuming(part, held, known)
        return known
    possible = _values(condition, known)
    left = _met(possible, condition) if held else _missed(possible, condition)
    return known if left is None else {**known, subject(condition): left}


def lines_asked(condition: c.Condition) -> frozenset[int]:
    """The numbers of the lines whose outcome is asked for."""
    if isinstance(condition, c.LineWas):
        return frozenset((condition.line,))
    return frozenset().union(*map(lines_asked, c.parts(condition)))


def _values(condition: c.Condition, known: Known) -> Values:
    return known.get(subject(condition)) or _possible(condition)


def _possible(condition: c.Condition) -> Values:
    """All values that the rules allow."""
    match condition:
        case c.ClimateIs():
            return _ALL_CLIMATES
        case c.PriceIs(good=good):
            return Figures(STEP[good], STEP[good] * FIELDS, sure=False)
        case c.ConsumerPriceIs():
            return Figures(1, HIGHEST_PRICE, sure=False)
        case c.AssetsAre():
            return Figures(0, _SITES)
        case c.ClimateChangesAre():
            return Figures(0, CLIMATE_CHANGES)
        case c.RoundIs():
            return Figures(1, MOST)
        case c.RollsAre():
            return Figures(0, PLAYERS if condition.seat is None else 1)
        case c.AssetDealsAre() if _never_done(condition):
            return Figures(0, 0)
        case c.BarrelDealsAre(market="consumers") if condition.deed == "bought" or condition.good == "crude":
            return Figures(0, 0)
        case c.AssetAt() | c.LineWas() | c.Compares():
            return _YES_OR_NO
        case _:
            return Figures(0, MOST)


def _met(possible: Values, condition: c.Condition) -> Values | None:
    """The values that meet the condition; None if none does."""
    if isinstance(possible, Climates):
        names = possible.names & frozenset(condition.climates if isinstance(condition, c.ClimateIs) else ())
        return Climates(names) if names else None
    least, most = _bounds(condition)
    met = Figures(max(possible.least, least), min(possible.most, most), possible.sure)
    if met.least > met.most:
        return None
    return met if (met.least, met.most) == (possible.least, possible.most) else met._replace(sure=True)


def _missed(possible: Values, condition: c.Condition) -> Values | None:
    """The values that do not meet the condition, if they are one range; None if that is not known."""
    if isinstance(possible, Climates):
        names = possible.names - frozenset(condition.climates if isinstance(condition, c.ClimateIs) else ())
        return Climates(names) if names else None
    least, most = _bounds(condition)
    if not possible.sure:
        return None
    if least <= possible.least <= most < possible.most:
        return possible._replace(least=most + 1)
    if possible.least < least <= possible.most <= most:
        return possible._replace(most=least - 1)
    return None


def _never_done(condition: c.AssetDealsAre) -> bool:
    """Wells cannot be bought, and only rigs are converted."""
    return (condition.deed, condition.kind) == ("bought", "well") or (
        condition.deed == "converted" and condition.kind not in (None, "rig")
    )


def _bounds(condition: c.Condition) -> tuple[int, int]:
    if not isinstance(condition, c.Bounded):
        return 1, 1
    least, most = condition.bounds
    return least or 0, MOST if most is None else most
