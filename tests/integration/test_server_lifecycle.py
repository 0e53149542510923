"""Starting, stopping, limits and logs of the real server."""

from __future__ import annotations

import json
import re
import shlex
import signal
import socket
import subprocess
from contextlib import ExitStack

import pyte
import pytest

from jminesweeper.protocol.packets import Start, encode
from jminesweeper.protocol.vocabulary import Command
from tests.integration.server_peer import MOVE, START, Peer
from tests.integration.server_process import TIMEOUT_S, running_server, server_command
from tests.ports import free_port

STOP_SIGNALS = [signal.SIGTERM, signal.SIGINT]


def start_and_fail(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        server_command(*options), capture_output=True, text=True, timeout=TIMEOUT_S, check=False
    )


# Starting


def test_a_busy_port_is_one_clear_line_and_no_success() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        result = start_and_fail(f"--port={port}", "--store=memory")
    assert result.returncode == 1
    assert result.stderr == (
        f"Error: Cannot listen on 127.0.0.1, port {port}: the port is in use already; "
        "stop the program that has it, or choose another.\n"
    )


@pytest.mark.parametrize("host", ["192.0.2.1", "no host"])
def test_a_bad_address_is_one_clear_line_and_no_success(host: str) -> None:
    result = start_and_fail(f"--host={host}", "--store=memory")
    assert result.returncode == 1
    assert re.fullmatch(rf"Error: Cannot listen on {host}, port 0: .*\.\n", result.stderr)


@pytest.mark.requirement("J:Server Requirements")
@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_by_default_a_server_is_reached_by_either_kind_of_address(host: str) -> None:
    with running_server("--host=") as server, Peer(server.port, host) as peer:
        assert peer.play(START)
        server.await_log(rf"listening on 0\.0\.0\.0:{server.port}\n")
        server.await_log(rf"listening on \[::\]:{server.port}\n")


# Limits


def test_who_is_silent_for_too_long_is_disconnected_with_a_notice() -> None:
    with running_server("--idle-timeout=2") as server, Peer(server.port) as peer:
        peer.send(encode(START))
        # On a slow machine even START may come too late.
        while b"You were away for a long time" not in peer.screen():
            continue
        assert peer.is_hung_up_on()


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ("--max-connections=2", b"This server is full"),
        ("--max-per-address=2", b"too many connections from your address"),
    ],
)
def test_who_is_one_too_many_is_told_so_and_may_come_back_later(option: str, reason: bytes) -> None:
    with running_server(option) as server, Peer(server.port) as stays:
        stays.play(START)
        with Peer(server.port) as leaves:
            leaves.play(START)
            with Peer(server.port) as late:
                late.send(encode(START))
                assert reason in late.screen()
                assert late.is_hung_up_on()
            port = leaves.socket.getsockname()[1]
            stays.play()
        server.await_log(rf":{port} left after")
        with Peer(server.port) as later:
            later.play(START)


def test_a_lack_of_file_descriptors_neither_ends_the_server_nor_keeps_it_busy() -> None:
    limited = f"ulimit -n 48; exec {shlex.join(server_command())}"
    with running_server(command=["bash", "-c", limited]) as server, ExitStack() as stack:
        first = stack.enter_context(Peer(server.port))
        first.play(START)
        crowd = [stack.enter_context(Peer(server.port)) for _ in range(60)]
        server.await_log("no connection can be taken just now: Too many open files")
        busy_before = server.cpu_s()
        for _ in range(10):
            first.play()
        # Whoever the system had no room for is waiting in the kernel, and is served after all.
        crowd[-1].send(encode(START))
        for peer in crowd[:-1]:
            peer.socket.close()
        assert crowd[-1].screen()
        assert server.cpu_s() - busy_before < 1.0
        assert server.log.count("Too many open files") < 20


# Stopping


@pytest.mark.parametrize("number", STOP_SIGNALS)
def test_a_signal_says_goodbye_to_every_player_and_ends_with_success(number: int) -> None:
    with running_server() as server, ExitStack() as stack:
        peers = [stack.enter_context(Peer(server.port)) for _ in range(20)]
        for peer in peers[:-1]:
            peer.play(START)
        server.await_log(rf":{peers[-1].socket.getsockname()[1]} connected")
        server.send_signal(number)
        for peer in peers:
            assert b"The server is shutting down" in peer.screen()
            assert peer.is_hung_up_on()
            peer.socket.close()
        assert server.wait() == 0
        server.await_log("stopped after 20 connections, 19 packets")


