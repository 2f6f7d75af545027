"""Containers of an image: read-only, without capabilities, and without new privileges, run by runc."""

import hashlib
import json
import os
import subprocess
import tarfile
from pathlib import Path
from typing import Any, NamedTuple

from tests.needs import found
from tests.release.image import Image

CAPABILITIES = ("bounding", "effective", "permitted", "inheritable", "ambient")
NAMESPACES = ("ipc", "mount", "pid", "uts")
"""The network is that of this machine."""
TEMPORARY = ["nosuid", "nodev", "mode=1777"]


class Unpacked(NamedTuple):
    """An image on the disk: its configuration, and its root file system. `names`: of its archive."""

    config: dict[str, Any]
    root: Path
    names: list[str]


class Container(NamedTuple):
    """A container, and the process that waits for it."""

    name: str
    state: Path
    process: "subprocess.Popen[str]"

    def run(self, *arguments: str) -> str:
        """Run a command in the container, which must succeed, and return what it printed."""
        return subprocess.run(
            (found("runc"), "--root", self.state, "exec", self.name, *arguments),
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    def stop(self) -> int:
        """Ask the program of the container to stop, and return its exit code."""
        subprocess.run((found("runc"), "--root", self.state, "kill", self.name, "TERM"), check=True)
        return self.process.wait(90)

    def end(self) -> None:
        """End the container, if it has not ended."""
        if self.process.poll() is None:
            subprocess.run((found("runc"), "--root", self.state, "kill", self.name, "KILL"), check=False)
            self.process.wait()


def unpacked(image: Image, folder: Path) -> Unpacked:
    """Unpack an image, from the digest on: each part must be what its digest says."""
    with tarfile.open(image.archive) as archive:

        def content(digest: str) -> bytes:
            member = archive.extractfile(f"blobs/{digest.replace(':', '/')}")
            assert member is not None
            read = member.read()
            assert digest == f"sha256:{hashlib.sha256(read).hexdigest()}"
            return read

        manifest = json.loads(content(image.digest))
        described = json.loads(content(manifest["config"]["digest"]))
        [layer] = manifest["layers"]
        root = folder / "rootfs"
        root.mkdir()
        command = ("tar", "--extract", "--gzip", "--preserve-permissions", "--numeric-owner", "--directory", root)
        subprocess.run(command, input=content(layer["digest"]), check=True)
        listed = archive.extractfile("manifest.json")
        assert listed is not None
        return Unpacked(described["config"], root, json.load(listed)[0]["RepoTags"])


def started(
    name: str, of: Unpacked, folder: Path, arguments: list[str], data: Path, *, locked: bool = True
) -> Container:
    """Start a container, with a log in `folder`. `data`: what is kept. `locked`: with a read-only root file system."""
    user, group = map(int, of.config["User"].split(":"))
    os.chown(data, user, group)
    bundle = folder / name
    bundle.mkdir()
    mounts = [
        {"destination": "/proc", "type": "proc", "source": "proc"},
        {"destination": "/dev", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "mode=755"]},
        {"destination": "/dev/shm", "type": "tmpfs", "source": "shm", "options": TEMPORARY},
        {"destination": of.config["WorkingDir"], "type": "bind", "source": str(data), "options": ["bind", "rw"]},
    ]
    if locked:
        mounts.append({"destination": "/tmp", "type": "tmpfs", "source": "tmpfs", "options": TEMPORARY})
    described = {
        "ociVersion": "1.0.2",
        "root": {"path": str(of.root), "readonly": locked},
        "process": {
            "user": {"uid": user, "gid": group},
            "args": arguments,
            "env": of.config["Env"],
            "cwd": of.config["WorkingDir"],
            "noNewPrivileges": True,
            "capabilities": {kind: [] for kind in CAPABILITIES},
        },
        "mounts": mounts,
        "linux": {"namespaces": [{"type": kind} for kind in NAMESPACES]},
    }
    (bundle / "config.json").write_text(json.dumps(described), "utf-8")
    state = folder / "state"
    unique = f"{name}-{os.getpid()}"
    with (folder / f"{name}.log").open("w", encoding="utf-8") as log:
        command = (found("runc"), "--root", state, "run", "--bundle", bundle, unique)
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, text=True)
    return Container(unique, state, process)
