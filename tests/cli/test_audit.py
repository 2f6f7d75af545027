"""The audit, which shows people a game's books: in a process of its own, and in this one."""

import json
import re
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch
from uuid import UUID

import pytest
from rich.cells import cell_len
from rich.console import Console

from mcmulti.cli import main
from mcmulti.cli.records.audit import UnknownAccount, audited
from mcmulti.client.sources import NamedLog
from mcmulti.domain.core.table import Called
from mcmulti.domain.mcmulti import RULESET
from mcmulti.events.log.codec import fold, opened_with
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.store.game_file import lines as file_lines
from mcmulti.events.store.game_file import record_of
from mcmulti.projections.books.ledger import entries, lines
from mcmulti.projections.books.statements import WHOLE, BookSpan
from tests.cli.command import running
from tests.games import CALLED
from tests.golden.games import load
from tests.projections.seated import called, seated

EVENTS = load(Path(__file__).parents[1] / "golden" / "three-players.jsonl")


def audit(
    events: Sequence[Recorded],
    span: BookSpan = WHOLE,
    account: str | None = None,
    width: int = 100,
    language: Any = "en",
    source: str = "games",
    names: Called = CALLED,
) -> tuple[bool, str]:
    """Whether everything is sound, and the output."""
    out = StringIO()
    console = Console(file=out, width=width, highlight=False, markup=False, emoji=False)
    return audited(NamedLog(events, names), span, account, language, source, console), out.getvalue()


def row(printed: str, label: str, number: int = 0) -> list[int]:
    """The figures after the n-th occurrence of a label."""
    found = re.findall(rf"^ *{re.escape(label)} +([-+\d, ]+?) *$", printed, re.MULTILINE)[number]
    return [int(figure.replace(",", "")) for figure in found.split()]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game in a file."""
    path = tmp_path_factory.mktemp("files") / "game.ndjson"
    path.write_bytes(b"".join(file_lines(record_of(EVENTS))))
    return path


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_game_by_post_is_audited(language: str) -> None:
    """Each player's opening, income, and spending add up to the final standings in the log."""
    events = load(Path(__file__).parents[1] / "golden" / "by-post-sales.jsonl")
    sound, printed = audit(events, language=language)
    assert sound
    finished = next(json.loads(event.data) for event in events if event.type == "GameFinished")
    cash = {standing["seat"]: standing["cash"] for standing in finished["standings"]}
    ruleset = opened_with(events[0])
    closing = row(printed, {"en": "closing", "de": "Ende"}[language])
    assert closing == [cash[seat] for seat in range(4)]
    assert ruleset.texts.words[language]["assets_bought"] in printed  # type: ignore[index]
    assert "None" not in printed


def run(*arguments: str) -> int | str | None:
    with patch("sys.argv", ["mcmulti", "audit", *arguments]), pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code or 0


def test_a_file_is_audited_without_colors(file: Path, tmp_path: Path) -> None:
    with running("audit", str(file), temporary=tmp_path) as command:
        assert (command.code(), command.said) == (0, "")
        printed = command.printed
    assert "\x1b" not in printed
    assert max(map(cell_len, printed.splitlines()[:-1])) <= 80
    assert printed.count("✓") == 4
    assert "✗" not in printed
    assert "--account seat:0:cash" in printed
    assert EVENTS[-1].hash.hex() in printed


def test_opening_income_and_spending_make_the_closing() -> None:
    """The closing is the cash in the state. This test adds up the rows in between itself."""
    sound, printed = audit(EVENTS)
    assert sound
    cash = [player.cash for player in fold(RULESET, EVENTS).players]
    assert row(printed, "opening") == [0, 0, 0]
    assert row(printed, "closing") == cash
    block = printed[printed.index("Millions of dollars") : printed.index("closing")]
    amounts = [figure for line in block.splitlines() for figure in re.findall(r" ([-+][\d,]+)", line)]
    assert sum(int(figure.replace(",", "")) for figure in amounts) == sum(cash)
    assert len(amounts) > 20
    for label, sign in (("gasoline sold", 1), ("assets bought", -1)):
        reason = label.replace(" ", "_")
        expected = [0, 0, 0]
        for line in lines(entries(EVENTS)):
            if line.unit == "dollars" and line.reason == reason and line.account.startswith("seat:"):
                expected[int(line.account.split(":")[1])] += line.amount
        assert row(printed, label) == expected
        assert all(amount * sign > 0 for amount in expected)


def test_a_span_of_turns_begins_with_what_the_turns_before_it_left() -> None:
    _, early = audit(EVENTS, BookSpan(to_turn=9))
    _, late = audit(EVENTS, BookSpan(from_turn=10))
    assert row(early, "closing") == row(late, "opening")
    assert any(row(late, "opening"))
    assert row(late, "closing") == row(audit(EVENTS)[1], "closing")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("width", [80, 100])
def test_nothing_is_cut_off(language: str, width: int) -> None:
    _, printed = audit(EVENTS, width=width, language=language)
    assert max(map(cell_len, printed.splitlines()[:-1])) <= width
    assert "…" not in printed
    sentences = RULESET.texts.words[language]  # type: ignore[index]
    for word in ("crude_bought", "taxes", "liquidation", "bank", "supply", "consumers", "domestic"):
        assert sentences[word] in re.sub(r"\s+", " ", printed), word


