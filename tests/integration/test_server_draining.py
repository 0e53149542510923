"""A real server that is told to stop while something asks for its health."""

from __future__ import annotations

import signal
from http.client import HTTPConnection

from tests.integration.server_peer import START, Peer
from tests.integration.server_process import TIMEOUT_S, running_server

ADMIN = r"health and metrics on \S+:(\d+)"


def health(port: int) -> int:
    """Ask as a load balancer does; return the status."""
    connection = HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_S)
    connection.request("GET", "/healthz")
    status = connection.getresponse().status
    connection.close()
    return status


def test_play_continues_until_health_checks_have_heard_no_twice() -> None:
    with running_server("--store=memory", "--admin=0") as server, Peer(server.port) as peer:
        admin = int(server.await_log(ADMIN)[1])
        assert health(admin) == 200
        peer.play(START)
        server.send_signal(signal.SIGTERM)
        server.await_log("stopping on SIGTERM")
        assert health(admin) == 503
        assert b"20x10" in peer.play()
        with Peer(server.port) as late:
            late.play(START)
            assert health(admin) == 503
            assert b"shutting down" in peer.screen()
            assert b"shutting down" in late.screen()
        peer.socket.close()
        assert server.wait() == 0


def test_ctrl_c_waits_for_no_health_check() -> None:
    with running_server("--store=memory", "--admin=0") as server, Peer(server.port) as peer:
        assert health(int(server.await_log(ADMIN)[1])) == 200
        peer.play(START)
        server.send_signal(signal.SIGINT)
        assert b"shutting down" in peer.screen()
