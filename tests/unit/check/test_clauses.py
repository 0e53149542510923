"""Each check stands for a sentence of docs/protocol.md, and all are listed in docs/check.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jminesweeper.check.checker import CLIENT_CHECKS, SERVER_CHECKS

DOCS = Path(__file__).parents[3] / "docs"
PROTOCOL = (DOCS / "protocol.md").read_text(encoding="utf-8")
LIST = (DOCS / "check.md").read_text(encoding="utf-8")
CLAUSES = {check.name: check.clause for check in SERVER_CHECKS}
CLAUSES |= {check.name: check.clause for check in CLIENT_CHECKS}


def section(heading: str) -> str:
    """The text under a heading, up to the next one, in plain words."""
    parts = re.split(r"^#+ (.*)\n", PROTOCOL, flags=re.MULTILINE)
    texts = dict(zip(parts[1::2], parts[2::2], strict=True))
    return " ".join(texts[heading].replace("*", "").replace("`", "").split())


@pytest.mark.parametrize("name", CLAUSES)
def test_a_clause_is_found_under_its_heading(name: str) -> None:
    heading, _, sentence = CLAUSES[name].partition(": ")
    assert sentence.replace("`", "") in section(heading)


def test_names_are_unique() -> None:
    assert len(CLAUSES) == len(SERVER_CHECKS) + len(CLIENT_CHECKS)


def test_the_list_of_checks_is_up_to_date() -> None:
    rows = re.findall(r"^\| `([a-z0-9][a-z0-9-]*)` \| (.+) \|$", LIST, re.MULTILINE)
    assert rows == list(CLAUSES.items())
