"""The notation of order sheets: what people write, what is written back, and the messages about mistakes."""

import re
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcmulti.domain.core.capabilities.rounds import UnreadOrders
from mcmulti.domain.postal.conditions import conditions as c
from mcmulti.domain.postal.conditions import quantities as q
from mcmulti.domain.postal.names import Plot
from mcmulti.domain.postal.notation.reading import read_sheet
from mcmulti.domain.postal.notation.tokens import LONGEST, MOST_TOKENS, tokens
from mcmulti.domain.postal.notation.writing import condition_text, order_text, sheet_text
from mcmulti.domain.postal.sheets import sheet as s
from mcmulti.domain.postal.sheets.sheet import OrderSheet
from tests.pure.postal.forms import is_legal, sheets
from tests.thorough import examples

MANY = settings(examples(120), suppress_health_check=[HealthCheck.too_slow])
RIG = s.BuyAssetOrder("rig", Plot(1, 1))
B = 1


def read(text: str, seat: int | None = None) -> OrderSheet:
    sheet: OrderSheet = read_sheet(text, seat).sheet
    return sheet


def condition(text: str, seat: int | None = None) -> c.Condition:
    [order] = read(f"if {text}: convert", seat).orders
    assert isinstance(order, s.IfOrder)
    return order.condition


def refusal(text: str) -> UnreadOrders:
    with pytest.raises(UnreadOrders) as refused:
        read(text)
    return refused.value


def sheet_or_refusal(text: str) -> OrderSheet | UnreadOrders:
    try:
        return read(text)
    except UnreadOrders as refused:
        return refused


@MANY
@given(sheets())
def test_what_is_written_is_read_as_the_same_sheet(sheet: OrderSheet) -> None:
    """All existing forms, since the generated sheets are derived from the types."""
    text = sheet_text(sheet)
    assert read(text) == sheet, text
    assert sheet_text(read(text)) == text


VOCABULARY = """
buy sell convert rig pump well refinery assets all but max keep crude gasoline barrels domestic foreign if unless else
end nothing and or not above below at least most from to exactly more less than is any of cash price consumer climate
changes depression recession rapid growth line done skipped round roll double conversions row column for by on pumps
hold each my I B's B A1 c6 bought sold dealt anyone has hit 0 1 2 3 50 200 2147483648 ( ) : ; , >= <= > < = # ' é
"""
WORDS = (*VOCABULARY.split(), "\n", "\n", "\t", "\0")


@MANY
@given(st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join) | st.text(max_size=60))
def test_any_text_is_a_sheet_or_is_refused_at_a_place_of_it(text: str) -> None:
    found = sheet_or_refusal(text)
    if isinstance(found, OrderSheet):
        assert is_legal(found)
        assert read(sheet_text(found)) == found
    else:
        lines = re.split(r"\r\n?|\n", text)
        assert 1 <= found.line <= len(lines)
        assert 1 <= found.column <= len(lines[found.line - 1]) + 1
        assert f"Line {found.line}, column {found.column}: " in found.sentences["en"]
        assert f"Zeile {found.line}, Spalte {found.column}: " in found.sentences["de"]


@MANY
@given(sheets(), st.data())
def test_a_sheet_with_something_missing_or_wrong_is_no_accident(sheet: OrderSheet, data: st.DataObject) -> None:
    """With a word less, a word twice, or another word, it is a valid sheet, or it is refused."""
    words = re.findall(r"\S+|\n", sheet_text(sheet))
    at = data.draw(st.integers(0, len(words) - 1))
    changed = data.draw(st.sampled_from([[], [words[at]] * 2, [data.draw(st.sampled_from(WORDS))]]))
    found = sheet_or_refusal(" ".join([*words[:at], *changed, *words[at + 1 :]]))
    assert isinstance(found, UnreadOrders) or is_legal(found)


