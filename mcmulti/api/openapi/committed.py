"""The document in a folder: what changed against it, and writing it."""

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


def write(folder: Path, document: bytes) -> tuple[Path, ...]:
    """Write the document as JSON and YAML, and the schema of game files; returns the files. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    files = folder / "openapi.json", folder / "openapi.yaml", folder / "game-file.schema.json"
    files[0].write_bytes(document)
    files[1].write_bytes(as_yaml(document))
    files[2].write_bytes(file_schema(document))
    return files
