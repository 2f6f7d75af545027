"""Orders and conditions in words, for reports."""

from collections.abc import Iterator

from mcmulti.domain.core.capabilities.rounds import Detail
from mcmulti.domain.core.wording.data import texts
from mcmulti.domain.core.wording.telling import joined
from mcmulti.domain.postal.conditions import conditions as c
from mcmulti.domain.postal.conditions import quantities as q
from mcmulti.domain.postal.conditions.findings import Finding
from mcmulti.domain.postal.names import Plot
from mcmulti.domain.postal.notation.vocabulary import asking
from mcmulti.domain.postal.phrases import Phrases
from mcmulti.domain.postal.sheets import sheet as s

_PLURALS = {"rig": "rigs", "well": "wells", "station": "stations", "refinery": "refineries", None: "all_assets"}
_DOLLARS = (c.PriceIs, q.PriceOf, c.ConsumerPriceIs, q.ConsumerPriceNow, c.CashIs, q.CashOf)


class Wording(Phrases):
    """Phrases for events and for reports."""

    __slots__ = ()

    TEMPLATES = joined(Phrases.TEMPLATES, texts(__package__, "report.toml"))

    def order(self, order: s.OrderBase) -> str:
        """A line of a sheet in words; not for an if, or for instructions to pumps."""
        match order:
            case s.SellAssetOrder():
                return self.fill(
                    "order.SellAssetOrder", asset=self.phrase(f"the_{order.kind}"), site=self._at(order.plot)
                )
            case s.BuyAssetOrder():
                site, keep = self._at(order.plot), self._remainder(order)
                return self.fill("order.BuyAssetOrder", asset=self.phrase(f"a_{order.kind}"), site=site, keep=keep)
            case s.ConvertRigOrder(plot=None):
                return self.fill("order.ConvertRigOrder.any", keep=self._remainder(order))
            case s.ConvertRigOrder(plot=Plot() as plot):
                return self.fill("order.ConvertRigOrder.here", site=self._at(plot), keep=self._remainder(order))
            case s.BuyBarrelsOrder():
                return self._deal("order.BuyBarrelsOrder", order, "most", "not_above", order.not_above)
            case s.SellBarrelsOrder():
                return self._deal("order.SellBarrelsOrder", order, "all", "not_below", order.not_below)
        raise TypeError(f"{type(order).__name__} does nothing of itself")

    def condition(self, condition: c.Condition, findings: tuple[Finding, ...]) -> tuple[Detail, ...]:
        """What was asked and the result, part by part; `findings` are those of its parts, in reading order."""
        return self._examined(condition, iter(findings), 0)[1]

    def lines(self, first: int, number: int) -> str:
        """N lines of a sheet, from the first on."""
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
        return self.fill(name, goods=goods, market=self.word(order.market), bound=told, keep=self._remainder(order))

    def _remainder(self, order: s.ConvertRigOrder | s.BuyAssetOrder | s.BuyBarrelsOrder | s.SellBarrelsOrder) -> str:
        if not order.keep:
            return ""
        kept = self.barrels(order.keep, order.good) if isinstance(order, s.SellBarrelsOrder) else self.money(order.keep)
        return self.fill("order.keep", kept=kept)

    def _examined(
        self, condition: c.Condition, findings: Iterator[Finding], depth: int
    ) -> tuple[bool, tuple[Detail, ...]]:
        if isinstance(condition, c.AllOf | c.AnyOf | c.Not):
            examined = [self._examined(part, findings, depth + 1) for part in c.parts(condition)]
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
        match finding.condition:
            case c.AssetAt():
                return (
                    self.fill("condition.AssetAt.nothing") if finding.value is None else self.word(str(finding.value))
                )
            case c.LineWas():
                return self.fill(f"outcome.{finding.value or 'not_reached'}")
            case c.Compares(quantity=quantity, other=other):
                return self._compared(quantity, finding.value, other, finding.other)
        if finding.value is None:
            return self.fill("condition.missing")
        if isinstance(finding.value, str):
            return self._climate(finding.value)
        return self._figure(finding.condition, finding.value)

    def _compared(self, quantity: q.Quantity, value: object, other: q.Quantity, against: int | None) -> str:
        if not isinstance(value, int) or against is None:
            return self.fill("condition.missing")
        first, second = self._figure(quantity, value), self._figure(other, against)
        return self.fill("condition.Compares.found", first=first, other=second)

    def _asked(self, condition: c.Condition) -> str:
        if isinstance(condition, c.ClimateIs):
            names = [self._climate(name) for name in condition.climates]
            begun, last = names[:-1], names[-1]
            wanted = self.fill("condition.or", begun=", ".join(begun), last=last) if begun else last
            return self.fill("condition.ClimateIs", wanted=wanted)
        match condition:
            case c.AssetAt():
                return self._asset_at(condition)
            case c.LineWas():
                wanted = self.fill(f"outcome.{condition.outcome or 'done'}")
                return self.fill("condition.LineWas", line=condition.line, wanted=wanted)
            case c.Compares():
                return self._comparison(condition)
        return self.fill("condition.asked", subject=self._subject(condition), bounds=self._bounds(condition))

    def _climate(self, name: str) -> str:
        return self.fill("condition.quoted", name=self.word(name))

    def _asset_at(self, condition: c.AssetAt) -> str:
        asset = self.word(condition.kind) if condition.kind else self.fill("condition.AssetAt.any")
        place = self._place(condition.plot, condition.seat)
        return self.fill(f"condition.AssetAt.{'hit' if condition.hit else 'stands'}", asset=asset, place=place)

    def _place(self, plot: Plot, seat: int | None) -> str:
        site = self._at(plot)
        return site if seat is None else self.fill("condition.place_of", site=site, who=self.who(seat))

    def _comparison(self, condition: c.Compares) -> str:
        subjects = (asking(each) for each in (condition.quantity, condition.other))
        first, other = (self._subject(subject) for subject in subjects)
        plus = condition.plus
        if plus:
            name = "plus" if plus > 0 else "minus"
            figure = self._figure(condition.quantity, abs(plus))
            other = self.fill(f"condition.Compares.{name}", other=other, figure=figure)
        return self.fill(f"condition.Compares.{condition.relation}", first=first, other=other)

    def _subject(self, condition: c.Condition) -> str:
        match condition:
            case c.PriceIs():
                good, market = self.word(condition.good), self.word(condition.market)
                return self.fill(f"condition.PriceIs.{condition.deal}", good=good, market=market)
            case c.CashIs(seat=None) | c.AssetsAre(seat=None) | c.BarrelsAre(seat=None):
                return self.fill(f"condition.{type(condition).__name__}.own", pieces=self._pieces(condition))
            case c.CashIs() | c.AssetsAre() | c.BarrelsAre():
                pieces, who = self._pieces(condition), self.who(condition.seat)
                return self.fill(f"condition.{type(condition).__name__}.other", pieces=pieces, who=who)
            case c.AssetDealsAre():
                return self._asset_deals(condition)
            case c.BarrelDealsAre():
                return self._barrel_deals(condition)
            case c.RollsAre():
                return self._rolls(condition)
        return self.fill(f"condition.{type(condition).__name__}")

    def _pieces(self, condition: c.CashIs | c.AssetsAre | c.BarrelsAre) -> str:
        if isinstance(condition, c.BarrelsAre):
            return self.word(condition.good)
        return self.word(_PLURALS[condition.kind]) if isinstance(condition, c.AssetsAre) else ""

    def _asset_deals(self, condition: c.AssetDealsAre) -> str:
        pieces = self.word("rigs" if condition.deed == "converted" else _PLURALS[condition.kind])
        place = "" if condition.plot is None else self.fill("deals.at", place=self._at(condition.plot))
        return self._deals(condition.deed, pieces, place, condition.seat)

    def _barrel_deals(self, condition: c.BarrelDealsAre) -> str:
        pieces = self.fill("deals.of", good=self.word(condition.good)) if condition.good else self.fill("deals.barrels")
        place = self.fill(f"deals.{condition.market}") if condition.market else ""
        return self._deals(condition.deed or "dealt", pieces, place, condition.seat)

    def _deals(self, deed: str, pieces: str, place: str, seat: int | None) -> str:
        by = "" if seat is None else self.fill("deals.by", who=self.who(seat))
        return self.fill(f"deals.{deed}", pieces=pieces, place=place, by=by)

    def _rolls(self, condition: c.RollsAre) -> str:
        asked = []
        if condition.row is not None:
            asked.append(self.fill("rolls.row", number=condition.row))
        if condition.column is not None:
            asked.append(self.fill("rolls.column", number=condition.column))
        if condition.double is not None:
            asked.append(self.fill(f"rolls.{'double' if condition.double else 'no_double'}"))
        by = "" if condition.seat is None else self.fill("rolls.of", who=self.who(condition.seat))
        return self.fill("rolls.with" if asked else "rolls.any", what=self.listing(asked) if asked else "", of=by)

    def _bounds(self, condition: c.Condition) -> str:
        if not isinstance(condition, c.Bounded):
            raise TypeError(f"{type(condition).__name__} has no bounds")
        least, most = condition.bounds
        if least is None and most is None:
            name = "any"
        elif least is None or most is None:
            name = "at_most" if least is None else "at_least"
        else:
            name = "exactly" if least == most else "between"
        figures = (self._figure(condition, figure or 0) for figure in (least, most))
        return self.fill(f"bounds.{name}", **dict(zip(("least", "most"), figures, strict=True)))

    def _figure(self, asked: c.Condition | q.Quantity, figure: int) -> str:
        return self.money(figure) if isinstance(asked, _DOLLARS) else str(figure)
