"""Files for hosting fit the program that they start."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import click
import pytest
from prometheus_client.parser import text_string_to_metric_families

from jminesweeper.cli.server import server_command
from jminesweeper.server.admin import process_families, server_families
from jminesweeper.server.config import ServerConfig
from jminesweeper.server.hub import Hub
from tests.architecture.tree import ROOT
from tests.unit.server.fakes import backend_of

DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
SERVICES = [unit for unit in UNITS if unit.suffix == ".service"]
CONTAINERFILE = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
COMPOSE = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
HAPROXY = (DEPLOY / "haproxy.cfg").read_text(encoding="utf-8")
PROGRAM = "/opt/jminesweeper/.venv/bin/jminesweeper"


def parse_server_options(
    monkeypatch: pytest.MonkeyPatch, arguments: Sequence[str], variables: Mapping[str, str]
) -> click.Context:
    """Parse a command line and an environment as a server does."""
    known = {parameter.envvar for parameter in server_command.params}
    assert set(variables) <= known
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    return server_command.make_context("server", list(arguments))


@pytest.mark.parametrize("unit", SERVICES, ids=lambda path: path.name)
def test_a_unit_starts_a_server_with_options_that_it_has(
    monkeypatch: pytest.MonkeyPatch, unit: Path
) -> None:
    text = unit.read_text(encoding="utf-8").replace("%i", "1")
    (start,) = re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE)
    program, command, *arguments = shlex.split(start)
    assert (program, command) == (PROGRAM, "server")
    variables = dict(re.findall(r"^Environment=(\w+)=(.*)$", text, re.MULTILINE))
    assert parse_server_options(monkeypatch, arguments, variables).params["admin"]


def test_systemd_takes_the_units(require_program: Callable[[str], str], tmp_path: Path) -> None:
    installed = []
    for unit in UNITS:
        # Where this machine has no such program the unit is not to blame.
        text = unit.read_text(encoding="utf-8").replace(PROGRAM, require_program("true"))
        (tmp_path / unit.name).write_text(text)
        installed.append(str(tmp_path / unit.name.replace("@.", "@1.")))
    program = require_program("systemd-analyze")
    result = subprocess.run(
        [program, "verify", "--man=no", *installed], capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stderr) == (0, "")


def test_the_units_differ_only_in_what_tells_processes_apart() -> None:
    def settings(unit: Path) -> set[str]:
        _, _, text = unit.read_text(encoding="utf-8").partition("[Service]")
        return {line for line in text.splitlines() if not line.startswith(("#", "["))}

    single, template = (settings(unit) for unit in SERVICES)
    assert {line.partition("=")[0] for line in single ^ template} == {"Environment", "Sockets"}


def test_the_container_starts_a_server_with_options_that_it_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    variables = dict(re.findall(r"(JMINESWEEPER_\w+)=(\S+)", CONTAINERFILE))
    context = parse_server_options(monkeypatch, [], variables)
    assert context.params["admin"].port == 9998
    assert ":9998/healthz" in CONTAINERFILE


def test_the_container_installs_extras_that_exist_and_runs_as_nobody_special() -> None:
    (extras,) = re.findall(r'"\.\[([\w,]+)\]"', CONTAINERFILE)
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for extra in extras.split(","):
        assert re.search(rf"^{extra} = \[", project, re.MULTILINE)
    assert re.search(r"^USER [1-9]\d*$", CONTAINERFILE, re.MULTILINE)


def test_the_containers_together_are_what_haproxy_looks_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (command,) = re.findall(r"command: server (.*)", COMPOSE)
    variables = dict(re.findall(r"(JMINESWEEPER_\w+): (\S+)", COMPOSE))
    context = parse_server_options(monkeypatch, shlex.split(command), variables)
    servers = re.findall(r"server (\S+) (\S+):9999", HAPROXY)
    assert [name for name, host in servers if f"\n  {host}:" in COMPOSE] == ["game-1", "game-2"]
    assert f"check port {context.params['admin'].port} " in HAPROXY
    assert "appendonly yes" in COMPOSE


async def test_the_dashboard_shows_figures_that_servers_have() -> None:
    families = server_families(Hub(ServerConfig(), backend_of()), is_draining=False)
    known = {
        sample.name
        for family in text_string_to_metric_families("".join([*families, *process_families()]))
        for sample in family.samples
    }
    dashboard = json.loads((DEPLOY / "grafana.json").read_text(encoding="utf-8"))
    shown = {
        name
        for panel in dashboard["panels"]
        for target in panel["targets"]
        for name in re.findall(r"\b(?:jminesweeper|process)_\w+", target["expr"])
    }
    assert shown <= known
    assert len(shown) > 15
