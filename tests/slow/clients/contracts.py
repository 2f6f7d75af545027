"""The contract, and those of each rule set, as `make openapi` writes them."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from mcmulti.api.app import ROUTES
from mcmulti.api.openapi import document
from mcmulti.api.openapi.committed import write
from mcmulti.domain.rulesets import CURRENT


@cache
def _folder() -> "TemporaryDirectory[str]":
    """Written once per process, and removed when it ends."""
    folder: TemporaryDirectory[str] = TemporaryDirectory(prefix="mcmulti-contracts-", ignore_cleanup_errors=True)
    write(
        Path(folder.name),
        document(ROUTES),
        {name: document(ROUTES, name) for name in CURRENT},
        document(ROUTES, bots=True),
    )
    return folder


def contract(name: str) -> Path:
    """The file of the contract of a rule set, or with "openapi" of the whole one."""
    return Path(_folder().name, f"{name}.json")
