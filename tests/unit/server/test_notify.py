"""Reports of a process to the one that started it, through a real socket."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from jminesweeper.server.process import ALIVE, READY, STOPPING, keeping_alive, teller
from tests.unit.server.fakes import turn


@contextmanager
def manager(address: str) -> Iterator[socket.socket]:
    """Listen as systemd does."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.settimeout(60)
        heard.bind(address)
        yield heard


def test_states_go_to_the_socket_that_is_named(tmp_path: Path) -> None:
    address = str(tmp_path / "notify")
    with manager(address) as heard:
        tell = teller({"NOTIFY_SOCKET": address})
        tell(READY)
        tell(STOPPING)
        assert [heard.recv(100) for _ in range(2)] == [b"READY=1", b"STOPPING=1"]


def test_a_socket_may_have_a_name_that_is_no_file() -> None:
    name = f"jminesweeper-test-{os.getpid()}"
    with manager(f"\0{name}") as heard:
        teller({"NOTIFY_SOCKET": f"@{name}"})(READY)
        assert heard.recv(100) == b"READY=1"


@pytest.mark.parametrize("address", ["", "/nobody/listens/here", "x" * 200])
def test_where_nobody_listens_nothing_happens(address: str) -> None:
    teller({"NOTIFY_SOCKET": address})(READY)


async def test_signs_of_life_come_again_and_again() -> None:
    said: list[str] = []
    enough = asyncio.Event()

    def tell(state: str) -> None:
        said.append(state)
        if len(said) == 3:
            enough.set()

    environment = {"WATCHDOG_USEC": "2000", "WATCHDOG_PID": str(os.getpid())}
    with keeping_alive(environment, tell):
        await enough.wait()
    assert set(said) == {ALIVE}


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"WATCHDOG_USEC": ""},
        {"WATCHDOG_USEC": "0"},
        {"WATCHDOG_USEC": "-5"},
        {"WATCHDOG_USEC": "soon"},
        {"WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1"},
    ],
)
async def test_who_is_not_watched_gives_no_sign_of_life(environment: dict[str, str]) -> None:
    said: list[str] = []

    with keeping_alive(environment, said.append):
        await turn()
    assert said == []