def test_a_few_short_lines() -> None:
    assert read(
        """
        sell rig B3
        convert C4
        buy pump A1 unless depression   # what it brings then is not worth it
        if B has more cash than me: buy 3 crude foreign not above 8 else sell all but 2 gasoline foreign
        pumps: hold
        """
    ) == OrderSheet(
        (
            s.SellAssetOrder("rig", Plot(2, 3)),
            s.ConvertRigOrder(Plot(3, 4)),
            s.IfOrder(c.Not(c.ClimateIs(("depression",))), (s.BuyAssetOrder("station", Plot(1, 1)),)),
        ),
        (
            s.IfTrade(
                c.Compares(q.CashOf(B), q.CashOf(), "more"),
                (s.BuyBarrelsOrder("foreign", "crude", 3, not_above=8),),
                (s.SellBarrelsOrder("foreign", "gasoline", "max", keep=2),),
            ),
        ),
        s.HoldPumps(),
    )


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("  BUY\tPump   a1  ", "buy pump A1"),
        ("Buy a station at row 1, column 1.", "buy pump A1"),
        ("1. buy pump A1; 2) buy rig B2", "buy pump A1\nbuy rig B2"),
        ("buy pump A1, buy rig B2\r\nsell the rig at C3\r", "buy pump A1\nbuy rig B2\nsell rig C3"),
        ("buy 3 barrels of crude on the domestic market, not above $8M", "buy 3 crude domestic not above 8"),
        ("market: domestic\nbuy 3 crude\nsell max petrol", "buy 3 crude domestic\nsell max gasoline domestic"),
        ("sell all but 2 international gas", "sell all but 2 gasoline foreign"),
        ("convert the rig keep 50", "convert rig keep 50 cash"),
        ("if depression then convert", "convert rig if depression"),
        ("if depression, convert", "convert rig if depression"),
        ("unless cash < 5: convert", "convert rig unless cash at most 4"),
        ("if depression: buy rig A1\n\nelse: buy rig A2", "if depression: buy rig A1 else buy rig A2"),
        ("if depression:\nend", "assets:\nif depression:\nend"),
        ("convert keep 1,234,567 cash", "convert rig keep 1234567 cash"),
        ("convert if anyone has sold crude", "convert rig if anyone sold crude"),
        ("convert if anyone rolled row 3 at least 2", "convert rig if roll row 3 at least 2"),
        ("nothing", ""),
        ("", ""),
    ],
)
def test_what_may_be_written_in_other_ways(text: str, plain: str) -> None:
    assert sheet_text(read(text)) == "".join(f"{line}\n" for line in plain.splitlines()) + "pumps: sell\n"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("depression or recession", c.ClimateIs(("depression", "recession"))),
        ("climate is rapid growth", c.ClimateIs(("rapid_growth",))),
        ("(depression) or recession", c.AnyOf((c.ClimateIs(("depression",)), c.ClimateIs(("recession",))))),
        (
            "depression or recession or cash > 5",
            c.AnyOf((c.ClimateIs(("depression", "recession")), c.CashIs(at_least=6))),
        ),
        ("not depression and round >= 3", c.AllOf((c.Not(c.ClimateIs(("depression",))), c.RoundIs(3)))),
        ("any of (conversions at most 2)", c.AnyOf((c.ConversionsAre(at_most=2),))),
        ("cash from 5 to 10 and round at least 2", c.AllOf((c.CashIs(5, 10), c.RoundIs(2)))),
        ("B's cash between 5 and 10", c.CashIs(5, 10, B)),
        ("I have at least 8 gasoline", c.BarrelsAre(good="gasoline", at_least=8)),
        ("B has no rigs", c.AssetsAre(at_most=0, kind="rig", seat=B)),
        ("rigs of B is exactly 3", c.AssetsAre(3, 3, "rig", B)),
        ("B has a rig at C3", c.AssetAt(Plot(3, 3), "rig", B)),
        ("hit asset at C3", c.AssetAt(Plot(3, 3), hit=True)),
        ("price to buy domestic crude <= 8", c.PriceIs(deal="buy", market="domestic", good="crude", at_most=8)),
        ("consumer price any", c.ConsumerPriceIs()),
        ("climate changes at least 1", c.ClimateChangesAre(1)),
        ("B bought a rig at C3", c.AssetDealsAre(deed="bought", kind="rig", plot=Plot(3, 3), seat=B)),
        ("assets sold at least 3", c.AssetDealsAre(deed="sold", at_least=3)),
        ("anyone dealt barrels on foreign", c.BarrelDealsAre(market="foreign")),
        (
            "gasoline sold by B at pumps at most 2",
            c.BarrelDealsAre(deed="sold", good="gasoline", market="consumers", seat=B, at_most=2),
        ),
        ("roll double for B", c.RollsAre(double=True, seat=B)),
        ("roll not double row 3 column 4 at least 2", c.RollsAre(2, double=False, row=3, column=4)),
        ("line 3 was done in part", c.LineWas(3, "in_part")),
        ("line 3 skipped", c.LineWas(3, "skipped")),
        ("line 3 done", c.LineWas(3)),
        ("cash of B at least my cash plus 10", c.Compares(q.CashOf(B), q.CashOf(), "at_least", 10)),
        ("B has fewer pumps than me", c.Compares(q.AssetsOf("station", B), q.AssetsOf("station"), "less")),
        (
            "price to sell crude foreign more than price to sell crude domestic minus 1",
            c.Compares(q.PriceOf("sell", "foreign", "crude"), q.PriceOf("sell", "domestic", "crude"), "more", -1),
        ),
        (
            "rigs bought by B exactly rigs bought by C",
            c.Compares(q.AssetDealsOf("bought", "rig", seat=B), q.AssetDealsOf("bought", "rig", seat=2), "equal"),
        ),
    ],
)
def test_conditions(text: str, meant: c.Condition) -> None:
    assert condition(text) == meant
    assert condition(condition_text(meant)) == meant


