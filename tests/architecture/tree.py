"""The tree as it stands: its files, modules and functions."""

import ast
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "jminesweeper"
TESTS = ROOT / "tests"

Function = ast.FunctionDef | ast.AsyncFunctionDef


def files() -> list[Path]:
    """Every file that is or could be committed; in a source distribution, every one in it."""
    if not (ROOT / ".git").exists():
        return list(distributed())
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return [path for name in listed.split("\0") if (path := ROOT / name).is_file()]


def distributed() -> Iterator[Path]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for name in project["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]:
        top = ROOT / name.removeprefix("/")
        within = (path for path in top.rglob("*") if path.suffix != ".pyc" and path.is_file())
        yield from within if top.is_dir() else [top]


def modules(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def functions(path: Path) -> Iterator[Function]:
    return (node for node in ast.walk(parse(path)) if isinstance(node, Function))


def calls(path: Path, name: str) -> Iterator[str]:
    """Yield the places where a module calls a function of that name, imported or an attribute."""
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.Call):
            match node.func:
                case ast.Name(id=called) | ast.Attribute(attr=called) if called == name:
                    yield f"{named(path)}:{node.lineno}"
