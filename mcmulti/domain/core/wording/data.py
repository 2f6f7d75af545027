"""Data files of rule sets: numbers, texts of rules, texts in languages."""

import tomllib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct

from mcmulti.domain.core.wording.telling import LANGUAGES, Language, Words


class _Text(Struct, frozen=True, forbid_unknown_fields=True):
    """A text that is the same in every language."""

    en: str
    de: str


def read(package: str, name: str) -> dict[str, Any]:
    """The tables of a data file that lies in a package."""
    return tomllib.loads(files(package).joinpath(name).read_text("utf-8"))


def there(package: str, name: str) -> bool:
    """Whether a package has a data file."""
    return files(package).joinpath(name).is_file()


def rules(package: str) -> Words:
    """The texts of rules by language and id: English in `rules.toml`, others in files such as `rules.de.toml`.

    Empty for a package without `rules.toml`.
    """
    if not there(package, "rules.toml"):
        return {language: {} for language in LANGUAGES}
    files: dict[Language, str] = {each: "rules.toml" if each == "en" else f"rules.{each}.toml" for each in LANGUAGES}
    found = {language: read(package, name) for language, name in files.items()}
    return {
        language: {f"{group}/{rule}": text for group, texts in groups.items() for rule, text in texts.items()}
        for language, groups in found.items()
    }


def texts(package: str, name: str) -> Words:
    """The texts of a data file, by language and by the names of their nested tables joined with dots. Empty if there is
    no such file.

    Raises ValueError, which names the text, if one is missing in a language.
    """
    found = dict(_texts(read(package, name))) if there(package, name) else {}
    return {language: {path: getattr(text, language) for path, text in found.items()} for language in LANGUAGES}


def _texts(tables: dict[str, Any], path: str = "") -> Iterator[tuple[str, _Text]]:
    for name, table in tables.items():
        if any(isinstance(value, dict) for value in table.values()):
            yield from _texts(table, f"{path}{name}.")
        else:
            try:
                yield path + name, msgspec.convert(table, _Text)
            except msgspec.ValidationError as error:
                raise ValueError(f"the text {path}{name}: {error}") from None
