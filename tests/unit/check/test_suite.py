"""Checklist are run one by one, within a bounded time, and what came of each is told."""

from __future__ import annotations

from itertools import count

import pytest

from jminesweeper.check.suite import (
    AdviceError,
    Budget,
    Checklist,
    CheckVerdict,
    DeviationError,
    Finding,
    NoConnectionError,
    NotApplicableError,
    ProtocolCheck,
    TimeSpentError,
    Transcript,
    run_checks,
)


class Bench:
    """Something to be checked; says how often it was cleared."""

    def __init__(self) -> None:
        self.transcript = Transcript()
        self.cleared = 0

    def hang_up(self) -> None:
        self.cleared += 1


def all_is_well(bench: Bench) -> None:
    bench.transcript.add("a packet")


def something_else_comes(bench: Bench) -> None:
    bench.transcript.add("another packet")
    raise DeviationError("two screens", "one screen")


def it_is_left_open(_bench: Bench) -> None:
    raise NotApplicableError("debug mode is forbidden")


def run(*checks: ProtocolCheck[Bench], budget: Budget | None = None) -> list[Finding]:
    return list(run_checks(checks, Bench(), budget or Budget()))


def test_a_check_is_named_after_its_function() -> None:
    assert ProtocolCheck(all_is_well, "a clause").name == "all-is-well"


def test_each_check_has_an_outcome_and_a_transcript_of_its_own() -> None:
    passed, failed, skipped = run(
        ProtocolCheck(all_is_well, "a"),
        ProtocolCheck(something_else_comes, "b"),
        ProtocolCheck(it_is_left_open, "c"),
    )
    assert passed == Finding("all-is-well", "a", CheckVerdict.PASSED)
    assert failed == Finding(
        "something-else-comes",
        "b",
        CheckVerdict.FAILED,
        ("another packet",),
        "two screens",
        "one screen",
    )
    assert (skipped.verdict, skipped.reason) == (CheckVerdict.SKIPPED, "debug mode is forbidden")
    assert [each.is_fine for each in (passed, failed, skipped)] == [True, False, True]


def test_everything_is_cleared_after_each_check_also_after_a_bug_in_one() -> None:
    def breaks(_bench: Bench) -> None:
        raise ZeroDivisionError

    bench = Bench()
    checks = [ProtocolCheck(all_is_well, "a"), ProtocolCheck(breaks, "b")]
    with pytest.raises(ZeroDivisionError):
        list(run_checks(checks, bench, Budget()))
    assert bench.cleared == 2


def test_where_a_vital_check_fails_the_others_are_not_run() -> None:
    vital = ProtocolCheck(something_else_comes, "a", is_vital=True)
    failed, other = run(vital, ProtocolCheck(all_is_well, "b"))
    assert failed.verdict is CheckVerdict.FAILED
    assert (other.verdict, other.reason) == (CheckVerdict.NOT_RUN, "something-else-comes failed")
    assert all(each.is_fine for each in run(ProtocolCheck(all_is_well, "b", is_vital=True)))


def test_advice_is_a_warning_and_no_failure() -> None:
    def it_is_large(_bench: Bench) -> None:
        raise AdviceError("131760 bytes", "at most 95227 bytes")

    (finding,) = run(ProtocolCheck(it_is_large, "a"))
    assert (finding.verdict, finding.came) == (CheckVerdict.WARNED, "131760 bytes")
    assert finding.is_fine


def nobody_is_there(_bench: Bench) -> None:
    raise NoConnectionError("no connection", "a connection")


def it_ends_the_server(bench: Bench) -> None:
    bench.transcript.add("a packet")
    nobody_is_there(bench)


def test_where_nobody_listens_any_more_nothing_is_blamed_on_the_checks_that_follow() -> None:
    well, gone, late = (
        ProtocolCheck(check, "") for check in (all_is_well, nobody_is_there, something_else_comes)
    )
    passed, *others = run(well, gone, late)
    assert passed.verdict is CheckVerdict.PASSED
    reason = "no connection, after all-is-well"
    assert [(each.verdict, each.reason) for each in others] == [(CheckVerdict.NOT_RUN, reason)] * 2
    assert run(gone)[0].reason == "no connection"


def test_the_check_that_ends_the_server_fails() -> None:
    failed, other = run(ProtocolCheck(it_ends_the_server, "a"), ProtocolCheck(nobody_is_there, "b"))
    assert (failed.verdict, failed.came) == (CheckVerdict.FAILED, "no connection")
    assert other.reason == "no connection, after it-ends-the-server"


def test_checks_are_written_down_by_a_decorator_in_their_order() -> None:
    check = Checklist[Bench]()
    check("Replies: one", is_vital=True)(all_is_well)
    check("Replies: two", wire=2)(something_else_comes)
    assert [(each.name, each.clause, each.wire, each.is_vital) for each in check] == [
        ("all-is-well", "Replies: one", 1, True),
        ("something-else-comes", "Replies: two", 2, False),
    ]


def test_what_there_is_no_time_for_is_not_run() -> None:
    now_s = 0.0

    def takes_long(_bench: Bench) -> None:
        nonlocal now_s
        now_s = 20.0
        raise DeviationError("nothing for 3 s", "a screen")

    late, later = run(
        ProtocolCheck(takes_long, "a"),
        ProtocolCheck(all_is_well, "b"),
        budget=Budget(19.0, 3.0, lambda: now_s),
    )
    assert late.verdict is later.verdict is CheckVerdict.NOT_RUN
    assert not late.is_fine
    assert late.reason == "no time was left"


def test_the_patience_for_one_answer_shrinks_with_the_time_that_is_left() -> None:
    ticks = count()
    budget = Budget(5.0, 3.0, lambda: float(next(ticks)))
    assert [budget.patience() for _ in range(4)] == [3.0, 3.0, 2.0, 1.0]
    assert Budget(9.0, 3.0, lambda: 0.0).patience(2.0) == 6.0
    assert Budget(5.0, 3.0, lambda: 0.0).patience(2.0) == 5.0
    assert budget.is_spent
    with pytest.raises(TimeSpentError):
        budget.patience()
