"""Programs on a terminal of their own."""

from __future__ import annotations

import os

import pytest

from jminesweeper.check.client import PtyProgram


def test_a_program_that_was_waited_for_is_not_killed_by_its_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = PtyProgram(["true"], os.environ)
    program.process.wait()
    killed: list[int] = []
    monkeypatch.setattr(os, "killpg", lambda number, _signal: killed.append(number))
    program.close()
    assert killed == []


def test_closing_ends_a_program_that_runs() -> None:
    with PtyProgram(["sleep", "1000"], os.environ) as program:
        assert not program.has_ended
    assert program.has_ended