def test_who_gave_whom_what() -> None:
    """Crude that players refined went to the supply. The expected amounts are added up from the log itself."""
    _, printed = audit(EVENTS)
    refined = [0, 0, 0]
    for line in lines(entries(EVENTS)):
        if line.type == "CrudeRefined" and line.unit == "crude" and line.account.startswith("seat:"):
            refined[int(line.account.split(":")[1])] -= line.amount
    crude = printed[printed.index("Who gave whom what") :]
    found = re.search(r"player → supply +refining +([\d ]+)\n", crude)
    assert found
    assert [int(figure) for figure in found[1].split()] == [amount for amount in refined if amount]


def test_the_lines_of_an_account_tell_what_happened() -> None:
    sound, printed = audit(EVENTS, account="seat:1:cash")
    assert sound
    own = [line for line in lines(entries(EVENTS)) if line.account == "seat:1:cash"]
    figures = re.findall(r"^ +(\d+) +(\d+) .* ([-+][\d,]+) +([\d,]+) *$", printed, re.MULTILINE)
    assert [tuple(int(figure.replace(",", "")) for figure in line) for line in figures] == [
        (line.seq, line.turn, line.amount, line.balance) for line in own
    ]
    words = re.sub(r"\s+", " ", printed)
    assert "setup/start-capital" in words
    assert "Player 2: cash" in words
    assert "Proof" not in printed


def test_the_lines_of_all_accounts_of_a_player_name_each() -> None:
    _, printed = audit(EVENTS, BookSpan(until=60), account="seat:1")
    assert "Player 2: cash (millions of dollars)" in printed
    assert "Player 2: crude (crude)" in printed
    assert "Player 1: cash" not in printed


def test_an_unknown_account_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownAccount, match=r"no account 'seat:9'. Accounts: .*seat:0:cash"):
        audit(EVENTS, account="seat:9")


def test_a_game_that_goes_on_is_sound_but_its_dice_are_not_proven_yet() -> None:
    border = next(index for index, event in enumerate(EVENTS) if event.seq > 400 and event.command is not None)
    sound, printed = audit(EVENTS[:border])
    assert sound
    assert "·" in printed[printed.index("Proof") :]
    assert "✗" not in printed
    assert "The dice can be proven when the game is over." in printed


def test_a_game_that_is_not_started_has_no_books() -> None:
    sound, printed = audit(EVENTS[:3])
    assert sound
    assert "There are no bookings yet." in printed


def test_of_a_log_that_was_changed_only_what_stands_before_is_told(file: Path, tmp_path: Path) -> None:
    """The price of one purchase is changed. All other bytes of the file stay the same."""
    number = next(index for index, event in enumerate(EVENTS) if event.type == "AssetBought" and event.seq > 500)
    changed = EVENTS[number]._replace(data=EVENTS[number].data.replace(b'"price":', b'"price":1'))
    forged = [*EVENTS[:number], changed, *EVENTS[number + 1 :]]
    sound, printed = audit(forged)
    assert not sound
    assert "✗" in printed
    assert f"event {changed.seq}" in printed
    assert f"{changed.seq - 1:,} events" in printed
    assert row(printed, "closing") == [player.cash for player in fold(RULESET, EVENTS[:number]).players]
    path = tmp_path / "forged.ndjson"
    path.write_bytes(file.read_bytes().replace(EVENTS[number].data, changed.data, 1))
    assert run(str(path)) == 1


def test_a_log_of_rubbish_is_told_without_books() -> None:
    sound, printed = audit([EVENTS[0]._replace(data=b"{}")])
    assert not sound
    assert "✗" in printed


def test_names_do_not_move_the_cursor() -> None:
    """No server accepts such names, but a log from elsewhere may contain them."""
    names = ["\x1b[2JAda\n\r", "[red]Ben[/]"]
    _, printed = audit(seated(names), names=called(names))
    assert "\x1b" not in printed
    assert "\N{REPLACEMENT CHARACTER}[2JAda" in printed
    assert "[red]Ben[/]" in printed


@pytest.mark.parametrize(
    ("source", "hint"),
    [
        ("games", "mcmulti audit games --account"),
        ("my games", "mcmulti audit 'my games' --account"),
        ("postgresql://ada:secret@db/games", "mcmulti audit SOURCE --account"),
    ],
)
def test_the_hint_can_be_typed_and_keeps_a_password(source: str, hint: str) -> None:
    assert hint in audit(EVENTS[:40], source=source)[1]


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (["--at", "0"], 2, "0 is not in the range"),
        (["--at", "999999"], 1, f"--at 999999 is beyond the end. The game has {len(EVENTS)} events."),
        (["--from-turn", "5", "--to-turn", "4"], 2, "--to-turn 4 is before --from-turn 5."),
        (["--account", "mine"], 1, "The books have no account 'mine'."),
        (["--language", "fr"], 2, "'fr' is not one of"),
        (["--game", "x"], 2, "'x' is not a valid UUID"),
        (["--game", str(UUID(int=5))], 1, str(UUID(int=5))),
    ],
)
def test_what_is_refused(
    arguments: list[str], code: int, reason: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(str(file), *arguments) == code
    assert reason in capsys.readouterr().err


def test_a_moment_in_the_past(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(file), "--at", "200") == 0
    printed = capsys.readouterr().out
    assert row(printed, "closing") == [player.cash for player in fold(RULESET, EVENTS[:200]).players]
