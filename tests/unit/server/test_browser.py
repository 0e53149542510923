"""A browser: the page, then the game in a WebSocket, with the turns and limits of anybody."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jminesweeper.protocol.packets import ScreenContent, Start, encode
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.vocabulary import Command, Direction
from jminesweeper.server.config import ServerConfig
from jminesweeper.server.connection import BUG
from jminesweeper.server.hub import ORIGIN_FULL
from jminesweeper.server.web_socket import WebSocketStream
from jminesweeper.session.session import Session
from tests.world.loop import hear
from tests.world.server import ALARM, World

GET = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"
UPGRADE = (
    b"GET /play HTTP/1.1\r\nHost: here\r\nOrigin: http://here\r\n"
    b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: AAECAwQFBgcICQoLDA0ODw==\r\n"
    b"Sec-WebSocket-Protocol: jminesweeper.2\r\n\r\n"
)
BINARY, CLOSE, PING, PONG = 2, 8, 9, 10
START = encode(Start(9, 9, 1))
MOVE, QUIT = map(encode, (Command.MOVE_RIGHT, Command.QUIT))


def frame(data: bytes, opcode: int = BINARY) -> bytes:
    """Write a frame as a browser does, with a mask that changes nothing."""
    return bytes((0x80 | opcode, 0x80 | len(data), 0, 0, 0, 0)) + data


class Browser:
    """A connection that is driven from the browser's side."""

    def __init__(self, *, has_page: bool = True, is_refused: bool = False) -> None:
        self.world = world = World(server=ServerConfig(max_per_address=1))
        new_web_socket = WebSocketStream if has_page else None
        world.hub.backend = replace(world.hub.backend, new_web_socket=new_web_socket)
        if is_refused:
            world.player()
        player = world.player()
        # It reads no packets, but what they come in.
        world.players.clear()
        self.connection, self.transport = player.connection, player.transport
        self._packets = PacketReader(Direction.FROM_SERVER)

    def send(self, data: bytes) -> None:
        self.world.have(hear, self.connection, data)

    def take(self) -> bytes:
        """Return what was written since this was asked last."""
        written, self.transport.writes = self.transport.written, []
        return written

    def open_socket(self) -> Browser:
        self.send(UPGRADE)
        assert self.take().startswith(b"HTTP/1.1 101 ")
        return self

    def hears(self) -> list[bytes | int]:
        """Return the screens, and the kinds of all other frames, that came since the last time."""
        found: list[bytes | int] = []
        data = self.take()
        while data:
            size, at = data[1], 2
            if size == 126:
                size, at = int.from_bytes(data[2:4], "big"), 4
            if (opcode := data[0] & 15) == BINARY:
                for packet in self._packets.feed(data[at : at + size]):
                    assert isinstance(packet, ScreenContent)
                    found.append(packet.text)
            else:
                found.append(opcode)
            data = data[at + size :]
        return found

    @property
    def is_read(self) -> bool:
        """True if the server takes bytes now."""
        return self.transport.is_reading_now


def test_a_browser_gets_the_page_byte_by_byte_and_may_ask_again() -> None:
    browser = Browser()
    for request in ([GET], [bytes((byte,)) for byte in GET]):
        for part in request:
            browser.send(part)
        assert browser.take().startswith(b"HTTP/1.1 200 OK\r\n")
    assert not browser.transport.is_closed


def test_the_first_browsers_wait_for_the_page_and_hold_nobody_up() -> None:
    """It is shrunk and compressed in a thread, once for all who ask meanwhile."""
    first = Browser()
    world = first.world
    second, gone, client = (world.player(address=name) for name in ("second", "gone", "client"))
    world.players.clear()
    transports = [first.transport, second.transport, client.transport]
    with world.loop.running():
        for connection in (first.connection, second.connection, gone.connection):
            hear(connection, GET)
        hear(client.connection, START)
    assert [one.is_reading_now for one in transports] == [False, False, True]
    assert [bool(one.written) for one in transports] == [False, False, True]
    gone.transport.close()
    world.settle()
    assert all(one.is_reading_now for one in transports)
    assert first.transport.written == second.transport.written
    assert second.transport.written.startswith(b"HTTP/1.1 200 OK\r\n")
    assert gone.transport.written == b""


