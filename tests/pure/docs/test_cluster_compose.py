"""The cluster in containers: its files agree, and use options that mcmulti has. No container is started."""

from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from mcmulti.cli.commands.operator.migrate import migrate
from mcmulti.cli.commands.operator.serve import serve

COMMANDS = {"migrate": migrate, "serve": serve}
FILE = Path(__file__).parents[3] / "deploy" / "citus" / "compose.yaml"


@pytest.fixture
def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(FILE.read_text("utf-8"))
    return found


def test_what_services_wait_for_is_there(compose: dict[str, Any]) -> None:
    services = compose["services"]
    for service in services.values():
        for name, awaited in service.get("depends_on", {}).items():
            checked = "healthcheck" in services[name]
            assert awaited["condition"] == ("service_healthy" if checked else "service_completed_successfully")
        for volume in service.get("volumes", ()):
            assert volume.partition(":")[0] in compose["volumes"]
        assert set(service["networks"]) <= compose["networks"].keys()


def test_every_database_that_is_named_is_a_node_that_joins(compose: dict[str, Any]) -> None:
    services = compose["services"]
    nodes = {name for name, service in services.items() if "healthcheck" in service}
    assert nodes == services["nodes"]["depends_on"].keys()
    joining = " ".join(services["nodes"]["command"])
    assert all(f"('{name}', 5432)" in joining for name in nodes)
    urls = {service["environment"]["DATABASE_URL"] for service in services.values() if "entrypoint" in service}
    assert urls == {f"postgresql://postgres@{name}/games" for name in nodes}


def test_images_are_pinned(compose: dict[str, Any]) -> None:
    images = {service["image"] for service in compose["services"].values()}
    assert images == {"citusdata/citus:14.0", "${MCMULTI_IMAGE:?the image of mcmulti}"}


def test_mcmulti_has_the_commands_and_options(compose: dict[str, Any]) -> None:
    ours = [service for service in compose["services"].values() if service.get("entrypoint") == ["mcmulti"]]
    assert [service["command"][0] for service in ours] == ["migrate", "serve", "serve"]
    for service in ours:
        name, *options = service["command"]
        url = ["--database-url", service["environment"]["DATABASE_URL"]]
        COMMANDS[name].make_context(name, [*options, *url])
        with pytest.raises(click.UsageError):
            COMMANDS[name].make_context(name, [*options, *url, "--nodes"])
