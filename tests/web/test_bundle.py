"""Bundling modules into one: what is understood, and what is refused."""

import json
import subprocess
from pathlib import Path

import pytest

from mcmulti.web.bundle import CannotBundle, bundle
from mcmulti.web.files import StaticFile, site
from tests.needs import found


def files(**sources: str) -> dict[str, StaticFile]:
    """Modules by name, `a__b` for `a/b.js`."""
    return {
        f"{name.replace('__', '/')}.js": StaticFile(text.encode(), "text/javascript") for name, text in sources.items()
    }


@pytest.mark.needs("node")
def test_what_is_imported_is_run_once_and_before(tmp_path: Path) -> None:
    modules = files(
        page__main=(
            'import { one, twice as double } from "./lib.js";\n'
            'import * as all from "../lib/deep.js";\n'
            'import {\n  Kind,\n  later,\n} from "./lib.js";\n'
            "// a comment\n"
            'const missing = await import("./absent.js").then(() => 0, () => 1);\n'
            "console.log(JSON.stringify([one, double(2), all.deep, new Kind().name, await later(), missing]));\n"
        ),
        page__lib=(
            'import { deep } from "../lib/deep.js";\n'
            "/** What it is.\n * `export const no` */\nexport const one = deep + 1;\n"
            "export function twice(x) {\n  return 2 * x;\n}\n"
            'export class Kind {\n  name = "kind";\n}\n'
            'export async function later() {\n  return "later";\n}\n'
        ),
        lib__deep="globalThis.run = (globalThis.run ?? 0) + 1;\nexport const deep = globalThis.run;\nexport {};\n",
    )
    (tmp_path / "all.mjs").write_text(bundle(modules, "page/main.js"), "utf-8")
    done = subprocess.run(
        (found("node"), "all.mjs"), cwd=tmp_path, capture_output=True, text=True, check=True, timeout=600
    )
    assert json.loads(done.stdout) == [2, 4, 1, "kind", "later", 1]


@pytest.mark.parametrize(
    "source",
    [
        'import "./b.js";\n',
        'import b from "./b.js"; b();\n',
        "export default 1;\n",
        "export let changes = 1;\n",
        'export { b } from "./b.js";\n',
        "const b = 1;\nexport { b };\n",
        'export const b = "</SCRIPT>";\n',
        'export const b = "<!--";\n',
        'import { b } from "./main.js";\n',
    ],
)
def test_what_is_not_understood_is_refused(source: str) -> None:
    with pytest.raises(CannotBundle):
        bundle(files(main=source, b="export const b = 1;\n"), "main.js")


def test_the_exported_page_is_one_module_that_nothing_is_left_out_of() -> None:
    text = bundle(site().files, "proof/export.js")
    assert "import.meta" not in text
    assert not [line for line in text.splitlines() if line.startswith(("import ", "export "))]
