"""Checks with a name and a clause, run one after the other, and the findings they leave.

A check is a plain function that returns if all is well and raises a `DeviationError` otherwise. Its
name says what is true of the other side then; its clause is a sentence of docs/protocol.md, after
the heading it is found under. `S` is what is checked: a server that can be connected to, or a
client that can be started.

One cause is named once. A check says which others it builds upon: if one of them fails, it is not
run, for it could only fail as well. So the checks are ordered from causes to consequences: framing,
START, columns and rows, marks, moves, reveals. A silence may be no fault but a busy machine, so a
check that met one is run again, with three times the patience.

`run_checks` is the whole story; `as_text` and `as_json` tell what came of it.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import groupby
from textwrap import indent
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar

from jminesweeper.core.errors import JMinesweeperError

# Errors


class DeviationError(JMinesweeperError):
    """The other side does not do what the clause says."""

    def __init__(self, came: str, expected: str) -> None:
        super().__init__(f"{came}; expected: {expected}")
        self.came = came
        self.expected = expected


class AdviceError(DeviationError):
    """The other side may do that, but some that it talks to cannot take it: a warning."""


class NoConnectionError(DeviationError):
    """No server listens, or it refuses the connection."""


class ServerClosedError(DeviationError):
    """The server ended the connection where a packet was due."""


class SilenceError(DeviationError):
    """Nothing came where something was due."""


class NotApplicableError(JMinesweeperError):
    """The clause is optional, and the other side lacks it."""


class TimeSpentError(JMinesweeperError):
    """The time for all checks is spent."""


def expect(holds: bool, came: str, expected: str) -> None:
    """Raise a deviation unless a condition holds."""
    if not holds:
        raise DeviationError(came, expected)


# Time

SUITE_S: Final = 17.0
"""Time for all checks of a server that answers at once: below 20 s with starting and ending."""
ANSWERS: Final = 3_000
"""Time is added for so many answers: there are fewer, and most are asked for many at once."""
MOST_ANSWER_S: Final = 0.5
"""The longest time of an answer that counts for that."""
RESTARTED_S: Final = 170.0
"""Time where programs are started anew for each check or connection."""
PATIENCE_S: Final = 3.0
"""The wait for one answer."""
SECOND_PATIENCE: Final = 3.0
"""Times the patience is multiplied where a check is run again after a silence."""
MOST_SILENCES: Final = 6
"""Checks that a silence may lengthen, at the cost of nobody else's time."""


