"""The files of pages, loaded once, and the skeleton of every page."""

import re
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path, PurePosixPath
from posixpath import dirname, join, normpath
from string import Template
from types import MappingProxyType

from msgspec import Struct

STATIC = Path(__file__).with_name("static")
MEDIA_TYPES = MappingProxyType(
    {
        ".css": "text/css",
        ".html": "text/html",
        ".js": "text/javascript",
        ".png": "image/png",
        ".svg": "image/svg+xml",
        ".webmanifest": "application/manifest+json",
    }
)
SKELETON = "page.html"

_COMMENTS = re.compile(rb"^[ \t]*(?://.*|/\*\*(?:(?!\*/)[\s\S])*\*/[ \t]*)\n", re.MULTILINE)
_IMPORTED = re.compile(r"""^(?:import|export)\b[^"';]*["'](\.[^"']+)["']""", re.MULTILINE)


class StaticFile(Struct, frozen=True):
    """A file as it is sent."""

    body: bytes
    media_type: str


class Website(Struct, frozen=True):
    """All files by their path below `static`, and the digest over all of them, which identifies the version of the
    site.

    `pages`: the folders that have a page. `imported`: the paths of all modules that a page's module imports, directly
    or indirectly, so that browsers can request them at once.
    """

    files: MappingProxyType[str, StaticFile]
    digest: str
    imported: MappingProxyType[str, tuple[str, ...]]

    @property
    def pages(self) -> frozenset[str]:
        """Names of the pages."""
        return frozenset(str(PurePosixPath(path).parent) for path in self.files if path.endswith("/page.js"))

    def address(self, path: str) -> str:
        """The address of a file, whose content never changes."""
        return f"/static/{self.digest}/{path}"

    def page(self, name: str, more: str = "", content: str = "") -> bytes:
        """The page that runs the module with this name.

        `more`: additional content of its head. `content`: its initial content, as HTML.
        """
        module = f"{name}/page.js"
        sheets = ["app.css", *(path for path in (f"{name}/page.css",) if path in self.files)]
        head = [
            *(f'<link rel="stylesheet" href="{self.address(sheet)}">' for sheet in sheets),
            *(f'<link rel="modulepreload" href="{self.address(path)}">' for path in self.imported[module]),
            f'<script type="module" src="{self.address(module)}"></script>',
        ]
        skeleton = Template(self.files[SKELETON].body.decode())
        return skeleton.substitute(
            files=escape(self.address("").rstrip("/")),
            head="\n".join(head),
            more=more,
            page=escape(name),
            content=content,
        ).encode()


@cache
def site() -> Website:
    """The files of this installation."""
    files = {
        path.relative_to(STATIC).as_posix(): StaticFile(_sent(path), MEDIA_TYPES[path.suffix])
        for path in sorted(STATIC.rglob("*"))
        if path.is_file() and path.suffix in MEDIA_TYPES
    }
    digest = sha256()
    for path, file in files.items():
        digest.update(b"%d %s %d " % (len(path), path.encode(), len(file.body)) + file.body)
    imported = {path: _imported(files, path) for path in files if path.endswith("/page.js")}
    return Website(MappingProxyType(files), digest.hexdigest()[:16], MappingProxyType(imported))


def _sent(path: Path) -> bytes:
    """A file without its whole-line comments, which contain its types: they are a fifth of all bytes."""
    content = path.read_bytes()
    return _COMMENTS.sub(b"", content) if path.suffix == ".js" else content


def module_at(path: str, name: str) -> str:
    """The path of a module that the module at a path imports under this name."""
    return normpath(join(dirname(path), name))


def _imported(files: dict[str, StaticFile], module: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    todo = [module]
    while todo:
        path = todo.pop(0)
        for name in _IMPORTED.findall(files[path].body.decode()):
            other = module_at(path, name)
            if other not in found and other != module:
                found[other] = None
                todo.append(other)
    return tuple(found)
