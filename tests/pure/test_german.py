"""German texts address their reader as "du", and use neither "Sie" nor "man"."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import mcmulti

ROOT = Path(mcmulti.__file__).parent
THEY = (
    "Sie gilt.",
    "Sie wurde abgeschaltet",
    "Sie wird nirgendwohin gesandt",
    "Sie ist nicht die ihres Schlüssels",
    "Sie ist weder vom verlangten Schlüssel",
    "Ihr Schlüssel ist seit",
    "Sie gaben „",
    "Sie fragt niemanden",
    "Ihr Text ist",
    "Sie zählt für die Wertung",
    "Sie werden vor der Reserve verbraucht",
    "Sie werden ausgelost",
    "Sie verkauft ein Fass",
    "Sie endet mit der Versteigerung",
    "Sie endet, wenn",
    "Sie endet nach dem Zug",
    "Sie stehen still",
    "Sie kann auch sagen",
    "Sie wird für jede Art",
    "Sie wurde",
)
"""Where "Sie" and "Ihr" are not the reader, but something mentioned before."""
ADDRESSED = re.compile(r"\b(Sie|Ihr|Ihre[mnrs]?|Ihnen|[Mm]an|einem selbst)\b")


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _strings(each)


def _of_language(value: object) -> Iterator[str]:
    """The values under the key `de`, at any depth."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _strings(each) if key == "de" else _of_language(each)


def german() -> Iterator[tuple[str, str]]:
    """All German texts, with their files: of rules, of sentences and words, of pages."""
    for path in sorted(ROOT.rglob("*.toml")):
        content = tomllib.loads(path.read_text("utf-8"))
        yield from (
            (path.name, text) for text in (_strings if path.name.endswith(".de.toml") else _of_language)(content)
        )
    for path in sorted((ROOT / "web" / "static").rglob("*.js")):
        text = path.read_text("utf-8")
        if path.name == "words.js":
            text = text[text.find("\n  de: {") :]
        elif " de: {" not in text:
            continue
        yield from (
            (f"{path.parent.name}/{path.name}", line) for line in text.splitlines() if '"' in line or "`" in line
        )


def test_the_reader_is_du() -> None:
    texts = list(german())
    assert sum("du " in text or "dein" in text for _, text in texts) > 30
    found = []
    for file, text in texts:
        rest = text
        for known in THEY:
            rest = rest.replace(known, "")
        found += [(file, text)] if ADDRESSED.search(rest) else []
    assert found == []


def test_what_is_somebody_elses_is_still_there() -> None:
    """Each of the exceptions is needed."""
    said = "\n".join(text for _, text in german())
    assert [known for known in THEY if known not in said] == []