def test_who_writes_of_themselves_is_the_one_whose_sheet_it_is() -> None:
    assert condition("I bought a rig", seat=2) == c.AssetDealsAre(deed="bought", kind="rig", seat=2)
    refused = refusal("if I bought a rig: convert")
    assert str(refused) == "Line 1, column 4: expected a player, A to D or a name in quotes, found 'i'."


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ('"Ben Ōe" has no rigs', c.AssetsAre(at_most=0, kind="rig", seat=B)),
        ('rigs bought by " BEN ōe " at least 2', c.AssetDealsAre(2, deed="bought", kind="rig", seat=B)),
        ("„Ben Ōe“'s cash >= 5", c.CashIs(at_least=5, seat=B)),
        ("cash at least cash of “crude”", c.Compares(q.CashOf(), q.CashOf(2), "at_least")),
        ('"A"\u2019s cash >= 5', c.CashIs(at_least=5, seat=3)),
        ("A's cash >= 5", c.CashIs(at_least=5, seat=0)),
        ('rig of "crude" at C3', c.AssetAt(Plot(3, 3), "rig", 2)),
    ],
)
def test_a_name_in_quotes_is_a_player_whatever_else_it_could_mean(text: str, meant: c.Condition) -> None:
    [order] = read_sheet(f"if {text}: convert", 0, (None, "Ben Ōe", "Crude", "A")).sheet.orders
    assert order == s.IfOrder(meant, (s.ConvertRigOrder(),))


def test_a_name_that_nobody_has_at_the_table_is_refused() -> None:
    refused = refusal('if "Zoe" has no rigs: convert')
    assert str(refused) == "Line 1, column 4: expected a player, A to D or a name in quotes, found '\"zoe\"'."
    assert "found '\"\"'" in str(refusal('if rigs of "" at least 2: convert'))
    assert "found '\"'" in str(refusal('if rigs of "Ben at least 2: convert'))
    assert "'buy', 'sell' or 'convert', found" in str(refusal('"Ben"'))


def test_an_else_belongs_to_the_if_of_its_line() -> None:
    inner = s.IfOrder(c.ClimateIs(("recovery",)), (s.BuyAssetOrder("rig", Plot(1, 2)),), (s.ConvertRigOrder(),))
    outer = s.IfOrder(c.ClimateIs(("depression",)), (RIG,), (inner,))
    assert read("if depression: buy rig A1 else if recovery: buy rig A2 else convert").orders == (outer,)
    block = """
        if depression:
          buy rig A1
        else if recovery:
          buy rig A2
        else:
          convert
        end
    """
    assert read(block).orders == (outer,)
    assert read("if depression: if recovery: buy rig A1 end else convert").orders == (
        s.IfOrder(
            c.ClimateIs(("depression",)), (s.IfOrder(c.ClimateIs(("recovery",)), (RIG,)),), (s.ConvertRigOrder(),)
        ),
    )


