"""The scripts that a player starts, on a copy of the project, with real environments and pip."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
SHIPPED = [
    "LICENSE",
    "README.md",
    "pyproject.toml",
    "run_client.sh",
    "run_server.sh",
    "scripts",
    "src",
]
# What the scripts themselves call. A PATH of just these has no Python but the test's own.
TOOLS = ["bash", "cp", "env", "flock", "mkdir", "readlink", "tail"]
STAMPS = [".jminesweeper-base", ".jminesweeper-server"]
STAND_IN = '#!/bin/sh\necho "$$" "$@"\npwd\n'
# A Python whose environments are a copy of itself; what its pip does comes first.
FRESH = """case "$*" in
*" -m pip install "*) {pip} ;;
*" -m venv "*) for folder; do :; done; mkdir -p "$folder/bin"; cp "$0" "$folder/bin/python" ;;
*" -m jminesweeper "*) echo "$@" ;;
esac"""
SETTING_UP_S = 300

pytestmark = pytest.mark.timeout(3 * SETTING_UP_S)


def copy_project(folder: Path) -> Path:
    folder.mkdir(parents=True)
    for name in SHIPPED:
        source = PROJECT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, folder / name)
    return folder


def start(
    script: Path,
    *arguments: str,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [script, *arguments],
        cwd=cwd,
        env={**clean_environment(), **(environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def clean_environment() -> dict[str, str]:
    """The copy has an environment of its own, and none of this run's coverage."""
    ours = ("COV_", "COVERAGE_", "VIRTUAL_ENV", "PYTHONPATH")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}


