"""Fill in which tests prove which requirement, in docs/requirements.md.

Every test says what it proves with `@pytest.mark.requirement("ID", ...)`. With --check nothing is
written, and what is wrong with the table is said and ends the program with 1.
"""

import io
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"
TABLE = ROOT / "docs" / "requirements.md"
ROW = re.compile(
    r"^\| `(?P<id>[^`]+)` \| (?P<asks>.+) \| (?P<where>.+) \| (?P<status>\w+) \|.*\|$", re.MULTILINE
)

Proofs = Mapping[str, set[str]]


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
    marks, output = Marks(), io.StringIO()
    options = ["--collect-only", "-q", "-p", "no:cacheprovider"]
    with redirect_stdout(output):
        outcome = pytest.main([*options, str(TESTS)], plugins=[marks])
    if outcome != pytest.ExitCode.OK:
        sys.exit(f"{output.getvalue()}\nThe tests cannot be collected.")
    return marks.tests


def fill_in(text: str, proofs: Proofs) -> str:
    """Write the proofs into the table; an open requirement that has one becomes met."""

    def row(match: re.Match[str]) -> str:
        tests = sorted(proofs.get(match["id"], ()))
        status = "met" if tests else match["status"]
        proved_by = "<br>".join(f"`{test}`" for test in tests)
        return f"| `{match['id']}` | {match['asks']} | {match['where']} | {status} | {proved_by} |"

    return ROW.sub(row, text)


def troubles(text: str, proofs: Proofs) -> Iterator[str]:
    """Say what is wrong with the table, a sentence each."""
    ids = Counter(row["id"] for row in ROW.finditer(text))
    yield from (f"{each} is listed twice." for each, count in ids.items() if count > 1)
    for each in sorted(proofs.keys() - ids):
        yield f"{each} is marked in {', '.join(sorted(proofs[each]))}, but not in the table."
    for row in ROW.finditer(text):
        if row["status"] == "met" and row["id"] not in proofs:
            yield f"{row['id']} is met, but no test carries it."
        for place in re.findall(r"`([^`]+)`", row["where"]) if row["status"] == "met" else ():
            if not (ROOT / "src" / "jminesweeper" / place).exists():
                yield f"{row['id']} is said to be met in {place}, which does not exist."
    if fill_in(text, proofs) != text:
        yield "The table is not up to date: make requirements."


def main() -> None:
    text, proofs = TABLE.read_text(encoding="utf-8"), collect_proofs()
    if "--check" not in sys.argv:
        text = fill_in(text, proofs)
        TABLE.write_text(text, encoding="utf-8")
    found = list(troubles(text, proofs))
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