def test_a_page_that_cannot_be_loaded_ends_the_connection() -> None:
    def open_nothing() -> WebSocketStream:
        raise ZeroDivisionError("a bug")

    browser = Browser()
    browser.world.expects_bugs = True
    browser.world.hub.backend = replace(browser.world.hub.backend, new_web_socket=open_nothing)
    browser.send(GET)
    ALARM.bugs.clear()
    assert browser.transport.is_closed or browser.transport.is_half_closed


def test_who_sends_a_request_slowly_is_disconnected_after_a_minute_without_a_word() -> None:
    browser = Browser()
    for byte in b"GET / HTTP/1.1\r\nHost: " + b"x" * 60:
        browser.send(bytes((byte,)))
        browser.world.pass_time(1_000)
    assert browser.take() == b""
    assert browser.transport.is_half_closed


@pytest.mark.parametrize(
    ("has_page", "request_line", "answer"),
    [
        (True, b"GET nonsense\r\n\r\n", b"HTTP/1.1 400 "),
        (False, GET, b"installed without the page"),
    ],
)
def test_what_gets_no_page_is_told_why(
    request_line: bytes, answer: bytes, *, has_page: bool
) -> None:
    browser = Browser(has_page=has_page)
    browser.send(request_line)
    assert answer in browser.take()
    assert browser.transport.is_closed


def test_what_comes_through_a_web_socket_is_played() -> None:
    browser = Browser().open_socket()
    browser.send(frame(START))
    browser.send(frame(MOVE))
    first, second = browser.hears()
    assert first != second


def test_frames_that_came_with_the_request_are_read() -> None:
    browser = Browser()
    browser.send(UPGRADE + frame(START))
    _, _, rest = browser.take().partition(b"\r\n\r\n")
    assert b"mines left" in rest


def test_a_browser_is_counted_once_until_it_leaves() -> None:
    browser = Browser().open_socket()
    hub = browser.world.hub
    assert (len(hub.connections), hub.totals.connections) == (1, 1)
    browser.world.have(browser.connection.connection_lost, None)
    assert not hub.connections
    # Its place is free.
    assert browser.world.player().send(Start(9, 9, 1)).is_connected


@pytest.mark.parametrize("said", [frame(QUIT), frame(b"", CLOSE)])
def test_a_web_socket_that_is_over_is_closed_and_nothing_is_written_after_it(said: bytes) -> None:
    browser = Browser().open_socket()
    browser.send(said)
    assert browser.hears() == [CLOSE]
    browser.send(frame(b"", PING))
    assert browser.take() == b""
    assert browser.transport.is_closed
    assert not browser.transport.is_aborted


@pytest.mark.parametrize("place", [(Session, "receive"), (WebSocketStream, "read_message")])
def test_a_bug_ends_the_web_socket_with_a_last_screen(
    place: tuple[type, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = Browser().open_socket()
    browser.world.expects_bugs = True
    monkeypatch.delattr(*place)
    browser.send(frame(MOVE))
    ALARM.bugs.clear()
    screen, closing = browser.hears()
    assert isinstance(screen, bytes)
    assert BUG.encode() in screen
    assert closing == CLOSE


def test_a_refused_browser_is_told_why_like_anybody() -> None:
    browser = Browser(is_refused=True)
    browser.world.settle()
    assert ORIGIN_FULL.encode() in browser.take()
    browser.send(GET)
    assert browser.take() == b""


def test_work_without_packets_is_charged_and_no_more_is_read_before_a_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    browser = Browser().open_socket()
    receive = WebSocketStream.receive

    def receive_slowly(stream: WebSocketStream, data: bytes) -> bytes:
        browser.world.clock.advance(0.005)
        return receive(stream, data)

    monkeypatch.setattr(WebSocketStream, "receive", receive_slowly)
    with browser.world.loop.running():
        hear(browser.connection, frame(b"", PING))
    assert browser.hears() == [PONG]
    assert not browser.is_read
    browser.world.settle()
    assert browser.is_read


def test_nothing_is_read_from_a_browser_that_does_not_read() -> None:
    browser = Browser().open_socket()
    browser.world.have(browser.connection.pause_writing)
    assert not browser.is_read
    browser.world.have(browser.connection.resume_writing)
    assert browser.is_read
