"""Parse conditions in the notation of order sheets."""

from collections.abc import Callable
from typing import Any, cast

from msgspec.structs import replace

from mcmulti.domain.core.figures import MOST
from mcmulti.domain.oil.names import Good, Kind, MarketName
from mcmulti.domain.postal.conditions import conditions as c
from mcmulti.domain.postal.conditions import quantities as q
from mcmulti.domain.postal.names import LINES, AssetDeed, BarrelDeed, Buyer, Deal, Plot, Relation
from mcmulti.domain.postal.notation.token_reader import TokenReader
from mcmulti.domain.postal.notation.tokens import refuse
from mcmulti.domain.postal.notation.vocabulary import CLIMATES, GOODS, KINDS_OF, MARKETS, asking

_MOST_CONDITIONS = 50
_MOST_CLIMATES = 7
_ASSET_DEEDS: dict[str, AssetDeed] = {"bought": "bought", "sold": "sold", "converted": "converted"}
_BARREL_DEEDS: dict[str, BarrelDeed | None] = {"bought": "bought", "sold": "sold", "dealt": None}
_DEEDS = (*_BARREL_DEEDS, "converted", "rolled")
_DEALS: dict[str, Deal] = {"buy": "buy", "sell": "sell"}
_BARRELS: dict[str, Good | None] = {**GOODS, "barrels": None}
_SIGNS: dict[str, Relation] = {">": "more", ">=": "at_least", "=": "equal", "<=": "at_most", "<": "less"}
_WORDS: dict[str, Relation] = {
    "more": "more",
    "above": "more",
    "exactly": "equal",
    "equal": "equal",
    "less": "less",
    "fewer": "less",
    "below": "less",
}
_BOUNDS = ("is", "are", "any", "from", "between", "at", *_WORDS, *_SIGNS)


