"""The software bill of materials of an npm package, from its lock file alone."""

import json
from base64 import b64decode
from typing import Any

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.component import Component, ComponentType
from packageurl import PackageURL

from tests.release.sbom import Package, bill

_FOLDER = "node_modules/"


def npm_sbom(lock: str) -> str:
    """The bill of the package that a ``package-lock.json`` belongs to: what is installed with it, without development.

    Raises `LookupError` if a version of a package lies below another package: such trees are not supported.
    """
    locked: dict[str, dict[str, Any]] = json.loads(lock)["packages"]
    root = locked[""]
    installed = {path.removeprefix(_FOLDER): each for path, each in locked.items() if path and not each.get("dev")}
    if nested := [name for name in installed if _FOLDER in name]:
        raise LookupError(f"There are several versions of {nested[0].rpartition(_FOLDER)[2]}.")
    graph = {name: [*each.get("dependencies", {})] for name, each in installed.items()}
    package = Package(root["name"], root["version"], root["license"], [*root.get("dependencies", {})])
    components = {name: [_component(name, each)] for name, each in sorted(installed.items())}
    return bill("npm", package, package.needs, components, graph)


def _component(name: str, locked: dict[str, Any]) -> Component:
    algorithm, _, digest = locked["integrity"].partition("-")
    assert algorithm == "sha512"
    group, _, bare = name.rpartition("/")
    return Component(
        type=ComponentType.LIBRARY,
        name=name,
        version=locked["version"],
        bom_ref=f"{name}@{locked['version']}",
        purl=PackageURL("npm", group or None, bare, locked["version"]),
        licenses=[LicenseFactory().make_from_string(locked["license"])] if "license" in locked else [],
        hashes=[HashType(alg=HashAlgorithm.SHA_512, content=b64decode(digest).hex())],
    )
