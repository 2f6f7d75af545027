"""What the guides say is so."""

import os
import re
import sys
from pathlib import Path

import pytest
from click import Context

from mcmulti.cli import cli
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.embedded.server import EmbeddedPostgres
from tests.conftest import new_database
from tests.docs.backups import of_backups
from tests.docs.tables import with_tables
from tests.docs.transcript import as_printed, commands, run

ROOT = Path(__file__).parents[2]
GUIDES = sorted((ROOT / "docs").glob("*.md"))
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))
PAGES = [*GUIDES, *DECISIONS, *(ROOT / f"{name}.md" for name in ("ARCHITECTURE", "CONTRIBUTING", "README"))]


@pytest.mark.parametrize("guide", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_guide_links_to_files_that_are_there(guide: Path) -> None:
    for link in re.findall(r"\]\((?!http)([^)#]+)\)", guide.read_text("utf-8")):
        assert (guide.parent / link).exists(), link


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_the_tables_of_a_guide_follow_from_the_code(guide: Path) -> None:
    text = guide.read_text("utf-8")
    assert text == with_tables(text), "run `python -m tests.docs.tables`"


def test_the_map_names_files_and_folders_that_are_there() -> None:
    named = re.findall(r"`([a-z_/<>]+(?:/|\.py|\.toml))`", (ROOT / "ARCHITECTURE.md").read_text("utf-8"))
    assert len(named) > 20
    for name in named:
        if "<" not in name:
            assert any((folder / name).exists() for folder in (ROOT / "mcmulti", ROOT)), name


def test_what_is_said_of_make_is_there() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = set(re.findall(r"`make ([a-z-]+)", (ROOT / "CONTRIBUTING.md").read_text("utf-8")))
    assert len(named) > 7
    assert named <= targets


def test_every_decision_is_listed() -> None:
    [listing] = [page for page in DECISIONS if page.stem == "README"]
    listed = set(re.findall(r"\]\(([a-z-]+)\.md\)", listing.read_text("utf-8")))
    assert listed == {page.stem for page in DECISIONS} - {"README"}
    assert len(listed) >= 10


def test_the_guide_to_the_rules_names_rules_that_there_are() -> None:
    named = re.findall(r"`([a-z]+/[a-z0-9-]+)`", (ROOT / "docs" / "rules.md").read_text("utf-8"))
    assert len(named) > 10
    assert set(named) <= {rule for ruleset in CURRENT.values() for rule in ruleset.texts.rules["en"]}


def test_the_guide_to_operation_names_every_option_of_serve() -> None:
    text = (ROOT / "docs" / "operations.md").read_text("utf-8")
    serve = cli.get_command(Context(cli), "serve")
    assert serve is not None
    options = {option for parameter in serve.params for option in parameter.opts}
    assert options == set(re.findall(r"`(--[a-z-]+)`", text))


def test_the_commands_of_the_guide_to_operation_work(postgres: EmbeddedPostgres, tmp_path: Path) -> None:
    """But for those that need another PostgreSQL: tests/docs/test_restore.py, tests/cli/test_upgrade.py."""
    guide = (ROOT / "docs" / "operations.md").read_text("utf-8")
    sections = [
        part for part in re.split("^(?=## )", guide, flags=re.M) if not part.startswith("## A newer PostgreSQL")
    ]
    transcript = commands("".join(section for section in sections if not of_backups(section)))
    assert transcript
    with new_database(postgres) as name:
        environment = {
            **os.environ,
            "OWNER_URL": postgres.url(database=name),
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        }
        printed = run(transcript, tmp_path, environment)
    for command, output in zip(transcript, printed, strict=True):
        assert as_printed(command.prints, output), output
