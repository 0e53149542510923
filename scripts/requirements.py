"""Fill in which tests prove which requirement, in docs/requirements.md.

Every test says what it proves with `@pytest.mark.requirement("ID", ...)`. With --check nothing is
written, and what is wrong with the table is said and ends the program with 1.
"""

import argparse
import io
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"
TABLE = ROOT / "docs" / "requirements.md"
ROW = re.compile(r"^\| `(?P<id>[^`]+)` \| (?P<asks>.+) \| (?P<where>.+) \| (?P<status>\w+) \|.*\|$")

Proofs = Mapping[str, list[str]]


class Requirement(NamedTuple):
    """One row of the table, without its proofs."""

    id: str
    asks: str
    where: str
    status: str


class Marks:
    """A pytest plugin that notes which tests carry which requirement."""

    def __init__(self) -> None:
        self.tests: dict[str, set[str]] = defaultdict(set)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            test = item.nodeid.partition("[")[0].removeprefix("tests/")
            for mark in item.iter_markers("requirement"):
                for requirement in mark.args:
                    self.tests[requirement].add(test)


def collect_proofs() -> Proofs:
    """Ask pytest which tests carry marks, and sort them by what they prove."""
    marks = Marks()
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(TESTS.rglob("test_*.py"))}
    marked = [str(path) for path, text in texts.items() if "mark.requirement" in text]
    output = io.StringIO()
    with redirect_stdout(output):
        outcome = pytest.main(
            ["--collect-only", "-q", "-p", "no:cacheprovider", *marked], plugins=[marks]
        )
    if outcome != pytest.ExitCode.OK:
        sys.exit(f"{output.getvalue()}\nThe tests cannot be collected.")
    return {requirement: sorted(tests) for requirement, tests in marks.tests.items()}


def read(text: str) -> list[Requirement]:
    """Return the rows of the table."""
    rows = map(ROW.match, text.splitlines())
    return [Requirement(*row.group("id", "asks", "where", "status")) for row in rows if row]


def fill_in(text: str, proofs: Proofs) -> str:
    """Write the proofs into the table; an open requirement that has one becomes met."""

    def row(match: re.Match[str]) -> str:
        tests = proofs.get(match["id"], [])
        status = "met" if tests else match["status"]
        proved_by = "<br>".join(f"`{test}`" for test in tests)
        return f"| `{match['id']}` | {match['asks']} | {match['where']} | {status} | {proved_by} |"

    return "\n".join(ROW.sub(row, line) for line in text.splitlines()) + "\n"


def troubles(text: str, proofs: Proofs) -> Iterator[str]:
    """Say what is wrong with the table, a sentence each."""
    requirements = read(text)
    ids = [requirement.id for requirement in requirements]
    for requirement in sorted({each for each in ids if ids.count(each) > 1}):
        yield f"{requirement} is listed twice."
    for requirement in sorted(proofs.keys() - set(ids)):
        yield f"{requirement} is marked in {', '.join(proofs[requirement])}, but not in the table."
    for each in requirements:
        if each.status == "met" and each.id not in proofs:
            yield f"{each.id} is met, but no test carries it."
        if each.status == "met":
            yield from missing_places(each)
    if fill_in(text, proofs) != text:
        yield "The table is not up to date: make requirements."


def missing_places(requirement: Requirement) -> Iterator[str]:
    for place in re.findall(r"`([^`]+)`", requirement.where):
        if not (ROOT / "src" / "jminesweeper" / place).exists():
            yield f"{requirement.id} is said to be met in {place}, which does not exist."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="say what is wrong, write nothing")
    arguments = parser.parse_args()
    text = TABLE.read_text(encoding="utf-8")
    proofs = collect_proofs()
    if not arguments.check:
        text = fill_in(text, proofs)
        TABLE.write_text(text, encoding="utf-8")
    found = list(troubles(text, proofs))
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
