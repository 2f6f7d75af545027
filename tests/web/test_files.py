"""The files of the pages: what is sent, how it may be cached, how large it is, and that its types hold."""

import gzip
import json
import re
import subprocess

import pytest

from mcmulti.web.files import STATIC, site
from tests.needs import found
from tests.web.browsing import HERE, packages

MOST = 219_500
"""Total bytes of all files, as they are sent."""


def test_all_files_together_are_small() -> None:
    sent = {path: len(gzip.compress(file.body, 6)) for path, file in site().files.items()}
    assert sum(sent.values()) < MOST, sorted(sent.items(), key=lambda each: -each[1])[:10]


def test_modules_are_sent_without_the_comments_that_take_whole_lines() -> None:
    for path, file in site().files.items():
        if path.endswith(".js"):
            code, comment = [], False
            for line in (STATIC / path).read_text("utf-8").splitlines():
                text = line.strip()
                begins = text.startswith("/**") and ("*/" not in text or text.endswith("*/"))
                if comment or begins:
                    comment = "*/" not in text
                elif not text.startswith("//"):
                    code.append(line)
            assert file.body.decode().splitlines() == code, path


def test_every_file_is_of_a_known_type() -> None:
    assert {path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file()} == {*site().files}


def test_nothing_is_loaded_from_elsewhere_and_nothing_is_read_as_markup() -> None:
    for path, file in site().files.items():
        if path.endswith((".js", ".css", ".html")):
            text = file.body.decode()
            assert not re.search(r"\.innerHTML|\.outerHTML|insertAdjacentHTML|document\.write|\beval\(", text), path
            assert not re.search(r"(?:src|href|import|from|url)\s*[=(]?\s*[\"'(]?https?:", text), path


def test_whatever_a_page_imports_is_there_and_is_asked_for_at_once() -> None:
    for name in site().pages:
        page = site().page(name).decode()
        for module in site().imported[f"{name}/page.js"]:
            assert module in site().files
            assert f'<link rel="modulepreload" href="{site().address(module)}">' in page


@pytest.mark.needs("node", "npm")
def test_the_types_hold() -> None:
    generator = packages() / ".bin" / "openapi-typescript"
    contract = HERE.parents[1] / "openapi" / "openapi.json"
    options = ("--default-non-nullable=false", "--output", HERE / "contract.d.ts")
    subprocess.run((generator, contract, *options), cwd=HERE, check=True, capture_output=True, timeout=300)
    done = subprocess.run(
        (found("node"), packages() / "typescript" / "bin" / "tsc", "--project", HERE),
        cwd=HERE,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout


COMPARED = """
const ts = require("typescript");
let text = "";
process.stdin.on("data", (chunk) => (text += chunk)).on("end", () => {
  const printer = ts.createPrinter({ removeComments: true });
  const plain = (code) => printer.printFile(ts.createSourceFile("module.js", code, "ESNext"));
  for (const [path, written, sent] of JSON.parse(text)) if (plain(written) !== plain(sent)) console.log(path);
});
"""


@pytest.mark.needs("node", "npm")
def test_nothing_but_comments_is_left_out() -> None:
    modules = [
        (path, (STATIC / path).read_text("utf-8"), file.body.decode())
        for path, file in site().files.items()
        if path.endswith(".js")
    ]
    assert sum(len(written) - len(sent) for _, written, sent in modules) > 10_000
    node = (found("node"), "--eval", COMPARED)
    done = subprocess.run(
        node, input=json.dumps(modules), cwd=packages().parent, capture_output=True, text=True, timeout=300, check=True
    )
    assert done.stdout == ""
