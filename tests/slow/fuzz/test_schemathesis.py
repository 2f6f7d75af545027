"""The document and the server keep what they promise each other. `make fuzz` looks longer, at other places."""

from pathlib import Path

from tests.slow.fuzz.run import fuzz

SEED = 20121


async def test_the_server_keeps_to_the_document(database: str, tmp_path: Path) -> None:
    findings = await fuzz(database, tmp_path, SEED, examples=80)
    assert findings.code == 0, findings.said
