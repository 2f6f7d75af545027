"""The benchmarks run, and say what they measured. How fast anything is, is for `make bench`."""

from collections.abc import AsyncIterator
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from benchmarks import commands, contests, growth, lengths, limits, streams
from benchmarks.commands import Games
from benchmarks.figures import Aim, Figure, Figures, Taken, print_markdown
from benchmarks.processes import bare_server
from mcmulti.domain.marracash import RULESET as MARRACASH
from mcmulti.events.codec import fold
from mcmulti.events.log import Log
from mcmulti.server.process import answering, bound, embedded, opened_log
from tests.golden.games import load

GOLDEN = Path(__file__).parent / "golden"
SECONDS = 0.1
RATE = Figure("ours", "a second")
LIMIT = Figure("a limit", "a second")
OTHER = Figure("another limit", "a second")


@pytest.fixture(scope="module")
async def database(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """A Postgres of its own, with the tables that limits are measured on."""
    async with embedded(tmp_path_factory.mktemp("benchmarks") / "data") as conninfo, opened_log(conninfo):
        limits.prepare(conninfo)
        yield conninfo


@pytest.fixture(scope="module")
async def log(database: str) -> AsyncIterator[Log]:
    async with opened_log(database) as opened:
        yield opened


def positive(taken: Taken, *expected: Figure) -> bool:
    """Whether these figures, and no others, were measured."""
    return set(taken) == set(expected) and all(value > 0 for value in taken.values())


async def test_pgbench_appends_what_commands_append(database: str) -> None:
    assert positive(await limits.pgbench(database, 1, SECONDS)(), limits.PGBENCH[1])


async def test_psycopg_appends_the_same_alone(database: str) -> None:
    taken = await limits.psycopg_alone(database, SECONDS)()
    assert positive(taken, limits.ROW_LATENCY, limits.APPEND_LATENCY)


async def test_bare_handlers_answer(database: str) -> None:
    with bare_server(database) as port:
        for path, figure in (
            ("/queue", commands.ONE_ROW),
            ("/pool", commands.ONE_ROW_POOL),
            ("/batch", commands.BATCHED),
            ("/append", commands.WITHOUT_RULES),
        ):
            assert positive(await commands.bare(port, path, figure, 4, SECONDS)(), figure)


async def test_commands_are_measured_over_http_and_in_process(log: Log) -> None:
    games = Games(log)
    with bound("127.0.0.1", 0) as listener:
        async with answering(log, listener):
            taken = await commands.commands(games, listener.getsockname()[1], 1, SECONDS, commands.HTTP)()
    percentiles = [Figure(f"{commands.HTTP[1].what}: {name}", "ms") for name in ("p50", "p95", "p99")]
    assert positive(taken, commands.HTTP[1], commands.MEAN, *percentiles)
    assert positive(await commands.in_process(log, games, SECONDS)(), commands.IN_PROCESS)


async def test_readers_of_streams_see_every_event(log: Log) -> None:
    with bound("127.0.0.1", 0) as listener:
        async with answering(log, listener):
            measure = streams.delays(Games(log, seed=1000), listener.getsockname()[1], 4, 2, 20, 0.5)
            taken = await measure()
    what = streams.named(4, 2, 20)
    assert positive(taken, *(Figure(f"{what}: {name}", "ms") for name in ("p50", "p95", "p99", "longest")))


async def test_tables_are_filled_with_as_many_games_as_said(database: str) -> None:
    async with growth.filled(database, "some", 12) as log:
        assert len(await log.games(100)) == 12
        assert await log.size() == 12 * growth.EVENTS


def test_ratios_are_taken_round_by_round() -> None:
    figures = Figures()
    for ours, limit, other in ((6.0, 2.0, 1.0), (8.0, 1.0, 3.0), (9.0, 3.0, 6.0)):
        figures.add({RATE: ours, LIMIT: limit, OTHER: other})
    assert figures.ratios(Aim("ours / limit", RATE, (LIMIT,))) == [3.0, 8.0, 3.0]
    assert figures.ratios(Aim("ours / both", RATE, (LIMIT, OTHER))) == [2.0, 2.0, 1.0]
    assert figures.ratios(Aim("ours", RATE)) == [6.0, 8.0, 9.0]
    assert figures.ratios(Aim("ours / nothing", RATE, (Figure("not measured", "ms"),))) == []


def test_aims_are_met_or_missed_by_the_median() -> None:
    figures = Figures()
    for ours, limit in ((6.0, 2.0), (8.0, 1.0), (9.0, 3.0)):
        figures.add({RATE: ours, LIMIT: limit})
    judged = figures.judged(
        (
            Aim("enough", RATE, (LIMIT,), value=3),
            Aim("too little", RATE, (LIMIT,), value=3.1),
            Aim("too much", RATE, (LIMIT,), "under", 3),
            Aim("by itself", RATE, sense="under", value=10),
            Aim("for comparison", RATE, (LIMIT,)),
        )
    )
    assert list(judged) == [
        ("enough", "3.00 (3.00 to 8.00)", "at least 3", "met"),
        ("too little", "3.00 (3.00 to 8.00)", "at least 3.1", "missed"),
        ("too much", "3.00 (3.00 to 8.00)", "under 3", "missed"),
        ("by itself", "8.00 a second (6.00 to 9.00)", "under 10 a second", "met"),
        ("for comparison", "3.00 (3.00 to 8.00)", "", ""),
    ]


def test_markdown_holds_both_tables() -> None:
    figures = Figures()
    figures.add({RATE: 1234.5, LIMIT: 0.25})
    written = StringIO()
    print_markdown(Console(file=written, width=40), figures, [Aim("ours / limit", RATE, (LIMIT,), value=2)], "machine")
    assert written.getvalue() == (
        "machine.\n\n"
        "| what | ratio (least to greatest) | aim | result |\n"
        "| --- | --- | --- | --- |\n"
        "| ours / limit | 4938.00 | at least 2 | met |\n"
        "\n"
        "| what | median | least to greatest | unit |\n"
        "| --- | --- | --- | --- |\n"
        "| ours | 1,234 |  | a second |\n"
        "| a limit | 0.250 |  | a second |\n"
        "\n"
    )


def test_the_length_of_a_game_is_that_of_its_record() -> None:
    """A golden game is the random game of its seed, which stands in its id, as it was recorded."""
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
