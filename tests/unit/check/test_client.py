"""Clients that do not play."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from jminesweeper.check.checker import CLIENT_CHECKS
from jminesweeper.check.client import ClientUnderTest, PtyProgram
from jminesweeper.check.suite import Budget, CheckVerdict, Finding, run_checks

CONNECT = (
    "import socket, sys;"
    "host, port = sys.argv[1].split(':');"
    "server = socket.create_connection((host, int(port)));"
)


def first_finding(program: str, patience_s: float = 20.0) -> Finding:
    """Return what the first check finds of a program in Python."""
    budget = Budget(600.0, patience_s)
    with ClientUnderTest([sys.executable, "-c", program], budget) as client:
        (finding,) = run_checks(CLIENT_CHECKS[:1], client, budget)
    return finding


@pytest.mark.parametrize(
    ("program", "came"),
    [
        ("print('No such server.')", "no packet; the program has ended; the terminal shows:\nNo"),
        (f"{CONNECT} server.sendall(b'GET / HTTP/1.1'); input()", "bytes that are no packet"),
        (f"{CONNECT} server.sendall(bytes([7, 0, 0, 0, 3, 9, 9, 4])); input()", "START 9x9 level"),
        (f"{CONNECT} server.sendall(bytes([7, 0, 0, 0, 3, 0, 9, 1])); input()", "START 0x9 level"),
        (f"{CONNECT} server.sendall(bytes([1])); input()", "MOVE_LEFT"),
    ],
)
def test_a_client_that_does_not_begin_a_game_is_told_what_it_did(program: str, came: str) -> None:
    assert came in first_finding(program).came


def test_a_client_that_does_nothing_is_not_waited_for_for_ever() -> None:
    finding = first_finding("input('Server? ')", 0.5)
    assert finding.came.startswith("no packet; the terminal shows:")
    assert finding.expected == "a packet from the client"


def test_a_client_that_never_begins_is_not_tried_again() -> None:
    budget = Budget(600.0, 20.0)
    with ClientUnderTest([sys.executable, "-c", "pass"], budget) as client:
        first, *others = run_checks(CLIENT_CHECKS, client, budget)
    assert first.verdict is CheckVerdict.FAILED
    assert {other.verdict for other in others} == {CheckVerdict.NOT_RUN}


BEGIN = f"{CONNECT} server.sendall(bytes([7, 0, 0, 0, 3, 9, 9, 1]));"


@pytest.mark.parametrize(
    ("program", "came", "expected"),
    [
        (
            f"{BEGIN} [print('x' * 999) for _ in iter(int, 1)]",
            "bytes on the terminal",
            "a screen at a time",
        ),
        (
            f"{BEGIN} [server.sendall(b'x01' * 999) for _ in iter(int, 1)]".replace("x0", r"\x0"),
            "packets",
            "a packet for each key",
        ),
        (
            f"{BEGIN} a=[socket.create_connection((host, int(port))) for _ in range(99)];input()",
            "connections",
            "one at a time",
        ),
    ],
    ids=["bytes", "packets", "connections"],
)
def test_a_client_that_floods_is_stopped(program: str, came: str, expected: str) -> None:
    budget = Budget(600.0, 60.0)
    with ClientUnderTest([sys.executable, "-c", program], budget) as client:
        finding = next(each for each in run_checks(CLIENT_CHECKS, client, budget) if each.came)
    assert finding.came.endswith(came)
    assert finding.expected == expected


def test_what_a_client_has_started_ends_with_it(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # Its child holds the pipe open, and would for ever.
    program = f"import subprocess; subprocess.run(['sh', '-c', 'exec sleep 9999 > {pipe}'])"
    client = PtyProgram([sys.executable, "-c", program], os.environ)
    with pipe.open("rb") as end:
        client.close()
        assert end.read() == b""


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