def test_pumps_sell_so_much_each_and_in_all() -> None:
    pumps = s.SellAtPumps(20, 1, (s.PumpAt(Plot(3, 3), 0), s.PumpAt(Plot(3, 4), 2)), 5, 3)
    text = "pumps: sell 1 each, 0 at C3, 2 at C4, at most 5, not below 20, keep 3 barrels\n"
    assert read(text).pumps == pumps
    assert sheet_text(OrderSheet(pumps=pumps)) == text
    assert read("pumps: hold if depression").pumps == s.IfPumps(c.ClimateIs(("depression",)), s.HoldPumps())
    assert read("stations hold unless recovery else sell at most 1").pumps == s.IfPumps(
        c.Not(c.ClimateIs(("recovery",))), s.HoldPumps(), s.SellAtPumps(at_most=1)
    )


def test_lines_have_numbers_where_a_condition_names_one() -> None:
    sheet = OrderSheet((RIG, s.IfOrder(c.LineWas(1, "skipped"), (s.ConvertRigOrder(),))))
    assert sheet_text(sheet) == "1. buy rig A1\n2. convert rig if line 1 skipped\n4. pumps: sell\n"
    assert str(refusal("1. buy rig A1\n3. convert")) == (
        "Line 2, column 1: this is line 2 of the sheet. Correct the number, or leave it out."
    )


def test_each_line_of_a_sheet_has_its_place_in_the_text() -> None:
    """Lines 2 and 3, an `if` and its branch, are on text line 3. Pumps without orders come after everything."""
    assert read_sheet("\nbuy rig A1\nconvert if depression\n").places == (2, 3, 3, 4)
    assert read_sheet("if depression:\n  buy rig A1\nelse:\n  convert\nend\npumps: hold").places == (1, 2, 4, 6)


def test_a_line_by_itself() -> None:
    assert order_text(s.SellBarrelsOrder("foreign", "crude", "max", 4, 2)) == "sell all but 2 crude foreign not below 4"
    assert order_text(s.SellAtPumps(9)) == "sell not below 9"
    assert order_text(s.IfLine(c.CashIs(100))) == "if cash at least 100"


def test_a_long_if_takes_a_line_for_each_order() -> None:
    many = c.AllOf((c.CashIs(100), c.RoundIs(3), c.BarrelsAre(good="crude", at_least=5), c.ConversionsAre(at_most=7)))
    sheet = OrderSheet((s.IfOrder(many, (RIG, s.ConvertRigOrder()), (RIG,)),))
    assert sheet_text(sheet) == (
        "if cash at least 100 and round at least 3 and crude at least 5 and conversions at most 7:\n"
        "  buy rig A1\n  convert rig\nelse:\n  buy rig A1\nend\npumps: sell\n"
    )


