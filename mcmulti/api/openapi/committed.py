"""The document in a folder, with the files derived from it: compare with it, and write it."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from mcmulti.api.openapi import as_yaml
from mcmulti.api.openapi.changes import ContractChange, changes
from mcmulti.api.openapi.listing import listing
from mcmulti.api.openapi.references import REF, SCHEMAS, reached_schemas

_LINES = ("GameFile", "EventItem")
_DEFINITIONS = "#/$defs/"


class NotADocument(Exception):
    """The file in place of the document is something else."""


def changes_of(folder: Path, new: bytes) -> list[ContractChange]:
    """The changes of the new document; none if the folder has no document yet. Raises `NotADocument`."""
    file = folder / "openapi.json"
    try:
        old = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return []
    try:
        return changes(msgspec.json.decode(old), msgspec.json.decode(new))
    except (msgspec.DecodeError, LookupError, TypeError, AttributeError) as error:
        raise NotADocument(f"{file} is not a document of this API; move it away first.") from error


def write(folder: Path, document: bytes, narrowed: Mapping[str, bytes], bots: bytes) -> tuple[Path, ...]:
    """Write the document and its derived files, and return them. Raises OSError.

    It is written as JSON, as YAML, narrowed to each rule set and to what bots need, and as a listing for reviews. The
    last file is the schema of game files.
    """
    contents = {
        "openapi.json": document,
        "contract.txt": _listing(document, narrowed),
        "openapi.yaml": as_yaml(document),
        "bots.json": bots,
        **{f"{ruleset}.json": each for ruleset, each in narrowed.items()},
        "game-file.schema.json": file_schema(document),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return tuple(folder / name for name in contents)


def _listing(document: bytes, narrowed: Mapping[str, bytes]) -> bytes:
    decode = msgspec.json.decode
    return listing(decode(document), {ruleset: decode(each) for ruleset, each in narrowed.items()})


def file_schema(document: bytes) -> bytes:
    """A self-contained JSON Schema (2020-12), indented."""
    content = msgspec.json.decode(document)
    schemas = content["components"]["schemas"]
    lines = reached_schemas(content, [{"$ref": REF.format(name=name)} for name in _LINES])
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line in a game file",
        "description": "The first line is a GameFile. Each further line is an EventItem.",
        "oneOf": [{"$ref": f"{_DEFINITIONS}{name}"} for name in _LINES],
        "$defs": {name: schemas[name] for name in sorted(lines)},
    }
    text = msgspec.json.format(msgspec.json.encode(schema), indent=2) + b"\n"
    return text.replace(SCHEMAS.encode(), _DEFINITIONS.encode())
