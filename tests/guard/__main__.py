"""Write the table of what requests cost, and print what changed. Run as ``python -m tests.guard``."""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from mcmulti.events.embedded.server import EmbeddedPostgres
from mcmulti.events.postgres.migrate import migrate
from tests.guard.table import TABLE, differences, measured, read, written


def main() -> None:
    """Measure on a database of its own."""
    with TemporaryDirectory(prefix="mcmulti-guard-") as folder, EmbeddedPostgres(Path(folder) / "data") as postgres:
        asyncio.run(migrate(postgres.url()))
        costs = asyncio.run(measured(postgres.url()))
    before = read(TABLE.read_text("utf-8")) if TABLE.exists() else {}
    print(*differences(costs, before), sep="\n")
    TABLE.write_text(written(costs), "utf-8")


if __name__ == "__main__":
    main()
