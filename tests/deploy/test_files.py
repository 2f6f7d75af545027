"""The files in `deploy` fit the program and each other."""

import asyncio
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from mcmulti.cli.commands.operator.serve import serve
from mcmulti.events.memory.log import MemoryLog
from mcmulti.metrics import REGISTRY
from mcmulti.server.children.reviews import ReviewCounts
from mcmulti.server.exposition import registry_of
from mcmulti.server.process import answering, bound
from tests.deploy.proxies import DEPLOY
from tests.docs.manual import page
from tests.needs import found

ROOT = DEPLOY.parent


def _image() -> dict[str, Any]:
    """The configuration of the image."""
    found: dict[str, Any] = json.loads((DEPLOY / "image" / "config.json").read_text("utf-8"))
    return found


def _accepted(arguments: list[str]) -> dict[str, Any]:
    """The options of `mcmulti serve` with these arguments."""
    assert arguments[0] == "serve"
    return serve.make_context("serve", arguments[1:], resilient_parsing=False).params


def _pins(file: Path) -> dict[str, set[str]]:
    pins: dict[str, set[str]] = {}
    for name, version in re.findall(r"^([a-z0-9-]+)==(\S+)", file.read_text(), re.MULTILINE):
        pins.setdefault(name, set()).add(version)
    return pins


def test_the_image_takes_the_versions_that_are_tested() -> None:
    image, tested = _pins(DEPLOY / "requirements.lock"), _pins(ROOT / "requirements.lock")
    assert len(image) > 40
    assert "pytest" not in image
    assert image.items() <= tested.items()


def test_the_image_runs_a_server_as_nobody_in_particular() -> None:
    image = _image()
    assert int(image["User"].split(":")[0]) > 0
    assert image["Entrypoint"] == ["mcmulti"]
    options = _accepted(image["Cmd"])
    assert (options["host"], options["port"], options["metrics_address"]) == ("0.0.0.0", 8000, None)
    [volume] = image["Volumes"]
    assert options["folder"].is_relative_to(volume)


async def test_the_image_knows_whether_its_server_is_well() -> None:
    """In a composition, too: Podman ignores the check of an OCI image."""
    kind, *command = _image()["Healthcheck"]["Test"]
    assert (kind, command[0]) == ("CMD", "python")
    composed = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["mcmulti"]["healthcheck"]
    assert (composed["test"][0], shlex.split(composed["test"][1])) == ("CMD-SHELL", command)

    async def well(address: str) -> bool:
        code = command[2].replace("http://127.0.0.1:8000", address)
        assert code != command[2]
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stderr=asyncio.subprocess.DEVNULL)
        return await process.wait() == 0

    with bound("127.0.0.1", 0) as listener:
        async with answering(MemoryLog(), listener) as address:
            assert await well(address)
    assert not await well(address)


def test_the_composition_publishes_the_proxy_alone_and_believes_it() -> None:
    composed = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    services = composed["services"]
    assert [name for name, service in services.items() if "ports" in service] == ["caddy"]
    options = _accepted(services["mcmulti"]["command"])
    (front,) = composed["networks"]["front"]["ipam"]["config"]
    assert options["trusted_proxy"] == (front["subnet"],)
    assert services["caddy"]["command"][-1] == f"mcmulti:{options['port']}"
    assert composed["networks"]["back"] == {"internal": True}
    assert "front" not in services["postgres"]["networks"]


def _unit(tmp_path: Path) -> Path:
    """The unit, with the path of the program on this machine."""
    text = (DEPLOY / "systemd" / "mcmulti.service").read_text()
    program = Path(sys.executable).parent / "mcmulti"
    (line,) = re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE)
    _accepted(shlex.split(line)[1:])
    unit = tmp_path / "mcmulti.service"
    unit.write_text(text.replace(shlex.split(line)[0], str(program)))
    return unit


def _run(*command: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)


@pytest.mark.needs("systemd-analyze")
def test_systemd_takes_the_unit_and_finds_it_hardened(tmp_path: Path) -> None:
    unit = str(_unit(tmp_path))
    verified = _run(found("systemd-analyze"), "verify", "--man=no", unit)
    assert (verified.returncode, verified.stdout, verified.stderr) == (0, "", "")
    exposed = _run(found("systemd-analyze"), "security", "--offline=true", "--threshold=15", "--no-pager", unit)
    assert exposed.returncode == 0, exposed.stdout


