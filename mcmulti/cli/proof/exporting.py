"""Games as files: complete, as books, or as a page that replays and verifies itself in any browser, without network."""

import os
import tempfile
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from gzip import compress
from hashlib import sha256
from html import escape
from pathlib import Path

import msgspec
from msgspec.structs import astuple

from mcmulti.api.telling.games import games_head
from mcmulti.cli.proof.moments import check, moments
from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.log.codec import opened_with
from mcmulti.events.store.game_file import GameRecord, lines
from mcmulti.projections.books import journals, ledger
from mcmulti.projections.books.tables import csv_pieces
from mcmulti.projections.reviews import Review
from mcmulti.web.bundle import bundle
from mcmulti.web.files import site

SUFFIXES = {"game": ".mcmulti.jsonl", "html": ".html", "hledger": ".journal", "beancount": ".beancount", "csv": ".csv"}
"""File name suffixes, by format."""
_ENTRY = "proof/export.js"
_STYLES = ("app.css", "game/page.css", "proof/page.css", "review/page.css")


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


def page(record: GameRecord, reviews: Mapping[Language, Review] | None = None) -> Iterator[bytes]:
    """A game as a page in one file, in chunks. Text that people wrote is compressed, and inserted only as text, never
    as markup.

    `reviews`: the review of the game in each language, to show beside the replay. Raises `CannotTell` before the first
    chunk.
    """
    shown = msgspec.json.encode(moments(record))
    files = site().files
    style = "".join(files[path].body.decode() for path in _STYLES)
    script = bundle(files, _ENTRY)
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_source_hash(script)}'",
            f"style-src '{_source_hash(style)}'",
            "img-src data: blob:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    yield (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"{games_head([opened_with(record.events[0])])}\n"
        f"<title>{escape(record.file.ruleset)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        '<header class="top"></header>\n<main id="main" tabindex="-1"></main>\n'
        '<div id="news" class="unseen" role="status" aria-live="polite"></div>\n'
        "<noscript><p>This page needs JavaScript. It contains the complete game, compressed.</p></noscript>\n"
    ).encode()
    yield _packed("game", lines(record))
    yield _packed("moments", [shown])
    if reviews is not None:
        yield _packed("review", [msgspec.json.encode(reviews)])
    yield f'<script type="module">{script}</script>\n</body>\n</html>\n'.encode()


def _packed(name: str, content: Iterable[bytes]) -> bytes:
    """Data for the page: compressed, in characters that cannot end an element. The same content gives the same text."""
    packed = b64encode(compress(b"".join(content), 6, mtime=0)).decode()
    return f'<script type="application/gzip" id="{name}">{packed}</script>\n'.encode()


def _source_hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
