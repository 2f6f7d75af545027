"""What the guides say is true."""

import os
import re
import sys
from functools import cache
from pathlib import Path

from mcmulti.domain.rulesets import SHIPPED
from mcmulti.events.embedded.server import EmbeddedPostgres
from mcmulti.web.guides import guide_of
from tests.conftest import new_database
from tests.docs.manual import DOCS, ROOT, page, pages
from tests.docs.tables import with_tables
from tests.docs.transcript import as_printed, commands, run
from tests.docs.typed import SERIES

OPERATING = (
    "how-to/choose-a-database",
    "how-to/replace-the-signing-key",
    "how-to/size-a-server",
    "how-to/run-several-servers",
)
GUIDES = pages()
DECISIONS = [path for path in GUIDES if path.parent.name == "decisions"]
OTHERS = ("ARCHITECTURE", "CHANGELOG", "CODE_OF_CONDUCT", "CONTRIBUTING", "README", "SECURITY", "examples/README")
LONGEST = 15 * 1024
"""Maximum size of a page, in bytes. Longer pages must be split."""
FOLDERS = {"tutorials", "how-to", "reference", "explanation", "decisions"}
TRIED = {
    **{name: "tests/docs/typed.py" for series in SERIES for name in series},
    **dict.fromkeys(OPERATING, "tests/docs/test_guides.py"),
    **dict.fromkeys(("how-to/add-a-game", "how-to/add-any-game"), "tests/docs/test_adding_a_ruleset.py"),
    **dict.fromkeys(
        ("tutorials/first-audit", "how-to/follow-the-money", "how-to/export-the-books"), "tests/slow/docs/test_audit.py"
    ),
    "how-to/back-up-and-restore": "tests/docs/test_restore.py",
    "how-to/connect-a-language-model": "tests/docs/test_mcp.py",
    "how-to/download-games": "tests/cli/test_download.py",
    "how-to/get-notifications": "tests/docs/test_notifications.py",
    "how-to/merge-installations": "tests/docs/test_merging.py",
    "how-to/play-at-the-terminal": "tests/slow/docs/test_terminal.py",
    "how-to/prove-a-game": "tests/docs/vectors.py",
    "how-to/review-a-game": "tests/docs/test_review_guide.py",
    "how-to/run-on-a-cluster": "tests/docs/test_cluster.py",
}
"""The tests that type the pages with a console."""


def test_guides_link_to_files_and_headings_that_are_there() -> None:
    for guide in (*GUIDES, *(ROOT / f"{name}.md" for name in OTHERS)):
        for link, anchor in re.findall(r"\]\((?!http)([^)#]*)(?:#([^)]*))?\)", guide.read_text("utf-8")):
            target = (guide.parent / link).resolve() if link else guide
            assert target.exists(), f"{guide}: {link}"
            assert not anchor or target.suffix != ".md" or anchor in anchors(target), f"{guide}: {link}#{anchor}"


@cache
def anchors(guide: Path) -> set[str]:
    """How links to a guide may end."""
    return {heading.anchor for heading in guide_of("page.md", guide.read_text("utf-8")).headings}


def test_a_guide_is_in_a_folder_and_short_and_listed() -> None:
    for guide in GUIDES:
        assert len(guide.read_bytes()) <= LONGEST, guide
        assert guide.parent.name in FOLDERS or guide in {DOCS / "README.md", DOCS / "ideas.md"}
    listed = {(DOCS / link).resolve() for link in re.findall(r"\]\(([^)#]+\.md)", page("README"))}
    assert set(GUIDES) - listed == {*DECISIONS, DOCS / "README.md"} - {DOCS / "decisions" / "README.md"}


def test_every_console_is_tried() -> None:
    shown = {guide.relative_to(DOCS).as_posix()[:-3] for guide in GUIDES if "```console" in guide.read_text("utf-8")}
    assert shown == set(TRIED)
    for name, test in TRIED.items():
        assert f'"{name}"' in (ROOT / test).read_text("utf-8"), name


def test_the_tables_of_guides_follow_from_the_code() -> None:
    for guide in GUIDES:
        text = guide.read_text("utf-8")
        assert text == with_tables(text), f"{guide}: run `make docs`"


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
    written = page(*(f"reference/{part}-{name}" for part in ("rules", "table-rules", "figures") for name in SHIPPED))
    named = re.findall(r"`([a-z]+/[a-z0-9-]+)`", written)
    assert len(named) > 10
    assert set(named) <= {rule for ruleset in SHIPPED.values() for rule in ruleset.texts.rules["en"]}


def test_the_commands_of_the_guides_for_operators_work(postgres: EmbeddedPostgres, tmp_path: Path) -> None:
    """Without those that need another PostgreSQL: tests/docs/test_restore.py, tests/slow/cli/test_upgrade.py."""
    sections = re.split("^(?=## )", page(*OPERATING), flags=re.M)
    transcript = commands("".join(part for part in sections if not part.startswith("## A newer PostgreSQL")))
    assert len(transcript) == 4
    with new_database(postgres) as name:
        environment = {
            **os.environ,
            "OWNER_URL": postgres.url(database=name),
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        }
        printed = run(transcript, tmp_path, environment)
    for command, output in zip(transcript, printed, strict=True):
        assert as_printed(command.prints, output), output