def _expressions() -> list[str]:
    """The Prometheus queries of the dashboard's panels, with variables filled in."""
    panels = json.loads((DEPLOY / "grafana" / "mcmulti.json").read_text())["panels"]
    asked = [target["expr"] for panel in panels for target in panel.get("targets", ())]
    return [one.replace("$instance", ".*").replace("$__rate_interval", "5m") for one in asked]


def _told() -> set[str]:
    """The names of all samples, in both ways to run a server."""
    names = {
        sample.name
        for family in registry_of(REGISTRY, lambda: {"1": os.getpid()}, ReviewCounts()).collect()
        for sample in family.samples
    }
    for family in REGISTRY.collect():  # some have no sample yet
        ends = {"counter": ["_total"], "histogram": ["_bucket", "_count", "_sum"]}.get(family.type, [""])
        names |= {family.name + end for end in ends}
    return names


def _rules() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load((DEPLOY / "prometheus" / "mcmulti.rules.yaml").read_text())["groups"]
    return list(group["rules"])


def test_panels_and_alerts_ask_for_metrics_that_there_are() -> None:
    expressions = [*_expressions(), *(rule["expr"] for rule in _rules())]
    asked = {name for expression in expressions for name in re.findall(r"\b(?:mcmulti|process)_\w+", expression)}
    assert len(_expressions()) > 25
    assert asked <= _told()


def test_the_dashboard_shows_every_metric() -> None:
    shown = " ".join(_expressions())
    families = [*REGISTRY.collect(), *ReviewCounts().collect()]
    assert [family.name for family in families if family.name not in shown] == []


def test_no_panel_lies_on_another() -> None:
    dashboard = json.loads((DEPLOY / "grafana" / "mcmulti.json").read_text())
    taken: set[tuple[int, int]] = set()
    for panel in dashboard["panels"]:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & taken, panel["title"]
        assert place["x"] + place["w"] <= 24
        taken |= cells
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])


@pytest.mark.needs("promtool")
def test_prometheus_takes_the_alerts_and_what_the_panels_ask(tmp_path: Path) -> None:
    asked = [{"record": f"asked:{number}", "expr": one} for number, one in enumerate(_expressions())]
    panels = tmp_path / "panels.yaml"
    panels.write_text(yaml.safe_dump({"groups": [{"name": "panels", "rules": asked}]}))
    for file in (DEPLOY / "prometheus" / "mcmulti.rules.yaml", panels):
        checked = _run(found("promtool"), "check", "rules", "--lint-fatal", str(file))
        assert checked.returncode == 0, checked.stderr
    scraping = tmp_path / "prometheus.yml"
    scraping.write_text((DEPLOY / "prometheus" / "scrape.yaml").read_text())
    (tmp_path / "mcmulti.rules.yaml").write_text((DEPLOY / "prometheus" / "mcmulti.rules.yaml").read_text())
    checked = _run(found("promtool"), "check", "config", str(scraping))
    assert checked.returncode == 0, checked.stderr


@pytest.mark.needs("promtool")
def test_alerts_are_raised_when_their_thing_happens_and_not_before(tmp_path: Path) -> None:
    series = {
        'mcmulti_build_info{instance="a"}': "1x60",
        'mcmulti_database_away{instance="a"}': "0x20 1x40",
        'mcmulti_deadline_overdue_seconds{instance="a"}': "0x20 90x40",
        'mcmulti_clock_skew_seconds{instance="a"}': "0.5x20 7x40",
        'mcmulti_damaged_game_loads_total{instance="a"}': "0x20 1x40",
        'mcmulti_log_went_back_total{instance="a"}': "0x20 1x40",
        'mcmulti_request_duration_seconds_count{instance="a",operation="getGame",status="2xx"}': "0+100x60",
        'mcmulti_request_duration_seconds_count{instance="a",operation="getGame",status="5xx"}': "0x20 0+50x40",
        'mcmulti_request_duration_seconds_count{instance="a",operation="sendCommands",status="2xx"}': "0+10x60",
        'mcmulti_request_duration_seconds_count{instance="a",operation="sendCommands",status="5xx"}': "0x20 0+5x40",
        'up{instance="a",job="mcmulti"}': "1x20 0x40",
        'mcmulti_writes_fail{instance="a"}': "0x20 1x40",
        'mcmulti_task_restarts_total{instance="a",task="clock"}': "0x20 1x40",
        'mcmulti_request_duration_seconds_bucket{instance="a",operation="sendCommands",le="1"}': "0+10x20 200x40",
        'mcmulti_request_duration_seconds_bucket{instance="a",operation="sendCommands",le="2.5"}': "0+10x60",
        'mcmulti_request_duration_seconds_bucket{instance="a",operation="sendCommands",le="+Inf"}': "0+10x60",
        'process_open_fds{instance="a",worker="1"}': "10x20 90x40",
        'process_max_fds{instance="a",worker="1"}': "100x60",
    }
    names = [rule["alert"] for rule in _rules() if rule["alert"] != "McmultiGone"]
    expected = [f'ALERTS{{alertname="{name}",alertstate="firing"}}' for name in names]
    firing = 'count by (alertname, alertstate) (ALERTS{alertstate="firing"})'
    tests = {
        "rule_files": [str(DEPLOY / "prometheus" / "mcmulti.rules.yaml")],
        "evaluation_interval": "1m",
        "tests": [
            {
                "interval": "1m",
                "input_series": [{"series": name, "values": values} for name, values in series.items()],
                "promql_expr_test": [
                    {"expr": firing, "eval_time": "19m", "exp_samples": []},
                    {
                        "expr": firing,
                        "eval_time": "34m",
                        "exp_samples": [{"labels": one.removeprefix("ALERTS"), "value": 1} for one in expected],
                    },
                ],
            },
            {
                "interval": "1m",
                "input_series": [{"series": 'mcmulti_build_info{instance="a"}', "values": "1x5 stale"}],
                "promql_expr_test": [
                    {
                        "expr": firing,
                        "eval_time": "20m",
                        "exp_samples": [{"labels": '{alertname="McmultiGone",alertstate="firing"}', "value": 1}],
                    }
                ],
            },
        ],
    }
    _promised(tmp_path, tests)


