"""A browser: the page, then the game in a WebSocket, with the turns and limits of anybody."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NoReturn

import pytest

from jminesweeper.server.config import ServerConfig
from jminesweeper.server.connection import BUG
from jminesweeper.server.door import INTRODUCTION
from jminesweeper.server.hub import ORIGIN_FULL, Hub
from tests.unit.server.fakes import (
    BUG_BYTE,
    MOVE_BYTE,
    QUIT_BYTE,
    FakeSession,
    FakeStore,
    FakeWorkers,
    backend_of,
    check_time,
    come,
    fail,
    turn,
)
from tests.world.loop import FakeClock, FakeTransport, hear

GET = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"
UPGRADE = b"GET /play HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\n\r\n"
PING = b"\xff"
CLOSE = b"\xfe"


class FakeWebSocket:
    """Frames a reply in brackets, answers each ping with a dot, and takes all else for the game.

    Bytes in parentheses are a whole, short message.
    """

    def __init__(self) -> None:
        self.is_over = False
        self.outgoing_bytes = b""
        self.has_begun = False
        self.while_receiving: Callable[[], None] = lambda: None

    @property
    def outgoing(self) -> bytes:
        data, self.outgoing_bytes = self.outgoing_bytes, b""
        return data

    def receive(self, data: bytes) -> bytes:
        self.while_receiving()
        if not self.has_begun:
            assert data.startswith(UPGRADE)
            self.has_begun = True
            self.outgoing_bytes += b"welcome "
            data = data[len(UPGRADE) :]
        self.outgoing_bytes += b"." * data.count(PING)
        self.is_over = CLOSE in data
        return data.replace(PING, b"").replace(CLOSE, b"")

    def read_message(self, data: bytes) -> bytes:
        is_whole = data.startswith(b"(") and data.endswith(b")")
        return data[1:-1] if is_whole else b""

    def pack(self, data: bytes) -> bytes:
        return b"[" + data + b"]"

    def close(self) -> None:
        self.outgoing_bytes += b"bye"


class Browser:
    """A connection between fakes, driven from the browser's side."""

    def __init__(
        self,
        *,
        has_page: bool = True,
        is_refused: bool = False,
    ) -> None:
        self.clock = FakeClock()
        self.session = FakeSession()
        self.sessions: list[FakeSession] = []
        self.socket = FakeWebSocket()
        self.workers = FakeWorkers()
        backend = backend_of(
            self._new_session,
            FakeStore(),
            self.workers,
            new_web_socket=(lambda: self.socket) if has_page else None,
        )
        config = ServerConfig(max_per_address=1)
        self.hub = Hub(config, backend, self.clock)
        if is_refused:
            come(self.hub, FakeTransport())
        self.transport = FakeTransport()
        self.connection = come(self.hub, self.transport)

    def _new_session(self) -> FakeSession:
        self.sessions.append(FakeSession())
        return self.sessions[-1]

    def send(self, data: bytes) -> None:
        hear(self.connection, data)

    def take(self) -> bytes:
        """Return what was written since this was asked last."""
        written, self.transport.writes = self.transport.written, []
        return written

    def is_read(self) -> bool:
        """Whether the server takes bytes now."""
        return self.transport.is_reading_now

    def open_socket(self) -> None:
        self.send(UPGRADE)
        assert self.take() == b"welcome "


async def arrive(*, has_page: bool = True, is_refused: bool = False) -> Browser:
    """Connect to a server that browsers came to before."""
    browser = Browser(has_page=has_page, is_refused=is_refused)
    await browser.hub.load_page()
    return browser


async def test_a_client_is_served_as_ever() -> None:
    browser = await arrive()
    browser.send(MOVE_BYTE)
    browser.send(MOVE_BYTE)
    assert browser.take() == b"<1><2>"


async def test_who_types_gets_the_introduction() -> None:
    browser = await arrive()
    browser.send(b"hello\r\n")
    assert browser.take() == INTRODUCTION


async def test_a_browser_gets_the_page_and_may_ask_again() -> None:
    browser = await arrive()
    browser.send(GET)
    assert browser.take().startswith(b"HTTP/1.1 200 OK\r\n")
    browser.send(GET)
    assert browser.take().startswith(b"HTTP/1.1 200 OK\r\n")
    assert not browser.transport.is_closed


async def test_the_first_browsers_wait_for_the_page_and_hold_nobody_up() -> None:
    """It is shrunk and compressed in a thread, once for all who ask meanwhile."""
    first = Browser()
    second, client = FakeTransport(), FakeTransport()
    first.send(GET)
    hear(come(first.hub, second, origin="second"), GET)
    hear(come(first.hub, client, origin="client"), MOVE_BYTE)
    transports = (first.transport, second, client)
    assert [one.is_reading_now for one in transports] == [False, False, True]
    assert [one.written for one in transports] == [b"", b"", b"<1>"]
    await first.hub.load_page()
    await turn()
    assert all(one.is_reading_now for one in transports)
    assert first.transport.written == second.written
    assert second.written.startswith(b"HTTP/1.1 200 OK\r\n")


async def test_a_browser_that_left_meanwhile_gets_no_page() -> None:
    browser = Browser()
    browser.send(GET)
    browser.transport.close()
    await browser.hub.load_page()
    await turn()
    assert browser.take() == b""


