"""The benchmarks run, and end in any case. `make bench` measures how fast things are."""

import asyncio
import math
import signal
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import contests, growth, lengths, run, seeded, streams
from benchmarks.__main__ import chosen
from benchmarks.commands import Games
from benchmarks.figures import Aim, Figure, Figures, Item, Measure, Taken
from benchmarks.page import written
from benchmarks.pages import percentile
from benchmarks.processes import ProcessError, free_port, output, started, wait_until_up
from benchmarks.run import Failed, Found, Line, Measured, check, measure_group, measured
from benchmarks.scale import QUICK, Scale
from benchmarks.suite import GROUPS, Group
from mcmulti.api.admission.gate import Admission
from mcmulti.domain.marracash import RULESET as MARRACASH
from mcmulti.events.log.codec import fold
from mcmulti.events.memory.log import MemoryLog
from mcmulti.server.process import answering, bound
from tests.cli.command import PATIENCE, processes, running
from tests.golden.games import load

GOLDEN = Path(__file__).parent / "golden"
RATE = Figure("ours", "a second")
LIMIT = Figure("a limit", "a second")
OTHER = Figure("another limit", "a second")
SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)"]


@pytest.mark.parametrize("group", GROUPS, ids=[group.name for group in GROUPS])
def test_aims_name_figures_that_are_measured(group: Group) -> None:
    figures = group.figures()
    assert len(figures) == len(set(figures))
    for aim in group.aims():
        assert {aim.ours, *aim.theirs} <= set(figures), aim.what
        assert aim.theirs or aim.value is not None, f"{aim.what} compares nothing"


async def test_a_group_is_measured_in_a_process_of_its_own() -> None:
    ((group, items),) = chosen(["rules/play", "rules/loading"])
    said: list[str] = []
    found = await measured(group, items, QUICK, said.append)
    assert found.failures == {}, said
    assert found.figures.known() == {figure for item in items for figure in item.figures}


async def test_tables_are_filled_with_as_many_games_as_said(database: str) -> None:
    async with growth.filled(database, "filled_with_some", 12) as log:
        assert len(await log.games(100)) == 12
        assert await log.size() == 12 * growth.EVENTS


async def followed(admission: Admission, readers: int) -> Taken:
    """Streams of two games on a server that admits these."""
    log = MemoryLog()
    with bound("127.0.0.1", 0) as listener:
        async with answering(log, listener, admission):
            port = listener.getsockname()[1]
            return await streams.delays(Games(log), port, streams.CROWD, readers, 2, 20, 0.5)()


async def test_readers_of_streams_see_every_event() -> None:
    taken = await followed(Admission(), 4)
    assert set(taken) == set(streams.CROWD.figures().values())
    assert all(0 < value < math.inf for value in taken.values())


async def test_a_reader_that_is_one_too_many_is_an_error_that_names_the_limit() -> None:
    with pytest.raises(streams.RefusedReader, match=r"^a reader was refused: .*: serve --connections "):
        await followed(Admission(connections=3), 4)


async def test_a_reader_over_a_quota_is_an_error_that_names_the_limit() -> None:
    with pytest.raises(streams.RefusedReader, match=r"status 429 \(serve --rate-limit\): No more than 2 "):
        await followed(Admission(rate_limit="2/hour"), 4)


@asynccontextmanager
async def silent() -> AsyncIterator[int]:
    """The port of a server that never responds."""

    async def wait(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(wait, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def test_streams_that_never_begin_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "PATIENCE", 0.3)
    async with silent() as port:
        with pytest.raises(streams.RefusedReader, match=r"^only 0 of 2 streams began within 0\.3 s$"):
            await streams.delays(Games(MemoryLog()), port, streams.CROWD, 2, 1, 20, 0.1)()


def item(name: str, *measures: Measure) -> Item:
    """An item that measures `RATE`."""

    async def prepare(_: Scale, __: AsyncExitStack) -> Sequence[Measure]:
        return measures

    return Item(name, prepare, (RATE,))


async def well() -> Taken:
    return {RATE: 2.0}


async def endless() -> Taken:
    await asyncio.Event().wait()
    return {}


async def broken() -> Taken:
    raise ValueError("no luck")


async def nothing() -> Taken:
    return {}


async def test_an_item_that_fails_or_never_ends_is_named_and_the_others_go_on() -> None:
    lines: list[Line] = []
    group = Group("group", "", 2, "")
    absent = item("absent", well)._replace(needs=("xyzzy_package",))
    items = [item("broken", broken), item("endless", endless), item("lacking", nothing), absent, item("well", well)]
    await measure_group(group, items, Scale(), lines.append, 0.2)
    failures = {line.item: line.why for line in lines if isinstance(line, Failed)}
    assert failures.keys() == {"broken", "endless", "lacking", "absent"}
    assert failures["broken"] == "ValueError: no luck"
    assert failures["endless"].startswith("it took longer than")
    assert failures["lacking"] == "UnfitFigures: not measured: ours"
    assert failures["absent"].startswith("xyzzy_package is missing")
    found = [(line.item, line.round, line.values) for line in lines if isinstance(line, Found) and line.values]
    assert found == [("well", number, [("ours", "a second", 2.0)]) for number in (1, 2)]


async def test_a_process_that_reports_nothing_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "module", lambda *_: SLEEPER)
    monkeypatch.setattr(run, "GRACE", 0.2)
    found = await measured(GROUPS[1], [item("endless", endless)], QUICK, lambda _: None, patience=0.2)
    assert list(found.failures.values()) == ["nothing was reported for 0 s; the group was ended"]


