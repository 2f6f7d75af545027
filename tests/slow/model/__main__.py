"""`make model`: longer than in the tests, and another way each time."""

import argparse
import asyncio
import secrets
import tempfile
from pathlib import Path

import structlog

from mcmulti.events.embedded.server import EmbeddedPostgres
from mcmulti.events.postgres.migrate import migrate
from tests.slow.model.run import compared


def main() -> None:
    """Compare, and print how to repeat it. Ends with the difference."""
    parser = argparse.ArgumentParser(prog="make model ARGS=...", description=__doc__)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32))
    parser.add_argument("--examples", type=int, default=500)
    parser.add_argument("--steps", type=int, default=50)
    options = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    print(f"Again: make model ARGS='--seed={options.seed} --examples={options.examples} --steps={options.steps}'")
    with tempfile.TemporaryDirectory() as name, EmbeddedPostgres(Path(name) / "postgres") as postgres:
        asyncio.run(migrate(postgres.url()))
        compared(postgres.url(), options.examples, options.steps, options.seed)
    print("The servers did as the model does.")


if __name__ == "__main__":
    main()
