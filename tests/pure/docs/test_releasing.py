"""What `make release` finds before it runs anything: a version, a changelog, or a lock file that is not ready."""

import re
import tomllib
from pathlib import Path

import yaml

from tests.releasing import AUDIENCES, LOCKED, changelog_faults, lock_faults, version_faults

ROOT = Path(__file__).parents[3]
LOG = "# Changelog\n\n## Unreleased\n\n## 1.2.0 - 2027-01-31\n\n### For players\n\n- A game.\n\n## 1.1.0 - 2026-12-01\n"


def test_a_changelog_has_the_version_at_the_top_with_its_date() -> None:
    assert list(changelog_faults(LOG, "1.2.0")) == []
    assert list(changelog_faults(LOG, "1.1.0")) == ['CHANGELOG.md has no section "## 1.1.0 - YYYY-MM-DD" at the top.']
    undated = LOG.replace("1.2.0 - 2027-01-31", "1.2.0")
    assert list(changelog_faults(undated, "1.2.0")) == [
        'CHANGELOG.md has no section "## 1.2.0 - YYYY-MM-DD" at the top.'
    ]


def test_nothing_stays_unreleased() -> None:
    [fault] = changelog_faults(LOG.replace("## Unreleased\n", "## Unreleased\n\n- A bug.\n"), "1.2.0")
    assert fault.startswith("CHANGELOG.md still has unreleased changes.")


def test_a_changelog_is_sorted_by_audience() -> None:
    [fault] = changelog_faults(LOG.replace("### For players", "### Fixed"), "1.2.0")
    assert fault == "CHANGELOG.md sorts by audience, so these headings are wrong: Fixed."
    headings = re.findall(r"^### (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert headings
    assert set(headings) <= AUDIENCES


def test_a_lock_file_pins_what_the_project_wants() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    for name in LOCKED:
        lock = (ROOT / name).read_text("utf-8")
        assert list(lock_faults(name, lock, project)) == []
        old = re.sub(r"^litestar==\S+", "litestar==1.51.16", lock, flags=re.MULTILINE)
        missing = re.sub(r"^litestar==\S+", "litestar-other==2.25.0", lock, flags=re.MULTILINE)
        for wrong, pinned in ((old, "1.51.16"), (missing, "None")):
            [fault] = lock_faults(name, wrong, project)
            assert fault.startswith(f"{name} pins litestar to {pinned}, and pyproject.toml wants litestar")
        elsewhere = re.sub(r"^(tzdata==\S+) ", r"\1 ; sys_platform == 'win32' ", lock, flags=re.MULTILINE)
        [fault] = lock_faults(name, elsewhere, project)
        assert fault.startswith(f"{name} pins tzdata to None, and pyproject.toml wants tzdata")


def test_a_version_is_newer_than_all_others() -> None:
    assert list(version_faults("0.1.0", [], breaking=False)) == []
    assert list(version_faults("0.10.0", ["0.2.0", "0.9.0"], breaking=False)) == []
    for version in ("0.9.0", "0.8.1", "0.9.0rc1"):
        [fault] = version_faults(version, ["0.2.0", "0.9.0"], breaking=False)
        assert fault.startswith(f"Version {version} is not newer than 0.9.0.")


def test_a_contract_that_breaks_clients_raises_the_major_version_and_before_1_the_minor() -> None:
    assert list(version_faults("2.0.0", ["1.4.2"], breaking=True)) == []
    assert list(version_faults("0.5.0", ["0.4.2"], breaking=True)) == []
    assert list(version_faults("1.0.0", ["0.4.2"], breaking=True)) == []
    assert [*version_faults("1.5.0", ["1.4.2"], breaking=True), *version_faults("0.4.3", ["0.4.2"], breaking=True)] == [
        "The contract breaks clients of 1.4.2: raise the major version.",
        "The contract breaks clients of 0.4.2: raise the minor version.",
    ]


def test_forms_for_issues_ask_for_something() -> None:
    """They have what GitHub requires of a form: a name, a description, and a field with a label."""
    folder = ROOT / ".github" / "ISSUE_TEMPLATE"
    forms = {
        file.stem: yaml.safe_load(file.read_text("utf-8")) for file in folder.glob("*.yml") if file.stem != "config"
    }
    assert len(forms) >= 3
    for form in forms.values():
        assert {"name", "description", "body"} <= set(form)
        fields = [field for field in form["body"] if field["type"] != "markdown"]
        assert any(field.get("validations", {}).get("required") for field in fields)
        assert len({field["id"] for field in fields}) == len(fields)
        assert all(field["attributes"]["label"] for field in fields)
