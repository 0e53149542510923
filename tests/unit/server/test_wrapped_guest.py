"""A browser, or TLS: unwrapped and wrapped, with the turns and limits of any guest."""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Awaitable, Callable

import pytest

from jminesweeper.server.config import ServerConfig
from jminesweeper.server.door import INTRODUCTION
from jminesweeper.server.guest import BUG
from jminesweeper.server.hub import ORIGIN_FULL, READ_SIZE, Hub
from jminesweeper.server.newcomer import Newcomer
from jminesweeper.server.tcp import TcpGuest
from jminesweeper.server.tls import TlsStream, load_certificate
from jminesweeper.server.wrapped_guest import ENOUGH_UNHEARD, WrappedGuest
from tests.certificates import CertificateFiles
from tests.unit.server.fakes import (
    BUG_BYTE,
    MOVE_BYTE,
    QUIT_BYTE,
    FakeClock,
    FakeSession,
    FakeStore,
    FakeTransport,
    FakeWorkers,
    backend_of,
    fail,
    on_loop,
    turn,
)
from tests.unit.server.tls_peer import TlsPeer

GET = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"
UPGRADE = b"GET /play HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\n\r\n"
PING = b"\xff"
CLOSE = b"\xfe"


class FakeWebSocket:
    """Frames a reply in brackets, answers each ping with a dot, and takes all else for the game."""

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

    def send(self, data: bytes) -> None:
        self.outgoing_bytes += b"[" + data + b"]"

    def close(self) -> None:
        self.outgoing_bytes += b"bye"


class BrowserTransport(FakeTransport):
    """Drives whichever protocol it was given last."""

    protocol: TcpGuest

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        assert isinstance(protocol, TcpGuest)
        self.protocol = protocol


