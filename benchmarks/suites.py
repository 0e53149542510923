"""The suites, each run as a program of its own, and the figures they give."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]

Figures = Any
"""What a suite found, as JSON has it."""

STRENGTHS: Final = (
    *(("expert", first) for first in "SZ"),
    *(("intermediate", first) for first in "SZ"),
    *(("beginner", first) for first in "SZ"),
)
GAMES, QUICK_GAMES = 10_000, 100
POSITIONS, QUICK_POSITIONS = 1_000, 50


def run(module: str, *arguments: str) -> str:
    """Run one benchmark and return what it says."""
    command = [sys.executable, "-m", f"benchmarks.{module}", *arguments]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT)))}
    done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True)
    return done.stdout.decode()


def extent(*, is_quick: bool) -> tuple[str, ...]:
    return ("--quick",) if is_quick else ()


def plainly(module: str) -> Callable[[bool], Figures]:
    """Run a suite that writes JSON to its standard output."""
    return lambda is_quick: json.loads(run(module, "--json", *extent(is_quick=is_quick)))


def run_server(is_quick: bool) -> Figures:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "figures.json"
        run("server", "--json", str(path), *extent(is_quick=is_quick))
        return json.loads(path.read_text(encoding="utf-8"))


def run_solver(is_quick: bool) -> Figures:
    games = QUICK_GAMES if is_quick else GAMES
    strength = []
    for preset, first in STRENGTHS:
        which = ("--preset", preset, "--first", first, "--games", str(games))
        (line,) = run("solver", "strength", *which, "--json").splitlines()
        strength.append({"preset": preset, "first": first, **json.loads(line)})
    count = QUICK_POSITIONS if is_quick else POSITIONS
    return {
        "strength": strength,
        "positions": run("solver", "positions", "--games", str(count)).splitlines(),
        "boards": run("solver", "boards").splitlines(),
    }


SUITES: Final[Mapping[str, Callable[[bool], Figures]]] = {
    "engine": plainly("engine"),
    "solver": run_solver,
    "wire": plainly("wire"),
    "replies": plainly("replies"),
    "server": run_server,
    "counting": plainly("counting"),
    "store": plainly("store"),
    "shared_store": plainly("shared_store"),
    "durable": plainly("durable"),
    "processes": plainly("processes"),
    "many_hosts": plainly("many_hosts"),
    "attacks": plainly("attacks"),
    "page": plainly("page"),
    "client_start": plainly("client_start"),
}
"""By name, whether quick to figures."""


def conditions() -> Figures:
    """Tell what is measured on, and how busy that is with other things."""
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processors": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
    }
