"""The command line with the toy plugged in, in processes of its own."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.command import running

OIL = re.compile(r"dollar|barrel|crude|gasoline|million", re.IGNORECASE)


def said_by(*arguments: str, temporary: Path, toy: str = "1", code: int = 0) -> str:
    """The output of the command line. It must end with this code, and not mention oil."""
    with running(*arguments, temporary=temporary, module="tests.toy.mcmulti", TOY=toy) as command:
        ended = command.code(), command.said
        printed = command.printed
    assert ended[0] == code, ended[1] + printed
    assert not OIL.search(printed + ended[1]), printed + ended[1]
    return printed + ended[1]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of a demo of the first version, and its output."""
    place = tmp_path_factory.mktemp("demo")
    printed = said_by("demo", "--ruleset", "wool_fair", "--folder", str(place / "kept"), temporary=place)
    return place / "kept", printed


@pytest.fixture(scope="module")
def file(kept: tuple[Path, str]) -> Path:
    """Its game file, written by a command for which the second version is the current one."""
    written = kept[0].parent / "fair.jsonl"
    said_by("export", str(kept[0]), "--output", str(written), temporary=kept[0].parent, toy="1,2")
    return written


@pytest.mark.needs("postgres")
def test_five_bots_play_a_fair_in_the_demo_and_it_is_proven(kept: tuple[Path, str]) -> None:
    printed = kept[1]
    assert re.search(r"^Game \S+ of 5 bots$", printed, re.MULTILINE)
    assert re.search(r"rank +player +strategy +florins +wool", printed)
    assert re.search(r"1 +(Amber|Basalt|Cobalt|Dune|Ember) ★ +random +\d+ +0", printed)
    assert re.search(r"^ +sum +0 +0 *$", printed, re.MULTILINE)
    assert (printed.count("✓"), printed.count("✗")) == (7, 0)
    assert "# follow all that is counted" in printed
    assert "board.svg" not in printed


@pytest.mark.needs("postgres")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["replay", "--plain"], ["A wool fair of 6 days is called for 5 traders.", "and a sack costs 5 florins."]),
        (
            ["replay", "--plain", "--by", "turn", "--language", "de"],
            ["Ein Wollmarkt von 6 Tagen", "Der Markt ist vorbei"],
        ),
        (["replay", "--at", "7"], ["Amber", "Ember", "florins", "wool", "20"]),
        (["verify"], ["decided again by the rules"]),
        (["audit"], ["Florins", "Wool", "purchase", "mint", "Ember"]),
        (["audit", "--language", "de"], ["Gulden", "Wolle", "Münze"]),
        (["audit", "--account", "seat:4:purse"], ["Ember"]),
        (["statistics"], ["6 turns", "Ended by itself, won by", "die of the day", "purchase", "Ember"]),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else None,
)
def test_what_looks_into_a_game_looks_into_a_fair(
    arguments: Sequence[str], told: list[str], file: Path, tmp_path: Path
) -> None:
    command, *options = arguments
    printed = said_by(command, str(file), *options, temporary=tmp_path, toy="1,2")
    for words in told:
        assert words.lower() in printed.lower(), printed


@pytest.mark.needs("postgres")
def test_a_fair_is_taken_elsewhere_and_counted_there(file: Path, tmp_path: Path) -> None:
    elsewhere = str(tmp_path / "elsewhere")
    assert "imported" in said_by("import", str(file), "--folder", elsewhere, temporary=tmp_path, toy="1,2").lower()
    assert "wool fair" in said_by("statistics", elsewhere, "--all", temporary=tmp_path, toy="1,2")
    for form in ("hledger", "beancount", "csv"):
        said_by("export", str(file), "--format", form, "--output", "-", temporary=tmp_path)


