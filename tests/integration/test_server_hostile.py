"""Rude and hostile peers against the real server; one polite player goes on playing throughout."""

from __future__ import annotations

import random
import socket
import struct
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest

from jminesweeper.protocol.packets import Start, encode
from jminesweeper.protocol.vocabulary import Command
from tests.integration.server_peer import MOVE, START, Peer
from tests.integration.server_process import ServerProcess, running_server

FLOOD = 20_000


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    with running_server("--seed=1") as running:
        yield running


@pytest.fixture
def player(server: ServerProcess) -> Iterator[Peer]:
    """Somebody whose game must not notice anything."""
    with Peer(server.port) as peer:
        peer.play(START)
        yield peer
        assert b"20x10" in peer.play()


@pytest.fixture
def peer(server: ServerProcess) -> Iterator[Peer]:
    with Peer(server.port) as rude:
        yield rude


@pytest.mark.usefixtures("player")
def test_all_packets_may_come_in_one_segment(peer: Peer) -> None:
    peer.send(encode(START) + encode(MOVE) * 5 + encode(Command.QUIT))
    assert all(b"20x10" in peer.screen() for _ in range(6))
    assert peer.is_hung_up_on()


@pytest.mark.usefixtures("player")
@pytest.mark.parametrize(
    ("garbage", "complaint"),
    [
        (b"\x00", "There is no packet of type 0."),
        (encode(MOVE) + b"\x09", "SCREEN_CONTENT is not a packet that a client sends."),
        (b"\x07\x00\x00\x00\x02ab", "START carries"),
        (b"\x07\xff\xff\xff\xff", "START carries"),
        (b"\xc8\xff\xff\xff\xff", "announces 4294967295 bytes"),
        (encode(MOVE) + b"GET / HTTP/1.1\r\n\r\n", "announces"),
    ],
)
def test_garbage_gets_a_last_screen_that_says_why(
    server: ServerProcess, peer: Peer, garbage: bytes, complaint: str
) -> None:
    peer.send(garbage)
    if garbage.startswith(encode(MOVE)):
        peer.screen()
    assert complaint.encode() in peer.screen()
    assert peer.is_hung_up_on()
    port = peer.socket.getsockname()[1]
    server.await_log(rf"protocol error from 127.0.0.1:{port}: .*{complaint}")


@pytest.mark.usefixtures("player")
@pytest.mark.parametrize(
    "typed",
    [b"hello\r\n", b"\r\n", b"\t", b"\x16\x03\x01\x02\x00\x01"],
)
def test_who_does_not_speak_the_protocol_is_told_what_this_is(peer: Peer, typed: bytes) -> None:
    peer.send(typed)
    line = peer.socket.makefile("rb").readline()
    assert line.startswith(b"This is JMinesweeper")
    assert line.endswith(b"./run_client.sh HOST:PORT\r\n")
    assert peer.is_hung_up_on()


@pytest.mark.usefixtures("player")
def test_good_packets_before_a_bad_one_are_answered(peer: Peer) -> None:
    peer.send(encode(START) + encode(MOVE) + b"\x00" + b"x" * 100_000)
    assert b"20x10" in peer.screen()
    assert b"20x10" in peer.screen()
    assert b"no packet of type 0" in peer.screen()


@pytest.mark.usefixtures("player")
@pytest.mark.parametrize("seed", range(10))
def test_noise_ends_with_a_screen_or_a_closed_connection(peer: Peer, seed: int) -> None:
    noise = encode(START) + random.Random(seed).randbytes(2_000)
    peer.send(noise)
    peer.socket.shutdown(socket.SHUT_WR)
    screens = 0
    with suppress(EOFError, ConnectionResetError):
        while peer.screen():
            screens += 1
    assert screens <= len(noise) + 1


@pytest.mark.usefixtures("player")
def test_a_hundred_resets_in_a_row_hurt_nobody(server: ServerProcess) -> None:
    ports = []
    for _ in range(100):
        peer = Peer(server.port)
        peer.send(encode(START) + encode(MOVE) * 10)
        ports.append(peer.socket.getsockname()[1])
        peer.reset()
    for port in ports:
        server.await_log(rf"127.0.0.1:{port} left after")
    assert "Traceback" not in server.log


def test_a_flood_is_answered_whole_and_does_not_keep_others_waiting(
    server: ServerProcess, player: Peer, peer: Peer
) -> None:
    peer.play(START)
    answered = 0
    for _ in range(FLOOD // 1000):
        peer.send(encode(MOVE) * 1000)
        player.play()
        while answered < 1000:
            peer.screen()
            answered += 1
        answered = 0
    before = server.resident_kib()
    peer.play()
    assert server.resident_kib() - before < 4096


def test_who_never_reads_is_not_answered_any_more_and_takes_bounded_memory(
    server: ServerProcess, player: Peer
) -> None:
    before = server.resident_kib()
    with Peer(server.port, receive_buffer=4096) as peer:
        peer.send(encode(Start(255, 255, 3)))
        peer.socket.settimeout(0)
        sent = 0
        # Sends until the server has stopped reading and every buffer between us is full.
        while sent < 64 * 1024 * 1024:
            try:
                sent += peer.socket.send(encode(MOVE) * 65536)
            except BlockingIOError:
                _, is_stuck = player.play(), _cannot_send(peer.socket)
                if is_stuck:
                    break
        assert server.resident_kib() - before < 8 * 1024
        player.play()
        peer.reset()


def _cannot_send(peer: socket.socket) -> bool:
    try:
        peer.send(encode(MOVE))
    except BlockingIOError:
        return True
    return False


def test_five_hundred_players_play_at_once(server: ServerProcess) -> None:
    columns = range(1, 251)
    with ExitStack() as stack:
        peers = [stack.enter_context(Peer(server.port)) for _ in range(500)]
        for number, peer in enumerate(peers):
            peer.send(encode(Start(columns[number % 250], 2, 1)))
        for number, peer in enumerate(peers):
            assert f" {columns[number % 250]}x2 ".encode() in peer.screen()
        for peer in peers:
            peer.send(encode(MOVE) + encode(Command.REVEAL))
        for peer in peers:
            peer.screen()
            peer.screen()


@pytest.mark.usefixtures("player")
def test_connections_that_say_nothing_hurt_nobody(server: ServerProcess) -> None:
    with ExitStack() as stack:
        for _ in range(400):
            stack.enter_context(Peer(server.port))


@pytest.mark.usefixtures("player")
def test_urgent_data_is_no_packet(peer: Peer) -> None:
    peer.socket.send(b"\x02", socket.MSG_OOB)
    assert peer.play(START)


@pytest.mark.usefixtures("player")
def test_a_length_that_never_comes_keeps_nothing(server: ServerProcess, peer: Peer) -> None:
    """Of a packet of an unknown type not a byte is kept."""
    before = server.resident_kib()
    length = 60 * 1024
    peer.send(struct.pack(">BI", 200, length) + b"x" * (length - 1))
    peer.send(b"x")
    assert peer.screen()
    assert server.resident_kib() - before < 2048