def test_programs_and_servers_that_never_end_are_an_error() -> None:
    with pytest.raises(ProcessError, match=r"did not end within 0\.2 s$"):
        output(SLEEPER, 0.2)
    with pytest.raises(ProcessError, match=r"does not answer within 0\.2 s"), started(SLEEPER) as process:
        wait_until_up(process, f"http://127.0.0.1:{free_port()}/", 0.2)
    assert process.returncode is not None


@pytest.mark.parametrize("value", [0.0, -1.0, math.nan, math.inf])
def test_what_cannot_be_is_not_taken(value: float) -> None:
    with pytest.raises(run.UnfitFigures, match=r"^ours is "):
        check(item("well", well), {RATE: value})


def test_a_figure_that_was_not_declared_is_not_taken() -> None:
    with pytest.raises(run.UnfitFigures, match=r"^ours \(ms\) is not among the figures of well$"):
        check(item("well", well), {Figure("ours", "ms"): 1.0})


def test_nothing_is_left_when_a_benchmark_is_killed(tmp_path: Path) -> None:
    """The benchmark gets SIGKILL while a server, its workers, and a PostgreSQL are running."""
    arguments = ("--quick", "--rounds", "1000", "--only", "server/workers")
    with running(*arguments, module="benchmarks", temporary=tmp_path) as bench:
        assert bench.line("server/workers, round 1: ")
        before = processes(tmp_path)
        assert sum(line.endswith(" postgres") for line in before) > 3
        assert sum("python" in line for line in before) >= 5, before  # all, the group, the server, two workers
        bench.signal(signal.SIGKILL)
        deadline = time.monotonic() + PATIENCE
        while left := processes(tmp_path):
            assert time.monotonic() < deadline, left
            time.sleep(0.1)


def test_ratios_are_taken_round_by_round() -> None:
    figures = Figures()
    for number, (ours, limit, other) in enumerate(((6.0, 2.0, 1.0), (8.0, 1.0, 3.0), (9.0, 3.0, 6.0)), 1):
        figures.add(number, {RATE: ours, LIMIT: limit, OTHER: other})
    assert figures.ratios(Aim("ours / limit", RATE, (LIMIT,))) == [3.0, 8.0, 3.0]
    assert figures.ratios(Aim("ours / both", RATE, (LIMIT, OTHER))) == [2.0, 2.0, 1.0]
    assert figures.ratios(Aim("ours", RATE)) == [6.0, 8.0, 9.0]
    assert figures.ratios(Aim("ours / nothing", RATE, (Figure("not measured", "ms"),))) == []


def test_a_round_in_which_something_failed_has_no_ratio() -> None:
    figures = Figures()
    figures.add(1, {RATE: 6.0})
    figures.add(2, {RATE: 8.0})
    figures.add(2, {LIMIT: 4.0})
    assert figures.ratios(Aim("ours / limit", RATE, (LIMIT,))) == [2.0]


def test_aims_are_met_or_missed_by_the_median() -> None:
    figures = Figures()
    for number, (ours, limit) in enumerate(((6.0, 2.0), (8.0, 1.0), (9.0, 3.0)), 1):
        figures.add(number, {RATE: ours, LIMIT: limit})
    judged = figures.judged(
        (
            Aim("enough", RATE, (LIMIT,), value=3),
            Aim("too little", RATE, (LIMIT,), value=3.1, later=4),
            Aim("too much", RATE, (LIMIT,), "under", 3),
            Aim("by itself", RATE, sense="under", value=10),
            Aim("for comparison", RATE, (LIMIT,)),
        )
    )
    assert list(judged) == [
        ("enough", "3.00 (3.00 to 8.00)", "at least 3", "met"),
        ("too little", "3.00 (3.00 to 8.00)", "at least 3.1 (long-term 4)", "missed"),
        ("too much", "3.00 (3.00 to 8.00)", "under 3", "missed"),
        ("by itself", "8.00 a second (6.00 to 9.00)", "under 10 a second", "met"),
        ("for comparison", "3.00 (3.00 to 8.00)", "", ""),
    ]