class Budget:
    """The time left to wait: for an answer, and for everything together."""

    def __init__(
        self,
        seconds: float = SUITE_S,
        patience_s: float = PATIENCE_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._patience_s = patience_s
        self._clock = clock
        self._end = clock() + seconds
        self._silences = 0

    def patience(self, times: float = 1.0) -> float:
        """Return how long to wait for an answer; raise TimeSpentError if no time is left.

        What takes longer than an answer may have several times the patience.
        """
        left = self._end - self._clock()
        if left <= 0:
            raise TimeSpentError
        return min(times * self._patience_s, left)

    def extend(self, seconds: float) -> None:
        """Add time for everything together."""
        self._end += seconds

    def forgive_silence(self) -> None:
        """Give back the time that a silence takes, and the one after it."""
        self._silences += 1
        if self._silences <= MOST_SILENCES:
            self.extend((1 + SECOND_PATIENCE) * self._patience_s)

    def multiply_patience(self, times: float) -> None:
        """Wait longer, or less long again, for each answer."""
        self._patience_s *= times

    @property
    def is_spent(self) -> bool:
        return self._clock() >= self._end


# Checks


class Transcript:
    """Lines that say what was sent."""

    first_lines: Final = 2
    last_lines: Final = 9

    def __init__(self) -> None:
        self._lines: list[str] = []

    def add(self, line: str) -> None:
        self._lines.append(line)

    def shortened(self) -> tuple[str, ...]:
        """Return the first and the last lines; what was sent several times in a row is one."""
        counted = [(line, len(list(same))) for line, same in groupby(self._lines)]
        lines = [line if times == 1 else f"{line} ({times} times)" for line, times in counted]
        dropped = len(lines) - self.first_lines - self.last_lines
        if dropped <= 0:
            return tuple(lines)
        return (*lines[: self.first_lines], f"({dropped} more)", *lines[-self.last_lines :])


class Subject(Protocol):
    """A server or a client that is checked."""

    transcript: Transcript

    def hang_up(self) -> None:
        """End everything that a check has begun."""


S = TypeVar("S", bound=Subject)
Run: TypeAlias = Callable[[S], None]


def name_of(run: Callable[..., None]) -> str:
    """Return the name of a check: that of its function."""
    return run.__name__.replace("_", "-")


@dataclass(frozen=True, slots=True)
class ProtocolCheck(Generic[S]):
    """A function that raises a deviation, and the clause that it checks."""

    run: Run[S]
    clause: str
    wire: int = 1
    is_vital: bool = False
    """True if its failure makes all later checks pointless."""
    needs: tuple[str, ...] = ()
    """Names of checks whose failure makes this one pointless."""
    is_asked_for: bool = False
    """True if it is only run when asked for."""

    @property
    def name(self) -> str:
        return name_of(self.run)


class Checklist(list[ProtocolCheck[S]]):
    """The checks of a subject, in the order in which they are written down, by a decorator."""

    def __call__(
        self,
        clause: str,
        *,
        wire: int = 1,
        is_vital: bool = False,
        needs: Sequence[Run[S] | str] = (),
        is_asked_for: bool = False,
    ) -> Callable[[Run[S]], Run[S]]:
        """Add a function as the check of a clause."""

        def add(run: Run[S]) -> Run[S]:
            names = tuple(need if isinstance(need, str) else name_of(need) for need in needs)
            self.append(ProtocolCheck(run, clause, wire, is_vital, names, is_asked_for))
            return run

        return add


class CheckVerdict(Enum):
    """An end that a check can have."""

    PASSED = "passed"
    WARNED = "warned"
    FAILED = "failed"
    SKIPPED = "skipped"
    NOT_RUN = "not run"


NO_TIME: Final = "no time was left"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check; `reason` says why it was skipped or not run."""

    name: str
    clause: str
    verdict: CheckVerdict
    sent: Sequence[str] = ()
    came: str = ""
    expected: str = ""
    reason: str = ""

    @property
    def is_fine(self) -> bool:
        return self.verdict in {CheckVerdict.PASSED, CheckVerdict.WARNED, CheckVerdict.SKIPPED}


def run_checks(checks: Sequence[ProtocolCheck[S]], subject: S, budget: Budget) -> Iterator[Finding]:
    """Run all checks that make sense, and report the others as not run, with the reason.

    No sense have those that build upon a failure, those after a vital failure, those without time
    left, and those that find nobody listening any more: an earlier one has ended the other side.
    """
    over = last = ""
    pointless: dict[str, str] = {}
    for check in checks:
        cause = over or next((pointless[need] for need in check.needs if need in pointless), "")
        finding = Finding(check.name, check.clause, CheckVerdict.NOT_RUN, reason=cause)
        if not cause:
            try:
                finding = run_check(check, subject, budget)
            except NoConnectionError as error:
                over = f"{error.came}, after {last}" if last else error.came
                finding = replace(finding, reason=over)
            finally:
                subject.hang_up()
            if finding.verdict is CheckVerdict.FAILED:
                cause = f"{check.name} failed"
                over = cause if check.is_vital else ""
        if cause:
            pointless[check.name] = cause
        last = check.name
        yield finding


def run_check(check: ProtocolCheck[S], subject: S, budget: Budget) -> Finding:
    """Run a check, after a silence again; NoConnectionError if there is nobody to begin with."""
    subject.transcript = Transcript()
    try:
        budget.patience()
        try:
            check.run(subject)
        except SilenceError:
            subject.hang_up()
            subject.transcript = Transcript()
            budget.forgive_silence()
            budget.multiply_patience(SECOND_PATIENCE)
            try:
                check.run(subject)
            finally:
                budget.multiply_patience(1 / SECOND_PATIENCE)
    except NotApplicableError as error:
        return Finding(check.name, check.clause, CheckVerdict.SKIPPED, reason=str(error))
    except (DeviationError, TimeSpentError) as error:
        # At the end of the time a silence may be no fault of the other side.
        if budget.is_spent or isinstance(error, TimeSpentError):
            return Finding(check.name, check.clause, CheckVerdict.NOT_RUN, reason=NO_TIME)
        sent = subject.transcript.shortened()
        if isinstance(error, NoConnectionError) and not sent:
            raise
        verdict = CheckVerdict.WARNED if isinstance(error, AdviceError) else CheckVerdict.FAILED
        return Finding(check.name, check.clause, verdict, sent, error.came, error.expected)
    return Finding(check.name, check.clause, CheckVerdict.PASSED)


# The report: each form is made while the checks run, so a line is there as soon as it is known.

WORDS: Final[Mapping[CheckVerdict, str]] = {
    CheckVerdict.PASSED: "ok",
    CheckVerdict.WARNED: "warn",
    CheckVerdict.FAILED: "FAIL",
    CheckVerdict.SKIPPED: "skip",
}


def as_text(facts: Mapping[str, str], findings: Iterable[Finding]) -> Iterator[str]:
    """Return lines for a person."""
    yield ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in facts.items())
    counts: Counter[CheckVerdict] = Counter()
    not_run: Counter[str] = Counter()
    for finding in findings:
        counts[finding.verdict] += 1
        if finding.verdict is CheckVerdict.NOT_RUN:
            not_run[finding.reason] += 1
            continue
        reason = f": {finding.reason}" if finding.reason else ""
        yield f"{WORDS[finding.verdict]:4}  {finding.name}{reason}"
        for name, value in details_of(finding).items():
            text = value if isinstance(value, str) else "\n".join(value) or "nothing"
            yield f"      {name:8}  {indent(text, ' ' * 16).strip()}"
    for reason, number in not_run.items():
        yield f"----  {number} not run: {reason}"
    parts = [f"{counts[verdict]} {verdict.value}" for verdict in CheckVerdict if counts[verdict]]
    total = counts.total()
    yield f"{total} check{'s' * (total != 1)}: {', '.join(parts)}."


def as_json(facts: Mapping[str, str], findings: Iterable[Finding]) -> Iterator[str]:
    """Return one object, once all is known."""
    checks = list(findings)
    described = [
        {
            "name": finding.name,
            "clause": finding.clause,
            "outcome": finding.verdict.value,
            **details_of(finding),
            **({"reason": finding.reason} if finding.reason else {}),
        }
        for finding in checks
    ]
    conforms = all(finding.is_fine for finding in checks)
    yield json.dumps({**facts, "conforms": conforms, "checks": described}, indent=2)


def details_of(finding: Finding) -> Mapping[str, Any]:
    """Return what a failure or a warning is about."""
    if finding.verdict not in {CheckVerdict.WARNED, CheckVerdict.FAILED}:
        return {}
    return {
        "clause": finding.clause,
        "sent": list(finding.sent),
        "came": finding.came,
        "expected": finding.expected,
    }
