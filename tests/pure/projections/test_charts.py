"""Charts show what the log says, and contain nothing from elsewhere."""

import re
from math import log10
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import msgspec
import pytest

from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.table import Called
from mcmulti.domain.core.wording.telling import LANGUAGES, Language
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.millionenspiel.luck import WAYS, back, colours
from mcmulti.domain.rulesets import CURRENT, SHIPPED
from mcmulti.events.log.codec import fold, opened_with
from mcmulti.events.log.envelope import Recorded
from mcmulti.projections.charts.charts import chart
from mcmulti.projections.charts.names import CHARTS, ChartName, charts_of
from mcmulti.projections.charts.time_series import time_series
from tests.games import CALLED, recorded_games
from tests.golden.games import FILES, load
from tests.profiles import profile_of
from tests.pure.millionenspiel.three_reds import three_reds

SVG = "{http://www.w3.org/2000/svg}"
BEFORE_THE_START = 3
THREE_REDS = three_reds()


@pytest.fixture(scope="module")
def events() -> list[Recorded]:
    """A finished game of four."""
    return load(Path(FILES[0]).parent / "four-players.jsonl")


def drawn(name: ChartName, events: list[Recorded], called: Called = CALLED) -> Element:
    return fromstring(chart(name, events, "en", called))


def of_class(root: Element, name: str) -> list[Element]:
    return [element for element in root.iter() if name in element.get("class", "").split()]


