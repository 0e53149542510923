"""A real server that systemd starts: its socket, and what its manager is told."""

from __future__ import annotations

import signal
import socket
from pathlib import Path

from tests.integration.server_peer import START, Peer
from tests.integration.server_process import TIMEOUT_S, running_server, server_command

ACTIVATE = """
import os, socket, sys
listener = socket.create_server(("127.0.0.1", 0))
os.dup2(listener.fileno(), 3)
os.set_inheritable(3, True)
os.environ |= {"LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid())}
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


def test_a_socket_of_systemd_is_served_and_its_manager_told(tmp_path: Path) -> None:
    options = (f"--store={tmp_path / 'games.sqlite3'}", "--workers=0")
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
