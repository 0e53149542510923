from __future__ import annotations

import asyncio
import importlib.util
import logging
import os
import resource
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from jminesweeper.server.config import Backend, ServerConfig
from jminesweeper.server.listening import ListenError
from jminesweeper.server.process import (
    STOP_SIGNALS,
    SWITCH_INTERVAL_S,
    new_event_loop,
    raise_descriptor_limit,
    run_server,
)
from tests.unit.server.fakes import backend_of

CONFIG = ServerConfig(host="127.0.0.1", port=0)


class World:
    """Opens a backend and notes what happened; runs something once the server serves."""

    def __init__(self, once_open: Callable[[], None]) -> None:
        self.events: list[str] = []
        self._once_open = once_open

    @asynccontextmanager
    async def open_backend(self) -> AsyncIterator[Backend]:
        self.events.append("opened")
        asyncio.get_running_loop().call_later(0.01, self._once_open)
        try:
            yield backend_of()
        finally:
            self.events.append("closed")


@pytest.fixture(autouse=True)
def _signal_handlers() -> object:
    before = {number: signal.getsignal(number) for number in (*STOP_SIGNALS, signal.SIGHUP)}
    # A run of the tests may be under nohup.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [*STOP_SIGNALS, signal.SIGHUP])
def test_a_signal_stops_the_server_and_closes_the_backend_after_it(
    number: signal.Signals,
) -> None:
    world = World(lambda: os.kill(os.getpid(), number))
    run_server(CONFIG, world.open_backend)
    assert world.events == ["opened", "closed"]


def test_under_nohup_a_server_stays_when_its_terminal_goes() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)

    def hang_up_and_stop() -> None:
        os.kill(os.getpid(), signal.SIGHUP)
        world.events.append("stays")
        os.kill(os.getpid(), signal.SIGTERM)

    world = World(hang_up_and_stop)
    run_server(CONFIG, world.open_backend)
    assert world.events == ["opened", "stays", "closed"]
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN


def test_two_signals_at_once_are_one_stop() -> None:
    def both() -> None:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    world = World(both)
    run_server(CONFIG, world.open_backend)
    assert world.events == ["opened", "closed"]


def test_a_server_that_cannot_listen_closes_its_backend_and_says_so() -> None:
    world = World(lambda: None)
    with pytest.raises(ListenError):
        run_server(ServerConfig(host="192.0.2.1", port=0), world.open_backend)
    assert world.events == ["opened", "closed"]


def test_the_log_begins_with_what_friends_type_and_where_games_are_kept(
    caplog: pytest.LogCaptureFixture,
) -> None:
    world = World(lambda: os.kill(os.getpid(), signal.SIGTERM))
    with caplog.at_level(logging.INFO):
        run_server(CONFIG, world.open_backend)
    listening, invitation, *others = caplog.messages
    assert invitation == f"to play: ./run_client.sh {listening.removeprefix('listening on ')}"
    assert others[:2] == ["games are kept until the server stops", "started"]


def test_threads_get_the_interpreter_soon_while_a_server_runs() -> None:
    before = sys.getswitchinterval()
    seen: list[float] = []

    def look_and_stop() -> None:
        seen.append(sys.getswitchinterval())
        os.kill(os.getpid(), signal.SIGTERM)

    run_server(CONFIG, World(look_and_stop).open_backend)
    assert seen == [pytest.approx(SWITCH_INTERVAL_S)]
    assert sys.getswitchinterval() == before


def test_uvloop_is_used_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = new_event_loop()
    assert type(loop).__module__.partition(".")[0] == "uvloop"
    loop.close()
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    loop = new_event_loop()
    assert type(loop).__module__.partition(".")[0] == "asyncio"
    loop.close()


def test_the_limit_of_open_files_is_raised_as_far_as_it_goes() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 256), hard))
    try:
        raise_descriptor_limit()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
