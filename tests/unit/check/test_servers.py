"""Broken servers are caught by name and one cause at a time; right ones raise no alarm.

Each is as far away as the other side of the street, and of an ocean.
"""

from __future__ import annotations

from collections.abc import Collection

import pytest

from jminesweeper.check.checker import check_server, checks_for
from jminesweeper.check.server import ServerUnderTest
from jminesweeper.check.suite import Budget, CheckVerdict, Finding, run_checks
from jminesweeper.client.address import Address
from tests.unit.check.reference import VERSION_1
from tests.unit.check.simulated import SimulatedServer, under_test
from tests.unit.check.table import SERVERS, Row

BROKEN = [row for row in SERVERS if row.check]
RIGHT = [row for row in SERVERS if not row.check]
NEAR_S, FAR_S = 0.0, 0.15
LARGE = {"the-largest-frames-arrive-whole", "fields-of-all-sizes-can-be-played"}
"""Checks of large fields take longer than all others."""


def failures(program: str, round_trip_s: float, without: Collection[str] = ()) -> list[Finding]:
    server = under_test(program, round_trip_s)
    version = server.learn().version
    checks = [check for check in checks_for(version) if check.name not in without]
    findings = list(run_checks(checks, server, server.budget))
    server.close()
    causes = [each for each in findings if each.verdict is CheckVerdict.FAILED]
    # What was not run is not run because of what failed.
    late = [each for each in findings if each.verdict is CheckVerdict.NOT_RUN]
    named = tuple(f"{cause.name} failed" for cause in causes)
    named += tuple(f"after {cause.name}" for cause in causes)
    return causes + [each for each in late if not each.reason.endswith(named)]


def test_there_are_as_many_as_the_documents_say() -> None:
    assert len(BROKEN) >= 90
    assert len(RIGHT) >= 16


# Lines are counted where each is asked for the one check that it fails, and right ones for all.
@pytest.mark.no_cover
@pytest.mark.parametrize("row", BROKEN, ids=[each.name for each in BROKEN])
def test_a_server_that_breaks_one_clause_fails_its_check_and_no_other(row: Row) -> None:
    (failure,) = failures(row.program, NEAR_S, LARGE - {row.check})
    assert failure.name == row.check
    assert row.came in failure.came


@pytest.mark.parametrize("row", BROKEN, ids=[each.name for each in BROKEN])
def test_a_broken_server_that_is_far_away_is_caught_as_well(row: Row) -> None:
    others = {check.name for check in checks_for(2)} - {row.check}
    (failure,) = failures(row.program, FAR_S, others)
    assert failure.name == row.check


@pytest.mark.parametrize("round_trip_s", [NEAR_S, pytest.param(FAR_S, marks=pytest.mark.no_cover)])
@pytest.mark.parametrize("row", RIGHT, ids=[each.name for each in RIGHT])
def test_a_right_server_raises_no_alarm(row: Row, round_trip_s: float) -> None:
    is_all = row.has_large_fields and round_trip_s == FAR_S
    assert failures(row.program, round_trip_s, () if is_all else LARGE) == []


def test_where_the_time_is_too_short_nothing_is_blamed_on_the_server() -> None:
    network = SimulatedServer(VERSION_1, 0.15)
    budget = Budget(10.0, clock=network.now)
    server = ServerUnderTest(Address("server.invalid"), budget, network=network)
    _, findings = check_server(server)
    verdicts = {finding.name: finding.verdict for finding in findings}
    assert set(verdicts.values()) == {CheckVerdict.PASSED, CheckVerdict.NOT_RUN}
    assert network.now_s < 10.0 + 1.0
