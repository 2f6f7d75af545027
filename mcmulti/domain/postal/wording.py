"""Orders and conditions in words, for reports."""

from collections.abc import Iterator

from mcmulti.domain.core.data import texts
from mcmulti.domain.core.rounds import Detail
from mcmulti.domain.core.telling import joined
from mcmulti.domain.postal import conditions as c
from mcmulti.domain.postal import sheet as s
from mcmulti.domain.postal.findings import Finding
from mcmulti.domain.postal.phrases import Phrases
from mcmulti.domain.postal.places import Plot

_PLURALS = {"rig": "rigs", "well": "wells", "station": "stations", "refinery": "refineries", None: "all_assets"}
_DOLLARS = (c.PriceIs, c.ConsumerPriceIs, c.CashIs)


class Wording(Phrases):
    """Phrases of events, and those of reports."""

    __slots__ = ()

    TEMPLATES = joined(Phrases.TEMPLATES, texts(__package__, "report.toml"))

    def order(self, order: s.OrderBase) -> str:
        """What a line of a sheet wants done; an if and orders to pumps are no such lines."""
        match order:
            case s.SellAssetOrder():
                return self.fill(
                    "order.SellAssetOrder", asset=self.phrase(f"the_{order.kind}"), site=self._at(order.plot)
                )
            case s.BuyAssetOrder():
                return self.fill("order.BuyAssetOrder", asset=self.phrase(f"a_{order.kind}"), site=self._at(order.plot))
            case s.ConvertRigOrder(plot=None):
                return self.fill("order.ConvertRigOrder.any")
            case s.ConvertRigOrder(plot=Plot() as plot):
                return self.fill("order.ConvertRigOrder.here", site=self._at(plot))
            case s.BuyBarrelsOrder():
                return self._deal("order.BuyBarrelsOrder", order, "most", "not_above", order.not_above)
            case s.SellBarrelsOrder():
                return self._deal("order.SellBarrelsOrder", order, "all", "not_below", order.not_below)
        raise TypeError(f"{type(order).__name__} does nothing of itself")

    def condition(self, condition: c.Condition, findings: tuple[Finding, ...]) -> tuple[Detail, ...]:
        """What was asked and what came of it, part by part; `findings` are those of its parts, in reading order."""
        return self._examined(condition, iter(findings), 0)[1]

    def lines(self, first: int, number: int) -> str:
        """So many lines of a sheet, from the first on."""
        name = {1: "one", 2: "two"}.get(number, "several")
        return self.fill(f"line.{name}", first=first, last=first + number - 1)

    def _at(self, plot: Plot) -> str:
        return self.phrase("line", row=plot.row, column=plot.column)

    def _deal(
        self, name: str, order: s.BuyBarrelsOrder | s.SellBarrelsOrder, everything: str, bound: str, price: int | None
    ) -> str:
        goods = (
            self.fill(f"order.{everything}", good=self.word(order.good))
            if order.quantity == "max"
            else self.barrels(order.quantity, order.good)
        )
        told = "" if price is None else self.fill(f"order.{bound}", price=self.money(price))
        return self.fill(name, goods=goods, market=self.word(order.market), bound=told)

    def _examined(
        self, condition: c.Condition, findings: Iterator[Finding], depth: int
    ) -> tuple[bool, tuple[Detail, ...]]:
        if isinstance(condition, c.AllOf | c.AnyOf | c.Not):
            parts = (condition.condition,) if isinstance(condition, c.Not) else condition.conditions
            examined = [self._examined(part, findings, depth + 1) for part in parts]
            held = [part for part, _ in examined]
            joined = (
                not held[0] if isinstance(condition, c.Not) else (all if isinstance(condition, c.AllOf) else any)(held)
            )
            below = tuple(detail for _, details in examined for detail in details)
            verdict = self._verdict(self.fill(f"condition.{type(condition).__name__}"), joined)
            return joined, (Detail(depth, f"{verdict}."), *below)
        finding = next(findings)
        verdict = self._verdict(self._asked(condition), finding.holds)
        found = self.fill("condition.found", verdict=verdict, value=self._value(finding))
        return finding.holds, (Detail(depth, f"{found}."),)

    def _verdict(self, asked: str, held: bool) -> str:
        return self.fill(f"condition.{'yes' if held else 'no'}", asked=f"{asked[:1].upper()}{asked[1:]}")

    def _value(self, finding: Finding) -> str:
        if finding.value is None:
            return self.fill("condition.missing")
        if isinstance(finding.value, str):
            return self._climate(finding.value)
        return self._figure(finding.condition, finding.value)

    def _asked(self, condition: c.Condition) -> str:
        if isinstance(condition, c.ClimateIs):
            names = [self._climate(name) for name in condition.climates]
            begun, last = names[:-1], names[-1]
            wanted = self.fill("condition.or", begun=", ".join(begun), last=last) if begun else last
            return self.fill("condition.ClimateIs", wanted=wanted)
        return self.fill("condition.asked", subject=self._subject(condition), bounds=self._bounds(condition))

    def _climate(self, name: str) -> str:
        return self.fill("condition.quoted", name=self.word(name))

    def _subject(self, condition: c.Condition) -> str:
        match condition:
            case c.PriceIs():
                good, market = self.word(condition.good), self.word(condition.market)
                return self.fill(f"condition.PriceIs.{condition.deal}", good=good, market=market)
            case c.CashIs(seat=None) | c.AssetsAre(seat=None):
                return self.fill(f"condition.{type(condition).__name__}.own", pieces=self._pieces(condition))
            case c.CashIs() | c.AssetsAre():
                pieces, who = self._pieces(condition), self.who(condition.seat)
                return self.fill(f"condition.{type(condition).__name__}.other", pieces=pieces, who=who)
            case c.BarrelsAre():
                return self.fill("condition.BarrelsAre", good=self.word(condition.good))
            case c.ConversionsAre():
                return self.fill(f"condition.ConversionsAre.{condition.span}")
        return self.fill(f"condition.{type(condition).__name__}")

    def _pieces(self, condition: c.CashIs | c.AssetsAre) -> str:
        return self.word(_PLURALS[condition.kind]) if isinstance(condition, c.AssetsAre) else ""

    def _bounds(self, condition: c.Condition) -> str:
        if not isinstance(condition, c.Bounded):
            raise TypeError(f"{type(condition).__name__} has no bounds")
        least, most = condition.at_least, condition.at_most
        if least is None and most is None:
            name = "any"
        elif least is None or most is None:
            name = "at_most" if least is None else "at_least"
        else:
            name = "exactly" if least == most else "between"
        figures = (self._figure(condition, figure or 0) for figure in (least, most))
        return self.fill(f"bounds.{name}", **dict(zip(("least", "most"), figures, strict=True)))

    def _figure(self, condition: c.Condition, figure: int) -> str:
        return self.money(figure) if isinstance(condition, _DOLLARS) else str(figure)
