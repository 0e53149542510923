"""Findings for a person, and for programs.

Each form is made while the checks run: a line is there as soon as it is known.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from textwrap import indent
from typing import Any, Final

from jminesweeper.check.suite import Finding, Outcome

_WORDS: Final[Mapping[Outcome, str]] = {
    Outcome.PASSED: "ok",
    Outcome.WARNED: "warn",
    Outcome.FAILED: "FAIL",
    Outcome.SKIPPED: "skip",
}


def as_text(facts: Mapping[str, str], findings: Iterable[Finding]) -> Iterator[str]:
    """Return lines for a person."""
    yield ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in facts.items())
    counts: Counter[Outcome] = Counter()
    not_run: Counter[str] = Counter()
    for finding in findings:
        counts[finding.outcome] += 1
        if finding.outcome is Outcome.NOT_RUN:
            not_run[finding.reason] += 1
            continue
        reason = f": {finding.reason}" if finding.reason else ""
        yield f"{_WORDS[finding.outcome]:4}  {finding.name}{reason}"
        for name, value in _details(finding).items():
            text = value if isinstance(value, str) else "\n".join(value) or "nothing"
            yield f"      {name:8}  {indent(text, ' ' * 16).strip()}"
    for reason, number in not_run.items():
        yield f"----  {number} not run: {reason}"
    parts = [f"{counts[outcome]} {outcome.value}" for outcome in Outcome if counts[outcome]]
    total = counts.total()
    yield f"{total} check{'s' * (total != 1)}: {', '.join(parts)}."


def as_json(facts: Mapping[str, str], findings: Iterable[Finding]) -> Iterator[str]:
    """Return one object, once all is known."""
    checks = list(findings)
    described = [
        {
            "name": finding.name,
            "clause": finding.clause,
            "outcome": finding.outcome.value,
            **_details(finding),
            **({"reason": finding.reason} if finding.reason else {}),
        }
        for finding in checks
    ]
    conforms = all(finding.is_fine for finding in checks)
    yield json.dumps({**facts, "conforms": conforms, "checks": described}, indent=2)


def _details(finding: Finding) -> Mapping[str, Any]:
    if finding.outcome not in {Outcome.WARNED, Outcome.FAILED}:
        return {}
    return {
        "clause": finding.clause,
        "sent": list(finding.sent),
        "came": finding.came,
        "expected": finding.expected,
    }
