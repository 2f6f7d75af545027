"""The document and the server keep what they promise each other. `make fuzz` looks longer, at other places."""

from pathlib import Path

import pytest

from tests.slow.fuzz.run import Part, fuzz

SEED = 20121


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("part", ["commands", "forecast", "others"])
async def test_the_server_keeps_to_the_document(database: str, tmp_path: Path, part: Part) -> None:
    findings = await fuzz(database, tmp_path, SEED, examples=50, part=part)
    assert findings.code == 0, findings.said
