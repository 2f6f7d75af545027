"""A file that only its owner can read, because it contains tokens. It is written atomically."""

import os
import tempfile
from pathlib import Path


class NotReadable(Exception):
    """A private file cannot be read, or others can read it too. The message says which."""


def read_private(path: Path) -> bytes | None:
    """The contents of a file; None if there is none. Raises `NotReadable`."""
    try:
        with open(path, "rb") as file:
            if os.fstat(file.fileno()).st_mode & 0o077:
                raise NotReadable(f"Others can read {path}, which contains tokens. Run chmod 600 on it first.")
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise NotReadable(f"{path} cannot be read: {error.strerror}.") from error


def write_private(path: Path, content: bytes) -> None:
    """Replace the contents of the file, creating its folder if necessary. Raises `OSError`."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    number, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")  # with mode 600
    try:
        with open(number, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise
