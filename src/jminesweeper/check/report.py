"""Findings for a person, for programs, and for test harnesses that read TAP."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import indent
from typing import Any, Final

from jminesweeper.check.suite import Finding, Outcome

_WORDS: Final[Mapping[Outcome, str]] = {
    Outcome.PASSED: "ok",
    Outcome.FAILED: "FAIL",
    Outcome.SKIPPED: "skip",
    Outcome.NOT_RUN: "----",
}


@dataclass(frozen=True, slots=True)
class Report:
    """What was checked, what was learnt about it, and what came of each check."""

    subject: str
    facts: Mapping[str, str]
    findings: Sequence[Finding]

    @property
    def conforms(self) -> bool:
        return all(
            finding.outcome in {Outcome.PASSED, Outcome.SKIPPED} for finding in self.findings
        )


def as_text(report: Report) -> Iterator[str]:
    """Return lines for a person."""
    facts = ", ".join(f"{name} {value}" for name, value in report.facts.items())
    yield f"{report.subject}: {facts}" if facts else report.subject
    for finding in report.findings:
        reason = f" ({finding.reason})" if finding.reason else ""
        yield f"{_WORDS[finding.outcome]:4}  {finding.name}{reason}"
        if finding.outcome is Outcome.FAILED:
            yield from _lines(_details(finding))
    yield _summary(report)


def as_json(report: Report) -> Iterator[str]:
    """Return one object."""
    checks = [
        {
            "name": finding.name,
            "clause": finding.clause,
            "outcome": finding.outcome.value,
            **_details(finding),
            **({"reason": finding.reason} if finding.reason else {}),
        }
        for finding in report.findings
    ]
    facts: dict[str, Any] = {"subject": report.subject, "conforms": report.conforms}
    yield json.dumps({**facts, **report.facts, "checks": checks}, indent=2)


def as_tap(report: Report) -> Iterator[str]:
    """Return version 13 of the Test Anything Protocol."""
    yield "TAP version 13"
    yield f"1..{len(report.findings)}"
    for number, finding in enumerate(report.findings, 1):
        is_fine = finding.outcome in {Outcome.PASSED, Outcome.SKIPPED}
        skipped = f" # SKIP {finding.reason}" if finding.outcome is Outcome.SKIPPED else ""
        yield f"{'ok' if is_fine else 'not ok'} {number} - {finding.name}{skipped}"
        if not is_fine:
            details = _details(finding) or {"reason": finding.reason}
            yield "  ---"
            for name, value in details.items():
                yield f"  {name}: {json.dumps(value)}"
            yield "  ..."


REPORTS: Final[Mapping[str, Callable[[Report], Iterator[str]]]] = {
    "text": as_text,
    "json": as_json,
    "tap": as_tap,
}


def _details(finding: Finding) -> dict[str, Any]:
    if finding.outcome is not Outcome.FAILED:
        return {}
    return {
        "clause": finding.clause,
        "sent": list(finding.sent),
        "came": finding.came,
        "expected": finding.expected,
    }


def _lines(details: Mapping[str, Any]) -> Iterator[str]:
    for name, value in details.items():
        text = value if isinstance(value, str) else "\n".join(value) or "nothing"
        yield f"      {name:8}  {indent(text, ' ' * 16).strip()}"


def _summary(report: Report) -> str:
    counts = {
        outcome: sum(finding.outcome is outcome for finding in report.findings)
        for outcome in Outcome
    }
    parts = [f"{count} {outcome.value}" for outcome, count in counts.items() if count]
    return f"{len(report.findings)} checks: {', '.join(parts)}."
