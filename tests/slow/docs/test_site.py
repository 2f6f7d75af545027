"""The static site of the docs: every link works, and its search finds what the docs say."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.manual import DOCS, pages


@pytest.mark.needs("sphinx", "myst_parser", "furo")
def test_the_site_is_built_with_all_pages_and_a_search(tmp_path: Path) -> None:
    build = (sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going")
    done = subprocess.run((*build, str(DOCS), str(tmp_path)), capture_output=True, text=True, check=False, timeout=900)
    assert (done.returncode, done.stderr) == (0, "")
    for guide in pages():
        assert (tmp_path / guide.relative_to(DOCS).with_suffix(".html")).is_file()
    index = (tmp_path / "searchindex.js").read_text("utf-8")
    assert all(stem in index for stem in ("gamestoodstil", "too_many_request", "mcmulti_house_bot_gam"))