@pytest.mark.needs("postgres")
def test_a_fair_with_a_changed_amount_is_refused_and_the_event_is_named(file: Path, tmp_path: Path) -> None:
    text = file.read_text()
    seq, paid = re.findall(r'"seq":(\d+),[^\n]*?"type":"WoolBought",[^\n]*?"paid":(\d+)', text)[0]
    line = next(line for line in text.splitlines() if f'"seq":{seq},' in line and "WoolBought" in line)
    changed = tmp_path / "changed.jsonl"
    changed.write_text(text.replace(line, line.replace(f'"paid":{paid}', f'"paid":{int(paid) - 1}')))
    assert f"event {seq}" in said_by("verify", str(changed), temporary=tmp_path, code=1)
    assert f"event {seq}" in said_by("import", str(changed), "--folder", "x", temporary=tmp_path, code=1)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--players", "6"], "6 is not in the range 2<=x<=5."),
        (["--target", "750"], "The wool fair has no option 'target'. Options: seats, days, if_left, practice."),
        (["--set", "days=0"], "days: Expected `int` >= 1."),
        (["--strategy", "tycoon"], "'tycoon' does not play wool_fair: random, my_bot.py:Mine or ./my_program."),
        (["--strategy", "random,random,random", "--players", "2"], "3 strategies for 2 players."),
    ],
)
def test_what_a_fair_cannot_be_is_refused(arguments: list[str], reason: str, tmp_path: Path) -> None:
    said = said_by("demo", "--ruleset", "wool_fair", *arguments, temporary=tmp_path, code=2)
    assert reason in " ".join(said.split())


@pytest.fixture(scope="module")
def raced(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of a dice race that a bot leaves, with a clock, and the demo's output."""
    place = tmp_path_factory.mktemp("race")
    printed = said_by(
        *("demo", "--ruleset", "dice_race", "--players", "4", "--leave", "5", "--clock", "60+30"),
        *("--set", "goal=30", "--folder", str(place / "kept")),
        temporary=place,
        toy="1,2,3,4",
    )
    return place / "kept", printed


@pytest.mark.needs("postgres")
def test_a_dice_race_is_played_and_proven(raced: tuple[Path, str]) -> None:
    assert re.search(r"rank +player +strategy +spaces", raced[1])
    assert re.search(r"1 +[\w /]+ ★ +random +3\d", raced[1])
    assert (raced[1].count("✓"), raced[1].count("✗")) == (7, 0)
    assert "board.svg" in raced[1]


@pytest.mark.needs("postgres")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["replay", "--plain"], ["A race is called.", "walks to space", "Garnet"]),
        (["replay", "--plain", "--language", "de"], ["Ein Rennen wird ausgerufen.", "geht auf Feld"]),
        (["replay", "--at", "12"], ["spaces", "Turn"]),
        (["report"], ["The dice race: who won, and why", "race/goal"]),
        (["report", "--language", "de"], ["Das Würfelrennen: wer gewann", "Felder"]),
        (["verify"], ["decided again by the rules"]),
        (["audit"], ["Spaces", "road", "move"]),
        (["statistics"], ["die", "spaces", "move"]),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else None,
)
def test_what_looks_into_a_game_looks_into_a_race(
    arguments: Sequence[str], told: list[str], raced: tuple[Path, str], tmp_path: Path
) -> None:
    command, *options = arguments
    printed = said_by(command, str(raced[0]), *options, temporary=tmp_path, toy="1,2,3,4")
    for words in told:
        assert words in printed, printed


def test_a_race_is_run_in_the_arena(tmp_path: Path) -> None:
    arguments = ("arena", "random", "random", "--ruleset", "dice_race", "--games", "10", "--processes", "1")
    printed = said_by(*arguments, temporary=tmp_path, toy="1,2,3,4")
    assert "dice_race, 2 players, 10 games" in printed


def test_the_contract_with_the_fair_breaks_no_client(tmp_path: Path) -> None:
    """Compared with the published document, and the second version with the first."""
    folder = tmp_path / "openapi"
    folder.mkdir()
    (folder / "openapi.json").write_bytes(Path("openapi/openapi.json").read_bytes())
    for toy, added in (
        ("1", ["NewWoolFairGame was added"]),
        ("1,2", ["WoolFair2BuyWool was added"]),
        ("1,2,3,4", ["NewStrangerGame", "NewRaceGame was added"]),
    ):
        with running("openapi", str(folder), temporary=tmp_path, module="tests.toy.mcmulti", TOY=toy) as command:
            assert command.code() == 0, command.printed
            assert "BREAKING" not in command.printed
            for change in added:
                assert change in command.printed