def finish(process: "subprocess.Popen[str]") -> tuple[int, str, str]:
    output, messages = process.communicate(timeout=SETTING_UP_S)
    return process.returncode, output, messages


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A copy that is set up, with a stand-in for the command that tells how it was called."""
    project = copy_project(tmp_path / "a folder with blanks")
    command = project / ".venv" / "bin" / "python"
    command.parent.mkdir(parents=True)
    command.write_text(STAND_IN)
    command.chmod(0o755)
    for stamp in STAMPS:
        (project / ".venv" / stamp).write_text(f"{project}\n")
    return project


@pytest.fixture
def path_with(tmp_path: Path) -> Callable[[str], dict[str, str]]:
    """An environment in which `python3` is the script given, and the only Python there is."""

    def environment(python: str) -> dict[str, str]:
        folder = tmp_path / "bin"
        folder.mkdir()
        for tool in TOOLS:
            found = shutil.which(tool)
            assert found is not None
            (folder / tool).symlink_to(found)
        (folder / "python3").write_text(f"#!/bin/sh\n{python}\n")
        (folder / "python3").chmod(0o755)
        return {"PATH": str(folder)}

    return environment


@pytest.mark.requirement("J:run_client.sh", "J:run_server.sh")
@pytest.mark.parametrize("part", ["client", "server"])
def test_every_option_is_passed_on_from_any_folder_and_through_symlinks(
    installed: Path, tmp_path: Path, part: str
) -> None:
    link = tmp_path / "play"
    link.symlink_to(installed / f"run_{part}.sh")
    process = start(link, "--port", "0", "a b", "*", cwd=tmp_path)
    code, output, messages = finish(process)
    # The same process, by exec: signals of a terminal and of an init reach the program itself.
    assert output == f"{process.pid} -I -m jminesweeper {part} --port 0 a b *\n{tmp_path}\n"
    assert (code, messages) == (0, "")


@pytest.mark.requirement("J:run_client.sh")
def test_without_options_the_client_gets_none_and_uses_its_defaults(installed: Path) -> None:
    process = start(installed / "run_client.sh")
    assert finish(process)[1].splitlines()[0] == f"{process.pid} -I -m jminesweeper client"


def test_a_python_that_is_too_old_is_named(
    tmp_path: Path, path_with: Callable[[str], dict[str, str]]
) -> None:
    project = copy_project(tmp_path / "project")
    old = path_with('[ "$1" = --version ] && echo Python 3.9.2 || exit 1')
    code, output, messages = finish(start(project / "run_client.sh", environment=old))
    assert (code, output) == (1, "")
    assert "Python 3.11 or newer is needed; found Python 3.9.2." in messages


def test_a_python_without_its_venv_module_is_named(
    tmp_path: Path, path_with: Callable[[str], dict[str, str]]
) -> None:
    project = copy_project(tmp_path / "project")
    stripped = path_with('case "$3" in *ensurepip*) exit 1 ;; esac')
    code, output, messages = finish(start(project / "run_server.sh", environment=stripped))
    assert (code, output) == (1, "")
    assert "python3 lacks the venv module" in messages
    assert "apt-get install python3-venv" in messages


def test_without_a_network_the_first_start_says_so(
    tmp_path: Path, path_with: Callable[[str], dict[str, str]]
) -> None:
    project = copy_project(tmp_path / "project")
    offline = path_with(FRESH.format(pip="echo pip is offline; exit 1"))
    code, output, messages = finish(start(project / "run_client.sh", environment=offline))
    assert (code, output) == (1, "")
    assert "pip is offline" in messages
    assert "The packages could not be installed" in messages
    assert "The first start needs the network" in messages


def test_a_folder_that_was_moved_is_set_up_anew(
    installed: Path, tmp_path: Path, path_with: Callable[[str], dict[str, str]]
) -> None:
    fresh = path_with(FRESH.format(pip=":"))
    shutil.copy2(tmp_path / "bin" / "python3", installed / ".venv" / "bin" / "python")
    moved = installed.rename(tmp_path / "another place")
    code, output, messages = finish(start(moved / "run_client.sh", environment=fresh))
    assert (code, output) == (0, "-I -m jminesweeper client\n")
    assert f"Setting up in {moved}/.venv" in messages
    assert finish(start(moved / "run_client.sh")) == (0, output, "")


def test_two_first_starts_at_once_both_work(tmp_path: Path) -> None:
    project = copy_project(tmp_path / "one $(touch hacked) place")
    evil = tmp_path / "evil"
    evil.mkdir()
    for module in ("click", "ensurepip", "json", "pip", "venv"):
        (evil / f"{module}.py").write_text("open('hacked', 'w')\n")
    both = [
        start(
            project / f"run_{part}.sh",
            "--help",
            cwd=evil,
            # Most of what is installed is not imported, and need not be compiled.
            environment={"PYTHONPATH": str(evil), "PIP_NO_COMPILE": "1"},
        )
        for part in ("client", "server")
    ]
    for process, part in zip(both, ("client", "server"), strict=True):
        code, output, messages = finish(process)
        assert code == 0
        assert output.startswith(f"Usage: {project}/run_{part}.sh")
        assert messages.startswith("JMinesweeper: ")
    assert not list(tmp_path.rglob("hacked")), (
        "a folder's name, or what lies in one, was carried out"
    )
    assert installed_packages(project) >= {"click", "jminesweeper", "readchar"}


def test_what_lies_in_the_folder_or_in_pythonpath_is_not_imported(installed: Path) -> None:
    (installed / "click.py").write_text("raise SystemExit('imported')\n")
    command = installed / ".venv" / "bin" / "python"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    process = start(
        installed / "run_client.sh",
        "--help",
        cwd=installed,
        environment={"PYTHONPATH": str(installed)},
    )
    code, output, _ = finish(process)
    assert (code, output[:6]) == (0, "Usage:")


def test_without_a_network_a_server_starts_with_what_is_installed(installed: Path) -> None:
    (installed / ".venv" / STAMPS[1]).unlink()
    command = installed / ".venv" / "bin" / "python"
    command.write_text(
        '#!/bin/sh\ncase "$*" in *install*) exit 1 ;; esac\n[ "$2" = -c ] || echo "$@"\n'
    )
    code, output, messages = finish(start(installed / "run_server.sh"))
    assert (code, output) == (0, "-I -m jminesweeper server\n")
    assert "None of them can be had now; starting without." in messages


def test_the_server_does_without_uvloop_and_leaves_what_a_developer_installed(
    installed: Path,
) -> None:
    environment = installed / ".venv"
    for stamp in STAMPS:
        (environment / stamp).unlink()
    (environment / "notes").touch()
    pip = f'case "$*" in *fast*) exit 1 ;; *) echo "$@" >{environment.as_posix()!r}/pip ;; esac'
    (environment / "bin" / "python").write_text("#!/bin/sh\n" + FRESH.format(pip=pip))
    code, output, _ = finish(start(installed / "run_server.sh"))
    assert (code, output) == (0, "-I -m jminesweeper server\n")
    assert (environment / "pip").read_text().endswith(f"--editable {installed}[ssh,web]\n")
    assert (environment / "notes").exists()


def installed_packages(project: Path) -> set[str]:
    listed = subprocess.run(
        [project / ".venv/bin/python", "-m", "pip", "list", "--format=freeze"],
        env=clean_environment(),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    names = {line.split("==")[0].split(" @ ")[0] for line in listed.splitlines()}
    return names - {"pip", "setuptools", "wheel"}
