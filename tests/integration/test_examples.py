"""The examples in the documents do what the documents say."""

from __future__ import annotations

import contextlib
import doctest
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.server_process import running_server

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ["library.md", "bot.md"]
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
    with running_server("--store=memory", "--workers=1") as process:
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


def test_a_bot_for_a_whole_expert_game_is_fifteen_lines() -> None:
    first = PROGRAM.search(page("bot.md"))
    assert first is not None
    assert '"expert"' in first["code"]
    assert len(first["code"].splitlines()) <= 15


def test_the_pages_show_examples_at_all() -> None:
    assert len(PROGRAMS) >= 4
    assert SHELL_EXAMPLE.search(page("library.md"))
