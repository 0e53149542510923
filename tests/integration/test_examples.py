"""The examples in the documents do what the documents say."""

from __future__ import annotations

import ast
import builtins
import contextlib
import doctest
import io
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from jminesweeper import JMinesweeperError
from tests.integration.server_process import hasty, running_server

DOCS = Path(__file__).parents[2] / "docs"
# Those of protocol.md are for who has no library, and run elsewhere (documented.py).
PAGES = sorted(
    path.name
    for path in DOCS.glob("*.md")
    if path.name != "protocol.md"
    and re.search("^```py", path.read_text(encoding="utf-8"), re.MULTILINE)
)
SHELL_EXAMPLE = re.compile(r"^```pycon\n(.*?)^```", re.DOTALL | re.MULTILINE)
PROGRAM = re.compile(
    r"^```python\n(?P<code>.*?)^```\n(?:\n(?:[^\n`#]+\n\n)?```text\n(?P<output>.*?)^```)?",
    re.DOTALL | re.MULTILINE,
)
NAMED_SERVER = '"example.org"'


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


PROGRAMS = [
    pytest.param(found["code"], found["output"] or "", id=f"{name}-{number}")
    for name in PAGES
    for number, found in enumerate(PROGRAM.finditer(page(name)), 1)
]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with running_server(command=hasty("--store=memory", "--workers=1")) as process:
        yield f'"127.0.0.1:{process.port}"'


@pytest.mark.parametrize("name", PAGES)
def test_what_is_typed_is_answered_as_the_page_says(name: str) -> None:
    typed = "\n".join(SHELL_EXAMPLE.findall(page(name)))
    example = doctest.DocTestParser().get_doctest(typed, {}, name, name, 0)
    # What differs is printed.
    assert doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF).run(example).failed == 0


@pytest.mark.parametrize(("code", "output"), PROGRAMS)
def test_a_program_prints_what_the_page_says(code: str, output: str, server: str) -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code.replace(NAMED_SERVER, server), "example", "exec"), {})
    assert printed.getvalue() == output


def printed_by(*arguments: str) -> str:
    command = [sys.executable, "-m", "jminesweeper", "bot", *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    return result.stdout


@pytest.mark.parametrize(
    ("strategy", "won"),
    [
        ("full", "won 414: 41.40 % (95 % between 38.39 % and 44.48 %)\nguesses 3.24 a game"),
        ("risk", "38.80 %"),
    ],
)
def test_the_bot_wins_as_often_as_its_page_says(strategy: str, won: str) -> None:
    printed = printed_by("--games", "1000", "--seed", "1", "--strategy", strategy)
    assert won in printed
    assert won in page("bot.md")


def test_the_bot_plays_on_a_server_as_its_page_says(server: str) -> None:
    address = server.strip('"')
    printed = printed_by(
        "--host", address, "--preset", "beginner", "--first-click", "zero", "--seed", "1"
    )
    result = printed.splitlines()[-1].removeprefix(f"{address}: ")
    assert f"127.0.0.1:9999: {result}\n" in page("bot.md")


def checked(folder: Path, programs: Sequence[str], *options: str) -> str:
    """Return what a type checker says of programs; empty if it is content."""
    paths = [folder / f"example_{number}.py" for number in range(len(programs))]
    for path, code in zip(paths, programs, strict=True):
        path.write_text(code, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--config-file=", *options, *map(str, paths)]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return "" if result.returncode == 0 else result.stdout + result.stderr


def test_one_game_is_printed_as_the_page_of_the_bot_says() -> None:
    (command, printed) = re.findall(
        r"\$ jminesweeper bot (.*) \| tail -13\n(.*?)```", page("bot.md"), re.DOTALL
    )[0]
    assert printed_by(*command.split()).splitlines()[-13:] == printed.splitlines()


def test_a_game_is_judged_as_the_page_of_the_bot_says(tmp_path: Path) -> None:
    found = re.search(r"as a file:\n\n(.*?)\nWhat .*?```text\n(.*?)```", page("bot.md"), re.DOTALL)
    assert found is not None
    (tmp_path / "game.txt").write_text(textwrap.dedent(found[1]))
    command = [sys.executable, "-m", "jminesweeper", "analyse", "game.txt"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert result.stdout == found[2]


def test_a_type_checker_accepts_what_the_pages_show(tmp_path: Path) -> None:
    typed = ["\n".join(SHELL_EXAMPLE.findall(page(name))) for name in PAGES]
    parse = doctest.DocTestParser().get_examples
    scripts = ["".join(example.source for example in parse(each)) for each in typed]
    programs = [found["code"] for name in PAGES for found in PROGRAM.finditer(page(name))]
    assert checked(tmp_path, [*scripts, *programs], "--strict") == ""


def test_a_type_checker_accepts_the_programs_of_the_protocol(tmp_path: Path) -> None:
    programs = [found["code"] for found in PROGRAM.finditer(page("protocol.md"))]
    assert len(programs) == 3
    assert checked(tmp_path, programs) == ""


# What stands for the names in the sentences and tables of the page.
NAMES = """
from datetime import date
from jminesweeper import *
game = Game(Setup.of("beginner", seed=6))
cell = one = Cell(4, 4)
other, day, mask = Cell(4, 5), date(2026, 11, 18), 1
game.reveal(cell)
game.terminate()
view, grid, setup, field = game.view, game.grid, game.setup, game.reveal_truth()
setup = Setup.of("beginner", seed=1, first=(4, 4))
series, solver = Series.of([game]), Solver()
import secrets
"""


@pytest.mark.parametrize("span", sorted(set(re.findall(r"`([^`\n]+)`", page("library.md")))))
def test_what_a_sentence_of_the_page_names_is_there(span: str) -> None:
    names: dict[str, Any] = {}
    exec(NAMES, names)
    try:
        used = ast.walk(ast.parse(span, mode="eval"))
    except SyntaxError:
        return
    if {node.id for node in used if isinstance(node, ast.Name)} <= {*names, *dir(builtins)}:
        # An error of the library's own is an answer: the game is over, for instance.
        with contextlib.suppress(JMinesweeperError):
            eval(span, names)


def test_a_bot_for_a_whole_expert_game_is_fifteen_lines() -> None:
    first = PROGRAM.search(page("bot.md"))
    assert first is not None
    assert '"expert"' in first["code"]
    assert len(first["code"].splitlines()) <= 15


def test_the_pages_show_examples_at_all() -> None:
    assert {"bot.md", "kata.md", "library.md", "rules.md", "solver.md", "store.md"} <= {*PAGES}
    assert len(PROGRAMS) >= 4
    assert SHELL_EXAMPLE.search(page("library.md"))
