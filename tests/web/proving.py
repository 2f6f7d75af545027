"""The proof of the pages, run by node instead of a browser."""

import json
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from mcmulti.web.files import STATIC
from tests.needs import found

_PROVE = """
import { prove } from "./prover.js";
const reports = [];
for (const { content, asked } of JSON.parse(await new Response(process.stdin).text())) {
  const told = [];
  const report = await prove(new Uint8Array(Buffer.from(content, "base64")), asked, (done) => told.push(done));
  reports.push({ ...report, told });
}
console.log(JSON.stringify(reports));
"""


def evaluated(folder: Path, program: str, given: Any = None) -> Any:
    """The JSON that a module prints. It may import `./prover.js` or `./file.js`. `given`: its standard input."""
    (folder / "package.json").write_text('{"type": "module"}', "utf-8")
    for module in ("proof/prover.js", "proof/file.js", "game/pictures.js"):
        (folder / module).parent.mkdir(exist_ok=True)
        shutil.copy(STATIC / module, folder / module)
    (folder / "proof" / "program.js").write_text(program, "utf-8")
    done = subprocess.run(
        (found("node"), "program.js"),
        cwd=folder / "proof",
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Job(NamedTuple):
    """A game file to prove, in pieces, and what it must match."""

    content: Iterable[bytes]
    asked: Mapping[str, Any] = MappingProxyType({})


def proven(folder: Path, *jobs: Job) -> list[dict[str, Any]]:
    """The reports on game files. `told`: the reported progress, in order."""
    given = [{"content": b64encode(b"".join(job.content)).decode(), "asked": dict(job.asked)} for job in jobs]
    reports: list[dict[str, Any]] = evaluated(folder, _PROVE, given)
    return reports
