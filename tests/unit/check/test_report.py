"""Findings as text, as JSON and as TAP."""

from __future__ import annotations

import json

from jminesweeper.check.suite import CheckVerdict, Finding, as_json, as_text

FACTS = {"server": "127.0.0.1:9999", "cell_step": "2x1"}
FINDINGS = [
    Finding("a", "Replies: one", CheckVerdict.PASSED),
    Finding("b", "Replies: two", CheckVerdict.FAILED, ("START", "REVEAL"), "this:\n?.", "that"),
    Finding("c", "Replies: three", CheckVerdict.SKIPPED, reason="it is forbidden"),
    Finding("d", "Replies: four", CheckVerdict.NOT_RUN, reason="no time was left"),
    Finding("e", "Replies: five", CheckVerdict.FAILED, (), "nothing", "a screen"),
]


def test_a_person_reads_what_was_sent_what_came_and_what_was_expected() -> None:
    assert list(as_text(FACTS, FINDINGS)) == [
        "server 127.0.0.1:9999, cell step 2x1",
        "ok    a",
        "FAIL  b",
        "      clause    Replies: two",
        "      sent      START\n                REVEAL",
        "      came      this:\n                ?.",
        "      expected  that",
        "skip  c: it is forbidden",
        "FAIL  e",
        "      clause    Replies: five",
        "      sent      nothing",
        "      came      nothing",
        "      expected  a screen",
        "----  1 not run: no time was left",
        "5 checks: 1 passed, 2 failed, 1 skipped, 1 not run.",
    ]


def test_a_line_is_there_as_soon_as_its_check_has_ended() -> None:
    unread = iter(FINDINGS)
    lines = as_text(FACTS, unread)
    assert [next(lines), next(lines)][1] == "ok    a"
    assert next(unread).name == "b"


def test_a_program_reads_one_object() -> None:
    (text,) = as_json(FACTS, FINDINGS)
    report = json.loads(text)
    assert report["server"] == "127.0.0.1:9999"
    assert report["conforms"] is False
    assert [check["outcome"] for check in report["checks"]] == [
        "passed",
        "failed",
        "skipped",
        "not run",
        "failed",
    ]
    assert report["checks"][1]["sent"] == ["START", "REVEAL"]
    assert report["checks"][2]["reason"] == "it is forbidden"
    assert json.loads(*as_json({}, FINDINGS[:1]))["conforms"] is True