class Browser:
    """A connection between fakes, driven from the browser's side."""

    def __init__(
        self,
        *,
        has_page: bool = True,
        is_refused: bool = False,
        tls: ssl.SSLContext | None = None,
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
        self.hub = Hub(config, backend, self.clock, self.clock)
        self.hub.tls = tls
        if is_refused:
            TcpGuest(self.hub, "another", "somewhere").connection_made(FakeTransport())
        self.transport = BrowserTransport()
        newcomer = Newcomer(self.hub, "peer", "somewhere")
        self.transport.set_protocol(newcomer)
        newcomer.connection_made(self.transport)

    def _new_session(self) -> FakeSession:
        self.sessions.append(FakeSession())
        return self.sessions[-1]

    def send(self, data: bytes) -> None:
        guest = self.transport.protocol
        buffer = guest.get_buffer(-1)
        buffer[: len(data)] = data
        guest.buffer_updated(len(data))

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


@on_loop
async def test_a_client_is_served_as_ever() -> None:
    browser = Browser()
    browser.send(MOVE_BYTE)
    browser.send(MOVE_BYTE)
    assert browser.take() == b"<1><2>"


@on_loop
async def test_who_types_gets_the_introduction() -> None:
    browser = Browser()
    browser.send(b"hello\r\n")
    assert browser.take() == INTRODUCTION


@on_loop
async def test_a_browser_gets_the_page_and_may_ask_again() -> None:
    browser = Browser()
    browser.send(GET)
    assert browser.take().startswith(b"HTTP/1.1 200 OK\r\n")
    browser.send(GET)
    assert browser.take().startswith(b"HTTP/1.1 200 OK\r\n")
    assert not browser.transport.is_closed


@on_loop
async def test_a_request_may_come_byte_by_byte() -> None:
    browser = Browser()
    for byte in GET:
        browser.send(bytes((byte,)))
    assert browser.take().startswith(b"HTTP/1.1 200 OK\r\n")


@on_loop
async def test_who_sends_a_request_slowly_is_disconnected_after_a_minute() -> None:
    browser = Browser()
    for byte in b"GET / HTTP/1.1\r\nHost: " + b"x" * 60:
        browser.send(bytes((byte,)))
        browser.clock.advance(1)
        browser.hub.check_time()
    assert browser.take() == b""
    assert browser.transport.is_half_closed


@on_loop
async def test_what_is_no_request_is_refused_and_the_connection_closed() -> None:
    browser = Browser()
    browser.send(b"GET nonsense\r\n\r\n")
    assert browser.take().startswith(b"HTTP/1.1 400 ")
    assert browser.transport.is_closed


@on_loop
async def test_without_web_sockets_the_address_says_so() -> None:
    browser = Browser(has_page=False)
    browser.send(GET)
    assert b"installed without the page" in browser.take()
    assert browser.transport.is_closed


@on_loop
async def test_what_comes_through_a_web_socket_is_played() -> None:
    browser = Browser()
    browser.open_socket()
    browser.send(MOVE_BYTE)
    browser.send(MOVE_BYTE)
    assert browser.take() == b"[<1>][<2>]"


@on_loop
async def test_frames_that_came_with_the_request_are_read() -> None:
    browser = Browser()
    browser.send(UPGRADE + MOVE_BYTE)
    await turn()
    assert browser.take() == b"welcome [<1>]"


@on_loop
async def test_a_browser_is_counted_once_until_it_leaves() -> None:
    browser = Browser()
    browser.open_socket()
    assert len(browser.hub.visitors) == 1
    assert browser.hub.totals.connections == 1
    browser.transport.protocol.connection_lost(None)
    assert not browser.hub.visitors
    assert browser.sessions[-1].has_left
    TcpGuest(browser.hub, "another", "somewhere").connection_made(transport := FakeTransport())
    assert transport.written == b""


@on_loop
async def test_a_player_who_quits_gets_a_closed_web_socket() -> None:
    browser = Browser()
    browser.open_socket()
    browser.send(QUIT_BYTE)
    await turn()
    assert browser.take() == b"bye"


@on_loop
async def test_a_web_socket_that_is_over_is_closed() -> None:
    browser = Browser()
    browser.open_socket()
    browser.send(CLOSE)
    assert browser.transport.is_closed


@on_loop
async def test_a_bug_ends_the_web_socket_with_a_last_screen() -> None:
    browser = Browser()
    browser.open_socket()
    browser.send(BUG_BYTE)
    assert browser.take() == f"[<{BUG}>]bye".encode()


@on_loop
async def test_a_bug_in_a_web_socket_ends_the_connection() -> None:
    browser = Browser()
    browser.open_socket()
    browser.socket.while_receiving = fail
    browser.send(MOVE_BYTE)
    assert browser.take() == f"[<{BUG}>]bye".encode()


@on_loop
async def test_farewells_before_there_is_a_page_are_not_shown() -> None:
    browser = Browser()
    browser.send(b"GET / HTTP/1.1\r\nHost:")
    browser.clock.advance(61)
    browser.hub.check_time()
    assert browser.take() == b""
    assert browser.transport.is_half_closed


@on_loop
async def test_a_refused_browser_is_told_why_like_anybody() -> None:
    browser = Browser(is_refused=True)
    assert browser.take() == f"<{ORIGIN_FULL}>".encode()
    browser.send(GET)
    assert browser.take() == b""


@on_loop
async def test_work_without_packets_is_charged_and_waits_for_its_turn() -> None:
    browser = Browser()
    browser.open_socket()
    browser.socket.while_receiving = lambda: browser.clock.advance(0.005)
    browser.send(PING)
    assert browser.take() == b"."
    browser.send(PING)
    assert browser.take() == b""
    await turn()
    assert browser.take() == b"."


@on_loop
async def test_no_more_bytes_are_taken_while_many_wait_for_a_turn() -> None:
    browser = Browser()
    browser.open_socket()
    browser.socket.while_receiving = lambda: browser.clock.advance(0.005)
    browser.send(PING)
    for _ in range(ENOUGH_UNHEARD // 256):
        assert browser.is_read()
        browser.send(PING * 256)
    assert not browser.is_read()
    await turn()
    assert browser.is_read()
    assert browser.take() == b"." * (ENOUGH_UNHEARD + 1)


@on_loop
async def test_nothing_is_read_from_a_browser_that_does_not_read() -> None:
    browser = Browser()
    browser.open_socket()
    browser.transport.protocol.pause_writing()
    assert not browser.is_read()
    browser.transport.protocol.resume_writing()
    assert browser.is_read()


@on_loop
async def test_nothing_is_written_after_the_end() -> None:
    browser = Browser()
    browser.open_socket()
    browser.send(QUIT_BYTE)
    await turn()
    assert browser.take() == b"bye"
    browser.send(PING)
    assert browser.take() == b""
    assert len(browser.sessions[-1].received) == 1
    assert not browser.transport.is_aborted


# TLS


class SecureBrowser(Browser):
    """Whoever comes with TLS, and has shaken hands."""

    def __init__(self, files: CertificateFiles, *, is_refused: bool = False) -> None:
        super().__init__(is_refused=is_refused, tls=load_certificate(*files))
        self.files = files
        self.tls = TlsPeer(files.certificate)
        self.send_raw(self.tls.shake_hands())
        self.send_raw(self.tls.shake_hands(super().take()))

    def send_raw(self, data: bytes) -> None:
        """Send in pieces that fit the buffer, with a turn for each."""
        for place in range(0, len(data), READ_SIZE):
            super().send(data[place : place + READ_SIZE])
            self.transport.protocol.take_turn()

    def send(self, data: bytes) -> None:
        self.send_raw(self.tls.say(data))

    def take(self) -> bytes:
        return self.tls.hear(super().take())


def secure(
    test: Callable[[SecureBrowser], Awaitable[None]],
) -> Callable[[CertificateFiles], None]:
    """Run a test with somebody who has shaken hands."""

    def run(certificate: CertificateFiles) -> None:
        async def play() -> None:
            await test(SecureBrowser(certificate))

        asyncio.run(play())

    return run


@secure
async def test_a_client_with_tls_is_served(browser: SecureBrowser) -> None:
    browser.send(MOVE_BYTE)
    browser.send(MOVE_BYTE)
    assert browser.take() == b"<1><2>"


@secure
async def test_who_types_into_tls_gets_the_introduction(browser: SecureBrowser) -> None:
    browser.send(b"hello")
    assert browser.take() == INTRODUCTION


@secure
async def test_the_page_and_its_web_socket_come_through_tls(browser: SecureBrowser) -> None:
    browser.send(GET)
    assert browser.take().startswith(b"HTTP/1.1 200 OK")
    browser.open_socket()
    browser.send(MOVE_BYTE)
    assert browser.take() == b"[<1>]"


@secure
async def test_what_begins_byte_by_byte_is_recognised_in_tls(browser: SecureBrowser) -> None:
    for byte in GET:
        browser.send(bytes((byte,)))
    assert browser.take().startswith(b"HTTP/1.1 200 OK")


@secure
async def test_who_quits_is_said_goodbye_to_in_tls(browser: SecureBrowser) -> None:
    browser.send(QUIT_BYTE)
    assert browser.transport.writes
    assert browser.take() == b""
    assert browser.transport.is_closed


@secure
async def test_who_says_goodbye_in_tls_leaves(browser: SecureBrowser) -> None:
    browser.send(MOVE_BYTE)
    browser.send_raw(browser.tls.say_goodbye())
    assert browser.transport.is_closed


class SlowTls(TlsStream):
    """Takes five milliseconds of the processor for whatever comes."""

    def __init__(self, context: ssl.SSLContext, clock: FakeClock) -> None:
        super().__init__(context)
        self._clock = clock

    def receive(self, data: bytes) -> bytes:
        self._clock.advance(0.005)
        return b""


@secure
async def test_the_work_on_records_is_charged(browser: SecureBrowser) -> None:
    browser.send(MOVE_BYTE)
    before = browser.transport.protocol.account_ns
    guest = browser.transport.protocol
    assert isinstance(guest, WrappedGuest)
    guest._tls = SlowTls(load_certificate(*browser.files), browser.clock)
    guest.buffer_updated(1)
    assert guest.account_ns - before >= 5_000_000


def test_a_record_that_is_none_ends_the_connection_and_is_logged(
    certificate: CertificateFiles, caplog: pytest.LogCaptureFixture
) -> None:
    @on_loop
    async def play() -> None:
        browser = SecureBrowser(certificate)
        browser.send_raw(b"\x17\x03\x03\x00\x20" + b"x" * 32)
        assert browser.transport.is_closed

    with caplog.at_level(logging.INFO):
        play()
    assert any("no TLS with peer: " in message for message in caplog.messages)


def test_a_handshake_that_never_ends_is_disconnected_without_a_word(
    certificate: CertificateFiles,
) -> None:
    @on_loop
    async def play() -> None:
        browser = Browser(tls=load_certificate(*certificate))
        browser.send(TlsPeer(certificate.certificate).shake_hands()[:100])
        browser.clock.advance(61)
        browser.hub.check_time()
        assert browser.take() == b""
        assert browser.transport.is_half_closed

    play()


def test_who_is_refused_is_told_so_in_tls(certificate: CertificateFiles) -> None:
    @on_loop
    async def play() -> None:
        browser = SecureBrowser(certificate, is_refused=True)
        browser.send(MOVE_BYTE)
        assert browser.take() == f"<{ORIGIN_FULL}>".encode()
        assert browser.sessions[-1].received == []
        browser.transport.protocol.connection_lost(None)
        assert len(browser.hub.visitors) == 1

    play()


def test_a_client_without_tls_is_refused_once_it_has_spoken(certificate: CertificateFiles) -> None:
    @on_loop
    async def play() -> None:
        browser = Browser(is_refused=True, tls=load_certificate(*certificate))
        assert browser.take() == b""
        browser.send(MOVE_BYTE)
        assert browser.take() == f"<{ORIGIN_FULL}>".encode()

    play()


def test_who_has_said_nothing_is_disconnected_without_a_word_where_tls_may_come(
    certificate: CertificateFiles,
) -> None:
    @on_loop
    async def play() -> None:
        browser = Browser(tls=load_certificate(*certificate))
        browser.hub.say_goodbye("the end")
        assert browser.take() == b""
        assert browser.transport.is_closed

    play()


@on_loop
async def test_without_a_certificate_tls_gets_the_introduction() -> None:
    browser = Browser()
    browser.send(b"\x16\x03\x01\x00\x05")
    assert browser.take() == INTRODUCTION