async def test_a_page_that_cannot_be_loaded_ends_the_connection() -> None:
    def open_nothing() -> NoReturn:
        raise ZeroDivisionError("a bug")

    browser = Browser()
    browser.hub.backend = replace(browser.hub.backend, new_web_socket=open_nothing)
    browser.send(GET)
    with pytest.raises(ZeroDivisionError):
        await browser.hub.load_page()
    await turn()
    assert browser.transport.is_closed or browser.transport.is_half_closed


async def test_a_request_may_come_byte_by_byte() -> None:
    browser = await arrive()
    for byte in GET:
        browser.send(bytes((byte,)))
    assert browser.take().startswith(b"HTTP/1.1 200 OK\r\n")


async def test_who_sends_a_request_slowly_is_disconnected_after_a_minute() -> None:
    browser = await arrive()
    for byte in b"GET / HTTP/1.1\r\nHost: " + b"x" * 60:
        browser.send(bytes((byte,)))
        browser.clock.advance(1)
        check_time(browser.hub)
    assert browser.take() == b""
    assert browser.transport.is_half_closed


async def test_what_is_no_request_is_refused_and_the_connection_closed() -> None:
    browser = await arrive()
    browser.send(b"GET nonsense\r\n\r\n")
    assert browser.take().startswith(b"HTTP/1.1 400 ")
    assert browser.transport.is_closed


async def test_without_web_sockets_the_address_says_so() -> None:
    browser = await arrive(has_page=False)
    browser.send(GET)
    assert b"installed without the page" in browser.take()
    assert browser.transport.is_closed


async def test_what_comes_through_a_web_socket_is_played() -> None:
    browser = await arrive()
    browser.open_socket()
    browser.send(MOVE_BYTE)
    browser.send(MOVE_BYTE)
    assert browser.take() == b"[<1>][<2>]"


async def test_a_whole_message_is_played_without_looking_for_anything_else_in_it() -> None:
    browser = await arrive()
    browser.open_socket()
    browser.socket.while_receiving = fail
    browser.send(b"(" + MOVE_BYTE + b")")
    browser.send(b"(" + MOVE_BYTE + b")")
    assert browser.take() == b"[<1>][<2>]"


async def test_frames_that_came_with_the_request_are_read() -> None:
    browser = await arrive()
    browser.send(UPGRADE + MOVE_BYTE)
    await turn()
    assert browser.take() == b"welcome [<1>]"


async def test_a_browser_is_counted_once_until_it_leaves() -> None:
    browser = await arrive()
    browser.open_socket()
    assert len(browser.hub.connections) == 1
    assert browser.hub.totals.connections == 1
    browser.connection.connection_lost(None)
    assert not browser.hub.connections
    assert browser.sessions[-1].has_left
    come(browser.hub, transport := FakeTransport())
    assert transport.written == b""


async def test_a_player_who_quits_gets_a_closed_web_socket() -> None:
    browser = await arrive()
    browser.open_socket()
    browser.send(QUIT_BYTE)
    await turn()
    assert browser.take() == b"bye"


async def test_a_web_socket_that_is_over_is_closed() -> None:
    browser = await arrive()
    browser.open_socket()
    browser.send(CLOSE)
    assert browser.transport.is_closed


async def test_a_bug_ends_the_web_socket_with_a_last_screen() -> None:
    browser = await arrive()
    browser.open_socket()
    browser.send(BUG_BYTE)
    assert browser.take() == f"[<{BUG}>]bye".encode()


async def test_a_bug_in_a_web_socket_ends_the_connection() -> None:
    browser = await arrive()
    browser.open_socket()
    browser.socket.while_receiving = fail
    browser.send(MOVE_BYTE)
    assert browser.take() == f"[<{BUG}>]bye".encode()


async def test_farewells_before_there_is_a_page_are_not_shown() -> None:
    browser = await arrive()
    browser.send(b"GET / HTTP/1.1\r\nHost:")
    browser.clock.advance(61)
    check_time(browser.hub)
    assert browser.take() == b""
    assert browser.transport.is_half_closed


async def test_a_refused_browser_is_told_why_like_anybody() -> None:
    browser = await arrive(is_refused=True)
    assert browser.take() == f"<{ORIGIN_FULL}>".encode()
    browser.send(GET)
    assert browser.take() == b""


async def test_work_without_packets_is_charged_and_no_more_is_read_before_a_turn() -> None:
    browser = await arrive()
    browser.open_socket()
    browser.socket.while_receiving = lambda: browser.clock.advance(0.005)
    browser.send(PING)
    assert browser.take() == b"."
    assert not browser.is_read()
    await turn()
    assert browser.is_read()


async def test_nothing_is_read_from_a_browser_that_does_not_read() -> None:
    browser = await arrive()
    browser.open_socket()
    browser.connection.pause_writing()
    assert not browser.is_read()
    browser.connection.resume_writing()
    assert browser.is_read()


async def test_nothing_is_written_after_the_end() -> None:
    browser = await arrive()
    browser.open_socket()
    browser.send(QUIT_BYTE)
    await turn()
    assert browser.take() == b"bye"
    browser.send(PING)
    assert browser.take() == b""
    assert len(browser.sessions[-1].received) == 1
    assert not browser.transport.is_aborted
