"""The real server's page and WebSocket: polite browsers, rude ones, and hostile ones."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from jminesweeper.protocol.packets import Act, NewGame, encode
from jminesweeper.protocol.vocabulary import Command
from tests.integration.server_peer import START, Peer
from tests.integration.server_process import ServerProcess, running_server
from tests.integration.web_peer import (
    BINARY,
    CLOSE,
    CONTINUED,
    FINAL,
    HELLO,
    PING,
    PONG,
    TEXT,
    WebPeer,
    frame,
)

BEGINNER = NewGame("beginner jminesweeper")
UNFINISHED = 0x00


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    with running_server("--seed=1", "--store=memory", "--workers=0") as running:
        yield running


@pytest.fixture
def peer(server: ServerProcess) -> Iterator[WebPeer]:
    with WebPeer(server.port) as browser:
        yield browser


@pytest.fixture
def player(server: ServerProcess) -> Iterator[Peer]:
    """Somebody in a terminal whose game must not notice anything."""
    with Peer(server.port) as terminal:
        terminal.play(START)
        yield terminal
        assert b"20x10" in terminal.play()


def test_the_page_and_the_game_share_a_port(peer: WebPeer, player: Peer) -> None:
    status, body = peer.ask("/")
    assert status == 200
    assert body.startswith(b"<!doctype html>")
    assert b"20x10" in player.play()


def test_a_game_is_played_through_a_web_socket(peer: WebPeer) -> None:
    peer.open_socket()
    assert "menu" in peer.play(HELLO).members()
    view = peer.play(BEGINNER)
    assert view.members()["size"] == [9, 9]
    assert view.cells == b""
    assert peer.play(Act(4, 4, 1, 0x10)).cells == bytes((0, 40, 1, 0x30))
    assert peer.play(Act(4, 4, 1, 0x30)).cells == bytes((0, 40, 1, 0x10))


def test_the_stream_may_be_cut_into_messages_and_frames_anywhere(peer: WebPeer) -> None:
    stream = encode(HELLO) + encode(BEGINNER) + encode(Act(4, 4, 1, 0x10))
    peer.open_socket()
    peer.send(frame(stream[:3]) + frame(b"") + frame(stream[3:7], first=UNFINISHED))
    peer.send(frame(b"?", PING))
    peer.send(frame(stream[7:20], CONTINUED, first=UNFINISHED))
    peer.send(frame(b"", CONTINUED, first=UNFINISHED))
    peer.send(frame(stream[20:], CONTINUED))
    assert peer.frame() == (PONG, b"?")
    assert [bool(peer.screen().cells) for _ in range(3)] == [False, False, True]


def test_a_web_socket_may_come_byte_by_byte(peer: WebPeer) -> None:
    peer.open_socket()
    for byte in frame(encode(HELLO)):
        peer.send(bytes((byte,)))
    assert "menu" in peer.screen().members()


def test_who_closes_a_web_socket_gets_a_close_back(peer: WebPeer) -> None:
    peer.open_socket()
    peer.send(frame(b"\x03\xe8", CLOSE))
    assert peer.close_code() == 1000
    assert peer.is_hung_up_on()


def test_who_quits_gets_a_close_and_no_screen(peer: WebPeer) -> None:
    peer.open_socket().play(HELLO)
    peer.send(frame(encode(Command.QUIT)))
    assert peer.frame() == (CLOSE, b"\x03\xe8")


def test_bytes_that_are_no_packets_get_a_last_screen_in_a_web_socket_too(peer: WebPeer) -> None:
    peer.open_socket().play(HELLO)
    peer.send(frame(b"\x00"))
    members = peer.screen().members()
    assert members["message"]["text"] == "There is no packet of type 0."
    assert members["last"] is True
    assert peer.close_code() == 1000


def test_no_compression_is_spoken(peer: WebPeer) -> None:
    """Few bytes must not stand for many."""
    peer.open_socket("Sec-WebSocket-Extensions: permessage-deflate")
    peer.send(frame(b"\x00" * 20, first=FINAL | 0x40))
    assert peer.close_code() == 1002


@pytest.mark.usefixtures("player")
@pytest.mark.parametrize(
    ("rude", "code"),
    [
        (frame(encode(HELLO), mask=b""), 1002),
        (frame(b"hello", TEXT), 1003),
        (frame(b"", 5), 1002),
        (frame(b"", CONTINUED), 1002),
        (frame(b"x", first=UNFINISHED) + frame(b"x"), 1002),
        (frame(b"x" * 126, PING), 1002),
        (frame(b"x", PING, first=UNFINISHED), 1002),
        (frame(b"\x03", CLOSE), 1002),
        (b"\x82\xff" + b"\x00" * 4 + b"\x00\x01\x00\x01" + b"\x00" * 4, 1009),
        (b"\x82\xff" + b"\xff" * 8, 1009),
    ],
    ids=[
        "no mask",
        "text",
        "unknown opcode",
        "continuation of nothing",
        "message within a message",
        "long ping",
        "ping in pieces",
        "half a close code",
        "larger than a message may be",
        "length with the highest bit",
    ],
)
def test_frames_that_break_the_rules_end_the_web_socket(
    peer: WebPeer, rude: bytes, code: int
) -> None:
    peer.open_socket()
    peer.send(rude)
    assert peer.close_code() == code
    assert peer.is_hung_up_on()


@pytest.mark.usefixtures("player")
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ((), 426),
        (("Upgrade: websocket", "Origin: http://evil.example"), 403),
        (("Upgrade: websocket",), 426),
        (("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 12"), 400),
        (("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"), 400),
    ],
)
def test_a_handshake_that_is_none_is_refused(
    peer: WebPeer, headers: tuple[str, ...], status: int
) -> None:
    assert peer.ask("/play", *headers)[0] == status
    assert peer.is_hung_up_on()


@pytest.mark.usefixtures("player")
@pytest.mark.parametrize(
    ("rude", "status"),
    [
        (b"GET / HTTP/1.1\r\nX: " + b"x" * 10_000, 431),
        (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 2_000, 431),
        (b"GET / HTTP/9.9\r\n\r\n", 400),
        (b"POST / HTTP/1.0\r\nContent-Length: 99999999\r\n\r\n", 413),
        (b"OPTIONS * HTTP/1.1\r\n\r\n", 400),
    ],
)
def test_rude_requests_are_refused(peer: WebPeer, rude: bytes, status: int) -> None:
    peer.send(rude)
    assert peer.answer()[0] == status


@pytest.mark.usefixtures("player")
@pytest.mark.parametrize("size", [1, 3, 5, 20])
def test_half_a_request_is_forgotten_with_its_sender(server: ServerProcess, size: int) -> None:
    with WebPeer(server.port) as peer:
        peer.send(b"GET / HTTP/1.1\r\nHost: here"[:size])
        port = peer.socket.getsockname()[1]
    server.await_log(rf"127.0.0.1:{port} left after .*: 0 packets")


@pytest.mark.usefixtures("player")
def test_pings_that_nobody_waits_for_cost_their_sender_only(server: ServerProcess) -> None:
    """Their answers are not kept for a peer that does not read."""
    with WebPeer(server.port) as peer:
        peer.open_socket()
        peer.socket.settimeout(0.5)
        before = server.resident_kib()
        with pytest.raises(TimeoutError):
            peer.send(frame(b"x" * 100, PING) * 500_000)
        assert server.resident_kib() - before < 20_000


@pytest.mark.usefixtures("player")
def test_pages_that_nobody_reads_cost_their_sender_only(server: ServerProcess) -> None:
    with WebPeer(server.port) as peer:
        request = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"
        before = server.resident_kib()
        peer.send(request * 10)
        assert peer.answer()[0] == 200
        assert peer.is_hung_up_on()
        assert server.resident_kib() - before < 20_000


def test_frames_and_requests_in_one_segment_are_both_read(server: ServerProcess) -> None:
    with WebPeer(server.port) as peer:
        lines = (
            "GET /play HTTP/1.1",
            f"Host: 127.0.0.1:{server.port}",
            "Connection: keep-alive, Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: AAECAwQFBgcICQoLDA0ODw==",
            "Sec-WebSocket-Protocol: chat, jminesweeper.2",
        )
        peer.send("\r\n".join((*lines, "", "")).encode() + frame(encode(HELLO), BINARY))
        assert peer.answer()[0] == 101
        assert "menu" in peer.screen().members()