class ConditionReader(TokenReader):
    """Parses conditions."""

    def condition(self) -> c.Condition:
        """Conditions joined by `and`, or by `or`; both need parentheses."""
        with self.deeper():
            parts, plain = [], []
            joint = None
            while True:
                is_climate = self.lexeme.text in CLIMATES or self.lexeme.text == "climate"
                parts.append(self._denied())
                plain.append(is_climate and isinstance(parts[-1], c.ClimateIs))
                here = self.lexeme
                word = self.word("and", "or")
                if word is None:
                    break
                if joint not in (None, word):
                    refuse(here, "mixed")
                joint = word
        if joint == "or":
            parts = self._merged(parts, plain)
        if len(parts) == 1:
            return parts[0]
        return self._joined(c.AnyOf if joint == "or" else c.AllOf, parts)

    def _merged(self, parts: list[c.Condition], plain: list[bool]) -> list[c.Condition]:
        """Adjacent climates without parentheses are merged into one condition."""
        merged = parts[:1]
        for part, is_plain, follows_plain in zip(parts[1:], plain[1:], plain, strict=False):
            last = merged[-1]
            if is_plain and follows_plain and isinstance(last, c.ClimateIs) and isinstance(part, c.ClimateIs):
                if len(last.climates) == _MOST_CLIMATES:
                    refuse(self.lexeme, "too_many", most=_MOST_CLIMATES)
                merged[-1] = c.ClimateIs((*last.climates, *part.climates))
            else:
                merged.append(part)
        return merged

    def _joined(self, kind: type[c.AllOf] | type[c.AnyOf], parts: list[c.Condition]) -> c.Condition:
        if len(parts) > _MOST_CONDITIONS:
            refuse(self.lexeme, "too_many", most=_MOST_CONDITIONS)
        return kind(tuple(parts))

    def _denied(self) -> c.Condition:
        if not self.word("not"):
            return self._one()
        with self.deeper():
            return c.Not(self._denied())

    def _one(self) -> c.Condition:
        if self.word("("):
            condition = self.condition()
            self.must(")")
            return condition
        name = self.word("all", "any")
        if name:
            self.must("of")
            self.must("(")
            parts = [self.condition()]
            while self.word(","):
                parts.append(self.condition())
            self.must(")")
            return self._joined(c.AllOf if name == "all" else c.AnyOf, parts)
        return self._asked()

    def _asked(self) -> c.Condition:
        """A condition without nested conditions."""
        name = self.lexeme.text
        if name in CLIMATES:
            return self._climate()
        if name in KINDS_OF:
            return self._assets(self.must_mean(KINDS_OF))
        if name in ("i", "anyone", "player") or (self.is_player and not self.next_is("'s")):
            return self._doing()
        begun: dict[str, Callable[[], c.Condition]] = {
            "climate": self._climate_or_changes,
            "conversions": lambda: self._bounded(c.ConversionsAre()),
            "round": lambda: self._bounded(c.RoundIs()),
            "roll": self._roll,
            "rolls": self._roll,
            "line": self._line,
            "hit": lambda: self._standing(self.must_mean(KINDS_OF), self._owner(), hit=True),
        }
        if name in begun:
            self.take()
            return begun[name]()
        return self._figures(self._quantity("condition"))

    def _climate_or_changes(self) -> c.Condition:
        if self.word("changes"):
            return self._bounded(c.ClimateChangesAre())
        self.skip("is")
        return self._climate()

    def _climate(self) -> c.ClimateIs:
        is_two_words = self.lexeme.text == "rapid"
        climate = c.ClimateIs((self.must_mean(CLIMATES),))
        if is_two_words:
            self.must("growth")
        return climate

    def _line(self) -> c.LineWas:
        line = self.integer(1, LINES)
        self.skip("was")
        done = self.must("done", "skipped")
        if done == "skipped":
            return c.LineWas(line, "skipped")
        if not self.word("in"):
            return c.LineWas(line)
        return c.LineWas(line, "in_full" if self.must("full", "part") == "full" else "in_part")

    def _roll(self, seat: int | None = None) -> c.Condition:
        roll = c.RollsAre(seat=seat)
        if self.word("not"):
            self.must("double")
            roll = replace(roll, double=False)
        elif self.word("double"):
            roll = replace(roll, double=True)
        if self.word("row"):
            roll = replace(roll, row=self.integer(1, 6))
        if self.word("column"):
            roll = replace(roll, column=self.integer(1, 6))
        if seat is None and self.word("for"):
            roll = replace(roll, seat=self.player())
        return self._bounded(roll)

    def _assets(self, kind: Kind | None) -> c.Condition:
        """A kind of asset was named: what was done with it, what is on a site, or how many there are."""
        if self.lexeme.text in _ASSET_DEEDS:
            return self._figures(self._assets_dealt(kind))
        seat = self._owner()
        if self.lexeme.text == "at" and not self._is_bound:
            return self._standing(kind, seat)
        return self._figures(q.AssetsOf(kind, seat))

    def _standing(self, kind: Kind | None, seat: int | None, *, hit: bool = False) -> c.AssetAt:
        self.must("at")
        return c.AssetAt(self.plot(), kind, seat, hit)

    def _doing(self) -> c.Condition:
        """What a player has, or what a player or anyone did in the round."""
        seat = None
        if not self.word("anyone"):
            if self.lexeme.text == "i" and self.next_is("have"):
                self.take()
            else:
                seat = self.player()
            if not any(map(self.next_is, _DEEDS)) and self.word("has", "have"):
                return self._having(seat)
        self.skip("has", "have")
        deed = self.must(*_DEEDS)
        self.skip("a", "an")
        if deed == "rolled":
            return self._roll(seat)
        good = None if deed == "converted" else self.meaning(_BARRELS)
        if good:
            return self._figures(q.BarrelDealsOf(_BARREL_DEEDS[deed], good[0], self._dealt_on(), seat))
        if deed not in _ASSET_DEEDS:
            self.fail()
        return self._figures(q.AssetDealsOf(_ASSET_DEEDS[deed], self.must_mean(KINDS_OF), self._dealt_at(), seat))

    def _having(self, seat: int | None) -> c.Condition:
        """What a player has: an asset on a site, more than or as much as another player, or an amount."""
        if self.lexeme.text in KINDS_OF or self.skip("a", "an"):
            return self._standing(self.must_mean(KINDS_OF), seat)
        if self.word("no"):
            return asking(self._held(seat), None, 0)
        if self.word("as"):
            self.must("much", "many")
            return self._against(self._held(seat), "equal", "as")
        if self.lexeme.text in ("more", "less", "fewer") and not self.next_is("than"):
            relation = _WORDS[self.take().text]
            return self._against(self._held(seat), relation, "than")
        bounds = self._limits(self._relation())
        return asking(self._held(seat), *bounds)

    def _held(self, seat: int | None) -> Any:
        if self.word("cash"):
            return q.CashOf(seat)
        good = self.meaning(GOODS)
        return q.BarrelsOf(good[0], seat) if good else q.AssetsOf(self.must_mean(KINDS_OF), seat)

    def _against(self, held: Any, relation: Relation, word: str) -> c.Compares:
        """What a player has, and what to compare it with."""
        self.must(word)
        return c.Compares(held, replace(held, seat=None if self.word("me") else self.player()), relation)

    def _figures(self, quantity: Any) -> c.Condition:
        """A named quantity, and its required value."""
        return self._bounded(asking(quantity, None, None), quantity)

    def _bounded(self, asked: Any, quantity: Any = None) -> c.Condition:
        """A condition on a number, with its bounds, which follow; with a quantity, it can also be a comparison."""
        condition: c.Condition = asked
        if isinstance(asked, c.Counted) and not self._is_bound:
            return condition
        self.skip("is", "are")
        if self.word("any"):
            return condition
        if self.word("from", "between"):
            least = self.integer(0, MOST)
            self.must("to", "and")
            return _between(condition, least, self.integer(0, MOST))
        relation = self._relation()
        if quantity is not None and self.lexeme.kind == "word":
            return self._compared(quantity, relation)
        return _between(condition, *self._limits(relation))

    @property
    def _is_bound(self) -> bool:
        """Whether a bound begins here; a place can begin with `at` too."""
        if self.lexeme.text == "at":
            return self.next_is("least") or self.next_is("most")
        return self.lexeme.text in _BOUNDS

    def _relation(self) -> Relation:
        if self.lexeme.text in _SIGNS:
            return _SIGNS[self.take().text]
        if self.word("at"):
            return "at_least" if self.must("least", "most") == "least" else "at_most"
        relation = self.must_mean(_WORDS)
        self.skip("than", "to")
        return relation

    def _limits(self, relation: Relation) -> tuple[int | None, int | None]:
        """The least and the greatest number, from the number here."""
        if relation == "more":
            return self.integer(0, MOST - 1) + 1, None
        if relation == "less":
            return None, self.integer(1, MOST) - 1
        number = self.integer(0, MOST)
        return None if relation == "at_most" else number, None if relation == "at_least" else number

    def _compared(self, quantity: Any, relation: Relation) -> c.Compares:
        other = self._quantity("quantity")
        sign = self.word("plus", "minus")
        plus = self.integer(0, 1000) if sign else 0
        return c.Compares(quantity, other, relation, -plus if sign == "minus" else plus)

    def _quantity(self, expected: str) -> Any:
        """A quantity; `expected` is the expected token if there is none here."""
        if self.is_player and self.next_is("'s"):
            seat = self.player()
            self.take()
            return self._held(seat)
        if self.word("my"):
            return self._held(None)
        if self.word("cash"):
            return q.CashOf(self._owner())
        if self.word("consumer"):
            self.must("price")
            return q.ConsumerPriceNow()
        if self.word("price"):
            self.must("to")
            deal = self.must_mean(_DEALS)
            good, market = self.traded()
            return q.PriceOf(deal, self.must_mean(MARKETS) if market is None else market, good)
        good_named = self.meaning(_BARRELS)
        if good_named:
            return self._barrels(good_named[0])
        kind = self.meaning(KINDS_OF)
        if kind is None:
            self.fail_as(expected)
        return self._assets_dealt(kind[0]) if self.lexeme.text in _ASSET_DEEDS else q.AssetsOf(kind[0], self._owner())

    def _barrels(self, good: Good | None) -> q.BarrelsOf | q.BarrelDealsOf:
        """Barrels were named: how many were traded, or how many there are."""
        if good is None or self.lexeme.text in _BARREL_DEEDS:
            deed, seat = self.must_mean(_BARREL_DEEDS), self._by()
            return q.BarrelDealsOf(deed, good, self._dealt_on(), seat)
        return q.BarrelsOf(good, self._owner())

    def _assets_dealt(self, kind: Kind | None) -> q.AssetDealsOf:
        deed, seat = self.must_mean(_ASSET_DEEDS), self._by()
        return q.AssetDealsOf(deed, kind, self._dealt_at(), seat)

    def _owner(self) -> int | None:
        return self.player() if self.word("of") else None

    def _by(self) -> int | None:
        return self.player() if self.word("by") else None

    def _dealt_at(self) -> Plot | None:
        if self._is_bound or not self.word("at"):
            return None
        return self.plot()

    def _dealt_on(self) -> Buyer | None:
        if not self._is_bound and self.word("at"):
            self.must("pumps")
            return "consumers"
        return self.market()

    def traded(self) -> tuple[Good, MarketName | None]:
        """A good and its market, in either order; the market is optional."""
        market = self.market()
        self.skip("of")
        good = self.must_mean(GOODS)
        return good, market or self.market()

    def market(self) -> MarketName | None:
        """A market, if there is one here: with `on` in front and `market` after it, or without."""
        named = (self.must_mean(MARKETS),) if self.word("on") else self.meaning(MARKETS)
        if named is None:
            return None
        self.skip("market")
        return named[0]


def _between(condition: Any, least: int | None, most: int | None) -> c.Condition:
    return cast(c.Condition, replace(condition, at_least=least, at_most=most))
