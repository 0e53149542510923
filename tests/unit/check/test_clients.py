"""Broken clients are caught by name and one cause at a time; right ones raise no alarm."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from jminesweeper.check.checker import CLIENT_CHECKS
from jminesweeper.check.client import ClientUnderTest
from jminesweeper.check.suite import Budget, Finding, ProtocolCheck, run_checks
from tests.unit.check.table import CLIENTS, Row

BROKEN = [row for row in CLIENTS if row.check]
RIGHT = [row for row in CLIENTS if not row.check]
BY_NAME = {check.name: check for check in CLIENT_CHECKS}
LARGE = "a-large-frame-is-shown-whole"
"""Takes as long as all others: asked of right clients, and of those that break it."""
PATIENT_S, HASTY_S = 20.0, 0.3
"""Nothing that never comes is waited for long; all else has as long as a busy machine needs."""


def test_there_are_as_many_as_the_documents_say() -> None:
    assert len(BROKEN) >= 25
    assert len(RIGHT) >= 8


def findings(
    program: Path, checks: Sequence[ProtocolCheck[ClientUnderTest]], patience_s: float
) -> list[Finding]:
    budget = Budget(600.0, patience_s)
    command = [sys.executable, "-IS", str(program), "{host}", "{port}"]
    with ClientUnderTest(command, budget) as client:
        return list(run_checks(checks, client, budget))


def builds_upon(check: ProtocolCheck[ClientUnderTest], name: str) -> bool:
    return name in check.needs or any(builds_upon(BY_NAME[need], name) for need in check.needs)


@pytest.mark.parametrize("row", BROKEN, ids=[each.name for each in BROKEN])
def test_a_client_that_breaks_one_clause_fails_its_check_and_no_other(
    tmp_path: Path, row: Row
) -> None:
    program = tmp_path / "client.py"
    program.write_text(row.program)
    broken = BY_NAME[row.check]
    before = CLIENT_CHECKS[: CLIENT_CHECKS.index(broken)]
    after = [] if broken.is_vital else CLIENT_CHECKS[CLIENT_CHECKS.index(broken) + 1 :]
    others = [
        check
        for check in (*before, *after)
        if check.name != LARGE and not builds_upon(check, row.check)
    ]
    assert [each for each in findings(program, others, PATIENT_S) if not each.is_fine] == []
    (failure,) = findings(program, [broken], HASTY_S)
    assert not failure.is_fine
    assert row.came in failure.came


# The broken ones reach all lines but those of a large frame, and one right one these.
@pytest.mark.parametrize(
    "row",
    [
        pytest.param(row, id=row.name, marks=pytest.mark.no_cover if number else ())
        for number, row in enumerate(RIGHT)
    ],
)
def test_a_right_client_raises_no_alarm(tmp_path: Path, row: Row) -> None:
    program = tmp_path / "client.py"
    program.write_text(row.program)
    found = findings(program, CLIENT_CHECKS, 5.0)
    assert [each for each in found if not each.is_fine] == []
