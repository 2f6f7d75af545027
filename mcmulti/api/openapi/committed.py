"""The document in a folder: what changed against it, and writing it."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from mcmulti.api.openapi import as_yaml
from mcmulti.api.openapi.changes import ContractChange, changes
from mcmulti.api.openapi.file_schema import file_schema


class NotADocument(Exception):
    """What stands in the place of the document is something else."""


def changes_of(folder: Path, new: bytes) -> list[ContractChange]:
    """What the new document changes; nothing if there is none in the folder yet. Raises `NotADocument`."""
    file = folder / "openapi.json"
    try:
        old = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return []
    try:
        return changes(msgspec.json.decode(old), msgspec.json.decode(new))
    except (msgspec.DecodeError, LookupError, TypeError, AttributeError) as error:
        raise NotADocument(f"{file} is not a document of this API; move it away first.") from error


def write(folder: Path, document: bytes, narrowed: Mapping[str, bytes]) -> tuple[Path, ...]:
    """Write the document as JSON and YAML, those narrowed to a rule set under its name, and the schema of game files.

    Returns the files. Raises OSError.
    """
    contents = {
        "openapi.json": document,
        "openapi.yaml": as_yaml(document),
        **{f"{ruleset}.json": each for ruleset, each in narrowed.items()},
        "game-file.schema.json": file_schema(document),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return tuple(folder / name for name in contents)