@pytest.mark.parametrize(
    ("text", "english", "german"),
    [
        (
            "convert C4\nbuy rig C9",
            "Line 2, column 9: expected a site such as B3, found 'c9'.",
            "Zeile 2, Spalte 9: erwartet wird ein Feld wie B3, da steht 'c9'.",
        ),
        (
            "buy 3 crude",
            "Line 1, column 12: expected 'domestic' or 'foreign', found the end of the text.",
            "Zeile 1, Spalte 12: erwartet wird 'domestic' oder 'foreign', da steht das Ende des Textes.",
        ),
        (
            "sell 145 crude foreign",
            "Line 1, column 6: expected 'rig', 'well', 'pump', 'refinery', 'max', 'all' or a number from 1 to 144, "
            "found '145'.",
            "Zeile 1, Spalte 6: erwartet wird 'rig', 'well', 'pump', 'refinery', 'max', 'all' oder eine Zahl von 1 bis "
            "144, da steht '145'.",
        ),
        (  # neither one and a half nor a condition with the number of line 2
            "if cash at least 1,2 convert",
            "Line 1, column 18: expected a number from 0 to 2147483647, found '1,2'.",
            "Zeile 1, Spalte 18: erwartet wird eine Zahl von 0 bis 2147483647, da steht '1,2'.",
        ),
        (
            "buy rig A1 keep 12.50 cash",
            "Line 1, column 17: expected a number from 0 to 2147483647, found '12.50'.",
            "Zeile 1, Spalte 17: erwartet wird eine Zahl von 0 bis 2147483647, da steht '12.50'.",
        ),
        (
            "if gold: convert",
            "Line 1, column 4: expected a condition, found 'gold'.",
            "Zeile 1, Spalte 4: erwartet wird eine Bedingung, da steht 'gold'.",
        ),
        (
            "if depression and round at least 3 or cash at least 5: convert",
            "Line 1, column 36: 'and' and 'or' are mixed. Put parentheses around one side.",
            "Zeile 1, Spalte 36: 'and' und 'or' sind gemischt. Setze eine Seite in Klammern.",
        ),
        (
            "if depression:\n  if recovery: convert\nelse: buy rig A1\nend",
            "Line 3, column 1: this 'else' could belong to more than one 'if'. Put it on the line of its 'if', or "
            "close the inner 'if' with 'end'.",
            "Zeile 3, Spalte 1: Dieses 'else' könnte zu mehreren 'if' gehören. Schreib es in die Zeile seines 'if', "
            "oder schließe das innere 'if' mit 'end'.",
        ),
        (
            "sell 1 crude foreign\nbuy rig A1",
            "Line 2, column 1: assets come before barrels, and pumps come last. Move this up.",
            "Zeile 2, Spalte 1: Anlagen kommen vor Fässern, und Zapfsäulen kommen zuletzt. Schieb das nach oben.",
        ),
        (
            "if depression: convert; sell 1 crude foreign",
            "Line 1, column 25: one 'if' cannot hold both assets and barrels. Write an 'if' for each.",
            "Zeile 1, Spalte 25: Ein 'if' kann nicht zugleich Anlagen und Fässer enthalten. Schreib für beides ein "
            "eigenes 'if'.",
        ),
        (
            "pumps: hold\npumps: sell",
            "Line 2, column 1: pumps have orders already.",
            "Zeile 2, Spalte 1: Für die Zapfsäulen gibt es schon einen Auftrag.",
        ),
        (
            "if depression:\n  convert\n",
            "Line 3, column 1: expected 'else' or 'end', found the end of the text.",
            "Zeile 3, Spalte 1: erwartet wird 'else' oder 'end', da steht das Ende des Textes.",
        ),
        (
            "convert rig \x07",
            "Line 1, column 13: expected 'keep', 'if', 'unless', ';' or the end of the line, found 'U+0007'.",
            "Zeile 1, Spalte 13: erwartet wird 'keep', 'if', 'unless', ';' oder das Ende der Zeile, da steht 'U+0007'.",
        ),
    ],
)
def test_a_mistake_is_told_with_its_place_and_what_was_expected(text: str, english: str, german: str) -> None:
    assert refusal(text).sentences == {"en": english, "de": german}


def test_what_has_no_end_is_refused_before_it_costs_anything() -> None:
    assert "too many conditions" in str(refusal(f"if {'(' * 30_000}"))
    assert "too many conditions" in str(refusal(f"if {'not ' * 30_000}"))
    assert "At most 40000 words" in str(refusal(f"if {'(' * 100_000}"))
    assert "At most 40000 words" in str(refusal("\n" * 100_000))
    assert "too many conditions" in str(refusal("if depression: " * 10_000))
    assert "a number from 0 to 2147483647" in str(refusal(f"if cash at least {'9' * 100_000}: convert"))
    assert "too long" in str(refusal(" " * (LONGEST + 1)))
    assert "At most 50" in str(refusal(f"if {' and '.join(['round at least 1'] * 51)}: convert"))
    assert "At most 7" in str(refusal(f"if {' or '.join(['depression'] * 8)}: convert"))
    assert "At most 36" in str(refusal(f"pumps: sell {', '.join(['0 at A1'] * 37)}"))


def test_the_longest_sheet_is_short_enough_to_be_read() -> None:
    """A thousand conditions of the longest kind fit into the limits of a text, in characters and in words."""
    longest = c.Compares(
        q.AssetDealsOf("converted", "refinery", Plot(1, 1), B),
        q.AssetDealsOf("converted", "refinery", Plot(1, 1), B),
        "at_least",
        -1000,
    )
    assert 1000 * (len(condition_text(longest)) + len(" and ")) < LONGEST
    assert 1000 * len(tokens(f"{condition_text(longest)} and")) < MOST_TOKENS


def test_every_word_for_a_quantity_is_read_back() -> None:
    owners = (None, 0, 1, 2, 3)
    for kind, seat in product((None, "rig", "well", "station", "refinery"), owners):
        asked = c.AssetsAre(2, 5, kind, seat)  # type: ignore[arg-type]
        assert condition(condition_text(asked)) == asked
