"""Small volumes of their own that can really be full. They are mounted, which needs rights (`tests.needs`: mount)."""

import errno
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_FILLER = "filler"


class Volume:
    """A volume that is mounted on a folder."""

    def __init__(self, place: Path) -> None:
        self._filler = place / _FILLER

    def fill(self, leave: int = 0) -> None:
        """Use up all room except for this many bytes, with a file that belongs to somebody else."""
        with self._filler.open("ab", buffering=0) as file:
            for size in (1 << 20, 1 << 12, 1):
                try:
                    while file.write(bytes(size)) == size:
                        pass
                except OSError as error:
                    if error.errno != errno.ENOSPC:
                        raise
            file.truncate(file.tell() - leave)

    def empty(self) -> None:
        """Give it back."""
        self._filler.unlink(missing_ok=True)


@contextmanager
def mounted(place: Path, megabytes: int) -> Iterator[Volume]:
    """A volume on a folder for the block: the folder's contents are on it at first, and gone with it."""
    inside = place.with_name(f"{place.name}.inside")
    shutil.copytree(place, inside, symlinks=True)
    owner = place.stat()
    options = f"size={megabytes}m,mode=0700,uid={owner.st_uid},gid={owner.st_gid}"
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", place], check=True)
    try:
        shutil.copytree(inside, place, symlinks=True, dirs_exist_ok=True)
        for file in place.rglob("*"):
            os.chown(file, owner.st_uid, owner.st_gid, follow_symlinks=False)
        place.chmod(0o700)
        shutil.rmtree(inside)
        yield Volume(place)
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)