def test_the_course_has_every_turn_with_the_economy_and_the_cash_of_its_end(events: list[Recorded]) -> None:
    """Compared with the events: the last `EconomyChanged` in a turn, and the fold up to the next turn."""
    economy, economies, ends = "recovery", {}, {}
    turn = 0
    for event in events:
        data = msgspec.json.decode(event.data)
        if event.type == "TurnBegan":
            turn = data["turn"]
        elif event.type == "EconomyChanged":
            economy = data["after"]
        economies[turn], ends[turn] = economy, event.seq
    readings = time_series(events).readings
    assert {reading.turn: reading.gauges.period for reading in readings} == economies
    for reading in (readings[0], readings[1], readings[60], readings[-1]):
        state = fold(RULESET, events[: ends[reading.turn]])
        assert [holding.amounts["dollars"] for holding in reading.gauges.holdings] == [
            player.cash for player in state.players
        ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", CHARTS)
@pytest.mark.parametrize("length", [1, BEFORE_THE_START, 30, None])
def test_a_chart_stands_alone_and_can_be_read_aloud(
    events: list[Recorded], name: ChartName, language: str, length: int | None
) -> None:
    """No script, no address but the namespace, no comment. A title, a description, and colors for light and dark."""
    svg = chart(name, events[:length], language)  # type: ignore[arg-type]
    assert svg == chart(name, events[:length], language)  # type: ignore[arg-type]
    text = svg.decode()
    assert re.findall(r"\w+://\S+", text) == ['http://www.w3.org/2000/svg"']
    assert not re.search(r"<script|<!--|<\?|@import|url\(|\son\w+=", text)
    root = fromstring(svg)
    assert (root.get("role"), root.get("width")) == ("img", "800")
    title, description, style = root[0], root[1], root[2]
    assert [title.tag, description.tag, style.tag] == [f"{SVG}title", f"{SVG}desc", f"{SVG}style"]
    assert title.text == root.get("aria-label")
    assert description.text
    assert "prefers-color-scheme: dark" in (style.text or "")


@pytest.mark.parametrize("name", ["cash", "worth"])
def test_each_player_has_a_line_and_a_key(events: list[Recorded], name: ChartName) -> None:
    root = drawn(name, events)
    assert [element.text for element in of_class(root, "name")][:4] == [f"Player {number}" for number in range(1, 5)]
    lines = of_class(root, "nofill")
    assert len(lines) == 4
    turns = time_series(events).readings[-1].turn
    assert all(len(re.findall(r"[\d.]+ [\d.]+", line.get("d", ""))) == turns + 1 for line in lines)


def test_lines_end_as_high_as_the_cash_they_show(events: list[Recorded]) -> None:
    """The heights of the four ends are proportional to the cash above zero, to a pixel."""
    root = drawn("cash", events)
    state = fold(RULESET, events)
    ends = [float(line.get("d", "").split()[-1]) for line in of_class(root, "nofill")]
    cash = [player.cash for player in state.players]
    least, most = cash.index(min(cash)), cash.index(max(cash))
    pixels = (ends[least] - ends[most]) / (cash[most] - cash[least])
    for seat in range(4):
        assert ends[least] - ends[seat] == pytest.approx((cash[seat] - cash[least]) * pixels, abs=1)


def test_the_goal_is_a_line_as_high_as_its_figure(events: list[Recorded]) -> None:
    """Two ends and their cash determine the height of 750, to a pixel.

    It is named, has a key, and is in no other chart.
    """
    root = drawn("cash", events)
    (goal,) = (path for path in of_class(root, "goal") if len(path))
    cash = [player.cash for player in fold(RULESET, events).players]
    ends = [float(line.get("d", "").split()[-1]) for line in of_class(root, "nofill")]
    least, most = cash.index(min(cash)), cash.index(max(cash))
    pixels = (ends[least] - ends[most]) / (cash[most] - cash[least])
    height = float((goal.get("d") or "").split()[1].partition("H")[0])
    assert ends[least] - height == pytest.approx((750 - cash[least]) * pixels, abs=1)
    assert "Goal: 750." in (root[1].text or "")
    assert "goal: 750" in [element.text for element in of_class(root, "name")]
    assert not of_class(drawn("worth", events), "goal")


def test_a_goal_that_is_far_off_is_told_and_not_drawn(events: list[Recorded]) -> None:
    """Nobody has more than 300 of 750 when the game begins, which is close enough to show. A million is not."""
    started = next(number for number, event in enumerate(events, start=1) if event.type == "GameStarted")
    assert of_class(drawn("cash", events[: started + 1]), "goal")
    rounds = next(number for number, event in enumerate(THREE_REDS) if event.type == "StakePlaced")
    root = drawn("cash", THREE_REDS[:rounds])
    assert not of_class(root, "goal")
    assert "Goal: 1,000,000." in (root[1].text or "")


def test_the_description_tells_the_end_of_every_line(events: list[Recorded]) -> None:
    state = fold(RULESET, events)
    told = drawn("cash", events)[1].text or ""
    for seat, player in enumerate(state.players):
        assert f"Player {seat + 1} {player.cash:,}" in told


def test_the_phases_of_the_economy_are_shaded_without_gaps(events: list[Recorded]) -> None:
    """A band for each run of turns under one card, one after the other, as wide as its turns, behind the lines."""
    runs: list[list[object]] = []
    for reading in time_series(events).readings[1:]:
        if runs and runs[-1][0] == reading.gauges.period:
            runs[-1][1] = int(str(runs[-1][1])) + 1
        else:
            runs.append([reading.gauges.period, 1])
    root = drawn("prices", events)
    plot = of_class(root, "plot")[0]
    bands = [element for element in plot if element.get("class", "").startswith("period-")]
    assert plot[1 : len(bands) + 1] == bands
    assert [(band[0].text or "").replace(" ", "_").lower() for band in bands] == [run[0] for run in runs]
    left = float(bands[0].get("x", ""))
    width = sum(float(band.get("width", "")) for band in bands) / sum(int(str(run[1])) for run in runs)
    for band, (_, turns) in zip(bands, runs, strict=True):
        assert float(band.get("x", "")) == pytest.approx(left, abs=0.1)
        assert float(band.get("width", "")) == pytest.approx(width * int(str(turns)), abs=0.1)
        left += float(band.get("width", ""))


def test_better_times_have_warmer_shades(events: list[Recorded]) -> None:
    """Seven cards, seven shades: from the Depression with the weakest demand (-2) to Prosperity with the strongest."""
    root = drawn("cash", events)
    shades = {band[0].text: band.get("class") for band in of_class(root, "plot")[0] if len(band) and band[0].text}
    order = ("Depression", "Recession", "Downturn", "Recovery", "Expansion", "Rapid growth", "Prosperity")
    assert {name: shades[name] for name in order} == {name: f"period-{place}" for place, name in enumerate(order)}


def test_prices_break_off_where_a_market_is_empty() -> None:
    """All five prices have keys. Where a barrel cannot be bought, the line has a gap."""
    events = load(Path(FILES[0]).parent / "declarer-overtaken.jsonl")
    root = drawn("prices", events)
    names = [element.text for element in of_class(root, "name")][:5]
    assert names == ["crude, domestic", "gasoline, domestic", "crude, foreign", "gasoline, foreign", "consumers"]
    assert any(None in reading.gauges.prices.values() for reading in time_series(events).readings)
    assert len(of_class(root, "nofill")) > 5


def test_bars_are_as_high_as_the_dice_fell_often(events: list[Recorded]) -> None:
    """Red and black, counted in the events: a bar for each, and a mark where each of the six would be equal."""
    counts = {"red": [0] * 6, "black": [0] * 6}
    for event in events:
        if event.type == "DiceRolled":
            data = msgspec.json.decode(event.data)
            for die, faces in counts.items():
                faces[data[die]["value"] - 1] += 1
    root = drawn("dice", events)
    scale = {}
    for die, faces in counts.items():
        (series,) = (element for element in of_class(root, f"die-{die}") if of_class(element, "bar"))
        bars = of_class(series, "bar")
        heights = [float(next(bar.iter(f"{SVG}rect")).get("height", "")) for bar in bars]
        (scale[die],) = {round(height / count, 3) for height, count in zip(heights, faces, strict=True)}
        bottom = max(
            float(rect.get("y", "")) + float(rect.get("height", "")) for bar in bars for rect in bar.iter(f"{SVG}rect")
        )
        marks = {float(mark.get("d", "").split()[1].partition("h")[0]) for mark in of_class(series, "expected")}
        assert sorted(marks) == pytest.approx([bottom - sum(faces) / 6 * scale[die]], abs=0.1)
    assert scale["red"] == scale["black"]


def test_before_there_is_anything_to_see_the_chart_says_so(events: list[Recorded]) -> None:
    for name in CHARTS:
        text = chart(name, events[:BEFORE_THE_START], "de").decode()
        assert "Noch ist nichts zu sehen" in text
        assert not of_class(fromstring(text), "axis")


def test_names_are_nothing_but_text(events: list[Recorded]) -> None:
    """A name with markup, a control character, and a change of direction, and one that is much too long."""
    one, two, *_ = CALLED
    called = {one: "</text><script>alert(1)</script>\u0007\u202e", two: "W" * 40}
    root = drawn("cash", events, called)
    names = [element.text or "" for element in of_class(root, "name")]
    assert names[0].startswith("</text><script>")
    assert names[1].endswith("W…")
    assert not list(root.iter(f"{SVG}script"))
    assert not re.search("[\x00-\x08\u202e]", chart("cash", events, "en", called).decode())


def test_a_game_without_events_has_no_chart() -> None:
    with pytest.raises(ValueError, match="without events"):
        chart("cash", [])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", CHARTS)
def test_games_by_post_have_charts_too(name: ChartName, language: Language) -> None:
    """The names of all four players are in the charts of money, and the two dice in that of the dice."""
    by_post = load(Path(FILES[0]).parent / "by-post-pumps.jsonl")
    said = "".join(fromstring(chart(name, by_post, language)).itertext())
    players = opened_with(by_post[0]).outcome(fold(opened_with(by_post[0]), by_post)).names
    dice = {"en": ("red", "black"), "de": ("rot", "schwarz")}[language]
    goods = {"en": ("crude", "gasoline"), "de": ("Rohöl", "Benzin")}[language]
    wanted = {"cash": players, "worth": players, "luck": players, "dice": dice, "prices": goods}[name]
    assert all(str(each).lower() in said.lower() for each in wanted), (wanted, said)


@pytest.mark.parametrize("ruleset", [name for name in SHIPPED if profile_of(name).charts])
def test_only_charts_are_offered_that_can_show_something(ruleset: str) -> None:
    assert charts_of(CURRENT[ruleset]) == profile_of(ruleset).charts


@pytest.mark.parametrize("ruleset", CURRENT.values(), ids=CURRENT)
def test_what_a_finished_game_shows_is_offered_and_nothing_else(ruleset: Ruleset[Any]) -> None:
    """Taken from the gauges and the dice of the recorded games, whatever the rule set claims."""
    seen: set[ChartName] = {"cash"}
    for events in recorded_games(ruleset.name):
        series = time_series(events)
        gauges = [reading.gauges for reading in series.readings]
        seen |= {"prices"} if any(each.prices for each in gauges) else set()
        seen |= {"worth"} if any(held.worth is not None for each in gauges for held in each.holdings) else set()
        seen |= {"dice"} if series.faces else set()
        seen |= {"luck"} if any(reading.luck for reading in series.readings) else set()
    assert set(charts_of(ruleset)) == seen


def test_money_that_multiplies_is_drawn_by_its_digits() -> None:
    """Ben has 5, 505, 51005, and 5151505 at the end of each round: on one scale, the first three would be one line.

    The height of the ends above the ground is proportional to log(1 + money): of 106 and of 5151506.
    """
    root = drawn("cash", THREE_REDS)
    assert root[0].text == "Money (each line is ten times the one below)"
    ben, cleo = (line.get("d", "").split() for line in of_class(root, "nofill")[1:3])
    ada = of_class(root, "nofill")[0].get("d", "").split()
    height = {name: float(points[-1]) for name, points in (("ada", ada), ("ben", ben), ("cleo", cleo))}
    step = (height["ada"] - height["ben"]) / (log10(5151506) - log10(6))
    assert height["ada"] - height["cleo"] == pytest.approx((log10(106) - log10(6)) * step, abs=1)
    labels = {element.text for element in root.iter() if element.text}
    assert {"0", "1", "1,000", "1,000,000"} <= labels
    assert "Player 2 5,151,505" in (root[1].text or "")


def test_numbers_are_written_as_the_language_writes_them(events: list[Recorded]) -> None:
    root = fromstring(chart("cash", THREE_REDS, "de", CALLED))
    labels = {element.text for element in root.iter() if element.text}
    assert {"0", "1", "1.000", "1.000.000"} <= labels
    assert "Player 2 5.151.505" in (root[1].text or "")
    assert "Ziel: 1.000.000" in labels
    english, german = (fromstring(chart("dice", events, language)) for language in LANGUAGES)
    names = [" ".join(key.text or "" for key in of_class(root, "name")) for root in (english, german)]
    assert re.search(r"p = [01]\.\d{3}\)", names[0])
    assert re.search(r"p = [01],\d{3}\)", names[1])
    assert re.search(r"expected \d+\.\d each", english[1].text or "")
    assert re.search(r"je \d+,\d erwartet", german[1].text or "")


def test_what_lies_close_is_drawn_as_it_is(events: list[Recorded]) -> None:
    assert "ten times" not in (drawn("cash", events)[0].text or "")


def test_luck_is_told_in_percent_of_what_was_to_be_expected() -> None:
    """In the first round, Ben stakes 5 and Cleo 1 from the arrow, and red pays 101 times as much."""
    start = colours(0)
    average = sum(ways * back(color) for color, ways in start.items()) / WAYS
    _, first, *_, last = time_series(THREE_REDS).readings
    assert first.luck == {1: round(100 * 101 / average), 2: round(100 * 101 / average)}
    assert last.luck[2] == first.luck[2], "she stakes nothing anymore"
    root = drawn("luck", THREE_REDS)
    assert [element.text for element in of_class(root, "name")] == ["Player 2", "Player 3"]
