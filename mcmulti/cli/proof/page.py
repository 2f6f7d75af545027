"""A game as a page in one file, which replays and verifies itself in any browser, without network access."""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from gzip import compress
from hashlib import sha256
from html import escape

import msgspec

from mcmulti.api.telling.games import games_head
from mcmulti.cli.proof.moments import moments
from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.log.codec import opened_with
from mcmulti.events.store.game_file import GameRecord, lines
from mcmulti.projections.reviews import Review
from mcmulti.web.bundle import bundle
from mcmulti.web.files import site

_ENTRY = "proof/export.js"
_STYLES = ("app.css", "game/page.css", "proof/page.css", "review/page.css")


def page(record: GameRecord, reviews: Mapping[Language, Review] | None = None) -> Iterator[bytes]:
    """The page, in chunks. Text that people wrote is compressed, and inserted only as text, never as markup.

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
