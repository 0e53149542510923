#!/usr/bin/env python3
"""Prove the packages: ``.venv/bin/python scripts/packages.py [--all-tests] [--home URL]``.

The source distribution is built, and the wheel from it. The wheel is installed into a clean
environment of every Python at hand that it is for, without an extra, and plays there: server,
client, bot and library. Then some of the source distribution's own tests have what is installed
play, with the newest Python also every example of the documents that ends soon; and with the Python
that runs this all of them play, if they are asked for. The Pythons play side by side: while one
waits for packages, another has them.

With the address of the public repository the packages name it, and are left in dist/ for an index.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from argparse import ArgumentParser
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from programs import run, server

DIST: Final = Path(__file__).parents[1] / "dist"
URLS: Final = Path(__file__).with_name("urls.toml")
SETS_ITSELF_UP: Final = "Both set themselves up on first use"
"""Begins what the README says of a checkout."""
RUNS_ANYWHERE: Final = """\
`uvx` comes with uv and needs nothing else; `pipx run jminesweeper client` does the same, and
`pipx install jminesweeper` keeps the command. """
VERSIONS: Final = ("3.11", "3.12", "3.13", "3.14")
QUICK_TESTS: Final = (
    "tests/architecture/test_source.py",
    "tests/unit/test_library.py",
    "tests/unit/core/test_game.py",
    "tests/unit/protocol/test_reader.py",
    "tests/unit/session/test_version_1.py",
)
EXAMPLES: Final = "tests/integration/test_examples.py"
"""Run with the newest Python alone: `make test` has run them."""
LONG_EXAMPLE: Final = f"{EXAMPLES}::test_the_bot_wins_as_often_as_its_page_says"
"""Plays two thousand games, longer than all the others take."""
TEST_TOOLS: Final = ("hypothesis", "pyte", "pytest", "pytest-timeout", "redis")
EXAMPLES_TOOL: Final = "mypy"
FROM_THE_WHEEL: Final = ("-o", "pythonpath=", "-p", "no:cacheprovider", "--deselect", LONG_EXAMPLE)
"""Tests import what is installed, and not the source beside them, which all Pythons share."""
PLAYED: Final = "open 0 0\nquit\n"
LIBRARY: Final = """
from jminesweeper import Game, Setup, Solver, __version__
game = Game(Setup.of("expert", seed=7))
solver = Solver(game.setup.rules)
while not game.status.is_over:
    game.apply(solver.choose(game.view).action)
print(__version__, game.status.value)
"""


def build(folder: Path, home: str | None) -> tuple[Path, Path]:
    """Build the source distribution, unpack it, and build the wheel from that."""
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    source = folder / archive.name.removesuffix(".tar.gz")
    if home is not None:
        name_home(source, home.rstrip("/"))
        run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder, cwd=source)
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=source)
    (wheel,) = folder.glob("*.whl")
    return source, wheel


def name_home(source: Path, home: str) -> None:
    """Say where the project is: an index shows no picture and follows no link that is relative."""
    project, readme = source / "pyproject.toml", source / "README.md"
    code = (source / "src" / "jminesweeper" / "__init__.py").read_text()
    (version,) = re.findall(r'^__version__ = "(\S+)"$', code, re.MULTILINE)
    urls = tomllib.loads(URLS.read_text().format(home=home, tag=f"v{version}"))
    lines = "".join(f'{name} = "{url}"\n' for name, url in urls["project"].items())
    project.write_text(f"{project.read_text()}\n[project.urls]\n{lines}")
    readme.write_text(readme_of_wheel(readme.read_text(), **urls["readme"]))


def readme_of_wheel(text: str, files: str, pictures: str) -> str:
    """Return a README that needs no checkout: its commands are a wheel's, its links absolute."""
    before, _, after = text.partition(SETS_ITSELF_UP)
    text = before + RUNS_ANYWHERE + after[after.index("While your server runs") :]
    text = text.replace("./run_client.sh", "uvx jminesweeper client")
    text = text.replace("./run_server.sh", "uvx jminesweeper server")
    text = re.sub(r"\n.*\b(?:make test|git clone)\b.*", "", text)
    text = text.replace("pipx install . ", "pipx install jminesweeper ")
    text = re.sub(r"pip install '?\.(\[[\w,]+])?'?(?= )", r"pip install 'jminesweeper\1'", text)
    text = re.sub(r"(!\[[^]]*]\()(?!https?:)", rf"\1{pictures}", text)
    return re.sub(r"(]\()(?!https?:|#)", rf"\1{files}", text)


