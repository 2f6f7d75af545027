"""`make fuzz`: longer than in the tests, and another way each time."""

import argparse
import asyncio
import logging
import secrets
import sys
import tempfile
from pathlib import Path

import structlog

from mcmulti.events.embedded.server import EmbeddedPostgres
from tests.slow.fuzz.run import fuzz


def main() -> int:
    """Fuzz, and print how to repeat it. The exit code is that of Schemathesis."""
    parser = argparse.ArgumentParser(prog="make fuzz ARGS=...", description=__doc__)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32))
    parser.add_argument("--max-examples", type=int, default=300)
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    print(f"Again: make fuzz ARGS='--seed={options.seed} --max-examples={options.max_examples}'", flush=True)
    with tempfile.TemporaryDirectory() as name, EmbeddedPostgres(Path(name) / "postgres") as postgres:
        code, said = asyncio.run(fuzz(postgres.url(), Path(name), options.seed, options.max_examples))
    print(said)
    return code


if __name__ == "__main__":
    sys.exit(main())