def test_a_peer_that_never_reads_does_not_keep_the_server_from_stopping() -> None:
    with running_server() as server, Peer(server.port, receive_buffer=4096) as peer:
        stuff(peer)
        server.send_signal(signal.SIGTERM)
        assert server.wait() == 0


def test_a_second_signal_ends_the_server_at_once() -> None:
    with running_server() as server, Peer(server.port, receive_buffer=4096) as peer:
        stuff(peer)
        server.send_signal(signal.SIGTERM)
        server.await_log("stopping on SIGTERM")
        server.send_signal(signal.SIGTERM)
        assert server.wait() == -signal.SIGTERM


def stuff(peer: Peer) -> None:
    """Ask for screens and read none of them until there is no more room between us."""
    peer.send(encode(Start(255, 255, 1)))
    peer.socket.setblocking(False)
    is_stuck = False
    while not is_stuck:
        try:
            peer.socket.send(encode(MOVE) * 65536)
        except BlockingIOError:
            # The server's reading makes room once more, unless it has stopped.
            peer.socket.settimeout(0.5)
            try:
                peer.socket.send(encode(MOVE))
            except TimeoutError:
                is_stuck = True
            peer.socket.setblocking(False)


def test_a_stopped_server_frees_its_port() -> None:
    port = f"--port={free_port()}"
    with running_server(port) as server, Peer(server.port) as peer:
        peer.play(START)
        server.send_signal(signal.SIGTERM)
        assert server.wait() == 0
        with running_server(port) as again:
            assert again.port == server.port


# Logs


def test_a_connection_is_logged_with_duration_and_counts() -> None:
    with running_server("--seed=1") as server, Peer(server.port) as peer:
        peer.play(Start(1, 1, 1))
        peer.play(Command.TOGGLE_BOMB_MARK)
        peer.send(encode(Command.QUIT))
        assert peer.is_hung_up_on()
        port = peer.socket.getsockname()[1]
        server.await_log(rf"INFO 127.0.0.1:{port} connected\n")
        server.await_log(rf"127.0.0.1:{port} left after \d+\.\d s: 3 packets, 1 games ended\n")


def test_json_logs_are_one_object_per_line() -> None:
    with running_server("--log-format=json", "--log-level=debug") as server:
        with Peer(server.port) as peer:
            peer.send(b"\x00")
            peer.screen()
        server.await_log("left after")
        server.send_signal(signal.SIGTERM)
        assert server.wait() == 0
        server.await_log("stopped after")
        records = [json.loads(line) for line in server.log.splitlines()]
    by_message = {record["message"]: record for record in records}
    assert by_message[f"listening on 127.0.0.1:{server.port}"]["level"] == "info"
    (error,) = [record for record in records if record["level"] == "warning"]
    assert re.match(r"protocol error from 127.0.0.1:\d+: There is no packet", error["message"])
    (left,) = [record for record in records if "duration_s" in record]
    assert (left["packets"], left["games"]) == (0, 0)


def test_a_log_that_nobody_reads_does_not_stop_the_games() -> None:
    # A server whose standard error is a pipe that is read up to the port and never again.
    process = subprocess.Popen(
        server_command("--store=memory"), stderr=subprocess.PIPE, text=True, bufsize=1
    )
    assert process.stderr is not None
    found = re.search(r"listening on \S+:(\d+)", process.stderr.readline())
    assert found is not None
    try:
        port = int(found[1])
        for _ in range(700):  # Two lines each: more than a pipe holds.
            with Peer(port) as peer:
                peer.send(encode(Command.QUIT))
                assert peer.is_hung_up_on()
        with Peer(port) as peer:
            assert peer.play(START)
    finally:
        process.kill()
        process.communicate()


def test_debug_mode_can_be_forbidden() -> None:
    with running_server("--no-debug-mode") as server, Peer(server.port) as peer:
        before = peer.play(START)
        after = peer.play(Command.TOGGLE_DEBUG_MODE)
        assert b"does not allow debug mode" in after
        assert field(before) == field(after)


def field(screen: bytes) -> str:
    """Return the ten rows of the field as a terminal shows them."""
    terminal = pyte.Screen(80, 24)
    pyte.ByteStream(terminal).feed(screen)
    return "\n".join(line.replace("[", " ").replace("]", " ") for line in terminal.display[2:12])
