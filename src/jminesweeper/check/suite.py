"""Checks with a name and a clause, run one after the other within a bounded time.

A check is a plain function that returns if all is well. Its name says what is true then; its clause
is a sentence of docs/protocol.md, after the heading it is found under. `S` is what is checked: a
server that can be connected to, or a client that can be started.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import groupby
from typing import Final, Generic, Protocol, TypeVar

from jminesweeper.core.errors import JMinesweeperError

_FIRST_LINES: Final = 2
_LAST_LINES: Final = 9


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


class ServerSilentError(DeviationError):
    """Nothing came where something was due."""


class NotApplicableError(JMinesweeperError):
    """The clause is optional, and the other side lacks it."""


class TimeSpentError(JMinesweeperError):
    """The time for all checks is spent."""


def expect(holds: bool, came: str, expected: str) -> None:
    """Raise a deviation unless a condition holds."""
    if not holds:
        raise DeviationError(came, expected)


class Transcript:
    """What was sent, a line each."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def add(self, line: str) -> None:
        self._lines.append(line)

    def shortened(self) -> tuple[str, ...]:
        """Return the first and the last lines; what was sent several times in a row is one."""
        counted = [(line, len(list(same))) for line, same in groupby(self._lines)]
        lines = [line if times == 1 else f"{line} ({times} times)" for line, times in counted]
        dropped = len(lines) - _FIRST_LINES - _LAST_LINES
        if dropped <= 0:
            return tuple(lines)
        return (*lines[:_FIRST_LINES], f"({dropped} more)", *lines[-_LAST_LINES:])


SUITE_SECONDS: Final = 17.0
"""Below 20 together with starting and ending a program."""
RESTARTED_SECONDS: Final = 170.0
"""Where programs are started anew for each check or connection."""
PATIENCE_S: Final = 3.0
"""For each answer."""


class Subject(Protocol):
    """What is checked."""

    transcript: Transcript

    def hang_up(self) -> None:
        """End everything that a check has begun."""


S = TypeVar("S", bound=Subject)


@dataclass(frozen=True, slots=True)
class ProtocolCheck(Generic[S]):
    """A function that raises a deviation, and the clause that it checks."""

    run: Callable[[S], None]
    clause: str
    wire: int = 1
    is_vital: bool = False
    """Whether its failure makes all later checks pointless."""

    @property
    def name(self) -> str:
        return self.run.__name__.replace("_", "-")


class Checks(list[ProtocolCheck[S]]):
    """The checks of a subject, in the order in which they are written down, by a decorator."""

    def __call__(
        self, clause: str, *, wire: int = 1, is_vital: bool = False
    ) -> Callable[[Callable[[S], None]], Callable[[S], None]]:
        """Add a function as the check of a clause."""

        def add(run: Callable[[S], None]) -> Callable[[S], None]:
            self.append(ProtocolCheck(run, clause, wire, is_vital))
            return run

        return add


class Outcome(Enum):
    """How a check ended."""

    PASSED = "passed"
    WARNED = "warned"
    FAILED = "failed"
    SKIPPED = "skipped"
    NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check; `reason` says why it was skipped or not run."""

    name: str
    clause: str
    outcome: Outcome
    sent: Sequence[str] = ()
    came: str = ""
    expected: str = ""
    reason: str = ""

    @property
    def is_fine(self) -> bool:
        return self.outcome in {Outcome.PASSED, Outcome.WARNED, Outcome.SKIPPED}


class Budget:
    """How long one may still wait: for an answer, and for everything together."""

    def __init__(
        self,
        seconds: float = SUITE_SECONDS,
        patience_s: float = PATIENCE_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._patience_s = patience_s
        self._clock = clock
        self._end = clock() + seconds

    def patience(self, times: float = 1.0) -> float:
        """Return how long to wait for an answer; raise TimeSpentError if no time is left.

        What takes longer than an answer may have several times the patience.
        """
        left = self._end - self._clock()
        if left <= 0:
            raise TimeSpentError
        return min(times * self._patience_s, left)

    @property
    def is_spent(self) -> bool:
        return self._clock() >= self._end


def run_checks(checks: Sequence[ProtocolCheck[S]], subject: S, budget: Budget) -> Iterator[Finding]:
    """Run all checks; report those without time left, or after a vital failure, as not run.

    So are those that find nobody listening any more: an earlier check has ended the other side.
    """
    missing = last = ""
    for check in checks:
        finding = Finding(check.name, check.clause, Outcome.NOT_RUN, reason=missing)
        if not missing:
            try:
                finding = _run(check, subject, budget)
            except NoConnectionError as error:
                missing = f"{error.came}, after {last}" if last else error.came
                finding = replace(finding, reason=missing)
            finally:
                subject.hang_up()
        if check.is_vital and finding.outcome is Outcome.FAILED:
            missing = f"{check.name} failed"
        last = check.name
        yield finding


def _run(check: ProtocolCheck[S], subject: S, budget: Budget) -> Finding:
    """Run a check; NoConnectionError if there is nobody to begin with."""
    subject.transcript = Transcript()
    try:
        budget.patience()
        check.run(subject)
    except NotApplicableError as error:
        return Finding(check.name, check.clause, Outcome.SKIPPED, reason=str(error))
    except (DeviationError, TimeSpentError) as error:
        # At the end of the time a silence may be no fault of the other side.
        if budget.is_spent or isinstance(error, TimeSpentError):
            return Finding(check.name, check.clause, Outcome.NOT_RUN, reason="no time was left")
        sent = subject.transcript.shortened()
        if isinstance(error, NoConnectionError) and not sent:
            raise
        outcome = Outcome.WARNED if isinstance(error, AdviceError) else Outcome.FAILED
        return Finding(check.name, check.clause, outcome, sent, error.came, error.expected)
    return Finding(check.name, check.clause, Outcome.PASSED)
