"""Clients that do not play."""

from __future__ import annotations

import sys

import pytest

from jminesweeper.check.client import CLIENT_CHECKS
from jminesweeper.check.client_under_test import ClientUnderTest
from jminesweeper.check.suite import Budget, Finding, run_checks

CONNECT = (
    "import socket, sys;"
    "host, port = sys.argv[1].split(':');"
    "server = socket.create_connection((host, int(port)));"
)


def first_finding(program: str, patience_s: float = 20.0) -> Finding:
    """What the first check finds of a program in Python."""
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
