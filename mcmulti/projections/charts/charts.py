"""Charts of a game, as SVG for people: cash, net worth, and prices by turn, and the dice."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import groupby
from statistics import median

from mcmulti.domain.core.table import NOBODY, Called
from mcmulti.domain.core.wording.telling import Language, grouped, seat_name, with_point, word
from mcmulti.events.log.envelope import Recorded
from mcmulti.projections.charts.drawing import Bars, Curve, Goal, Period, draw_bars, draw_lines
from mcmulti.projections.charts.names import ChartName
from mcmulti.projections.charts.time_series import Reading, TimeSeries, time_series
from mcmulti.projections.labels import CHART
from mcmulti.projections.pictures.fit import plain
from mcmulti.projections.proof.fairness import die_statistics

_NEAR = 4
"""A goal is drawn up to this many times the greatest value: a more distant one would flatten all lines."""
_FAR = 500
"""Use a logarithmic scale from this many times the median on: otherwise it would be a pixel in the tallest chart."""


def chart(name: ChartName, events: Iterable[Recorded], language: Language = "en", called: Called = NOBODY) -> bytes:
    """A chart of the game so far, as from `chart_image`. Raises the same errors as `time_series`."""
    return chart_image(name, time_series(events, called), language)


def chart_image(name: ChartName, seen: TimeSeries, language: Language = "en") -> bytes:
    """A chart of the game so far, in UTF-8, without scripts and external resources.

    `cash` and `worth` have a line for each player, `prices` one for each price, all in money; the periods of the game
    are shaded behind them. `cash` has a line at its goal as soon as somebody comes near it. `dice` counts faces. `luck`
    has a line for each player: what the dice brought up to then, of all kinds, in percent of the average over all ways
    they could have fallen.
    """
    if name == "dice":
        return _dice(seen, language)
    curves = {"luck": _luck, "prices": _prices}.get(name) or partial(_players, worth=name == "worth")
    return _line_chart(name, seen, language, list(curves(seen, language)))


def _players(seen: TimeSeries, language: Language, *, worth: bool) -> Iterator[Curve]:
    """What each player has: its money, or its total `worth`."""
    money = seen.ruleset.books.money

    def value(seat: int, reading: Reading) -> int:
        holding = reading.gauges.holdings[seat]
        return holding.amounts[money] if holding.worth is None or not worth else holding.worth

    for seat in range(len(seen.readings[-1].gauges.holdings)):
        yield _curve(seen, _player(seen, language, seat), partial(value, seat))


def _luck(seen: TimeSeries, language: Language) -> Iterator[Curve]:
    """A line for each player with any luck values, from the first on."""

    def luck(seat: int, reading: Reading) -> int | None:
        return reading.luck.get(seat)

    for seat in sorted(seen.readings[-1].luck):
        yield _curve(seen, _player(seen, language, seat), partial(luck, seat))


def _prices(seen: TimeSeries, language: Language) -> Iterator[Curve]:

    def price(name: str, reading: Reading) -> int | None:
        return reading.gauges.prices.get(name)

    last = seen.readings[-1].gauges
    for name in last.prices if last.holdings else ():
        yield _curve(seen, word(seen.ruleset.texts.words, language, name), partial(price, name))


def _curve(seen: TimeSeries, name: str, value: Callable[[Reading], int | None]) -> Curve:
    """A value from the moment on when the game has begun."""
    return Curve(name, tuple((each.turn, value(each)) for each in seen.readings if each.gauges.holdings))


def _player(seen: TimeSeries, language: Language, seat: int) -> str:
    return seat_name(partial(word, seen.ruleset.texts.words, language), seat, plain(seen.names[seat] or ""))


def _line_chart(name: ChartName, seen: TimeSeries, language: Language, lines: list[Curve]) -> bytes:
    labels = CHART[language]
    periods = list(_periods(seen, language)) if lines else []
    last = seen.readings[-1].turn
    figures = ", ".join(f"{line.name} {_figure(line.points[-1][1], language)}" for line in lines)
    told = [
        *([labels.end.format(turn=last, figures=figures)] if lines else [f"{labels.nothing}."]),
        *(f"{labels.turns.format(name=period.name, first=period.after + 1, last=period.until)}." for period in periods),
    ]
    by_digits = name in ("cash", "worth") and _by_digits(lines)
    title = _title(name, seen, language) + (f" ({labels.by_digits})" if by_digits else "")
    goal = None
    if name == "cash" and lines and seen.goal is not None:
        goal = Goal(labels.goal.format(grouped(seen.goal, language)), seen.goal)
        told.append(f"{goal.name[:1].upper()}{goal.name[1:]}.")
    if goal is not None and not by_digits and goal.figure > _NEAR * _highest(lines):
        goal = None

    def write(value: float) -> str:
        return with_point(f"{value:,.10g}", language)

    return draw_lines(
        title, " ".join(told), labels.turn, labels.nothing, lines, periods, by_digits=by_digits, goal=goal, write=write
    )


def _highest(lines: Iterable[Curve]) -> int:
    return max((figure for line in lines for _, figure in line.points if figure), default=0)


def _by_digits(lines: Iterable[Curve]) -> bool:
    """Whether most values would be flat compared with the greatest, as for money that multiplies."""
    figures = [figure for line in lines for _, figure in line.points if figure]
    return bool(figures) and min(figures) > 0 and max(figures) >= _FAR * median(figures)


def _title(name: ChartName, seen: TimeSeries, language: Language) -> str:
    ruleset = seen.ruleset
    prices, money = (word(ruleset.texts.words, language, called) for called in ("prices", ruleset.books.money))
    plain_money = name == "cash" and ruleset.books.money == "money"  # which has no name of its own
    title = money if plain_money else CHART[language].said[f"titles.{name}"].format(money=money, prices=prices)
    return title[:1].upper() + title[1:]


def _figure(value: int | None, language: Language) -> str:
    return "—" if value is None else grouped(value, language)


def _periods(seen: TimeSeries, language: Language) -> Iterator[Period]:
    """The periods of the game. A turn belongs to the period at its end."""
    order = seen.ruleset.books.periods

    def in_force(reading: Reading) -> str:
        return reading.gauges.period or ""

    for name, readings in groupby((reading for reading in seen.readings if reading.turn), in_force):
        turns = [reading.turn for reading in readings]
        shade = order.index(name) / max(1, len(order) - 1) if name in order else 0.5
        if name:
            yield Period(word(seen.ruleset.texts.words, language, name), shade, turns[0] - 1, turns[-1])


def _dice(seen: TimeSeries, language: Language) -> bytes:
    labels = CHART[language]
    bars, told = [], []
    for name, faces in seen.faces.items():
        die = word(seen.ruleset.texts.words, language, name)
        tested = die_statistics(name, faces)
        p_value = "" if tested.p_value is None else f", {with_point(labels.p_value.format(tested.p_value), language)}"
        bars.append(Bars(f"{die} ({sum(faces)}{p_value})", name, tuple(faces)))
        expected = with_point(f"{sum(faces) / len(faces):,.1f}", language)
        told.append(labels.fell.format(die=die, faces=", ".join(map(str, faces)), expected=expected))
    return draw_bars(
        labels.said["titles.dice"],
        " ".join(told) or f"{labels.nothing}.",
        labels.face,
        labels.expected,
        labels.nothing,
        bars,
        write=lambda value: with_point(f"{value:,.10g}", language),
    )