def _promised(folder: Path, tests: dict[str, Any]) -> None:
    """Let Prometheus test the alerts."""
    file = folder / "tests.yaml"
    file.write_text(yaml.safe_dump(tests))
    checked = _run(found("promtool"), "test", "rules", str(file))
    assert checked.returncode == 0, checked.stdout + checked.stderr


REQUESTS = 'mcmulti_request_duration_seconds_count{{instance="a",operation="{}",status="{}"}}'


@pytest.mark.needs("promtool")
@pytest.mark.parametrize(
    ("commands", "reads", "alerts"),
    [
        # Every command fails from minute 300 on, among twenty times as many reads: 15 of 315 minutes are 5 %.
        (
            ("0+10x300 3000x60", "0x300 0+10x60"),
            "0+200x360",
            ("McmultiCommandsFailing", "McmultiCommandsFailingSlowly"),
        ),
        # One command in a hundred fails all the time. This is ten times what is allowed, but not an emergency.
        (("0+99x360", "0+1x360"), "0+200x360", ("McmultiCommandsFailingSlowly",)),
        # One in a thousand fails, as the objective allows.
        (("0+999x360", "0+1x360"), "0+200x360", ()),
    ],
    ids=["all commands", "one in a hundred", "one in a thousand"],
)
def test_failing_commands_are_told_apart_from_reads_and_by_how_fast_they_use_up_what_is_allowed(
    commands: tuple[str, str], reads: str, alerts: tuple[str, ...], tmp_path: Path
) -> None:
    series = {
        REQUESTS.format("sendCommands", "2xx"): commands[0],
        REQUESTS.format("sendCommands", "5xx"): commands[1],
        REQUESTS.format("getGame", "2xx"): reads,
        REQUESTS.format("getGame", "5xx"): "0x360",
        'mcmulti_build_info{instance="a"}': "1x360",
    }
    firing = [{"labels": f'{{alertname="{name}",alertstate="firing"}}', "value": 1} for name in alerts]
    tested = {
        "expr": 'count by (alertname, alertstate) (ALERTS{alertstate="firing"})',
        "eval_time": "315m",
        "exp_samples": firing,
    }
    _promised(
        tmp_path,
        {
            "rule_files": [str(DEPLOY / "prometheus" / "mcmulti.rules.yaml")],
            "evaluation_interval": "1m",
            "tests": [
                {
                    "interval": "1m",
                    "input_series": [{"series": name, "values": values} for name, values in series.items()],
                    "promql_expr_test": [tested],
                }
            ],
        },
    )


def test_each_alert_has_a_runbook() -> None:
    guide = page("how-to/handle-alerts")
    headings = {line.removeprefix("## ").lower() for line in guide.splitlines() if line.startswith("## ")}
    for rule in _rules():
        file, _, heading = rule["annotations"]["runbook"].partition("#")
        assert (file, heading) == ("docs/how-to/handle-alerts.md", rule["alert"].lower())
        assert heading in headings