def test_the_page_shows_what_was_measured_what_was_missed_and_what_failed() -> None:
    (rules,) = (group for group in GROUPS if group.name == "rules")
    figures = Figures()
    for number, theirs in enumerate((100.0, 200.0, 400.0), 1):
        figures.add(number, {rules.aims()[0].ours: 1000.0, rules.aims()[0].theirs[0]: theirs})
    page = written(
        [rules], {"rules": Measured(figures, {"loading": "no luck"})}, 3, seeded.kept(), minutes=7, quick=False
    )
    assert "| mcmulti, random play / catanatron | 5.00 (2.50 to 10.00) | at least 5 | met |" in page
    assert "| catanatron, random play | 200 | 100 to 400 | decisions/s |" in page
    assert "- rules/loading: no luck" in page
    assert "This run took 7 minutes." in page
    assert "quick run" not in page
    assert "| millionenspiel | `gambler` | 3 | 46 of 60 | 76.7% (64.6% to 85.6%) |" in page
    (server,) = (group for group in GROUPS if group.name == "server")
    only = Figures()
    only.add(1, {server.aims()[0].ours: 90.0, server.aims()[0].theirs[0]: 100.0})
    page = written([server], {"server": Measured(only, {})}, 1, seeded.kept(), minutes=7, quick=True)
    assert "| HTTP, 64 clients / one row a transaction | 0.900 | at least 1 (long-term 1.2) | missed |" in page
    assert "quick run" in page
    assert "Not measured" not in page


def test_figures_that_follow_from_seeds_are_computed_as_they_are_kept() -> None:
    """From fewer games than those on the page."""
    contest = seeded.contested(seeded.Contest("marracash", "merchant", 3, 2, 0))
    assert contest.won == 2  # 199 of 200
    (turns, *_) = seeded.measured("marracash", 3, 5)
    assert (turns.counted, turns.games) == ("turns", 5)
    assert 17 <= turns.spread[0] <= turns.spread[2] <= turns.spread[4] <= 41  # as of 500 games
    instructed = seeded.requested(seeded.Requests(3, 1, True, 0, 0, 0))
    assert instructed.others == 0.0
    assert instructed.own > 0
    match = seeded.Match("mcmulti arena random random --players 4 --games 4", "random", "random", 4, 0, 0, 0, 0)
    played = seeded.matched(match)
    assert 0 <= played.won <= 4
    assert played.share == pytest.approx(played.won / 8)


def test_a_percentile_is_not_below_what_it_promises() -> None:
    assert percentile([30.0, 10.0], 95) == 30.0
    assert percentile([float(number) for number in range(1, 21)], 95) == 19.0
    assert percentile([float(number) for number in range(1, 201)], 99) == 198.0


def test_the_page_is_measured_against_what_watchers_are_promised() -> None:
    aims = {(aim.what, aim.sense, aim.value) for group in GROUPS if group.name == "pages" for aim in group.aims()}
    moves = "200 watchers: a move made elsewhere is on the board"
    assert {(f"{moves}: p50", "under", 200), (f"{moves}: p99", "under", 500)} <= aims
    frames = ("longest frame of these steps", "longest frame when scrubbed from end to end")
    assert {(f"a game of 10,000 events: {frame}", "under", 50) for frame in frames} <= aims


def test_a_benchmark_that_does_not_exist_is_refused() -> None:
    from benchmarks.__main__ import main

    ran = CliRunner().invoke(main, ["--only", "rules,xyzzy"])
    assert ran.exit_code == 2
    assert "there is no xyzzy" in ran.output


def test_the_length_of_a_game_is_that_of_its_record() -> None:
    """A golden game is the recorded random game of its seed, which is in its id."""
    events = load(GOLDEN / "marracash-three-players.jsonl")
    state = fold(MARRACASH, events)
    commands = {event.command_id for event in events if event.type not in ("BazaarOpened", "SeatTaken")}
    found = lengths.length(MARRACASH, 3, int(events[0].game_id.hex[-12:], 16))
    assert found == {"turns": state.turn, "commands": len(commands), "events": len(events)}


def test_lengths_and_contests_are_told_in_tables() -> None:
    for command, figure in ((lengths.main, "events"), (contests.main, "merchant among random players")):
        strategy = ["--strategy", "merchant"] if command is contests.main else []
        ran = CliRunner().invoke(command, ["--ruleset", "marracash", *strategy, "--seats", "3", "--games", "2"])
        assert ran.exit_code == 0, ran.output
        assert figure in ran.output
