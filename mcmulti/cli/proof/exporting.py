"""Games as files."""

import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec.structs import astuple

from mcmulti.cli.proof.moments import check
from mcmulti.cli.proof.page import page
from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.store.game_file import GameRecord, lines
from mcmulti.projections.books import journals, ledger
from mcmulti.projections.books.tables import csv_pieces
from mcmulti.projections.reviews import Review

SUFFIXES = {"game": ".mcmulti.jsonl", "html": ".html", "hledger": ".journal", "beancount": ".beancount", "csv": ".csv"}
"""File name suffixes, by format."""


def content_of(record: GameRecord, wanted: str, reviews: Mapping[Language, Review] | None = None) -> Iterable[bytes]:
    """A game in one of the formats of `SUFFIXES`, in chunks. Raises `CannotTell` with the first chunk at the latest.

    `reviews`: those that an `html` page includes, by language. The `game` format is written even if the events are
    faulty.
    """
    events, called = record.events, record.file.names
    if wanted == "html":
        return page(record, reviews)
    if wanted != "game":
        check(record)
    if wanted == "hledger":
        return [journals.text(journals.hledger(events, called=called))]
    if wanted == "beancount":
        return [journals.text(journals.beancount(events, called))]
    if wanted == "csv":
        rows = map(astuple, ledger.lines(ledger.entries(events)))
        return csv_pieces(ledger.LedgerLine.__struct_fields__, rows)
    return lines(record)


def write(file: Path, content: Iterable[bytes], *, force: bool = False) -> None:
    """Write a file completely or not at all. Raises FileExistsError, unless `force`, and other OSErrors."""
    if not force and file.exists():
        raise FileExistsError(str(file))
    descriptor, draft = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with open(descriptor, "wb") as new:
            new.writelines(content)
            os.fchmod(new.fileno(), 0o666 & ~_umask())
        if force:
            os.replace(draft, file)
        else:
            os.link(draft, file)  # fails if another program wrote it meanwhile
    finally:
        Path(draft).unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
