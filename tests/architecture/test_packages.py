"""The project as an index shows it, and what keeps a commit from being a release."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from jminesweeper import __version__
from tests.architecture.tree import ROOT

HOME = "https://example.org/ada/mines"


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    def load(name: str) -> ModuleType:
        monkeypatch.syspath_prepend(str(ROOT / "scripts"))
        return __import__(name)

    return load


@pytest.fixture
def packed(scripts: Callable[[str], ModuleType], tmp_path: Path) -> Path:
    """A source distribution that knows where its home is."""
    (tmp_path / "src" / "jminesweeper").mkdir(parents=True)
    for name in ("pyproject.toml", "README.md", "src/jminesweeper/__init__.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    scripts("packages").name_home(tmp_path, HOME)
    return tmp_path


def test_the_tree_itself_knows_no_public_address() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "urls" not in project


def test_packages_for_an_index_say_where_everything_is(packed: Path) -> None:
    urls = tomllib.loads((packed / "pyproject.toml").read_text())["project"]["urls"]
    assert urls["Source"] == HOME
    assert urls["Changelog"] == f"{HOME}/blob/v{__version__}/CHANGELOG.md"
    assert {"Documentation", "Homepage", "Issues", "Security"} <= urls.keys()
    assert all(url.startswith(HOME) and "{" not in url for url in urls.values())


def test_the_readme_of_a_package_needs_no_checkout(packed: Path) -> None:
    text = (packed / "README.md").read_text()
    assert "./run_" not in text
    assert "make test" not in text
    assert "git clone" not in text
    commands = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    assert commands[0].startswith("uvx jminesweeper client ")
    assert "pipx run jminesweeper client" in text
    assert "pip install 'jminesweeper[fast,redis,web]'" in text
    assert not re.search(r"\bpipx? install '?\.", text)
    targets = re.findall(r"\]\(([^)]+)\)", text)
    assert all(target.startswith(("https://", "#")) for target in targets)
    pictures = re.findall(r"!\[[^]]*]\(([^)]+)\)", text)
    assert pictures
    assert all(each.startswith(f"{HOME}/raw/v{__version__}/docs/") for each in pictures)


def git(root: Path, *words: str) -> None:
    program = shutil.which("git")
    assert program is not None
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    subprocess.run([program, *identity, *words], cwd=root, check=True, capture_output=True)


@pytest.fixture
def release(packed: Path) -> Path:
    """A tree that is a release."""
    (packed / "CHANGELOG.md").write_text(f"# Changelog\n\n## {__version__}, 2027-01-31\n")
    (packed / "tests" / "upgrade" / __version__).mkdir(parents=True)
    (packed / "tests" / "upgrade" / __version__ / "redis.json").write_text("{}\n")
    git(packed, "init", "-q")
    git(packed, "add", ".")
    git(packed, "commit", "-qm", "all")
    git(packed, "tag", f"v{__version__}")
    return packed


def test_a_release_is_tagged_dated_clean_and_kept(
    scripts: Callable[[str], ModuleType], release: Path
) -> None:
    assert [*scripts("release").problems(release)] == []


def test_everything_that_keeps_a_commit_from_being_a_release_is_named(
    scripts: Callable[[str], ModuleType], release: Path
) -> None:
    (release / "CHANGELOG.md").write_text("# Changelog\n\n## 1.0.0, not released yet\n")
    shutil.rmtree(release / "tests")
    git(release, "commit", "-qam", "more")
    (release / "left.txt").touch()
    assert [*scripts("release").problems(release)] == [
        "1 files are changed or unknown: commit or remove them",
        f"this commit has no tag v{__version__}",
        (
            'the changelog begins with "## 1.0.0, not released yet",'
            f' not with "## {__version__}, YYYY-MM-DD"'
        ),
        f"no store of {__version__} is kept: python -m tests.upgrade.played",
    ]