def interpreters() -> Iterator[str]:
    """Find the Pythons that the package is for; the one that runs this is one of them."""
    ours = f"{sys.version_info.major}.{sys.version_info.minor}"
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in VERSIONS:
        name = f"python{version}"
        others = [shutil.which(name), *map(str, sorted(pyenv.glob(f"{version}.*/bin/{name}")))]
        found = [sys.executable] if version == ours else filter(None, others)
        # A shim may be there for a version that is not.
        yield from islice((each for each in found if works(each)), 1)


def works(python: str) -> bool:
    """Tell whether a Python runs."""
    return not subprocess.call([python, "-c", ""], stderr=subprocess.DEVNULL)


def play(python: str, wheel: Path, source: Path, folder: Path, *, examples: bool) -> str:
    """Install the wheel, play with it and have tests play; return what was played."""
    folder.mkdir()
    run(python, "-m", "venv", "--without-pip", folder / "venv")
    installed = folder / "venv" / "bin" / "python"
    # Most of the tools is never imported, and need not be compiled.
    install = (sys.executable, "-m", "pip", "--python", installed, "install", "-q", "--no-compile")
    run(*install, wheel)
    program = installed.with_name("jminesweeper")
    with server(folder, program=(str(program),)) as address:
        screens = run(program, "client", "--plain", address, cwd=folder, given=PLAYED)
        if "Playing." not in screens:
            sys.exit(f"The client shows no game:\n{screens}")
        bot = run(program, "bot", "--host", address, "--games=3", "--preset=beginner", cwd=folder)
    library = run(installed, "-c", LIBRARY, cwd=folder).strip()
    version = run(program, "--version", cwd=folder).strip()
    run(*install, *TEST_TOOLS, *([EXAMPLES_TOOL] if examples else []))
    pytest = (installed, "-m", "pytest", "-q", *FROM_THE_WHEEL)
    tests = (*QUICK_TESTS, *([EXAMPLES] if examples else []))
    tested = run(*pytest, *tests, cwd=source).splitlines()[-1]
    return f"{version}\n{run(installed, '--version').strip()}: {library}; {bot.strip()}; {tested}"


def main() -> None:
    """Build, install, play, test."""
    parser = ArgumentParser(description="Prove the packages.")
    parser.add_argument("--all-tests", action="store_true")
    parser.add_argument("--home", metavar="URL")
    asked = parser.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        source, wheel = build(folder, asked.home)
        print(f"{wheel.name}, {wheel.stat().st_size // 1024} KiB")
        pythons = [*interpreters()]
        with ThreadPoolExecutor(len(pythons)) as side_by_side:

            def begin(number: int, python: str) -> Future[str]:
                place = folder / f"environment{number}"
                is_newest = python == pythons[-1]
                return side_by_side.submit(play, python, wheel, source, place, examples=is_newest)

            for played in [begin(number, python) for number, python in enumerate(pythons)]:
                print(played.result())
        if asked.all_tests:
            command = (sys.executable, "-m", "pytest", "-q", "-n2")
            print(run(*command, cwd=source).splitlines()[-1])
        if asked.home is not None:
            DIST.mkdir(exist_ok=True)
            for package in (wheel, *folder.glob("*.tar.gz")):
                print(shutil.copy(package, DIST))


if __name__ == "__main__":
    main()
