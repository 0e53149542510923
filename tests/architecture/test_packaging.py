import os
import re
import tomllib
from importlib import metadata
from pathlib import Path
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


def test_the_installed_version_is_that_of_the_source() -> None:
    assert metadata.version("jminesweeper") == __version__


def test_the_changelog_knows_the_version() -> None:
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_what_the_source_distribution_names_exists(project: dict[str, Any]) -> None:
    included = project["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    assert [each for each in included if not (ROOT / each.removeprefix("/")).exists()] == []


def test_packages_for_an_index_link_to_the_public_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    for name in ("README.md", "pyproject.toml"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    home = "https://example.org/jminesweeper"
    run_path(str(ROOT / "scripts" / "packages.py"))["name_home"](tmp_path, home)
    links = re.findall(r"]\(([^)#]+)", (tmp_path / "README.md").read_text())
    assert f"{home}/raw/HEAD/docs/pictures/game.svg" in links
    assert f"{home}/blob/HEAD/docs/protocol.md" in links
    assert [link for link in links if not link.startswith("https://")] == []
    urls = tomllib.loads((tmp_path / "pyproject.toml").read_text())["project"]["urls"]
    assert urls["Homepage"] == home


def test_the_tests_of_a_package_are_there() -> None:
    quick = run_path(str(ROOT / "scripts" / "packages.py"))["QUICK_TESTS"]
    assert [name for name in quick if not (ROOT / name).is_file()] == []
