import os
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from runpy import run_path
from typing import Any

import pytest

from jminesweeper import __version__
from tests.architecture.tree import ROOT

EXTRAS = {
    "fast": {"uvloop"},
    "redis": {"redis"},
    "web": {"websockets"},
}


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    configuration: dict[str, Any] = tomllib.loads(text)
    return configuration


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[^\w-]", requirement, maxsplit=1)[0] for requirement in requirements}


@pytest.mark.requirement("U:packages")
def test_the_base_install_is_click_and_readchar_and_nothing_else(project: dict[str, Any]) -> None:
    assert names(project["project"]["dependencies"]) == {"click", "readchar"}
    installed = [each for each in metadata.requires("jminesweeper") or [] if "extra ==" not in each]
    assert names(installed) == {"click", "readchar"}


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_brings_one_thing(project: dict[str, Any], extra: str) -> None:
    assert names(project["project"]["optional-dependencies"][extra]) == EXTRAS[extra]


@pytest.mark.requirement("U:files at the top")
@pytest.mark.parametrize(
    "name", ["README.md", "LICENSE", "CHANGELOG.md", "run_client.sh", "run_server.sh"]
)
def test_what_a_newcomer_looks_for_lies_at_the_top(name: str) -> None:
    path = ROOT / name
    assert path.stat().st_size > 0
    assert os.access(path, os.X_OK) is (path.suffix == ".sh")


def test_a_package_has_the_version_of_the_source() -> None:
    command = [sys.executable, "-m", "hatchling", "version"]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert built.stdout.strip() == __version__


def test_the_changelog_knows_the_version() -> None:
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_what_the_source_distribution_names_exists(project: dict[str, Any]) -> None:
    included = project["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    assert [each for each in included if not (ROOT / each.removeprefix("/")).exists()] == []


def test_the_tests_of_a_package_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    quick = run_path(str(ROOT / "scripts" / "packages.py"))["QUICK_TESTS"]
    assert [name for name in quick if not (ROOT / name).is_file()] == []
