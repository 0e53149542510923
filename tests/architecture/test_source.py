import ast
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.architecture.tree import PACKAGE, ROOT, TESTS, calls, files, modules, named, parse

ESCAPE = "\x1b"
# Who writes to a terminal or reads from one; everybody else says what is meant, not how it is sent.
TERMINAL_MODULES = {
    "frames.py",
    "terminal/escapes.py",
    "terminal/inks.py",
    "client/escapes.py",
    "client/keys.py",
    "protocol/vocabulary.py",  # the announcement of version 2 is a terminal's title
}
# In two halves, so that this file passes its own test.
REGISTRIES = [
    "".join(halves)
    for halves in (
        ("py", "pi.org"),
        ("python", "hosted.org"),
        ("npm", "js.org"),
        ("npm", "js.com"),
        ("debian", ".org"),
        ("crates", ".io"),
        ("index", "-url"),
        ("trusted", "-host"),
    )
]
# Dates are values and may be used anywhere; these read the machine's clock.
CLOCK = re.compile(r"\b(date|datetime)\.(now|today|utcnow)$")
PURE = ["core", "protocol", "frames", "terminal", "solver", "kata", "session", "store"]
SILENCERS = ["# no" + "qa", "type: " + "ignore", "pragma: " + "no cover"]
SCRIPTS = [".ci/run", "run_client.sh", "run_server.sh", "scripts/ensure-venv.sh"]


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return {named(path): text for path in files() if (text := read_text(path)) is not None}


def read_text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def occurrences(texts: dict[str, str], words: list[str]) -> list[tuple[str, str]]:
    return [(name, word) for name, text in texts.items() for word in words if word in text]


def test_packages_are_named_and_never_the_host_they_come_from(texts: dict[str, str]) -> None:
    assert occurrences(texts, REGISTRIES) == []


def test_no_check_is_silenced(texts: dict[str, str]) -> None:
    python = {name: text for name, text in texts.items() if name.endswith(".py")}
    assert occurrences(python, SILENCERS) == []


def test_no_test_waits_by_sleeping() -> None:
    assert [place for path in modules(TESTS) for place in calls(path, "sleep")] == []


def test_nobody_inside_asks_what_time_it_is() -> None:
    within = [modules(PACKAGE / name) or [PACKAGE / f"{name}.py"] for name in PURE]
    inside = [path for paths in within for path in paths]
    asked = [
        f"{named(path)}:{node.lineno}"
        for path in inside
        for node in ast.walk(parse(path))
        if isinstance(node, ast.Call) and CLOCK.search(ast.unparse(node.func))
    ]
    assert asked == []


def test_only_commands_print() -> None:
    quiet = [path for path in modules(PACKAGE) if path.relative_to(PACKAGE).parts[0] != "cli"]
    assert [place for path in quiet for place in calls(path, "print")] == []


def test_only_the_terminal_modules_know_escape_sequences() -> None:
    versed = {
        path.relative_to(PACKAGE).as_posix()
        for path in modules(PACKAGE)
        if any(ESCAPE in text for text in literals(path))
    }
    assert versed - TERMINAL_MODULES == set()


def literals(path: Path) -> list[str]:
    """The strings of a module; bytes as the characters they stand for."""
    values = [node.value for node in ast.walk(parse(path)) if isinstance(node, ast.Constant)]
    texts = [value for value in values if isinstance(value, str)]
    return texts + [value.decode("latin-1") for value in values if isinstance(value, bytes)]


def test_every_script_is_checked() -> None:
    shell = {named(path) for path in files() if path.suffix == ".sh"}
    assert shell - set(SCRIPTS) == set()


def test_scripts_are_clean(require_program: Callable[[str], str]) -> None:
    shellcheck = require_program("shellcheck")
    result = subprocess.run(
        [shellcheck, "--external-sources", *SCRIPTS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.stdout + result.stderr == ""
