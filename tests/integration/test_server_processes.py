"""Several real processes on one port: killed, replaced, stopped, and started by systemd's rules."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from jminesweeper.protocol.packets import Act, NewGame
from jminesweeper.protocol.vocabulary import Button, Command, GameKind
from tests.integration.server_peer import START, Peer
from tests.integration.server_process import (
    TIMEOUT_S,
    ServerProcess,
    running_server,
    server_command,
)
from tests.integration.view_player import ViewPlayer

KEY = b"k" * 16
GAME = NewGame(GameKind.BEGINNER)
FLAG = Act(3, 3, Button.FLAG, 16)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    options = ("--processes=2", "--workers=0", f"--store={tmp_path / 'games.sqlite3'}")
    with running_server(*options) as running:
        running.await_log("2 processes serve")
        yield running
        running.send_signal(signal.SIGTERM)
        assert running.wait() == 0


def resumed(server: ServerProcess, number: int = 0) -> ViewPlayer:
    """Come again, and go on with the game that waits."""
    player = ViewPlayer(server.port, number.to_bytes(16, "big"))
    player.play(Command.REVEAL)
    return player


def test_players_of_processes_that_die_find_their_games(server: ServerProcess) -> None:
    players = [ViewPlayer(server.port, number.to_bytes(16, "big")) for number in range(6)]
    for player in players:
        player.play(GAME, FLAG)
    before = [player.field for player in players]
    victims = server.children()
    assert len(victims) == 2
    for pid in victims:
        os.kill(pid, signal.SIGKILL)
    for player in players:
        player.close()
    server.await_log(r"(?s)(ended with -9.*){2}")
    server.await_log(r"(?s)( started\n.*){4}")
    for number, field in enumerate(before):
        player = resumed(server, number)
        assert player.field == field
        player.close()
    assert not victims & server.children()


def test_a_process_that_dies_under_load_is_back_within_a_second(server: ServerProcess) -> None:
    visits, is_over = 0, threading.Event()

    def visit() -> None:
        nonlocal visits
        while not is_over.is_set():
            # Whoever is on the process that dies is cut off, and comes again.
            with suppress(OSError, EOFError), Peer(server.port) as peer:
                peer.play(START)
                visits += 1

    visitors = [threading.Thread(target=visit) for _ in range(4)]
    for visitor in visitors:
        visitor.start()
    victim = min(server.children())
    began_s = time.monotonic()
    os.kill(victim, signal.SIGKILL)
    server.await_log(r"(?s)( started\n.*){3}")
    took_s = time.monotonic() - began_s
    is_over.set()
    for visitor in visitors:
        visitor.join(TIMEOUT_S)
    assert visits > 10
    assert len(server.children()) == 2
    # The machine is busy with the visitors; alone it takes half of a second.
    assert took_s < 3


def test_a_player_on_several_processes_plays_one_game(server: ServerProcess) -> None:
    """Processes tell each other: each shows what was done at the others."""
    with ExitStack() as opened:
        first = opened.enter_context(ViewPlayer(server.port, KEY))
        first.play(GAME, FLAG)
        left = int(first.entries["mines left"])
        for number in range(1, 8):
            following = opened.enter_context(ViewPlayer(server.port, KEY))
            following.play(Act(number, 0, Button.FLAG, 16))
            while first.play(Command.REFRESH)["mines left"] != str(left - number):
                threading.Event().wait(0.01)


def test_nobody_is_refused_while_processes_are_replaced(server: ServerProcess) -> None:
    visits, is_over = 0, threading.Event()

    def visit() -> None:
        nonlocal visits
        while not is_over.is_set():
            with Peer(server.port) as peer:
                assert b"20x10" in peer.play(START)
            visits += 1

    failures: list[BaseException] = []
    visitor = threading.Thread(target=_noting(failures, visit))
    visitor.start()
    before = server.children()
    with ViewPlayer(server.port, KEY) as player:
        player.play(GAME, FLAG)
        field = player.field
        server.send_signal(signal.SIGHUP)
        server.await_log("all processes were replaced")
        is_over.set()
        visitor.join(TIMEOUT_S)
        player.read()
        assert "shutting down" in player.screen
    with resumed(server, int.from_bytes(KEY, "big")) as player:
        assert player.field == field
    assert failures == []
    assert visits > 10
    assert not before & server.children()


def _noting(failures: list[BaseException], work: Callable[[], None]) -> Callable[[], None]:
    def run() -> None:
        try:
            work()
        except (AssertionError, OSError, EOFError) as failure:
            failures.append(failure)

    return run


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_says_goodbye_to_the_players_of_all_processes(
    server: ServerProcess, number: signal.Signals
) -> None:
    with ExitStack() as opened:
        peers = [opened.enter_context(Peer(server.port)) for _ in range(10)]
        for peer in peers:
            peer.play(START)
        server.send_signal(number)
        for peer in peers:
            assert b"shutting down" in peer.screen()
            assert peer.is_hung_up_on()
            peer.socket.close()
        assert server.wait() == 0
    assert server.log.count("stopped after") == 2


def test_processes_do_not_outlive_the_one_that_started_them(tmp_path: Path) -> None:
    options = ("--processes=2", "--workers=0", f"--store={tmp_path / 'games.sqlite3'}")
    with running_server(*options) as server, Peer(server.port) as peer:
        server.await_log("2 processes serve")
        peer.play(START)
        server.send_signal(signal.SIGKILL)
        assert b"shutting down" in peer.screen()
        peer.socket.close()
        server.await_log(r"(?s)stopped after.*stopped after")


def test_a_store_that_cannot_be_opened_is_one_clear_line(tmp_path: Path) -> None:
    result = subprocess.run(
        server_command("--processes=3", f"--store={tmp_path}"),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert result.returncode == 1
    assert len(result.stderr.splitlines()) == 1, result.stderr
    assert result.stderr.startswith("Error: ")


def test_a_busy_port_is_one_clear_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        result = subprocess.run(
            server_command("--processes=2", f"--port={port}", f"--store={tmp_path / 'games'}"),
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    assert result.returncode == 1
    assert result.stderr == (
        f"Error: Cannot listen on 127.0.0.1, port {port}: the port is in use already.\n"
    )


# As systemd starts it

ACTIVATE = """
import os, socket, sys
listener = socket.create_server(("127.0.0.1", 0))
os.dup2(listener.fileno(), 3)
os.set_inheritable(3, True)
os.environ |= {"LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid())}
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


@pytest.mark.parametrize("processes", [1, 2])
def test_a_socket_of_systemd_is_served_and_its_manager_told(tmp_path: Path, processes: int) -> None:
    options = (f"--processes={processes}", f"--store={tmp_path / 'games.sqlite3'}", "--workers=0")
    python, *arguments = server_command(*options, "--port=1")
    command = [python, "-c", ACTIVATE, *arguments]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.settimeout(TIMEOUT_S)
        manager.bind(str(tmp_path / "notify"))
        watched = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "100000"}
        variables = [f"{name}={value}" for name, value in watched.items()]
        with running_server(command=["env", *variables, *command]) as server:
            with Peer(server.port) as peer:
                peer.play(START)
            heard = {manager.recv(100) for _ in range(4)}
            assert heard == {b"READY=1", b"WATCHDOG=1"}
            server.send_signal(signal.SIGTERM)
            while manager.recv(100) != b"STOPPING=1":
                pass
            assert server.wait() == 0
